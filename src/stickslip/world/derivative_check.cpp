#include "stickslip/world/derivative_check.h"

#include "stickslip/bodies/loads.h"
#include "stickslip/math/rotation.h"
#include "stickslip/solver/vector_ops.h"
#include "stickslip/world/backward_euler.h"
#include "stickslip/world/central_difference.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <span>
#include <tuple>

namespace stickslip {

namespace {

using Vectors = std::vector<Vec3>;

// Displacements by which differences are taken, as a fraction of the element size: truncation ~ h^2 and round-off ~
// eps/h balance.
constexpr double difference_step = 1e-5;
constexpr double candidate_offset = 1e-3;

// Of contacts, whose depths and cones may be as small as round-off lets them: a ladder of steps, from which each takes
// what suits it. As a fraction of the largest coordinate, on which round-off depends.
constexpr double shortest_step = 1.5e-11, step_ratio = 4;
constexpr int contact_steps = 10;
constexpr double most_uncertain = 1e-3; // [-] bound of a difference beyond which it says nothing

class DerivativeChecker {
public:
    DerivativeChecker(const World& world, const State& state, double dt, unsigned seed)
        : world_(world)
        , set_(world.deformables)
        , state_(state)
        , dt_(dt)
        , random_(seed)
    {
        q_.assign(state.x.begin(), state.x.end());
        for (const RigidState& r : state.rigid) {
            q_.push_back(r.x);
            q_.push_back(Vec3::Zero());
        }
        Vectors v = state.v;
        for (const RigidState& r : state.rigid) {
            v.push_back(r.v);
            v.push_back(r.w);
        }
        for (std::size_t p = 0; p < state.mpm.x.size(); ++p)
            q_.push_back(state.mpm.x[p] + state.mpm.thinned[p]);
        v.insert(v.end(), state.mpm.v.begin(), state.mpm.v.end());
        q_ = moved(q_, dt, v);
        const Vectors offset = direction();
        for (std::size_t i = 0; i < q_.size(); ++i)
            q_[i] += candidate_offset * unit(i) * offset[i];
        x_.assign(q_.begin(), q_.begin() + static_cast<std::ptrdiff_t>(state.x.size()));
    }

    std::vector<DerivativeCheck> run()
    {
        std::vector<DerivativeCheck> checks;
        if (!set_.bodies.empty())
            checks.push_back(elastic());
        if (has_pressure(set_))
            checks.push_back(pressure());
        if (!world_.mpm.bodies.empty())
            checks.push_back(material_points());
        checks.push_back(contact());
        checks.push_back(residual());
        return checks;
    }

private:
    // What the i-th block of the candidate is moved by, at most: an element or half the smallest size of its own body
    // [m]; the turn [rad] that moves the body's farthest points as far.
    double unit(std::size_t i) const
    {
        if (i < state_.x.size()) {
            const auto body = std::find_if(set_.bodies.begin(), set_.bodies.end(),
                [&](const DeformableBody& b) { return static_cast<int>(i) < b.nodes.end; });
            return body->element_size;
        }
        if (i >= first_particle())
            return world_.mpm.grid;
        const Bounds box = bounds(world_.rigids[(i - state_.x.size()) / 2].solid);
        const Vec3 half = 0.5 * (box.max - box.min);
        const bool turn = (i - state_.x.size()) % 2 == 1;
        return turn ? half.minCoeff() / half.maxCoeff() : half.minCoeff();
    }

    std::size_t first_particle() const { return state_.x.size() + 2 * state_.rigid.size(); }

    Vectors direction() { return direction(q_.size()); }

    Vectors direction(std::size_t size)
    {
        std::uniform_real_distribution<double> uniform(-1, 1);
        Vectors d(size);
        for (Vec3& v : d)
            v = Vec3(uniform(random_), uniform(random_), uniform(random_));
        return d;
    }

    static Vectors moved(const Vectors& x, double s, const Vectors& d)
    {
        Vectors y = x;
        add_scaled(y, s, d);
        return y;
    }

    static double largest(const Vectors& v)
    {
        double m = 0;
        for (const Vec3& a : v)
            m = std::max(m, a.cwiseAbs().maxCoeff());
        return m;
    }

