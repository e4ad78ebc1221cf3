#include "stickslip/build/restart/granular_checkpoint.h"

namespace stickslip {

namespace {

/// Writer and Reader see the same fields in the same order: one list of them for both ways.
struct Writer {
    ByteWriter& to;

    void operator()(double& x) const { to.number(x); }
    void operator()(int& x) const { to.integer(static_cast<std::uint32_t>(x)); }
    void operator()(long& x) const { to.integer(static_cast<std::uint64_t>(x)); }
    void operator()(std::uint8_t& x) const { to.integer(x); }
    void operator()(Vec3& x) const { to.vector(x); }
    template <typename T>
    void resize(std::vector<T>& all) const
    {
        to.integer<std::uint64_t>(all.size());
    }
};
struct Reader {
    ByteReader& from;

    void operator()(double& x) const { x = from.number(); }
    void operator()(int& x) const { x = static_cast<int>(from.integer<std::uint32_t>()); }
    void operator()(long& x) const { x = static_cast<long>(from.integer<std::uint64_t>()); }
    void operator()(std::uint8_t& x) const { x = from.integer<std::uint8_t>(); }
    void operator()(Vec3& x) const { x = from.vector(); }
    template <typename T>
    void resize(std::vector<T>& all) const
    {
        constexpr bool nested = std::is_same_v<T, WallContacts>;
        all.resize(from.count(nested ? sizeof(std::uint64_t) : sizeof(T))); // stored without padding
    }
};

template <typename Way>
void pass(const Way& way, Quat& q)
{
    for (double* value : {&q.w(), &q.x(), &q.y(), &q.z()})
        way(*value);
}
template <typename Way>
void pass(const Way& way, SpherePlace& place)
{
    way(place.x);
    way(place.radius);
}
template <typename Way>
void pass(const Way& way, SphereMotion& motion)
{
    way(motion.v);
    way(motion.compliance);
    way(motion.w);
    way(motion.inverse_mass);
}
template <typename Way>
void pass(const Way& way, SphereAcceleration& rate)
{
    way(rate.linear);
    way(rate.angular);
}
template <typename Way>
void pass(const Way& way, Load& load)
{
    way(load.force);
    way(load.torque);
}
template <typename Way>
void pass(const Way& way, BodyMotion& body)
{
    way(body.x);
    pass(way, body.R);
    way(body.v);
    way(body.L);
    way(body.w);
    pass(way, body.rate);
    pass(way, body.acceleration);
}
template <typename Way>
void pass(const Way& way, BodySpheres& spheres)
{
    way(spheres.first);
    way(spheres.group);
    way(spheres.kind);
}
template <typename Way>
void pass(const Way& way, PointPlace& at)
{
    way(at.wall);
    way(at.point);
    way(at.solid);
}
template <typename Way>
void pass(const Way& way, Caught& one)
{
    way(one.id);
    way(one.outlet);
}
template <typename Way>
void pass(const Way& way, PointEntry& entry)
{
    way(entry.n);
    way(entry.depth);
}
template <typename Way>
void pass(const Way& way, FacetContact& contact)
{
    way(contact.name.n);
    way(contact.name.facet);
    way(contact.name.patch);
    way(contact.slip);
    way(contact.turn);
    way(contact.overlap);
    way(contact.share);
}

template <typename Way, typename T>
void pass(const Way& way, std::vector<T>& all)
{
    way.resize(all);
    for (T& one : all) {
        if constexpr (requires { way(one); })
            way(one);
        else
            pass(way, one);
    }
}

template <typename Way>
void pass(const Way& way, ContactHistory& history)
{
    pass(way, history.slip);
    pass(way, history.turn);
    pass(way, history.touching);
}
template <typename Way>
void pass(const Way& way, WallContacts& wall)
{
    pass(way, wall.near.sphere);
    pass(way, wall.near.first_facet);
    pass(way, wall.near.facet);
    pass(way, wall.history);
    pass(way, wall.normal);
    pass(way, wall.held_count);
    pass(way, wall.held);
}

template <typename Way>
void pass(const Way& way, GranularState& s)
{
    way(s.time);
    way(s.steps);
    way(s.rebuilds);
    pass(way, s.spheres.place);
    pass(way, s.spheres.motion);
    pass(way, s.spheres.acceleration);
    pass(way, s.spheres.orientation);
    pass(way, s.spheres.material);
    pass(way, s.spheres.id);
    pass(way, s.spheres.group);
    way(s.next_id);
    pass(way, s.list.first);
    pass(way, s.list.other);
    pass(way, s.listed_at);
    pass(way, s.bodies_listed_at);
    pass(way, s.caught);
    way(s.skin);
    way(s.listed_step);
    way(s.wall_travel);
    pass(way, s.pairs);
    way.resize(s.walls);
    for (WallContacts& wall : s.walls)
        pass(way, wall);
    pass(way, s.wall_load);
    pass(way, s.bodies);
    pass(way, s.body_spheres);
    pass(way, s.body_load);
    pass(way, s.points.near);
    pass(way, s.points.history);
    pass(way, s.points.normal);
    pass(way, s.points.entry);
    for (double* value : {&s.losses.friction, &s.losses.rolling, &s.losses.damping, &s.losses.adhesion, &s.wrapped_work,
             &s.local_damping_loss, &s.gravity_work, &s.wall_work, &s.load_work, &s.last_step.damping,
             &s.last_step.local_damping, &s.last_step.body_damping, &s.last_step.wall, &s.first_energy})
        way(*value);
}

} // namespace

void put_granular(ByteWriter& to, const GranularState& state)
{
    pass(Writer{to}, const_cast<GranularState&>(state)); // Writer changes nothing
}

GranularState get_granular(ByteReader& from)
{
    GranularState state;
    pass(Reader{from}, state);
    return state;
}

} // namespace stickslip
