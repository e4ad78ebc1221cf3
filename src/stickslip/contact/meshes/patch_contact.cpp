#include "stickslip/contact/meshes/patch_contact.h"

#include <algorithm>

namespace stickslip {

namespace {

/// A block of unknowns and what it moves.
struct Mover {
    int block;
    bool turns = false;
    double on_point = 0, on_surface = 0; // [-] share of the force on either side that it takes
    int corner = -1; // of Y's facet
    PatchMotion motion;
};

/// At most two of a rigid body or three nodes, and the corners of the facets of Y, of the foot and of X.
struct Movers {
    std::array<Mover, 12> items;
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

void add_point(const PointSide& side, const Vec3& Z, Movers& movers)
{
    for (int i = 0; i < 3 && side.node[0] >= 0; ++i) {
        Mover& m = movers.of(side.node[i]);
        m.on_point += side.weight[i];
        m.motion.dZ += side.weight[i] * Mat3::Identity();
    }
    for (int b = 0; b < side.body.count; ++b) {
        Mover& m = movers.items[movers.count++] = {side.body.first + b, b == 1};
        m.on_point = 1;
        m.motion.dZ = side.body.motion(b, Z);
    }
}

Mat3 load_derivative(const Mover& row, const Mover& column, const PatchRelaxation& r, const PatchDifferential& d,
    const PointSide& side, const Vec3& Z)
{
    if (row.turns) {
        Mat3 darm = column.motion.dZ;
        if (column.block == side.body.first)
            darm -= Mat3::Identity();
        return skew(Z - side.body.x) * d.dspring - skew(r.spring) * darm;
    }
    Mat3 D = (row.on_point - row.on_surface) * d.dspring;
    if (row.corner >= 0)
        D -= r.spring * d.dw.row(row.corner);
    return D;
}

} // namespace

void add_patch_contact(const PatchView& surface, const PatchPoint& point, const PatchRelaxation& r,
    const PointSide& side, std::span<const int> vertices, const Contact& names, ContactBlocks& contacts)
{
    const SmoothPatches& patches = *surface.patches;
    Movers movers;
    add_point(side, point.Z, movers);
    for (int i = 0; i < 3; ++i) {
        Mover& m = movers.of(vertices[patches.facets[r.at.facet][i]]);
        m.on_surface = r.at.w[i];
        m.corner = i;
        m.motion.hit[i] = 1;
    }
    const int loaded = movers.count;
    for (int i = 0; i < 3; ++i)
        movers.of(vertices[patches.facets[r.foot.facet][i]]).motion.foot[i] = 1;
    for (int i = 0; i < 3 && point.kept; ++i)
        movers.of(vertices[patches.facets[point.kept->facet][i]]).motion.X += point.kept->w[i];

    Contact c = names;
    c.Z = point.Z;
    c.j = -c.k * r.spring;
    c.at.Y = point.Z + r.spring;
    c.at.dY_dZ.setZero(); // Z is no unknown of its own here
    c.at.sticks = r.sticks && point.kept;
    c.at.patch = r.at.facet;
    c.at.X = r.at.w;
    c.at.slip = r.Y - r.X;
    c.at.depth = r.depth;
    c.at.n = r.n;
    c.at.share = r.share;
    c.at.damped = (r.firmness - 1) * r.share * r.depth * r.ray;

    std::array<StencilBlock, 12> stencil;
    std::array<PatchDifferential, 12> by;
    for (int b = 0; b < movers.count; ++b) {
        const Mover& m = movers.items[b];
        by[b] = r.differential(surface, point, m.motion);
        stencil[b].block = m.block;
        stencil[b].turns = m.turns;
        if (b >= loaded)
            continue;
        stencil[b].lever = m.turns ? skew(point.Z - side.body.x) : Mat3((m.on_point - m.on_surface) * Mat3::Identity());
        stencil[b].load = -stencil[b].lever * c.j;
    }
    std::array<Mat3, 8 * 12> derivatives;
    int n = 0;
    for (int a = 0; a < loaded; ++a)
        for (int b = 0; b < movers.count; ++b)
            derivatives[n++] = c.k * load_derivative(movers.items[a], movers.items[b], r, by[b], side, point.Z);
    contacts.add(c, std::span(stencil).first(movers.count), loaded, std::span(derivatives).first(n));
}

} // namespace stickslip