    using Force = std::function<void(const Vectors& x, Vectors& f)>;
    using Differential = std::function<void(const Vectors& dx, Vectors& df, bool transposed)>;

    DerivativeCheck compare(const std::string& name, double step, const Force& force, const Differential& differential)
    {
        const Vectors d = direction(x_.size()), w = direction(x_.size());
        Vectors plus, minus, Hd, Htw;
        force(moved(x_, step, d), plus);
        force(moved(x_, -step, d), minus);
        force(x_, Hd);
        differential(d, Hd, false);
        differential(w, Htw, true);
        DerivativeCheck check{.force = name};
        for (std::size_t i = 0; i < d.size(); ++i)
            check.difference =
                std::max(check.difference, ((plus[i] - minus[i]) / (2 * step) - Hd[i]).cwiseAbs().maxCoeff());
        check.difference /= std::max(largest(Hd), 1e-300);
        check.beyond = check.difference;
        check.transpose = std::abs(dot(w, Hd) - dot(Htw, d)) / std::max(norm(w) * norm(Hd), 1e-300);
        return check;
    }

    double element_size() const // [m] the smallest
    {
        double size = infinity;
        for (const DeformableBody& body : set_.bodies)
            size = std::min(size, body.element_size);
        return size;
    }

    DerivativeCheck elastic()
    {
        ElasticEvaluation e;
        return compare(
            "elastic", difference_step * element_size(),
            [&](const Vectors& x, Vectors& f) {
                set_zero(f, x.size());
                evaluate_stress(set_, x, state_.x, dt_, e);
                add_elastic_force(set_, e, f);
            },
            [&](const Vectors& dx, Vectors& df, bool transposed) {
                set_zero(df, dx.size());
                add_elastic_force_differential(set_, x_, state_.x, dt_, dx, df, transposed, e);
            });
    }

    DerivativeCheck pressure()
    {
        return compare(
            "pressure", difference_step * element_size(),
            [&](const Vectors& x, Vectors& f) {
                set_zero(f, x.size());
                add_pressure_force(set_, x, f);
            },
            [&](const Vectors& dx, Vectors& df, bool transposed) {
                set_zero(df, dx.size());
                add_pressure_force_differential(set_, x_, dx, df, transposed);
            });
    }

    // The stress of each material point, relative to its material's stiffness. Its way into the forces on nodes is
    // linear, and compared in `residual`.
    DerivativeCheck material_points()
    {
        DerivativeCheck check{.force = "stress"};
        for (std::size_t p = 0; p < world_.mpm.particles(); ++p) {
            const MpmMaterial& material = world_.mpm.material(p);
            const MpmPoint& old = state_.mpm.point[p];
            const Mat3 F = (Mat3::Identity() + candidate_offset * random_matrix()) * old.F, dF = random_matrix();
            const auto stress = [&](double h) { return Mat3(mpm_stress(material, F + h * dF, old, dt_).P); };
            const Mat3 P = stress(0), dP = unvec(mpm_stress_derivative(material, F, old, dt_) * vec(dF));
            const double scale = stiffness_of(material);
            std::array<std::vector<ValuePair>, 3> columns;
            double h = shortest_step;
            for (int i = 0; i < contact_steps; ++i, h *= step_ratio) {
                const Mat3 ahead = stress(h), behind = stress(-h);
                for (int k = 0; k < 3; ++k)
                    columns[k].push_back({h, ahead.col(k), behind.col(k)});
            }
            for (int k = 0; k < 3; ++k) {
                const auto off = disagreement(P.col(k), dP.col(k), columns[k], scale);
                check.switched += !off;
                if (off) {
                    check.difference = std::max(check.difference, off->difference / scale);
                    check.beyond = std::max(check.beyond, off->beyond / scale);
                }
            }
        }
        return check;
    }

    Mat3 random_matrix()
    {
        const Vectors columns = direction(3);
        return (Mat3() << columns[0], columns[1], columns[2]).finished();
    }

