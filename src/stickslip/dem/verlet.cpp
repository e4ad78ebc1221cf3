#include "stickslip/dem/verlet.h"

#include "stickslip/dem/lanes.h"
#include "stickslip/math/parallel.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

/// Turns q by twice the small rotation vector h, to third order; its length is put right when the list is made.
void turn(Quat& q, const Triple<double>& h)
{
    const double w = q.w(), x = q.x(), y = q.y(), z = q.z();
    q = Quat(w - (h.x * x + h.y * y + h.z * z), x + w * h.x + h.y * z - h.z * y, y + w * h.y + h.z * x - h.x * z,
        z + w * h.z + h.x * y - h.y * x);
}

/// share |a| with the signs of v: taken off a, less of what speeds up and more of what slows down.
Triple<double> opposing(double share, const Triple<double>& a, const Triple<double>& v)
{
    return {std::copysign(share * a.x, v.x), std::copysign(share * a.y, v.y), std::copysign(share * a.z, v.z)};
}

} // namespace

Advance advance(const GranularWorld& world, bool finish, bool start, const ForceBlocks& blocks,
    const std::vector<Vec3>& listed_at, Spheres& all)
{
    const double dt = world.dt;
    std::vector<Advance> partial(blocks.blocks());
    const Triple<double> gravity = triple(world.gravity);
    // In threes of numbers: Eigen's pairs of two would wait for what was stored one by one.
    const auto move = [&](std::size_t i, Advance& part) {
        SpherePlace& place = all.place[i];
        SphereMotion& m = all.motion[i];
        const double r = place.radius, inverse_inertia = 2.5 * m.inverse_mass / (r * r);
        Triple<double> v = triple(m.v), w = triple(m.w), a, alpha;
        if (finish) {
            const Load load = blocks.total(i);
            a = m.inverse_mass * triple(load.force) + gravity;
            alpha = inverse_inertia * triple(load.torque);
            if (world.local_damping > 0 && !load.force.isZero(0)) {
                const Triple<double> later_v = v + 0.5 * dt * a, later_w = w + 0.5 * dt * alpha;
                const Triple<double> da = opposing(world.local_damping, a, later_v);
                const Triple<double> dalpha = opposing(world.local_damping, alpha, later_w);
                a = a - da;
                alpha = alpha - dalpha;
                if (world.ledger)
                    part.damping_loss +=
                        dt * (dot(da, later_v) / m.inverse_mass + dot(dalpha, later_w) / inverse_inertia);
            }
            v += 0.5 * dt * a;
            w += 0.5 * dt * alpha;
            if (!start || world.ledger)
                all.acceleration[i] = {vec3(a), vec3(alpha)};
        } else {
            a = triple(all.acceleration[i].linear);
            alpha = triple(all.acceleration[i].angular);
        }
        if (start) {
            v += 0.5 * dt * a;
            w += 0.5 * dt * alpha;
            const Triple<double> x = triple(place.x) + dt * v, moved = x - triple(listed_at[i]);
            place.x = vec3(x);
            turn(all.orientation[i], 0.5 * dt * w);
            const double square = dot(moved, moved);
            part.moved = std::max(part.moved, square < infinity ? square : infinity);
            if (world.ledger)
                part.gravity_work += dt / m.inverse_mass * dot(gravity, v);
        }
        m.v = vec3(v);
        m.w = vec3(w);
    };
    parallel_for(
        partial.size(),
        [&](std::size_t b) {
            const std::size_t end = std::min(all.size(), (b + 1) * ForceBlocks::size);
            for (std::size_t i = b * ForceBlocks::size; i < end; ++i)
                move(i, partial[b]);
        },
        1);
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
