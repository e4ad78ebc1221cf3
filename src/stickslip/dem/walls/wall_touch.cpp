#include "stickslip/dem/walls/wall_touch.h"

#include "stickslip/dem/pairs/contact_lanes.h"

#include <algorithm>

namespace stickslip {

namespace {

Triple<Lanes> everywhere(const Vec3& a)
{
    return triple(a, a, a, a);
}

double sum(const Lanes& a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}
Vec3 sum(const Triple<Lanes>& a)
{
    return {sum(a.x), sum(a.y), sum(a.z)};
}

/// Contacts with one wall, four at a time.
template <NormalLaw law, bool damped, bool rolls>
class WallLoop {
public:
    WallLoop(const WallMeeting& w, std::vector<LoadRows>& sums)
        : w_(w)
        , sums_(sums)
        , middle_belt_(everywhere(w.pose.belt_middle))
        , end_belt_(everywhere(w.pose.belt_end))
        , origin_(everywhere(w.pose.frame.x))
        , middle_v_(everywhere(w.pose.middle.v))
        , middle_w_(everywhere(w.pose.middle.w))
        , end_v_(everywhere(w.pose.end.v))
        , end_w_(everywhere(w.pose.end.w))
    {
    }

    WallForce run(std::span<WallTouch> touches)
    {
        const std::size_t count = touches.size();
        for (std::size_t t = 0; t < count; t += lanes) {
            WallTouch* at[lanes];
            for (std::size_t l = 0; l < lanes; ++l)
                at[l] = &touches[std::min(t + l, count - 1)];
            meet(at, static_cast<int>(std::min<std::size_t>(lanes, count - t)));
        }
        return {.load = {sum(force_), sum(torque_)},
            .power = sum(power_),
            .losses = {sum(friction_loss_), sum(rolling_loss_), sum(damping_loss_), 0}};
    }

private:
    /// present: lanes that are not there to fill the row.
    void meet(WallTouch* const* at, int present)
    {
        const PairSystem& s = w_.system;
        const auto place = [&](int l) { return &s.spheres.place[at[l]->slot]; };
        const auto motion = [&](int l) { return &s.spheres.motion[at[l]->slot]; };
        auto [x, radius] = gather4(place);
        if (imaged_)
            x = gather3([&](int l) { return place_at_wall(w_, at[l]->slot); });
        const auto [v, compliance] = gather4([&](int l) { return &motion(l)->v; });
        const auto [w, inverse_mass] = gather4([&](int l) { return &motion(l)->w; });
        const auto [n, overlap] = gather4([&](int l) { return &at[l]->n; });
        const Triple<Lanes> arm = (radius - overlap) * n; // from the centre to the contact
        const Triple<Lanes> from_frame = x + arm - origin_;
        const Triple<Lanes> carried = middle_belt_ - dot(middle_belt_, n) * n;
        const Triple<Lanes> later_carried = end_belt_ - dot(end_belt_, n) * n;
        const Triple<Lanes> half_way = from_frame - (0.5 * s.dt) * cross(middle_w_, from_frame);
        const Triple<Lanes> wall_v = middle_v_ + cross(middle_w_, half_way) + carried; // dt wall_v is the way made
        const Triple<Lanes> later_wall_v = end_v_ + cross(end_w_, from_frame) + later_carried;
        Meeting<Lanes> m;
        m.n = n;
        m.overlap = overlap;
        m.radius = radius;
        if constexpr (damped)
            m.mass = 1.0 / (inverse_mass + wall_inverse_mass(at));
        m.velocity = wall_v - v - cross(w, arm);
        m.separation = dot(wall_v - v, n);
        m.spin = middle_w_ - w;
        const Triple<Lanes> mean_spin = 0.5 * (in_wall_frame_ ? w - middle_w_ : w + middle_w_);
        m.frame_turn = gather3([&](int l) { return at[l]->normal_turn; }) + (s.dt * dot(mean_spin, n)) * n;
        m.fresh = gather([&](int l) { return at[l]->fresh ? 1.0 : 0.0; }) > Lanes{};
        if (w_.ledger) { // velocities at the end of the step
            const auto rate = [&](int l) { return s.spheres.acceleration[at[l]->slot]; };
            const Triple<Lanes> alpha = gather3([&](int l) { return rate(l).angular; });
            const Triple<Lanes> a = gather3([&](int l) { return rate(l).linear; }) + cross(alpha, arm);
            m.later_velocity = later_wall_v - v - cross(w, arm) - (0.5 * s.dt) * a;
            m.later_spin = end_w_ - w - (0.5 * s.dt) * alpha;
        }
        Elasticity<Lanes> elastic;
        Resistance<Lanes> resist;
        const Lanes both = compliance + gather([&](int l) { return side_compliance(w_.material, radius[l]); });
        const auto law_of = [&](int l) -> const PairLaw& { return wall_law(w_, at[l]->slot); };
        elastic_answer<law, damped, rolls>(s.materials == 1, law_of, both, m, s.dt, elastic, resist);
        Springs<Lanes> springs;
        springs.slip = gather3([&](int l) { return at[l]->slip; });
        if constexpr (rolls)
            springs.turn = gather3([&](int l) { return at[l]->turn; });
        ContactForce<Lanes> f = contact_force<damped, rolls>(resist, elastic, m, s.dt, w_.ledger, springs);
        take_share(gather([&](int l) { return at[l]->share; }), f);
        const Triple<Lanes> about_centre = cross(arm, f.force), about_frame = cross(from_frame, f.force);
        const Triple<Lanes> torque = rolls ? about_centre + f.moment : about_centre;
        const LaneRows forces = transposed(f.force.x, f.force.y, f.force.z, Lanes{});
        const LaneRows torques = transposed(torque.x, torque.y, torque.z, Lanes{});
        for (int l = 0; l < present; ++l) {
            at[l]->slip = lane(springs.slip, l);
            if constexpr (rolls)
                at[l]->turn = lane(springs.turn, l);
            LoadRows& rows = sums_[at[l]->slot];
            store(load(rows.force) + forces.row[l], rows.force);
            store(load(rows.torque) + torques.row[l], rows.torque);
        }
        const Mask<Lanes> counts = Lanes{0, 1, 2, 3} < Lanes{} + static_cast<double>(present);
        const Lanes none = {};
        const Triple<Lanes> zero = {};
        const Lanes power = dot(f.force, later_wall_v);
        force_ = force_ - choose<Lanes>(counts, f.force, zero);
        torque_ = torque_ - choose<Lanes>(counts, rolls ? about_frame + f.moment : about_frame, zero);
        power_ += counts ? (rolls ? power + dot(f.moment, end_w_) : power) : none;
        if (w_.ledger) {
            friction_loss_ += counts ? f.friction_loss : none;
            rolling_loss_ += counts ? f.rolling_loss : none;
            damping_loss_ += counts ? f.damping_loss : none;
        }
    }

