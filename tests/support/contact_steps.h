#pragma once

#include "stickslip/bodies/surface_samples.h"
#include "stickslip/contact/contact_set.h"

#include "support/numeric.h"

#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

/// Steps of contacts whose unknowns are moved by hand, without a world.
namespace stickslip {

inline std::vector<Vec3> moved(std::vector<Vec3> q, double s, const std::vector<Vec3>& d)
{
    for (std::size_t i = 0; i < q.size(); ++i)
        q[i] += s * d[i];
    return q;
}

inline double apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    return norm_all(moved(a, -1, b));
}

/// q: place and turn of each body since `old`.
inline std::vector<RigidCandidate> rigid_candidates(const std::vector<RigidState>& old, std::span<const Vec3> q)
{
    std::vector<RigidCandidate> rigid;
    for (std::size_t b = 0; b < old.size(); ++b) {
        const Vec3 &x = q[2 * b], &theta = q[2 * b + 1];
        rigid.push_back({x, theta, rotation_exp(theta) * old[b].R.toRotationMatrix(), left_jacobian(theta)});
    }
    return rigid;
}

/// q: places of nodes, then as above.
inline void evaluate_at(
    ContactSet& contacts, std::size_t nodes, const std::vector<RigidState>& old, const std::vector<Vec3>& q)
{
    contacts.evaluate(std::span(q).first(nodes), rigid_candidates(old, std::span(q).subspan(nodes)));
}

/// Of `count` blocks of unknowns [N], [N m].
inline std::vector<Vec3> forces_of(const ContactSet& contacts, std::size_t count)
{
    std::vector<Vec3> f(count, Vec3::Zero());
    contacts.add_force(f);
    return f;
}

/// Of the forces f on nodes, then on bodies, at q as above: their sum and their torque about the origin are 0.
inline void expect_balance(std::size_t nodes, const std::vector<Vec3>& q, const std::vector<Vec3>& f)
{
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (std::size_t i = 0; i < nodes; ++i) {
        force += f[i];
        torque += q[i].cross(f[i]);
    }
    for (std::size_t i = nodes; i < f.size(); i += 2) {
        force += f[i];
        torque += q[i].cross(f[i]) + f[i + 1];
    }
    ASSERT_GT(norm_all(f), 1);
    EXPECT_LT(force.norm(), 1e-12 * norm_all(f));
    EXPECT_LT(torque.norm(), 1e-12 * norm_all(f));
}

/// Six tenths of the attachments that a step would keep.
inline std::vector<Attachment> some_attachments(const ContactSet& contacts, Random& random)
{
    std::vector<Attachment> kept;
    for (const Attachment& a : contacts.update_attachments())
        if (random.uniform(0, 1) < 0.6)
            kept.push_back(a);
    return kept;
}

/// Of a cube around the origin; c from 0 to 7.
inline Vec3 corner(double size, int c)
{
    return 0.5 * size * Vec3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
}
/// With unit areas and their outward directions.
inline std::vector<SurfaceSample> corner_samples(double size)
{
    std::vector<SurfaceSample> samples;
    for (int c = 0; c < 8; ++c)
        samples.push_back({corner(size, c), 1, corner(size, c).normalized()});
    return samples;
}

/// What a contact puts on its blocks of unknowns.
struct Loads {
    std::vector<Vec3> load; // [N], [N m]
    std::pair<bool, int> branch; // whether it sticks; facet
};

/// key_of(contact): contacts with the same key are taken together.
template <typename KeyOf>
auto loads_by(const ContactSet& contacts, const KeyOf& key_of)
{
    std::map<decltype(key_of(contacts.blocks().contacts().front())), Loads> all;
    for (const Contact& c : contacts.blocks().contacts()) {
        Loads& l = all[key_of(c)];
        l.branch = {c.at.sticks, numbers(c.at.to).piece};
        for (int b = 0; b < c.loaded; ++b)
            l.load.push_back(contacts.blocks().load(c, b));
    }
    return all;
}

/// Of one ball with one surface, by slot.
inline std::map<int, Loads> loads_by_slot(const ContactSet& contacts)
{
    return loads_by(contacts, [](const Contact& c) { return c.at.slot; });
}

using ContactKey = std::tuple<int, int, int, int>;
inline ContactKey key_of(const Contact& c)
{
    return {c.point_body, c.surface_body, c.point, c.at.slot};
}
inline std::map<ContactKey, Loads> loads_of(const ContactSet& contacts)
{
    return loads_by(contacts, key_of);
}

/// Whether a contact is in both, sticks in both or in none, and is on one facet.
template <typename Key>
bool same_branch(const std::map<Key, Loads>& a, const std::map<Key, Loads>& b, const Key& key)
{
    const auto one = a.find(key), other = b.find(key);
    return one != a.end() && other != b.end() && one->second.branch == other->second.branch;
}

/// Largest change of force_at(t), t from 0 to 1, between two places that are nearer than 1e-12, over the largest force.
template <typename ForceAt>
double largest_jump(const ForceAt& force_at, int samples = 60)
{
    double jump = 0, largest = 0;
    std::vector<Vec3> before = force_at(0.0);
    for (int i = 0; i < samples; ++i) {
        double t0 = static_cast<double>(i) / samples, t1 = static_cast<double>(i + 1) / samples;
        const std::vector<Vec3> after = force_at(t1);
        largest = std::max(largest, norm_all(after));
        std::vector<Vec3> low = before, high = after;
        for (int k = 0; k < 36; ++k) { // towards the steeper half
            const double middle = 0.5 * (t0 + t1);
            const std::vector<Vec3> f = force_at(middle);
            if (apart(low, f) > apart(f, high)) {
                t1 = middle;
                high = f;
            } else {
                t0 = middle;
                low = f;
            }
        }
        jump = std::max(jump, apart(low, high));
        before = after;
    }
    return jump / largest;
}

} // namespace stickslip