    // Bodies placed by q: nodes, then centre and rotation since the start of the step of each rigid body, then material
    // points.
    void evaluate(ContactSet& contacts, const Vectors& q) const
    {
        std::vector<RigidCandidate> rigid;
        for (std::size_t b = 0; b < state_.rigid.size(); ++b) {
            const Vec3 &x = q[x_.size() + 2 * b], &theta = q[x_.size() + 2 * b + 1];
            rigid.push_back(
                {x, theta, rotation_exp(theta) * state_.rigid[b].R.toRotationMatrix(), left_jacobian(theta)});
        }
        Vectors points(q.begin(), q.begin() + static_cast<std::ptrdiff_t>(x_.size()));
        points.insert(points.end(), q.begin() + static_cast<std::ptrdiff_t>(first_particle()), q.end());
        contacts.evaluate(points, rigid);
    }

    struct Sample {
        std::vector<Vec3> load; // by block
        bool sticks;
        int piece;
    };
    using Samples = std::map<std::tuple<int, int, int, int>, Sample>; // of all contacts

    struct SamplePair {
        double h;
        Samples ahead, behind;
    };

    Samples sample(ContactSet& contacts, const Vectors& q) const
    {
        evaluate(contacts, q);
        Samples samples;
        for (const Contact& c : contacts.blocks().contacts())
            samples[key(c)] = {loads(contacts.blocks(), c), c.at.sticks, numbers(c.at.to).piece};
        return samples;
    }

    std::vector<SamplePair> sample_ladder(ContactSet& contacts, const Vectors& d) const
    {
        std::vector<SamplePair> ladder;
        double h = shortest_step * farthest_coordinate();
        for (int i = 0; i < contact_steps; ++i, h *= step_ratio)
            ladder.push_back({h, sample(contacts, moved(q_, h, d)), sample(contacts, moved(q_, -h, d))});
        return ladder;
    }

    double farthest_coordinate() const // [m]
    {
        double most = largest(q_);
        for (const RigidBody& body : world_.rigids)
            most = std::max(most, (bounds(body.solid).max - bounds(body.solid).min).maxCoeff());
        return most;
    }

    /// Of one block of a contact, up to the first step that changes its branch.
    static std::vector<ValuePair> values(const std::vector<SamplePair>& ladder, const Contact& c, int block)
    {
        std::vector<ValuePair> pairs;
        for (const SamplePair& step : ladder) {
            const auto ahead = step.ahead.find(key(c)), behind = step.behind.find(key(c));
            const auto same = [&](const auto& it, const Samples& in) {
                return it != in.end() && it->second.sticks == c.at.sticks && it->second.piece == numbers(c.at.to).piece;
            };
            if (!same(ahead, step.ahead) || !same(behind, step.behind))
                break;
            pairs.push_back({step.h, ahead->second.load[block], behind->second.load[block]});
        }
        return pairs;
    }

    struct Disagreement {
        double difference, beyond; // as in DerivativeCheck, not relative
    };

    /// Nothing where a branch or round-off hides it. `scale`: the largest entry of the contact's derivative.
    static std::optional<Disagreement> disagreement(
        const Vec3& here, const Vec3& df, std::span<const ValuePair> pairs, double scale)
    {
        const auto difference = central_difference(here, pairs);
        if (!difference || difference->bound > most_uncertain * scale)
            return std::nullopt;
        for (const ValuePair& pair : pairs.first(difference->pair + 1))
            if (is_kink((pair.ahead - here) / pair.h - df, (here - pair.behind) / pair.h - df, df))
                return std::nullopt;
        const double off = (difference->value - df).cwiseAbs().maxCoeff();
        return Disagreement{off, std::max(0.0, off - difference->bound)};
    }

