#include "stickslip/contact/contact_blocks.h"

#include "stickslip/contact/surfaces/soft_ball_contact.h"

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
}

void ContactBlocks::add(int point_body, int surface_body, int number, double k, const PoseContact& at,
    const Side& point, const Side& surface)
{
    Contact& c = contacts_.emplace_back(Contact{point_body, surface_body, number, k, at.Z, at, k * (at.Z - at.Y)});
    c.first = static_cast<int>(stencils_.size());
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
        s.on_surface = b >= point.count;
        const Side& side = s.on_surface ? surface : point;
        const int own = s.on_surface ? b - point.count : b;
        s.block = side.first + own;
        s.turns = own == 1;
        const Vec3 arm = (s.on_surface ? at.Y : at.Z) - side.x, f = s.on_surface ? c.j : Vec3(-c.j);
        s.lever = lever(s.turns, s.on_surface, arm);
        s.load = s.turns ? Vec3(arm.cross(f)) : f;
        const Mat3 place = side.motion(own, at.place);
        s.dZ = at.dZ_dplace * place;
        s.dY = at.dY_dplace * place;
        if (s.on_surface) {
            s.dZ = side.motion(own, at.Z) - s.dZ;
            s.dY = side.motion(own, at.Y) - s.dY;
        }
        if (s.turns && at.turn != PoseContact::Turn::none) {
            const Mat3 turn = s.on_surface ? turn_of_surface() : turn_of_point();
            s.dZ += at.dZ_dturn * turn;
            s.dY += at.dY_dturn * turn;
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

void ContactBlocks::append(const ContactBlocks& other)
{
    const int first = static_cast<int>(stencils_.size()), derivatives = static_cast<int>(derivatives_.size());
    for (Contact c : other.contacts_) {
        c.first += first;
        if (c.derivatives >= 0)
            c.derivatives += derivatives;
        contacts_.push_back(c);
    }
    stencils_.insert(stencils_.end(), other.stencils_.begin(), other.stencils_.end());
    derivatives_.insert(derivatives_.end(), other.derivatives_.begin(), other.derivatives_.end());
}

void ContactBlocks::add(const SoftBallContact& contact, std::span<const BesideContact> all_beside)
{
    constexpr int own = SoftBallContact::blocks;
    const std::span<const BesideContact> beside =
        all_beside.subspan(contact.beside_begin, contact.beside_end - contact.beside_begin);
    Contact& c = contacts_.emplace_back(contact);
    c.first = static_cast<int>(stencils_.size());
    c.loaded = own;
    c.derivatives = static_cast<int>(derivatives_.size());
    for (int b = 0; b < own; ++b) {
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
        for (const int block : other.column)
            add_column(block);
    c.count = static_cast<int>(stencils_.size()) - c.first;
    for (int a = 0; a < own; ++a) {
        for (int b = 0; b < own; ++b)
            derivatives_.push_back(contact.load[a].by(b));
        for (int i = 0; i < contact.far_count; ++i)
            derivatives_.push_back(contact.far[i].by[a]);
        for (const BesideContact& other : beside)
            for (int b = 0; b < own; ++b)
                derivatives_.push_back(other.force_block(a, b));
    }
}

Mat3 ContactBlocks::force_block(const Contact& c, int a, int b) const
{
    if (c.derivatives >= 0)
        return derivatives_[c.derivatives + a * c.count + b];
    const StencilBlock &row = stencils_[c.first + a], &column = stencils_[c.first + b];
    const Mat3 dj = c.k * (column.dZ - column.dY);
    if (!row.turns)
        return row.on_surface ? dj : Mat3(-dj);
    Mat3 darm = row.on_surface ? column.dY : column.dZ;
    if (b == a - 1) // the arm begins at the centre of mass
        darm -= Mat3::Identity();
    return -row.lever * dj - skew(row.on_surface ? c.j : Vec3(-c.j)) * darm;
}

Mat3 ContactBlocks::convex_block(const Contact& c, int a, int b) const
{
    return -c.k * stencils_[c.first + a].lever * held(c) * stencils_[c.first + b].lever.transpose();
}

Vec3 ContactBlocks::load_differential(const Contact& c, int a, std::span<const Vec3> du) const
{
    Vec3 df = Vec3::Zero();
    for (int b = 0; b < c.count; ++b)
        df += force_block(c, a, b) * du[block(c, b)];
    return df;
}

void ContactBlocks::add_force(std::span<Vec3> f) const
{
    for (const Contact& c : contacts_)
        for (int b = 0; b < c.loaded; ++b)
            f[block(c, b)] += load(c, b);
}

void ContactBlocks::add_force_differential(std::span<const Vec3> du, std::span<Vec3> df, bool transposed) const
{
    for_each_block([&](int row, int column, const Mat3& D) {
        if (transposed)
            df[column] += D.transpose() * du[row];
        else
            df[row] += D * du[column];
    });
}

} // namespace stickslip
