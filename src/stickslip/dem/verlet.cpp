#include "stickslip/dem/verlet.h"

#include "stickslip/math/lanes.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace stickslip {

namespace {

// A sphere's vectors as rows of four numbers: what stands behind a vector (a radius, a compliance, an inverse mass) is
// left alone because the fourth number of everything added to it is zero.
static_assert(sizeof(SpherePlace) == sizeof(Lanes) && sizeof(SphereMotion) == 2 * sizeof(Lanes));

/// The products of three that make up a vector product and a dot product: numbers of a in the order i, j, k, l.
template <int i, int j, int k, int l>
Lanes order(const Lanes& a)
{
    return __builtin_shufflevector(a, a, i, j, k, l);
}

/// Unit quaternion q (x, y, z, w), turned by twice the small rotation vector h (h, 0), to third order; its length is
/// put right when the list is made.
Lanes turned_quaternion(const Lanes& q, const Lanes& h)
{
    constexpr Lanes last_less = {1, 1, 1, -1}, all_less = {-1, -1, -1, -1};
    return q + last_less * order<0, 1, 2, 0>(h) * order<3, 3, 3, 0>(q)
        + last_less * order<1, 2, 0, 1>(h) * order<2, 0, 1, 1>(q)
        + all_less * order<2, 0, 1, 2>(h) * order<1, 2, 0, 2>(q);
}

/// share |a| with the signs of v: taken off a, less of what speeds up and more of what slows down.
Lanes opposing(double share, const Lanes& a, const Lanes& v)
{
    using Bits = std::int64_t __attribute__((vector_size(32)));
    constexpr Bits sign = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
    return (Lanes)(((Bits)(share * a) & ~sign) | ((Bits)v & sign));
}

double dot3(const Lanes& a, const Lanes& b)
{
    const Lanes product = a * b;
    return product[0] + product[1] + product[2];
}

/// The spheres of one block, moved^2 in place of moved. Templates, so that no sphere asks what is to be done.
template <bool finish, bool start, bool ledger>
STICKSLIP_WIDE Advance advance_block(const GranularWorld& world, const ForceBlocks& blocks, const Clumps& clumps,
    const std::vector<Vec3>& listed_at, std::size_t block, Spheres& all)
{
    const double dt = world.dt;
    const Lanes drift = {dt, dt, dt, 0};
    const Lanes gravity = {world.gravity[0], world.gravity[1], world.gravity[2], 0};
    const std::size_t end = std::min(all.size(), (block + 1) * ForceBlocks::size);
    Advance part;
    for (std::size_t i = block * ForceBlocks::size; i < end; ++i) {
        if (clumps.holds(i))
            continue;
        SphereMotion& motion = all.motion[i];
        SphereAcceleration& rate = all.acceleration[i];
        Lanes x = load(&all.place[i]), v = load(&motion.v), w = load(&motion.w), a, alpha;
        const double r = x[3], inverse_mass = w[3], inverse_inertia = 2.5 * inverse_mass / (r * r);
        if constexpr (finish) {
            Lanes force = {}, torque = {};
            blocks.for_each_part(i, [&](const LoadRows& rows) {
                force += load(rows.force);
                torque += load(rows.torque);
            });
            a = inverse_mass * force + gravity;
            alpha = inverse_inertia * torque;
            const bool touched = force[0] != 0 || force[1] != 0 || force[2] != 0;
            if (world.local_damping > 0 && touched) {
                const Lanes later_v = v + 0.5 * dt * a, later_w = w + 0.5 * dt * alpha;
                const Lanes da = opposing(world.local_damping, a, later_v);
                const Lanes dalpha = opposing(world.local_damping, alpha, later_w);
                a -= da;
                alpha -= dalpha;
                if constexpr (ledger)
                    part.damping_loss +=
                        dt * (dot3(da, later_v) / inverse_mass + dot3(dalpha, later_w) / inverse_inertia);
            }
            v += 0.5 * dt * a;
            w += 0.5 * dt * alpha;
            if constexpr (!start || ledger)
                rate = {{a[0], a[1], a[2]}, {alpha[0], alpha[1], alpha[2]}};
        } else {
            a = Lanes{rate.linear[0], rate.linear[1], rate.linear[2], 0};
            alpha = Lanes{rate.angular[0], rate.angular[1], rate.angular[2], 0};
        }
        if constexpr (start) {
            v += 0.5 * dt * a;
            w += 0.5 * dt * alpha;
            x += drift * v;
            store(x, &all.place[i]);
            double* const q = all.orientation[i].coeffs().data();
            store(turned_quaternion(load(q), 0.5 * drift * w), q);
            const Vec3& listed = listed_at[i];
            const Lanes moved = x - Lanes{listed[0], listed[1], listed[2], 0};
            const double square = dot3(moved, moved);
            part.moved = std::max(part.moved, square < infinity ? square : infinity);
            if constexpr (ledger)
                part.gravity_work += dt / inverse_mass * dot3(gravity, v);
        }
        store(v, &motion.v);
        store(w, &motion.w);
    }
    return part;
}

} // namespace

Advance advance(const GranularWorld& world, bool finish, bool start, const ForceBlocks& blocks, const Clumps& clumps,
    const std::vector<Vec3>& listed_at, Spheres& all)
{
    std::vector<Advance> partial(blocks.blocks());
    const auto run = [&]<bool with_finish, bool with_start>() {
        parallel_for(
            partial.size(),
            [&](std::size_t b) {
                partial[b] = world.ledger
                    ? advance_block<with_finish, with_start, true>(world, blocks, clumps, listed_at, b, all)
                    : advance_block<with_finish, with_start, false>(world, blocks, clumps, listed_at, b, all);
            },
            1);
    };
    if (finish && start)
        run.template operator()<true, true>();
    else if (start)
        run.template operator()<false, true>();
    else
        run.template operator()<true, false>();
    Advance total;
    for (const Advance& part : partial) {
        total.moved = std::max(total.moved, part.moved);
        total.gravity_work += part.gravity_work;
        total.damping_loss += part.damping_loss;
    }
    total.moved = std::sqrt(total.moved);
    return total;
}

} // namespace stickslip