    // Forces and lever arms of the contacts are compared one by one: those that change branch within the difference,
    // and those whose difference is lost in round-off, are left out and counted.
    DerivativeCheck contact()
    {
        ContactSet contacts(contact_bodies(world_));
        contacts.begin_step(
            state_.time, dt_, point_places(state_), point_velocities(state_), state_.rigid, state_.attachments);
        const Vectors d = direction(), w = direction();
        const std::vector<SamplePair> ladder = sample_ladder(contacts, d);
        evaluate(contacts, q_);
        DerivativeCheck check{.force = "contact"};
        double largest_entry = 0;
        for (const Contact& c : contacts.blocks().contacts()) {
            std::vector<Vec3> df;
            for (int a = 0; a < c.loaded; ++a)
                df.push_back(contacts.blocks().load_differential(c, a, d));
            largest_entry = std::max(largest_entry, largest(df));
            for (int a = 0; a < c.loaded; ++a) {
                const auto off = disagreement(contacts.blocks().load(c, a), df[a], values(ladder, c, a), largest(df));
                check.switched += !off;
                if (off) {
                    check.difference = std::max(check.difference, off->difference);
                    check.beyond = std::max(check.beyond, off->beyond);
                }
            }
        }
        check.difference /= std::max(largest_entry, 1e-300);
        check.beyond /= std::max(largest_entry, 1e-300);
        Vectors Hd, Htw;
        set_zero(Hd, d.size());
        set_zero(Htw, d.size());
        contacts.add_force_differential(d, Hd, false);
        contacts.add_force_differential(w, Htw, true);
        check.transpose = std::abs(dot(w, Hd) - dot(Htw, d)) / std::max(norm(w) * norm(Hd), 1e-300);
        return check;
    }

    // One side agrees and the other does not at all: a branch that the flags do not tell lies between (the end of the
    // feasible interval of an exact cone). A wrong derivative disagrees on both sides.
    static bool is_kink(const Vec3& ahead, const Vec3& behind, const Vec3& df)
    {
        const double better = std::min(ahead.norm(), behind.norm()), worse = std::max(ahead.norm(), behind.norm());
        return better < 1e-4 * df.norm() && worse > 1e-2 * df.norm();
    }

    static std::tuple<int, int, int, int> key(const Contact& c)
    {
        return {c.point_body, c.surface_body, c.point, c.at.slot};
    }

    static std::vector<Vec3> loads(const ContactBlocks& contacts, const Contact& c)
    {
        std::vector<Vec3> f;
        for (int b = 0; b < c.loaded; ++b)
            f.push_back(contacts.load(c, b));
        return f;
    }

    // The assembled matrix against its matrix-free twin, and both transposes.
    DerivativeCheck residual()
    {
        BackwardEuler system(world_);
        system.begin_step(state_, dt_);
        BlockVector z(system.size()), g;
        for (std::size_t i = 0; i < x_.size(); ++i)
            z[i] = std::sqrt(set_.mass[i]) * ((x_[i] - state_.x[i]) / dt_ - state_.v[i]);
        for (std::size_t b = 0; b < state_.rigid.size(); ++b) {
            const int x = static_cast<int>(2 * b);
            const std::size_t block = x_.size() + 2 * b;
            z[block] = system.rigid().to_unknown(x, (q_[block] - state_.rigid[b].x) / dt_ - state_.rigid[b].v);
            z[block + 1] = system.rigid().to_unknown(x + 1, q_[block + 1] / dt_ - state_.rigid[b].w);
        }
        const Vectors of_grid = direction(system.grid().size());
        for (std::size_t i = 0; i < of_grid.size(); ++i)
            z[first_particle() + i] =
                candidate_offset * world_.mpm.grid / dt_ * system.grid().root_mass(i) * of_grid[i];
        system.residual(z, g);
        const BlockMatrix& H = system.assemble();
        const Vectors d = direction(z.size()), w = direction(z.size());
        Vectors assembled, free, transposed, free_transposed;
        H.multiply(d, assembled);
        system.apply(d, free);
        H.multiply_transpose(w, transposed);
        system.apply_transpose(w, free_transposed);
        DerivativeCheck check{.force = "residual"};
        const double scale = std::max(largest(assembled), 1e-300);
        add_scaled(free, -1, assembled);
        add_scaled(free_transposed, -1, transposed);
        check.difference = check.beyond = std::max(largest(free), largest(free_transposed)) / scale;
        check.transpose =
            std::abs(dot(w, assembled) - dot(transposed, d)) / std::max(norm(w) * norm(assembled), 1e-300);
        return check;
    }

    const World& world_;
    const DeformableSet& set_;
    const State& state_;
    double dt_;
    std::mt19937 random_;
    Vectors q_; // candidate: nodes, then centre and rotation of each rigid body, then material points
    Vectors x_; // its nodes
};

} // namespace

std::vector<DerivativeCheck> check_derivatives(const World& world, const State& state, double dt, unsigned seed)
{
    return DerivativeChecker(world, state, dt, seed).run();
}

} // namespace stickslip
