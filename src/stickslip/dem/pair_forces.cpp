#include "stickslip/dem/pair_forces.h"

#include "stickslip/dem/contact_force.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

namespace {

/// Fills in what the ledger needs: velocities at the end of the step, with the accelerations of its start.
void look_ahead(const PairSystem& s, int i, int j, double arm_i, double arm_j, Meeting& m)
{
    const Spheres& all = s.spheres;
    const SphereAcceleration &a = all.acceleration[i], &b = all.acceleration[j];
    m.later_velocity =
        m.velocity + 0.5 * s.dt * (b.linear - a.linear - (arm_i * a.angular + arm_j * b.angular).cross(m.n));
    m.later_spin = m.spin + 0.5 * s.dt * (b.angular - a.angular);
}

template <NormalLaw law, bool ledger>
class PairLoop {
public:
    PairLoop(const PairSystem& system, ContactHistory& history, ForceBlocks& blocks)
        : s_(system)
        , history_(history)
        , blocks_(blocks)
        , periodic_(system.box.any())
    {
    }

    ContactLosses run(std::size_t block)
    {
        const std::size_t begin = block * ForceBlocks::size;
        const std::size_t end = std::min(s_.spheres.size(), begin + ForceBlocks::size);
        const auto clear = [&](auto from, auto to) { std::fill(from, to, Load{}); };
        clear(blocks_.sums.begin() + static_cast<std::ptrdiff_t>(begin),
            blocks_.sums.begin() + static_cast<std::ptrdiff_t>(end));
        clear(blocks_.sums.begin() + blocks_.first_copy[block], blocks_.sums.begin() + blocks_.first_copy[block + 1]);
        ContactLosses losses;
        for (std::size_t i = begin; i < end; ++i)
            visit(static_cast<int>(i), losses);
        return losses;
    }

private:
    // First all partners are looked at, without a branch, then those that touch.
    void visit(int i, ContactLosses& losses)
    {
        constexpr int most = 64; // partners at once
        int touching[most];
        const SpherePlace place = s_.spheres.place[i];
        Load load;
        for (int from = s_.list.first[i]; from < s_.list.first[i + 1]; from += most) {
            const int to = std::min(from + most, s_.list.first[i + 1]);
            int count = 0;
            for (int k = from; k < to; ++k) {
                const SpherePlace& other = s_.spheres.place[s_.list.other[k]];
                Vec3 d = other.x - place.x;
                if (periodic_)
                    d = s_.box.shortest(d);
                const double range = place.radius + other.radius + s_.reach;
                touching[count] = k;
                const bool near = d.squaredNorm() < range * range;
                count += near | history_.touching[k];
            }
            for (int c = 0; c < count; ++c)
                meet(i, touching[c], place, load, losses);
        }
        blocks_.sums[i] += load;
    }

    void meet(int i, int k, const SpherePlace& a, Load& load, ContactLosses& losses)
    {
        const int j = s_.list.other[k];
        const SpherePlace& b = s_.spheres.place[j];
        const SphereMotion& p = s_.spheres.motion[i];
        const SphereMotion& q = s_.spheres.motion[j];
        const PairLaw& pair =
            s_.materials == 1 ? s_.laws[0] : s_.laws[s_.spheres.material[i] * s_.materials + s_.spheres.material[j]];
        const Vec3 d = periodic_ ? s_.box.shortest(b.x - a.x) : Vec3(b.x - a.x);
        const double distance = d.norm();
        const double overlap = a.radius + b.radius - distance;
        const bool fresh = !history_.touching[k];
        const double radius = law == NormalLaw::linear && history_.turn.empty()
            ? 0 // not needed
            : a.radius * b.radius / (a.radius + b.radius);
        const double stiffness = law == NormalLaw::linear ? 1 / (p.compliance + q.compliance) : 0;
        Vec3* turn = history_.turn.empty() ? nullptr : &history_.turn[k];
        if (!(overlap > (fresh ? begins_at<law>(pair, radius) : ends_at<law>(pair, radius)))) {
            if (ledger && !fresh)
                book_release<law>(pair, radius, stiffness, history_.slip[k], turn, losses);
            history_.touching[k] = 0;
            return;
        }
        history_.touching[k] = 1;
        Meeting m;
        m.n = d / distance;
        m.overlap = overlap;
        m.radius = radius;
        m.stiffness = stiffness;
        m.mass = pair.damping_ratio > 0 ? 1 / (p.inverse_mass + q.inverse_mass) : 0;
        const double arm_i = a.radius - 0.5 * overlap, arm_j = b.radius - 0.5 * overlap;
        const Vec3 v = q.v - p.v;
        m.separation = v.dot(m.n);
        m.velocity = v - (arm_i * p.w + arm_j * q.w).cross(m.n);
        m.spin = q.w - p.w;
        m.frame_turn = (s_.dt / (distance - 0.5 * s_.dt * m.separation)) * m.n.cross(v)
            + (0.5 * s_.dt * (p.w + q.w).dot(m.n)) * m.n;
        if (ledger)
            look_ahead(s_, i, j, arm_i, arm_j, m);
        const ContactForce f = contact_force<law, ledger>(pair, m, fresh, s_.dt, history_.slip[k], turn, losses);
        const Vec3 torque = m.n.cross(f.force);
        load.force += f.force;
        load.torque += arm_i * torque;
        Load& partner = blocks_.sums[blocks_.target[k]];
        partner.force -= f.force;
        partner.torque += arm_j * torque;
        if (turn) {
            load.torque += f.moment;
            partner.torque -= f.moment;
        }
    }