    static void take_share(const Lanes& share, ContactForce<Lanes>& f)
    {
        f.force = share * f.force;
        if constexpr (rolls)
            f.moment = share * f.moment;
        f.friction_loss *= share;
        f.rolling_loss *= share;
        f.damping_loss *= share;
    }

    /// Of the wall's body along the normal [1/kg]; zero for a wall that is no body's.
    Lanes wall_inverse_mass(WallTouch* const* at) const
    {
        if (w_.wall.body < 0)
            return Lanes{};
        return gather([&](int l) {
            const double arm = w_.system.spheres.place[at[l]->slot].radius - at[l]->overlap;
            return w_.pose.mobility.along(at[l]->n, place_at_wall(w_, at[l]->slot) + arm * at[l]->n - w_.pose.centre);
        });
    }

    const WallMeeting& w_;
    std::vector<LoadRows>& sums_;
    // the springs of a mesh are kept in the wall's frame, those of a solid in the world's
    const bool in_wall_frame_ = !std::holds_alternative<LevelSet>(w_.wall.shape);
    const bool imaged_ = w_.wall.body >= 0 && w_.system.box.any();
    const Triple<Lanes> middle_belt_, end_belt_, origin_, middle_v_, middle_w_, end_v_, end_w_;
    Triple<Lanes> force_ = {}, torque_ = {}; // on the wall
    Lanes power_ = {}, friction_loss_ = {}, rolling_loss_ = {}, damping_loss_ = {};
};

template <NormalLaw law, bool damped, bool rolls>
STICKSLIP_WIDE WallForce run_touches(const WallMeeting& w, std::span<WallTouch> touches, std::vector<LoadRows>& sums)
{
    return WallLoop<law, damped, rolls>(w, sums).run(touches);
}

} // namespace

template <NormalLaw law>
WallForce touch_all(const WallMeeting& w, std::span<WallTouch> touches, std::vector<LoadRows>& sums)
{
    return w.system.with_turn ? run_touches<law, true, true>(w, touches, sums)
        : w.damped            ? run_touches<law, true, false>(w, touches, sums)
                              : run_touches<law, false, false>(w, touches, sums);
}

template WallForce touch_all<NormalLaw::linear>(const WallMeeting&, std::span<WallTouch>, std::vector<LoadRows>&);
template WallForce touch_all<NormalLaw::hertz>(const WallMeeting&, std::span<WallTouch>, std::vector<LoadRows>&);
template WallForce touch_all<NormalLaw::dmt>(const WallMeeting&, std::span<WallTouch>, std::vector<LoadRows>&);
template WallForce touch_all<NormalLaw::jkr>(const WallMeeting&, std::span<WallTouch>, std::vector<LoadRows>&);

} // namespace stickslip
