#include "stickslip/dem/walls/sphere_blocks.h"

namespace stickslip {

std::vector<std::size_t> SphereBlocks::overlapping(const Bounds& box) const
{
    std::vector<std::size_t> blocks;
    for (std::size_t b = 0; b < boxes.size(); ++b)
        if (boxes[b].overlaps(box))
            blocks.push_back(b);
    return blocks;
}

SphereBlocks make_sphere_blocks(const Spheres& spheres)
{
    SphereBlocks blocks;
    blocks.boxes.resize((spheres.size() + SphereBlocks::size - 1) / SphereBlocks::size);
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        const SpherePlace& s = spheres.place[i];
        Bounds& box = blocks.boxes[i / SphereBlocks::size];
        box.add(s.x - Vec3::Constant(s.radius));
        box.add(s.x + Vec3::Constant(s.radius));
    }
    return blocks;
}

} // namespace stickslip
