#include "stickslip/math/large_pages.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace stickslip {

namespace {

constexpr std::size_t large_page = std::size_t(1) << 21; // bytes

bool takes_large_pages(std::size_t bytes)
{
    return bytes >= 2 * large_page;
}

} // namespace

void* allocate_on_large_pages(std::size_t bytes)
{
    if (!takes_large_pages(bytes))
        return ::operator new(bytes);
    void* const memory = ::operator new(bytes, std::align_val_t(large_page));
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE); // where it fails, pages stay small
#endif
    return memory;
}

void free_large_pages(void* memory, std::size_t bytes) noexcept
{
    if (takes_large_pages(bytes))
        ::operator delete(memory, std::align_val_t(large_page));
    else
        ::operator delete(memory);
}

} // namespace stickslip
