#include "stickslip/contact/contact_blocks.h"

#include "stickslip/contact/surfaces/soft_ball_contact.h"

#include <utility>

namespace stickslip {

namespace {

Mat3 lever(bool turns, bool on_surface, const Vec3& arm)
{
    const Mat3 to = turns ? skew(arm) : Mat3(Mat3::Identity());
    return on_surface ? Mat3(-to) : to;
}

} // namespace

void ContactBlocks::clear()
{
    contacts_.clear();
    stencils_.clear();
    derivatives_.clear();
    patch_loads_.clear();
    ends_.clear();
}

void ContactBlocks::add(int point_body, int surface_body, int number, double k, const PoseContact& at,
    const Side& point, const Side& surface)
{
    Contact& c = contacts_.emplace_back(Contact{point_body, surface_body, number, k, at.Z, at, k * (at.Z - at.Y)});
    c.first = static_cast<int>(stencils_.size());
    c.ends = static_cast<int>(ends_.size());
    c.loaded = c.count = point.count + surface.count;
    // of the turn, by the rotation of each side
    const auto turn_of_point = [&] {
        return at.turn == PoseContact::Turn::rotation ? point.J : Mat3(Mat3::Identity());
    };
    const auto turn_of_surface = [&] {
        return at.turn == PoseContact::Turn::rotation ? Mat3(-surface.J)
                                                      : Mat3(skew(at.phi) * surface.J - Mat3::Identity());
    };
    for (int b = 0; b < c.count; ++b) {
        StencilBlock& s = stencils_.emplace_back();
        Ends& ends = ends_.emplace_back();
        s.on_surface = b >= point.count;
        const Side& side = s.on_surface ? surface : point;
        const int own = s.on_surface ? b - point.count : b;
        s.block = side.first + own;
        s.turns = own == 1;
        const Vec3 arm = (s.on_surface ? at.Y : at.Z) - side.x, f = s.on_surface ? c.j : Vec3(-c.j);
        s.lever = lever(s.turns, s.on_surface, arm);
        s.load = s.turns ? Vec3(arm.cross(f)) : f;
        if (s.turns) {
            const Mat3 place = side.motion(own, at.place);
            ends = {at.dZ_dplace * place, at.dY_dplace * place};
        } else { // it moves with the block
            ends = {at.dZ_dplace, at.dY_dplace};
        }
        if (s.on_surface)
            ends = {side.motion(own, at.Z) - ends.dZ, side.motion(own, at.Y) - ends.dY};
        if (s.turns && at.turn != PoseContact::Turn::none) {
            const Mat3 turn = s.on_surface ? turn_of_surface() : turn_of_point();
            ends.dZ += at.dZ_dturn * turn;
            ends.dY += at.dY_dturn * turn;
        }
    }
}

void ContactBlocks::add(
    const Contact& contact, std::span<const StencilBlock> stencil, int loaded, std::span<const Mat3> derivatives)
{
    Contact& c = contacts_.emplace_back(contact);
    c.first = static_cast<int>(stencils_.size());
    c.loaded = loaded;
    c.count = static_cast<int>(stencil.size());
    c.derivatives = static_cast<int>(derivatives_.size());
    stencils_.insert(stencils_.end(), stencil.begin(), stencil.end());
    derivatives_.insert(derivatives_.end(), derivatives.begin(), derivatives.end());
}

void ContactBlocks::add(
    const Contact& contact, std::span<const StencilBlock> stencil, int loaded, const PatchLoads& loads)
{
    add(contact, stencil, loaded, std::span<const Mat3>());
    contacts_.back().derivatives = -1;
    contacts_.back().patch_loads = static_cast<int>(patch_loads_.size());
    patch_loads_.push_back(loads);
}

void ContactBlocks::append(const ContactBlocks& other)
{
    const int first = static_cast<int>(stencils_.size()), derivatives = static_cast<int>(derivatives_.size());
    const int patch_loads = static_cast<int>(patch_loads_.size()), ends = static_cast<int>(ends_.size());
    for (Contact c : other.contacts_) {
        c.first += first;
        if (c.derivatives >= 0)
            c.derivatives += derivatives;
        if (c.patch_loads >= 0)
            c.patch_loads += patch_loads;
        if (c.ends >= 0)
            c.ends += ends;
        contacts_.push_back(c);
    }
    stencils_.insert(stencils_.end(), other.stencils_.begin(), other.stencils_.end());
    derivatives_.insert(derivatives_.end(), other.derivatives_.begin(), other.derivatives_.end());
    patch_loads_.insert(patch_loads_.end(), other.patch_loads_.begin(), other.patch_loads_.end());
    ends_.insert(ends_.end(), other.ends_.begin(), other.ends_.end());
}

void ContactBlocks::add(const SoftBallContact& contact, std::span<const BesideContact> all_beside)
{
    constexpr int own = SoftBallContact::blocks;
    const int first = contact.block[0] < 0 ? 2 : 0; // a ball that is fixed has no blocks
    const std::span<const BesideContact> beside =
        all_beside.subspan(contact.beside_begin, contact.beside_end - contact.beside_begin);
    Contact& c = contacts_.emplace_back(contact);
    c.first = static_cast<int>(stencils_.size());
    c.loaded = own - first;
    c.derivatives = static_cast<int>(derivatives_.size());
    for (int b = first; b < own; ++b) {
        StencilBlock& s = stencils_.emplace_back();
        s.block = contact.block[b];
        s.turns = b == 1;
        s.on_surface = b > 1;
        // each node holds its share of the force, without the couple that the depth of the ball makes of it
        s.lever = s.on_surface ? Mat3(-contact.weights[b - 2] * Mat3::Identity()) : lever(s.turns, false, contact.arm);
        s.load = contact.load[b].v;
    }
    const auto add_column = [&](int block) { stencils_.emplace_back().block = block; };
    for (int i = 0; i < contact.far_count; ++i)
        add_column(contact.far[i].block);
    for (const BesideContact& other : beside)
        for (int b = first; b < own; ++b)
            add_column(other.column[b]);
    c.count = static_cast<int>(stencils_.size()) - c.first;
    for (int a = first; a < own; ++a) {
        for (int b = first; b < own; ++b)
            derivatives_.push_back(contact.load[a].by(b));
        for (int i = 0; i < contact.far_count; ++i)
            derivatives_.push_back(contact.far[i].by[a]);
        for (const BesideContact& other : beside)
            for (int b = first; b < own; ++b)
                derivatives_.push_back(other.force_block(a, b));
    }
}

ContactBlocks::Column ContactBlocks::column(const Contact& c, int b) const
{
    Column by;
    by.b = b;
    if (c.patch_loads >= 0) {
        const StencilBlock& s = stencils_[c.first + b];
        const PatchLoads& loads = patch_loads_[c.patch_loads];
        const PatchDifferential d = loads.by.along(loads.motion[b]);
        by.dj = -c.k * (s.turns ? Mat3(d.dspring * loads.turn) : d.dspring);
        by.dw = s.turns ? Mat3(d.dw * loads.turn) : d.dw;
    } else if (c.ends >= 0) {
        const Ends& ends = ends_[c.ends + b];
        by.dj = c.k * (ends.dZ - ends.dY);
    }
    return by;
}

Mat3 ContactBlocks::force_block(const Contact& c, int a, const Column& by) const
{
    if (c.derivatives >= 0)
        return derivatives_[c.derivatives + a * c.count + by.b];
    if (c.patch_loads >= 0)
        return patch_block(c, a, by);
    const StencilBlock& row = stencils_[c.first + a];
    if (!row.turns)
        return row.on_surface ? by.dj : Mat3(-by.dj);
    const Ends& ends = ends_[c.ends + by.b];
    Mat3 darm = row.on_surface ? ends.dY : ends.dZ;
    if (by.b == a - 1) // the arm begins at the centre of mass
        darm -= Mat3::Identity();
    return -row.lever * by.dj - skew(row.on_surface ? c.j : Vec3(-c.j)) * darm;
}

Mat3 ContactBlocks::patch_block(const Contact& c, int a, const Column& by) const
{
    const PatchLoads& loads = patch_loads_[c.patch_loads];
    const StencilBlock& row = stencils_[c.first + a];
    Mat3 D = row.turns ? Mat3(-row.lever * by.dj) : Mat3(-loads.motion[a].reach() * by.dj);
    if (row.turns && stencils_[c.first + by.b].turns)
        D += skew(c.j) * loads.turn; // the arm turns
    if (loads.corner[a] >= 0)
        D += c.j * by.dw.row(loads.corner[a]);
    return D;
}

// All loads at once: six products instead of one for every block.
void ContactBlocks::add_patch_differential(const Contact& c, std::span<const Vec3> du, std::span<Vec3> df) const
{
    const PatchLoads& loads = patch_loads_[c.patch_loads];
    Vec3 gap = Vec3::Zero(), lean = Vec3::Zero(), reach = Vec3::Zero(), turned = Vec3::Zero();
    for (int b = 0; b < c.count; ++b) {
        const StencilBlock& s = stencils_[c.first + b];
        if (s.turns)
            turned = loads.turn * du[s.block];
        const Vec3& moved = s.turns ? turned : du[s.block];
        gap += loads.motion[b].gap() * moved;
        lean += loads.motion[b].lean() * moved;
        reach += loads.motion[b].reach() * moved;
    }
    const PatchDerivatives& by = loads.by;
    const Vec3 dj = -c.k * (by.by_gap.dspring * gap + by.by_lean.dspring * lean);
    const Vec3 dw = by.by_gap.dw * gap + by.by_lean.dw * lean + by.dw_by_reach * reach;
    for (int a = 0; a < c.loaded; ++a) {
        const StencilBlock& row = stencils_[c.first + a];
        Vec3& to = df[row.block];
        to -= row.lever * dj;
        if (row.turns)
            to += c.j.cross(turned);
        if (loads.corner[a] >= 0)
            to += dw[loads.corner[a]] * c.j;
    }
}

Mat3 ContactBlocks::convex_block(const Contact& c, int a, int b) const
{
    if (!(c.at.share > 0)) // does not press
        return Mat3::Zero();
    return -c.k * stencils_[c.first + a].lever * held(c) * stencils_[c.first + b].lever.transpose();
}

Vec3 ContactBlocks::load_differential(const Contact& c, int a, std::span<const Vec3> du) const
{
    Vec3 df = Vec3::Zero();
    for (int b = 0; b < c.count; ++b)
        df += force_block(c, a, b) * du[block(c, b)];
    return df;
}

bool ContactBlocks::list_places(std::vector<int>& places) const
{
    std::size_t i = 0;
    bool is_new = places.size() != contacts_.size() + stencils_.size();
    places.resize(contacts_.size() + stencils_.size());
    const auto list = [&](int place) { is_new |= std::exchange(places[i++], place) != place; };
    for (const Contact& c : contacts_) {
        list(-c.loaded);
        for (int b = 0; b < c.count; ++b)
            list(block(c, b));
    }
    return is_new;
}

void ContactBlocks::add_force(std::span<Vec3> f) const
{
    for (const Contact& c : contacts_)
        for (int b = 0; b < c.loaded; ++b)
            f[block(c, b)] += load(c, b);
}

void ContactBlocks::add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const
{
    const auto add_block = [&](int row, int column, const Mat3& D) {
        if (transposed)
            df[column] += D.transpose() * du[row];
        else
            df[row] += D * du[column];
    };
    for (const Contact& c : contacts_)
        if (c.patch_loads >= 0 && !transposed)
            add_patch_differential(c, du, df);
        else
            for_each_block(c, add_block);
}

} // namespace stickslip
