#include "stickslip/world/rigid_part.h"

#include "stickslip/bodies/loads.h"
#include "stickslip/math/check.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

std::vector<int> counted_through(const World& world, const std::vector<int>& bodies)
{
    std::vector<int> numbers = bodies;
    for (int& b : numbers)
        b += static_cast<int>(world.deformables.bodies.size());
    return numbers;
}

} // namespace

RigidPart::RigidPart(
    const World& world, double dt, RigidEquations& rigid, ContactSet& contacts, std::vector<int> bodies)
    : world_(&world)
    , dt_(dt)
    , rigid_(&rigid)
    , contacts_(&contacts)
    , bodies_(std::move(bodies))
    , place_(world.rigids.size(), -1)
    , part_{counted_through(world, bodies_), {}}
{
    std::vector<std::vector<int>> own;
    for (int i = 0; i < static_cast<int>(bodies_.size()); ++i) {
        place_[bodies_[i]] = i;
        own.push_back({2 * i, 2 * i + 1});
    }
    H_.pattern = own_pattern_ = make_pattern(size(), own);
}

void RigidPart::residual(const BlockVector& z, BlockVector& g)
{
    if (z == evaluated_z_) { // a search begins where the one before ended
        g = evaluated_g_;
        return;
    }
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        rigid_->set_candidate(bodies_[i], std::span(z).subspan(2 * i).first<2>());
    contacts_->evaluate(part_, rigid_->candidates());
    BlockVector f(size(), Vec3::Zero());
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        add_rigid_loads(
            std::span(world_->rigids).subspan(bodies_[i], 1), world_->gravity, std::span(f).subspan(2 * i, 2));
    for (const Contact& c : contacts_->blocks().contacts())
        for (int b = 0; b < c.loaded; ++b)
            if (const int own = local(contacts_->blocks().block(c, b)); own >= 0)
                f[own] += contacts_->blocks().load(c, b);
    g.resize(size());
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        rigid_->residual(bodies_[i], std::span(z).subspan(2 * i).first<2>(), std::span(f).subspan(2 * i).first<2>(),
            std::span(g).subspan(2 * i).first<2>());
    evaluated_z_ = z;
    evaluated_g_ = g;
}

void RigidPart::differential(const BlockVector& dz, BlockVector& out, bool transposed) const
{
    BlockVector du(size()), df(size(), Vec3::Zero());
    for (int i = 0; i < static_cast<int>(size()); ++i)
        du[i] = rigid_->from_unknown(global(i), dz[i]);
    contacts_->blocks().for_each_block([&](int row, int column, const Mat3& D) {
        const int a = local(row), b = local(column);
        if (a < 0 || b < 0)
            return;
        if (transposed)
            df[b] += D.transpose() * du[a];
        else
            df[a] += D * du[b];
    });
    out.resize(size());
    for (int i = 0; i < static_cast<int>(size()); ++i) {
        const Mat3 own = i % 2 == 1 ? rigid_->inertia_block(bodies_[i / 2]) : Mat3(Mat3::Identity());
        const Vec3 inertia = transposed ? Vec3(own.transpose() * dz[i]) : Vec3(own * dz[i]);
        out[i] = inertia - dt_ * dt_ * rigid_->free(global(i)).cwiseProduct(rigid_->inverse_root(global(i)) * df[i]);
    }
}

const BlockMatrix& RigidPart::assemble()
{
    assemble_blocks(false);
    return H_;
}

const BlockMatrix* RigidPart::assemble_convex()
{
    assemble_blocks(true);
    return &H_;
}

// Kept while the same bodies touch: so is the order of elimination, then.
void RigidPart::update_pattern()
{
    if (!contacts_->blocks().list_places(places_))
        return;
    std::vector<std::pair<int, int>> touching;
    contacts_->blocks().for_each_place([&](int row, int column) {
        if (const int a = local(row), b = local(column); a >= 0 && a < b && a % 2 == 0 && b % 2 == 0)
            touching.push_back({a / 2, b / 2});
    });
    std::sort(touching.begin(), touching.end());
    touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
    if (touching == touching_)
        return;
    touching_ = std::move(touching);
    std::vector<std::pair<int, int>> couplings;
    for (const auto& [a, b] : touching_)
        for (const int row : {2 * a, 2 * a + 1})
            for (const int column : {2 * b, 2 * b + 1})
                couplings.push_back({row, column});
    H_.pattern = with_couplings(own_pattern_, couplings);
}

void RigidPart::assemble_blocks(bool convex)
{
    update_pattern();
    H_.value.assign(H_.pattern.blocks(), Mat3::Zero());
    for (int i = 0; i < static_cast<int>(size()); ++i)
        H_.value[H_.pattern.diagonal[i]] =
            i % 2 == 1 && !convex ? rigid_->inertia_block(bodies_[i / 2]) : Mat3(Mat3::Identity());
    contacts_->blocks().for_each_block(
        [&](int row, int column, const Mat3& D) {
            const int a = local(row), b = local(column);
            if (a < 0 || b < 0)
                return;
            const int block = H_.pattern.find(a, b);
            STICKSLIP_ASSERT(block >= 0);
            H_.value[block] -= dt_ * dt_ * rigid_->scaled(global(a), global(b), D);
        },
        convex);
}

double RigidPart::round_off() const
{
    std::vector<double> measures(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        measures[i] = rigid_->round_off(bodies_[i], H_.value[H_.pattern.diagonal[2 * i]]);
    return largest(measures);
}

double RigidPart::longest_step(const BlockVector&, const BlockVector& dz) const
{
    double longest = infinity;
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        longest = std::min(longest, rigid_->longest_step(bodies_[i], dz[2 * i + 1]));
    return longest;
}

// All bodies of a part are there because they touch. Whose surface is touched is asked of the whole.
bool RigidPart::turned_too_far() const
{
    return std::any_of(bodies_.begin(), bodies_.end(),
        [&](int b) { return !is_one_ball(world_->rigids[b]) && rigid_->turned_too_far(b); });
}

std::vector<double> RigidPart::body_measures(const BlockVector& g) const
{
    std::vector<double> measures(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        measures[i] =
            std::sqrt((g[2 * i].squaredNorm() + g[2 * i + 1].squaredNorm()) / world_->rigids[bodies_[i]].mass);
    return measures;
}

} // namespace stickslip
