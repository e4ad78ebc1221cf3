#include "stickslip/contact/contact_set.h"

#include "stickslip/contact/entry_point.h"
#include "stickslip/math/check.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <optional>

namespace stickslip {

double contact_stiffness(const ContactPair& pair, const DeformableSet& set, int node)
{
    return pair.per_area ? pair.stiffness * set.nodal_area[node] : pair.stiffness;
}

ContactSet::ContactSet(const DeformableSet& set, const std::vector<Obstacle>& obstacles,
    const std::vector<ContactPair>& pairs, RelaxationKind kind)
    : set_(&set)
    , obstacles_(&obstacles)
    , pairs_(&pairs)
    , kind_(kind)
{
}

void ContactSet::begin_step(double t, double dt, std::span<const Vec3> x_old, const std::vector<Attachment>& kept)
{
    surfaces_.clear();
    for (const Obstacle& o : *obstacles_)
        surfaces_.emplace_back(o, frame_at(o.motion, o.start, t), frame_at(o.motion, o.start, t + dt), dt, kind_);
    x_old_.assign(x_old.begin(), x_old.end());
    kept_ = kept;

    kept_of_surface_node_.resize(pairs_->size());
    std::size_t next = 0;
    for (std::size_t p = 0; p < pairs_->size(); ++p) {
        const Range nodes = set_->bodies[(*pairs_)[p].body].surface_nodes;
        auto& index = kept_of_surface_node_[p];
        index.assign(nodes.size(), -1);
        for (int s = nodes.begin; s < nodes.end && next < kept_.size() && kept_[next].pair == static_cast<int>(p); ++s)
            if (kept_[next].node == set_->surface_nodes[s])
                index[s - nodes.begin] = static_cast<int>(next++);
    }
    STICKSLIP_ASSERT(next == kept_.size());
}

void ContactSet::evaluate(std::span<const Vec3> x)
{
    deformable_obstacle_.clear();
    pair_of_contact_.clear();
    for (std::size_t p = 0; p < pairs_->size(); ++p)
        evaluate_pair(static_cast<int>(p), x);
}

void ContactSet::evaluate_pair(int p, std::span<const Vec3> x)
{
    const ContactPair& pair = (*pairs_)[p];
    const ObstacleSurface& surface = surfaces_[pair.obstacle];
    const Range nodes = set_->bodies[pair.body].surface_nodes;
    Bounds box;
    for (int s = nodes.begin; s < nodes.end; ++s)
        box.add(x[set_->surface_nodes[s]]);
    if (!surface.may_touch(box))
        return;

    std::vector<std::optional<SurfaceContact<0>>> found(nodes.size());
    parallel_for(found.size(), [&](std::size_t i) {
        const int node = set_->surface_nodes[nodes.begin + static_cast<int>(i)];
        const int kept = kept_of_surface_node_[p][i];
        found[i] = surface.relax(x_old_[node], x[node], kept < 0 ? nullptr : &kept_[kept], pair.friction);
    });
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i])
            continue;
        const int node = set_->surface_nodes[nodes.begin + static_cast<int>(i)];
        deformable_obstacle_.add(NodePoint{node, x[node]}, surface, *found[i], contact_stiffness(pair, *set_, node));
        pair_of_contact_.push_back(p);
    }
}

std::vector<Attachment> ContactSet::update_attachments() const
{
    std::vector<Attachment> attachments;
    const auto& contacts = deformable_obstacle_.contacts();
    for (std::size_t i = 0; i < contacts.size(); ++i)
        attachments.push_back({pair_of_contact_[i], contacts[i].point.node, contacts[i].at.patch, contacts[i].at.X});
    return attachments;
}

double ContactSet::energy() const
{
    double sum = 0;
    for (const auto& c : deformable_obstacle_.contacts())
        sum += 0.5 / c.k * c.j.squaredNorm();
    return sum;
}

double contact_energy(const DeformableSet& set, const std::vector<Obstacle>& obstacles,
    const std::vector<ContactPair>& pairs, double t, std::span<const Vec3> x,
    const std::vector<Attachment>& attachments)
{
    double sum = 0;
    for (const Attachment& a : attachments) {
        const ContactPair& pair = pairs[a.pair];
        const Obstacle& obstacle = obstacles[pair.obstacle];
        const Vec3 U = frame_at(obstacle.motion, obstacle.start, t).to_local(x[a.node]);
        const double share = rim_weight(obstacle.solid, a.patch, U).weight;
        sum += 0.5 * contact_stiffness(pair, set, a.node) * share * share * (U - a.X).squaredNorm();
    }
    return sum;
}

} // namespace stickslip
