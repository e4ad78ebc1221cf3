#pragma once

#include "stickslip/dem/pairs/contact_lanes.h"
#include "stickslip/dem/pairs/pair_forces.h"

#include <algorithm>

namespace stickslip {

static_assert(sizeof(SpherePlace) == sizeof(Lanes) && sizeof(SphereMotion) == 2 * sizeof(Lanes));

/// A pair that may touch: index in the list and its first sphere.
struct Candidate {
    int k, i;
};

/// Geometry of four pairs: n unit, from the first to the second.
struct PairGeometry {
    Triple<Lanes> n;
    Lanes distance, inverse; // [m], [1/m] of the centres
    Lanes ra, rb; // [m]
};

/// The pairs of one block, four at a time.
template <NormalLaw law, bool damped, bool rolls>
class PairLoop {
public:
    PairLoop(const PairSystem& system, bool ledger, ContactHistory& history, ForceBlocks& blocks)
        : s_(system)
        , ledger_(ledger)
        , history_(history)
        , blocks_(blocks)
        , periodic_(system.box.any())
    {
    }

    PairsOfBlock run(std::size_t block)
    {
        const std::size_t begin = block * ForceBlocks::size;
        const std::size_t end = std::min(s_.spheres.size(), begin + ForceBlocks::size);
        const auto at = [&](std::size_t i) { return blocks_.sums.begin() + static_cast<std::ptrdiff_t>(i); };
        std::fill(at(begin), at(end), LoadRows{});
        std::fill(at(blocks_.first_copy[block]), at(blocks_.first_copy[block + 1]), LoadRows{});

        Candidate near[room];
        std::size_t count = 0;
        ContactLosses losses;
        Lanes excess = {}; // [m] the most by which an overlap is a far one
        for (std::size_t i = begin; i < end; ++i) {
            const SpherePlace& place = s_.spheres.place[i];
            for (int k = s_.list.first[i]; k < s_.list.first[i + 1]; ++k) {
                near[count] = {k, static_cast<int>(i)}; // kept or overwritten: no branch
                count += closer_than_reach(place, s_.spheres.place[s_.list.other[k]]) | history_.touching[k];
                if (count == room) {
                    meet_all(near, count, losses, excess);
                    count = 0;
                }
            }
        }
        meet_all(near, count, losses, excess);
        PairsOfBlock result = {losses, {}};
        if (any(excess > Lanes{}))
            find_deepest(begin, end, result.depth);
        return result;
    }

private:
    static constexpr std::size_t room = 32 * lanes; // few enough to stay in the nearest cache

    /// Pairs in their order, four at a time. Roots and quotients of all come first: they take long, and those of
    /// different fours do not wait for each other.
    void meet_all(Candidate* near, std::size_t count, ContactLosses& losses, Lanes& excess)
    {
        for (std::size_t c = count; c % lanes != 0; ++c)
            near[c] = near[c - 1]; // fills the lanes, changes nothing
        PairGeometry geometry[room / lanes];
        for (std::size_t c = 0; c < count; c += lanes)
            geometry[c / lanes] = geometry_of(&near[c]);
        for (std::size_t c = 0; c < count; c += lanes)
            meet(&near[c], static_cast<int>(std::min<std::size_t>(lanes, count - c)), geometry[c / lanes], losses,
                excess);
    }

    bool closer_than_reach(const SpherePlace& a, const SpherePlace& b) const
    {
        Vec3 d(b.x[0] - a.x[0], b.x[1] - a.x[1], b.x[2] - a.x[2]);
        if (periodic_)
            d = s_.box.shortest(d);
        const double range = a.radius + b.radius + s_.reach;
        return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < range * range;
    }

