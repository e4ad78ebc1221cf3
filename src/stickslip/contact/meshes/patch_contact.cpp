#include "stickslip/contact/meshes/patch_contact.h"

#include <algorithm>

namespace stickslip {

namespace {

/// A block of unknowns and what it moves.
struct Mover {
    int block;
    bool turns = false;
    int corner = -1; // of Y's facet
    PatchMotion motion = {};
};

struct Movers {
    std::array<Mover, PatchLoads::most_blocks> items;
    int count = 0;

    Mover& of(int block)
    {
        const auto end = items.begin() + count;
        const auto it = std::find_if(items.begin(), end, [&](const Mover& m) { return m.block == block && !m.turns; });
        if (it != end)
            return *it;
        items[count] = {block};
        return items[count++];
    }
};

void add_point(const PointSide& side, Movers& movers)
{
    for (int i = 0; i < 3 && side.node[0] >= 0; ++i)
        movers.of(side.node[i]).motion.point += side.weight[i];
    for (int b = 0; b < side.body.count; ++b)
        movers.items[movers.count++] = {side.body.first + b, b == 1, -1, {.point = 1}};
}

} // namespace

void add_patch_contact(const PatchView& surface, const PatchPoint& point, const PatchRelaxation& r,
    const PointSide& side, std::span<const int> vertices, const Contact& names, ContactBlocks& contacts)
{
    const SmoothPatches& patches = *surface.patches;
    Movers movers;
    add_point(side, movers);
    for (int i = 0; i < 3; ++i) {
        Mover& m = movers.of(vertices[patches.facets[r.at.facet][i]]);
        m.corner = i;
        m.motion.hit = r.at.w[i];
    }
    const int loaded = movers.count;
    for (int i = 0; i < 3; ++i)
        movers.of(vertices[patches.facets[r.foot.facet][i]]).motion.foot = r.foot.w[i];
    for (int i = 0; i < 3 && point.kept; ++i)
        movers.of(vertices[patches.facets[point.kept->facet][i]]).motion.kept = point.kept->w[i];

    Contact c = names;
    c.Z = point.Z;
    c.j = -c.k * r.spring;
    c.at.Y = point.Z + r.spring;
    c.at.sticks = r.sticks && point.kept;
    c.at.to = r.at;
    c.at.slip = r.Y - r.X;
    c.at.belt = r.belt;
    c.at.depth = r.depth;
    c.at.n = r.n;
    c.at.share = r.pressed.share();
    c.at.damped = (r.pressed.pressed - r.pressed.elastic) * r.ray;
    c.at.work = 2 * r.pressed.elastic * r.approach;
    c.at.lacking = r.pressed.lacking * r.ray.squaredNorm();

    PatchLoads loads;
    loads.by = r.derivatives(surface, point);
    if (side.body.count > 0)
        loads.turn = side.body.motion(1, point.Z);
    std::array<StencilBlock, PatchLoads::most_blocks> stencil;
    for (int b = 0; b < movers.count; ++b) {
        const Mover& m = movers.items[b];
        loads.motion[b] = m.motion;
        loads.corner[b] = m.corner;
        stencil[b].block = m.block;
        stencil[b].turns = m.turns;
        if (b >= loaded)
            continue;
        stencil[b].lever = m.turns ? skew(point.Z - side.body.x) : Mat3(m.motion.reach() * Mat3::Identity());
        stencil[b].load = -stencil[b].lever * c.j;
    }
    contacts.add(c, std::span(stencil).first(movers.count), loaded, loads);
}

} // namespace stickslip
