#include "stickslip/world/derivative_check.h"

#include "stickslip/bodies/loads.h"
#include "stickslip/solver/vector_ops.h"
#include "stickslip/world/backward_euler.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>

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
        x_ = moved(state.x, dt, state.v);
        x_ = moved(x_, candidate_offset * size_, direction());
    }

    std::vector<DerivativeCheck> run()
    {
        std::vector<DerivativeCheck> checks{elastic()};
        if (has_pressure(set_))
            checks.push_back(pressure());
        checks.push_back(contact());
        checks.push_back(residual());
        return checks;
    }

private:
    Vectors direction()
    {
        std::uniform_real_distribution<double> uniform(-1, 1);
        Vectors d(state_.x.size());
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
        const Vectors d = direction(), w = direction();
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

    // Contacts are compared one by one: those that change branch within the difference are left out, and counted.
    DerivativeCheck contact()
    {
        struct Sample {
            Vec3 j;
            bool sticks;
            int patch;
        };
        using Samples = std::map<std::pair<int, int>, Sample>;
        ContactSet contacts(set_, world_.obstacles, world_.pairs, world_.relaxation);
        contacts.begin_step(state_.time, dt_, state_.x, state_.attachments);
        const auto sample = [&](const Vectors& x) {
            contacts.evaluate(x);
            Samples samples;
            for (std::size_t i = 0; i < contacts.pair_of_contact().size(); ++i) {
                const auto& c = contacts.deformable_obstacle().contacts()[i];
                samples[{contacts.pair_of_contact()[i], c.point.node}] = {c.j, c.at.sticks, c.at.patch};
            }
            return samples;
        };
        const Vectors d = direction(), w = direction();
        // finer than for the elastic forces: a contact's depth and cone are much smaller than an element
        const double step = 1e-2 * difference_step * size_;
        const Samples plus = sample(moved(x_, step, d)), minus = sample(moved(x_, -step, d));
        sample(x_);
        DerivativeCheck check{.force = "contact"};
        double largest_entry = 0;
        for (std::size_t i = 0; i < contacts.pair_of_contact().size(); ++i) {
            const auto& c = contacts.deformable_obstacle().contacts()[i];
            const auto p = plus.find({contacts.pair_of_contact()[i], c.point.node});
            const auto m = minus.find({contacts.pair_of_contact()[i], c.point.node});
            const auto same = [&](const auto& it, const Samples& in) {
                return it != in.end() && it->second.sticks == c.at.sticks && it->second.patch == c.at.patch;
            };
            if (!same(p, plus) || !same(m, minus)) {
                ++check.switched;
                continue;
            }
            const Vec3 dj = c.dj[0] * d[c.point.node];
            largest_entry = std::max(largest_entry, dj.cwiseAbs().maxCoeff());
            check.difference =
                std::max(check.difference, ((p->second.j - m->second.j) / (2 * step) - dj).cwiseAbs().maxCoeff());
        }
        check.difference /= std::max(largest_entry, 1e-300);
        Vectors Hd, Htw;
        set_zero(Hd, d.size());
        set_zero(Htw, d.size());
        contacts.deformable_obstacle().add_force_differential(d, Hd, false);
        contacts.deformable_obstacle().add_force_differential(w, Htw, true);
        check.transpose = std::abs(dot(w, Hd) - dot(Htw, d)) / std::max(norm(w) * norm(Hd), 1e-300);
        return check;
    }

    // The assembled matrix against its matrix-free twin, and both transposes.
    DerivativeCheck residual()
    {
        BackwardEuler system(world_);
        system.begin_step(state_, dt_);
        BlockVector z(x_.size()), g;
        for (std::size_t i = 0; i < z.size(); ++i)
            z[i] = std::sqrt(set_.mass[i]) * ((x_[i] - state_.x[i]) / dt_ - state_.v[i]);
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
    Vectors x_; // candidate
};

} // namespace

std::vector<DerivativeCheck> check_derivatives(const World& world, const State& state, double dt, unsigned seed)
{
    return DerivativeChecker(world, state, dt, seed).run();
}

} // namespace stickslip