    /// Looks at all pairs of a block once more, which is seldom needed.
    void find_deepest(std::size_t begin, std::size_t end, PairDepth& depth) const
    {
        for (std::size_t i = begin; i < end; ++i) {
            const SpherePlace& a = s_.spheres.place[i];
            for (int k = s_.list.first[i]; k < s_.list.first[i + 1]; ++k) {
                const int j = s_.list.other[k];
                const SpherePlace& b = s_.spheres.place[j];
                const Vec3 d = s_.box.shortest(b.x - a.x);
                const double share = (a.radius + b.radius - d.norm()) / std::min(a.radius, b.radius);
                if (!(share > far_overlap))
                    continue;
                const Vec3 way = s_.dt * (s_.spheres.motion[j].v - s_.spheres.motion[i].v);
                const bool passed = d.dot(d - way) < 0; // the normal was the opposite
                depth.add({share, static_cast<int>(i), j, passed, static_cast<int>(i), j});
            }
        }
    }

    const PairLaw& law_of(const Candidate& c) const
    {
        if (s_.materials == 1)
            return s_.laws[0];
        return s_.law_of(c.i, s_.list.other[c.k]);
    }

    PairGeometry geometry_of(const Candidate* near) const
    {
        const auto [xa, ra] = gather4([&](int l) { return &s_.spheres.place[near[l].i]; });
        const auto [xb, rb] = gather4([&](int l) { return &s_.spheres.place[s_.list.other[near[l].k]]; });
        const Triple<Lanes> d = periodic_ ? shortest(xb - xa) : xb - xa;
        const Lanes distance = square_root(dot(d, d)), inverse = 1.0 / distance;
        return {inverse * d, distance, inverse, ra, rb};
    }

    void meet(const Candidate* near, int present, const PairGeometry& pair, ContactLosses& losses, Lanes& excess)
    {
        const SphereMotion *p[lanes], *q[lanes];
        for (int l = 0; l < lanes; ++l) {
            p[l] = &s_.spheres.motion[near[l].i];
            q[l] = &s_.spheres.motion[s_.list.other[near[l].k]];
        }
        const auto [vp, compliance_p] = gather4([&](int l) { return &p[l]->v; });
        const auto [vq, compliance_q] = gather4([&](int l) { return &q[l]->v; });
        const auto [wp, inverse_mass_p] = gather4([&](int l) { return &p[l]->w; });
        const auto [wq, inverse_mass_q] = gather4([&](int l) { return &q[l]->w; });
        const Triple<Lanes> v = vq - vp;
        const Lanes compliance = compliance_p + compliance_q;
        const auto& [n, distance, inverse, ra, rb] = pair;
        Meeting<Lanes> m;
        m.n = n;
        m.overlap = ra + rb - distance;
        excess = larger(excess, Lanes(m.overlap - far_overlap * smaller(ra, rb)));
        m.radius = law == NormalLaw::linear && !rolls ? ra : ra * rb / (ra + rb);
        if (damped)
            m.mass = 1.0 / (inverse_mass_p + inverse_mass_q);
        const Lanes arm_a = ra - 0.5 * m.overlap, arm_b = rb - 0.5 * m.overlap;
        m.separation = dot(v, m.n);
        m.velocity = v - cross(arm_a * wp + arm_b * wq, m.n);
        m.spin = wq - wp;
        // the normal turns by the way across it over the distance at half the step
        const Lanes half_way = s_.dt * inverse * (1.0 + 0.5 * s_.dt * m.separation * inverse);
        m.frame_turn = half_way * cross(m.n, v) + (0.5 * s_.dt * dot(wp + wq, m.n)) * m.n;
        if (ledger_)
            look_ahead(near, arm_a, arm_b, m);
        m.fresh = gather([&](int l) { return history_.touching[near[l].k] ? 0.0 : 1.0; }) > Lanes{};

        Elasticity<Lanes> elastic;
        Resistance<Lanes> resist;
        const Mask<Lanes> active = elastic_answer<law, damped, rolls>(
            s_.materials == 1, [&](int l) -> const PairLaw& { return law_of(near[l]); }, compliance, m, s_.dt, elastic,
            resist);
        Springs<Lanes> springs;
        springs.slip = gather3([&](int l) { return history_.slip[near[l].k]; });
        if constexpr (rolls)
            springs.turn = gather3([&](int l) { return history_.turn[near[l].k]; });
        ContactForce<Lanes> f = contact_force<damped, rolls>(resist, elastic, m, s_.dt, ledger_, springs);
        const Triple<Lanes> torque = cross(m.n, f.force);
        const Triple<Lanes> torque_a = rolls ? arm_a * torque + f.moment : arm_a * torque;
        const Triple<Lanes> torque_b = rolls ? arm_b * torque - f.moment : arm_b * torque;
        if (ledger_)
            book(near, present, active, m, compliance, f, losses);
        for (int l = 0; l < present; ++l) {
            const int k = near[l].k;
            history_.touching[k] = active[l] != 0;
            history_.slip[k] = lane(springs.slip, l);
            if constexpr (rolls)
                history_.turn[k] = lane(springs.turn, l);
        }
        const Triple<Lanes> zero = {};
        const LaneRows force = rows(choose<Lanes>(active, f.force, zero));
        const LaneRows on_first = rows(choose<Lanes>(active, torque_a, zero));
        const LaneRows on_second = rows(choose<Lanes>(active, torque_b, zero));
        for (int l = 0; l < present; ++l) {
            LoadRows &first = blocks_.sums[near[l].i], &second = blocks_.sums[blocks_.target[near[l].k]];
            store(load(first.force) + force.row[l], first.force);
            store(load(first.torque) + on_first.row[l], first.torque);
            store(load(second.force) - force.row[l], second.force);
            store(load(second.torque) + on_second.row[l], second.torque);
        }
    }

