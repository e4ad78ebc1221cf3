#pragma once

#include <cstddef>
#include <vector>

namespace stickslip {

/// Memory on large pages, from a size of several of them on and where the system has them: whoever streams through
/// much memory waits for page tables otherwise. Any alignment that operator new gives.
void* allocate_on_large_pages(std::size_t bytes);
void free_large_pages(void* memory, std::size_t bytes) noexcept;

template <typename T>
struct LargePageAllocator {
    using value_type = T;

    LargePageAllocator() = default;
    template <typename Other>
    LargePageAllocator(const LargePageAllocator<Other>&) noexcept
    {
    }

    T* allocate(std::size_t count) { return static_cast<T*>(allocate_on_large_pages(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t count) noexcept { free_large_pages(memory, count * sizeof(T)); }
    template <typename Other>
    bool operator==(const LargePageAllocator<Other>&) const
    {
        return true;
    }
};

/// For the largest arrays: those by block of a matrix, or by tetrahedron.
template <typename T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

} // namespace stickslip