    const PairSystem& s_;
    ContactHistory& history_;
    ForceBlocks& blocks_;
    bool periodic_;
};

template <NormalLaw law>
ElasticEnergy stored(const PairSystem& s, const ContactHistory& history, int i)
{
    ElasticEnergy energy;
    for (int k = s.list.first[i]; k < s.list.first[i + 1]; ++k) {
        if (!history.touching[k])
            continue;
        const int j = s.list.other[k];
        const SpherePlace &a = s.spheres.place[i], &b = s.spheres.place[j];
        const PairLaw& pair = s.laws[s.spheres.material[i] * s.materials + s.spheres.material[j]];
        const double R = a.radius * b.radius / (a.radius + b.radius);
        const double stiffness = 1 / (s.spheres.motion[i].compliance + s.spheres.motion[j].compliance);
        const double overlap = a.radius + b.radius - s.box.shortest(b.x - a.x).norm();
        const double kt = normal_force<law>(pair, overlap, R, stiffness).shear_stiffness;
        energy.normal += normal_energy<law>(pair, overlap, R, stiffness);
        energy.tangential += 0.5 * kt * history.slip[k].squaredNorm();
        if (!history.turn.empty())
            energy.rolling += 0.5 * kt * R * R * history.turn[k].squaredNorm();
    }
    return energy;
}

} // namespace

ForceBlocks make_force_blocks(const NeighbourList& list, std::size_t spheres)
{
    constexpr std::size_t size = ForceBlocks::size;
    ForceBlocks blocks;
    const std::size_t count = (spheres + size - 1) / size;
    std::vector<std::vector<int>> outside(count); // partners beyond the block, rising
    blocks.target.resize(list.pairs());
    const auto inside = [&](std::size_t b, int j) { return static_cast<std::size_t>(j) / size == b; };
    parallel_for(
        count,
        [&](std::size_t b) {
            const int from = list.first[b * size], to = list.first[std::min(spheres, (b + 1) * size)];
            for (int k = from; k < to; ++k) {
                if (!inside(b, list.other[k]))
                    outside[b].push_back(list.other[k]);
            }
            std::sort(outside[b].begin(), outside[b].end());
            outside[b].erase(std::unique(outside[b].begin(), outside[b].end()), outside[b].end());
        },
        1);
    blocks.first_copy.assign(1, static_cast<int>(spheres));
    blocks.first_share.assign(spheres + 1, 0);
    for (const std::vector<int>& copies : outside) {
        blocks.first_copy.push_back(blocks.first_copy.back() + static_cast<int>(copies.size()));
        for (const int j : copies)
            ++blocks.first_share[j + 1];
    }
    std::partial_sum(blocks.first_share.begin(), blocks.first_share.end(), blocks.first_share.begin());
    blocks.share.resize(blocks.first_share.back());
    std::vector<int> next(blocks.first_share.begin(), blocks.first_share.end() - 1);
    for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t c = 0; c < outside[b].size(); ++c)
            blocks.share[next[outside[b][c]]++] = blocks.first_copy[b] + static_cast<int>(c);
    }
    parallel_for(
        count,
        [&](std::size_t b) {
            const int from = list.first[b * size], to = list.first[std::min(spheres, (b + 1) * size)];
            for (int k = from; k < to; ++k) {
                const int j = list.other[k];
                const auto copy = [&] { return std::lower_bound(outside[b].begin(), outside[b].end(), j); };
                blocks.target[k] =
                    inside(b, j) ? j : blocks.first_copy[b] + static_cast<int>(copy() - outside[b].begin());
            }
        },
        1);
    blocks.sums.assign(blocks.first_copy.back(), Load{});
    return blocks;
}

void add_pair_forces(const PairSystem& system, bool ledger, ContactHistory& history, ForceBlocks& blocks,
    std::vector<ContactLosses>& losses)
{
    losses.assign(blocks.blocks(), ContactLosses{});
    with_law(system.law, [&]<NormalLaw law>() {
        const auto run = [&](auto& loop) {
            parallel_for(
                blocks.blocks(), [&](std::size_t b) { losses[b] = loop.run(b); }, 1);
        };
        if (ledger) {
            PairLoop<law, true> loop(system, history, blocks);
            run(loop);
        } else {
            PairLoop<law, false> loop(system, history, blocks);
            run(loop);
        }
    });
}

ElasticEnergy pair_energy(const PairSystem& system, const ContactHistory& history)
{
    return with_law(system.law, [&]<NormalLaw law>() {
        return ordered_sum(system.spheres.size(), ElasticEnergy{},
            [&](std::size_t i) { return stored<law>(system, history, static_cast<int>(i)); });
    });
}

} // namespace stickslip