    static LaneRows rows(const Triple<Lanes>& a) { return transposed(a.x, a.y, a.z, Lanes{}); }

    Triple<Lanes> shortest(const Triple<Lanes>& d) const
    {
        const auto along = [&](const Lanes& x, double size) {
            const Lanes whole = Lanes{} + size, half = 0.5 * whole;
            return x > half ? x - whole : x < -half ? x + whole : x;
        };
        return {along(d.x, s_.box.size[0]), along(d.y, s_.box.size[1]), along(d.z, s_.box.size[2])};
    }

    void book(const Candidate* near, int present, const Mask<Lanes>& active, const Meeting<Lanes>& m,
        const Lanes& compliance, const ContactForce<Lanes>& f, ContactLosses& losses) const
    {
        for (int l = 0; l < present; ++l) {
            const int k = near[l].k;
            if (active[l])
                losses += {f.friction_loss[l], f.rolling_loss[l], f.damping_loss[l], 0};
            else if (!m.fresh[l])
                book_release<law>(law_of(near[l]), m.radius[l], contact_stiffness(law_of(near[l]), compliance[l]),
                    history_.slip[k], rolls ? &history_.turn[k] : nullptr, losses);
        }
    }

    /// Velocities at the end of the step, with the accelerations of its start.
    void look_ahead(const Candidate* near, const Lanes& arm_a, const Lanes& arm_b, Meeting<Lanes>& m) const
    {
        const auto first = [&](int l) -> const SphereAcceleration& { return s_.spheres.acceleration[near[l].i]; };
        const auto second = [&](int l) -> const SphereAcceleration& {
            return s_.spheres.acceleration[s_.list.other[near[l].k]];
        };
        const Triple<Lanes> wa = gather3([&](int l) { return first(l).angular; });
        const Triple<Lanes> wb = gather3([&](int l) { return second(l).angular; });
        const Triple<Lanes> a =
            gather3([&](int l) { return second(l).linear; }) - gather3([&](int l) { return first(l).linear; });
        m.later_velocity = m.velocity + (0.5 * s_.dt) * (a - cross(arm_a * wa + arm_b * wb, m.n));
        m.later_spin = m.spin + (0.5 * s_.dt) * (wb - wa);
    }

    const PairSystem& s_;
    const bool ledger_; // else losses stay zero
    ContactHistory& history_;
    ForceBlocks& blocks_;
    bool periodic_;
};

} // namespace stickslip
