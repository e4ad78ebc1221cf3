#include "stickslip/world/derivative_check.h"

#include "stickslip/bodies/loads.h"
#include "stickslip/math/rotation.h"
#include "stickslip/solver/vector_ops.h"
#include "stickslip/world/backward_euler.h"

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

class DerivativeChecker {
public:
    DerivativeChecker(const World& world, const State& state, double dt, unsigned seed)
        : world_(world)
        , set_(world.deformables)
        , state_(state)
        , dt_(dt)
        , random_(seed)
        , size_(infinity)
    {
        for (const DeformableBody& body : set_.bodies)
            size_ = std::min(size_, body.element_size);
        for (const RigidBody& body : world.rigids)
            size_ = std::min(size_, 0.5 * (bounds(body.solid).max - bounds(body.solid).min).minCoeff());
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
        q_ = moved(moved(q_, dt, v), candidate_offset * size_, direction());
        x_.assign(q_.begin(), q_.begin() + static_cast<std::ptrdiff_t>(state.x.size()));
    }

    std::vector<DerivativeCheck> run()
    {
        std::vector<DerivativeCheck> checks;
        if (!set_.bodies.empty())
            checks.push_back(elastic());
        if (has_pressure(set_))
            checks.push_back(pressure());
        checks.push_back(contact());
        checks.push_back(residual());
        return checks;
    }

private:
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
        check.transpose = std::abs(dot(w, Hd) - dot(Htw, d)) / std::max(norm(w) * norm(Hd), 1e-300);
        return check;
    }

    DerivativeCheck elastic()
    {
        ElasticEvaluation e;
        return compare(
            "elastic", difference_step * size_,
            [&](const Vectors& x, Vectors& f) {
                set_zero(f, x.size());
                evaluate_stress(set_, x, state_.x, dt_, e);
                add_elastic_force(set_, e, f);
            },
            [&](const Vectors& dx, Vectors& df, bool transposed) {
                set_zero(df, dx.size());
                evaluate_stress(set_, x_, state_.x, dt_, e);
                evaluate_stress_derivative(set_, state_.x, dt_, e);
                add_elastic_force_differential(set_, e, dx, df, transposed);
            });
    }

    DerivativeCheck pressure()
    {
        return compare(
            "pressure", difference_step * size_,
            [&](const Vectors& x, Vectors& f) {
                set_zero(f, x.size());
                add_pressure_force(set_, x, f);
            },
            [&](const Vectors& dx, Vectors& df, bool transposed) {
                set_zero(df, dx.size());
                add_pressure_force_differential(set_, x_, dx, df, transposed);
            });
    }

    // Bodies placed by q: nodes, then centre and rotation since the start of the step of each rigid body.
    void evaluate(ContactSet& contacts, const Vectors& q) const
    {
        std::vector<RigidCandidate> rigid;
        for (std::size_t b = 0; b < state_.rigid.size(); ++b) {
            const Vec3 &x = q[x_.size() + 2 * b], &theta = q[x_.size() + 2 * b + 1];
            rigid.push_back(
                {x, theta, rotation_exp(theta) * state_.rigid[b].R.toRotationMatrix(), left_jacobian(theta)});
        }
        contacts.evaluate(std::span(q).first(x_.size()), rigid);
    }

    // Forces and lever arms of the contacts are compared one by one: those that change branch within the difference are
    // left out, and counted.
    DerivativeCheck contact()
    {
        struct Sample {
            std::vector<Vec3> load; // by block
            bool sticks;
            int patch;
        };
        using Samples = std::map<std::tuple<int, int, int, int>, Sample>;
        ContactSet contacts(contact_bodies(world_));
        contacts.begin_step(state_.time, dt_, state_.x, state_.v, state_.rigid, state_.attachments);
        const auto sample = [&](const Vectors& q) {
            evaluate(contacts, q);
            Samples samples;
            contacts.for_each_batch([&](const auto& batch) {
                for (const auto& c : batch.contacts())
                    samples[{c.point_body, c.surface_body, c.point, c.at.slot}] = {
                        loads(batch, c), c.at.sticks, c.at.patch};
            });
            return samples;
        };
        const Vectors d = direction(), w = direction();
        // finer than for the elastic forces: a contact's depth and cone are much smaller than an element
        const double step = 1e-2 * difference_step * size_;
        const Samples plus = sample(moved(q_, step, d)), minus = sample(moved(q_, -step, d));
        sample(q_);
        DerivativeCheck check{.force = "contact"};
        double largest_entry = 0;
        contacts.for_each_batch([&](const auto& batch) {
            for (const auto& c : batch.contacts()) {
                const auto p = plus.find({c.point_body, c.surface_body, c.point, c.at.slot});
                const auto m = minus.find({c.point_body, c.surface_body, c.point, c.at.slot});
                const auto same = [&](const auto& it, const Samples& in) {
                    return it != in.end() && it->second.sticks == c.at.sticks && it->second.patch == c.at.patch;
                };
                if (!same(p, plus) || !same(m, minus)) {
                    ++check.switched;
                    continue;
                }
                for (int a = 0; a < batch.blocks; ++a) {
                    const Vec3 df = batch.load_differential(c, a, d);
                    const Vec3 here = batch.load(c, a);
                    const Vec3 ahead = (p->second.load[a] - here) / step, behind = (here - m->second.load[a]) / step;
                    if (is_kink(ahead - df, behind - df, df)) {
                        ++check.switched;
                        continue;
                    }
                    largest_entry = std::max(largest_entry, df.cwiseAbs().maxCoeff());
                    check.difference = std::max(check.difference, (0.5 * (ahead + behind) - df).cwiseAbs().maxCoeff());
                }
            }
        });
        check.difference /= std::max(largest_entry, 1e-300);
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

    template <typename Batch>
    static std::vector<Vec3> loads(const Batch& batch, const typename Batch::Contact& c)
    {
        std::vector<Vec3> f;
        for (int b = 0; b < Batch::blocks; ++b)
            f.push_back(batch.load(c, b));
        return f;
    }

    // The assembled matrix against its matrix-free twin, and both transposes.
    DerivativeCheck residual()
    {
        BackwardEuler system(world_);
        system.begin_step(state_, dt_);
        BlockVector z(q_.size()), g;
        for (std::size_t i = 0; i < x_.size(); ++i)
            z[i] = std::sqrt(set_.mass[i]) * ((x_[i] - state_.x[i]) / dt_ - state_.v[i]);
        for (std::size_t b = 0; b < state_.rigid.size(); ++b) {
            const int x = static_cast<int>(2 * b);
            const std::size_t block = x_.size() + 2 * b;
            z[block] = system.rigid().to_unknown(x, (q_[block] - state_.rigid[b].x) / dt_ - state_.rigid[b].v);
            z[block + 1] = system.rigid().to_unknown(x + 1, q_[block + 1] / dt_ - state_.rigid[b].w);
        }
        system.residual(z, g);
        const BlockMatrix& H = system.assemble();
        const Vectors d = direction(), w = direction();
        Vectors assembled, free, transposed, free_transposed;
        H.multiply(d, assembled);
        system.apply(d, free);
        H.multiply_transpose(w, transposed);
        system.apply_transpose(w, free_transposed);
        DerivativeCheck check{.force = "residual"};
        const double scale = std::max(largest(assembled), 1e-300);
        add_scaled(free, -1, assembled);
        add_scaled(free_transposed, -1, transposed);
        check.difference = std::max(largest(free), largest(free_transposed)) / scale;
        check.transpose =
            std::abs(dot(w, assembled) - dot(transposed, d)) / std::max(norm(w) * norm(assembled), 1e-300);
        return check;
    }

    const World& world_;
    const DeformableSet& set_;
    const State& state_;
    double dt_;
    std::mt19937 random_;
    double size_; // [m] smallest element size
    Vectors q_; // candidate: nodes, then centre and rotation of each rigid body
    Vectors x_; // its nodes
};

} // namespace

std::vector<DerivativeCheck> check_derivatives(const World& world, const State& state, double dt, unsigned seed)
{
    return DerivativeChecker(world, state, dt, seed).run();
}

} // namespace stickslip
