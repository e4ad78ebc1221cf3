#include "stickslip/build/restart/totals_bytes.h"

#include "stickslip/math/error.h"

#include <concepts>
#include <type_traits>

namespace stickslip {

namespace {

// One list of fields for writing and reading.

template <typename T, typename Struct>
concept Either = std::same_as<std::remove_const_t<T>, Struct>;

template <typename Archive>
void each_field(Archive& archive, Either<ExpectationRecord> auto& r)
{
    archive(r.sum, r.steps, r.max, r.vector, r.last_energy, r.counted_from, r.moment);
}
template <typename Archive>
void each_field(Archive& archive, Either<InletRecord> auto& r)
{
    archive(r.owed, r.mass, r.count, r.draws, r.is_full, r.asked);
}
template <typename Archive>
void each_field(Archive& archive, Either<OutletRecord> auto& r)
{
    archive(r.mass, r.count);
}
template <typename Archive>
void each_field(Archive& archive, Either<LongStepEvent> auto& r)
{
    archive(r.step.mover, r.step.other, r.step.way, r.step.thin, r.step.size, r.dt);
}
template <typename Archive>
void each_field(Archive& archive, Either<FarStepEvent> auto& r)
{
    archive(r.step.body, r.step.way, r.step.size, r.others, r.dt);
}
template <typename Archive>
void each_field(Archive& archive, Either<MissedPenetration> auto& r)
{
    archive(r.body, r.soft, r.depth, r.felt);
}
template <typename Archive>
void each_field(Archive& archive, Either<BodyOverlap> auto& r)
{
    archive(r.body, r.other, r.depth, r.felt, r.place, r.triangles[0], r.triangles[1], r.crossings);
}
template <typename Archive>
void each_field(Archive& archive, Either<AuditTotals> auto& r)
{
    archive(r.looks, r.deepest);
}
template <typename Archive>
void each_field(Archive& archive, Either<Entered> auto& r)
{
    archive(r.body, r.other, r.from);
}
template <typename Archive, typename Event>
void each_field(Archive& archive, const Worst<Event>& r)
{
    archive(r.event, r.time, r.badness, r.reported);
}
template <typename Archive, typename Event>
void each_field(Archive& archive, Worst<Event>& r)
{
    archive(r.event, r.time, r.badness, r.reported);
}
template <typename Archive>
void each_field(Archive& archive, Either<BodyPair> auto& pair)
{
    archive(pair.first, pair.second);
}
template <typename Archive>
void each_field(Archive& archive, Either<UndetectedContact> auto& r)
{
    archive(r.long_steps, r.far_steps, r.penetrations, r.overlaps, r.entered);
}
template <typename Archive>
void each_field(Archive& archive, Either<EnergyGains> auto& r)
{
    archive(r.steps, r.largest, r.time, r.share);
}
template <typename Archive>
void each_field(Archive& archive, Either<OverlapRecord> auto& r)
{
    archive(r.deepest, r.reported);
}
template <typename Archive>
void each_field(Archive& archive, Either<RunTotals> auto& t)
{
    archive(t.steps, t.newton_iterations, t.krylov_iterations, t.failed_solves, t.evaluations, t.descent_steps,
        t.divided_steps);
    archive(t.friction_loss, t.max_contact_depth, t.largest_energy_error, t.largest_energy_rise);
    archive(t.largest_momentum_error, t.wall_time, t.frame_time, t.stage_seconds, t.node_slip);
    archive(t.gains, t.undetected, t.audit, t.expectations);
    archive(t.next_row_time, t.last_own_energy, t.largest_energy_input, t.worst_violation, t.reported_violation);
    archive(t.in_wall, t.in_solid, t.in_sphere);
    archive(t.inlets, t.outlets);
}

class TotalsWriter {
public:
    explicit TotalsWriter(ByteWriter& to)
        : to_(to)
    {
    }

    template <typename... Values>
    void operator()(const Values&... values)
    {
        (put(values), ...);
    }

private:
    void put(const double& value) { to_.number(value); }
    void put(std::uint64_t value) { to_.integer(value); }
    void put(int value) { to_.integer(static_cast<std::uint32_t>(value)); }
    void put(bool value) { to_.integer(static_cast<std::uint32_t>(value)); }
    void put(ExpectationRecord::Moment value) { to_.integer(static_cast<std::uint32_t>(value)); }
    void put(const Vec3& value) { to_.vector(value); }
    void put(const std::string& value) { to_.text(value); }
    template <typename T>
    void put(const std::optional<T>& value)
    {
        put(value.has_value());
        if (value)
            put(*value);
    }
    template <typename T>
    void put(const std::vector<T>& values)
    {
        to_.integer<std::uint64_t>(values.size());
        for (const T& value : values)
            put(value);
    }
    template <typename Key, typename T>
    void put(const std::map<Key, T>& values)
    {
        to_.integer<std::uint64_t>(values.size());
        for (const auto& [key, value] : values) {
            put(key);
            put(value);
        }
    }
    template <typename Struct>
    void put(const Struct& value)
    {
        each_field(*this, value);
    }

    ByteWriter& to_;
};

class TotalsReader {
public:
    explicit TotalsReader(ByteReader& from)
        : from_(from)
    {
    }

    template <typename... Values>
    void operator()(Values&... values)
    {
        (get(values), ...);
    }

private:
    void get(double& value) { value = from_.number(); }
    void get(std::uint64_t& value) { value = from_.integer<std::uint64_t>(); }
    void get(int& value) { value = static_cast<int>(from_.integer<std::uint32_t>()); }
    void get(bool& value) { value = up_to(1) == 1; }
    void get(ExpectationRecord::Moment& value) { value = static_cast<ExpectationRecord::Moment>(up_to(2)); }
    void get(Vec3& value) { value = from_.vector(); }
    void get(std::string& value) { value = from_.text(); }
    template <typename T>
    void get(std::optional<T>& value)
    {
        bool is_there;
        get(is_there);
        if (is_there)
            get(value.emplace());
    }
    template <typename T>
    void get(std::vector<T>& values)
    {
        values.resize(from_.count(sizeof(double))); // no element takes fewer bytes
        for (T& value : values)
            get(value);
    }
    template <typename Key, typename T>
    void get(std::map<Key, T>& values)
    {
        for (std::size_t left = from_.count(sizeof(double)); left > 0; --left) {
            Key key;
            get(key);
            get(values[key]);
        }
    }
    template <typename Struct>
    void get(Struct& value)
    {
        each_field(*this, value);
    }

    std::uint32_t up_to(std::uint32_t most)
    {
        const auto value = from_.integer<std::uint32_t>();
        if (value > most)
            throw InputError("the file is damaged: no such choice");
        return value;
    }

    ByteReader& from_;
};

} // namespace

void put_totals(ByteWriter& to, const RunTotals& totals)
{
    TotalsWriter{to}(totals);
}

RunTotals get_totals(ByteReader& from)
{
    RunTotals totals;
    TotalsReader{from}(totals);
    return totals;
}

} // namespace stickslip
