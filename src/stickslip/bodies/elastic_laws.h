#pragma once

#include "stickslip/bodies/material.h"
#include "stickslip/bodies/polar_rotation.h"

#include <array>
#include <cmath>

/// Stress of the elastic models and its derivative, for one deformation gradient or for four of them in lanes. The
/// derivative is asked for by pairs of material vectors g_a, g_b: D_ab u is the change of P g_a for dF = u g_b^T. With
/// the gradients of shape functions these are the stiffness blocks of an element, with unit vectors the blocks of
/// d vec(P) / d vec(F). The change of P for one dF costs about as much as P. Derivations:
/// docs/derivations.md#stiffness-of-a-tetrahedron.
namespace stickslip {

/// Three vectors.
template <typename Real>
using Three = std::array<Triple<Real>, 3>;

template <typename Real>
Three<Real> times(const Matrix3<Real>& A, const Three<Real>& g)
{
    return {A * g[0], A * g[1], A * g[2]};
}

template <typename Real>
Matrix3<Real> hooke_stress(const Real& mu, const Real& lambda, const Matrix3<Real>& strain)
{
    return (2.0 * mu) * strain + diagonal(lambda * trace(strain));
}

/// e = (F + F^T)/2 - I, P = 2 mu e + lambda tr(e) I.
template <typename Real>
class LinearLaw {
public:
    static constexpr bool is_convex = true;

    LinearLaw(const Real& mu, const Real& lambda, const Matrix3<Real>& F)
        : mu_(mu)
        , lambda_(lambda)
        , strain_(symmetric_part(F) - identity<Real>())
    {
    }
    Real energy() const
    {
        const Real t = trace(strain_);
        return mu_ * inner(strain_, strain_) + 0.5 * lambda_ * t * t;
    }
    Matrix3<Real> stress() const { return hooke_stress(mu_, lambda_, strain_); }
    Matrix3<Real> differential(const Matrix3<Real>& dF) const { return hooke_stress(mu_, lambda_, symmetric_part(dF)); }
    void set_vectors(const Three<Real>& g) { g_ = g; }
    // mu ((g_a . g_b) I + g_b g_a^T) + lambda g_a g_b^T
    Matrix3<Real> derivative(int a, int b) const
    {
        return diagonal(mu_ * dot(g_[a], g_[b])) + mu_ * outer(g_[b], g_[a]) + lambda_ * outer(g_[a], g_[b]);
    }

private:
    Real mu_, lambda_;
    Matrix3<Real> strain_;
    Three<Real> g_;
};

inline double log_1p(double a)
{
    return std::log1p(a);
}
inline Lanes log_1p(const Lanes& a)
{
    return Lanes{std::log1p(a[0]), std::log1p(a[1]), std::log1p(a[2]), std::log1p(a[3])};
}

/// Volume ratio J = det F and its derivatives, as two models need them: dJ = C : dF, and dC g_a = -F (g_a x g_b) x u.
template <typename Real>
struct Volume {
    Matrix3<Real> F, C; // C: cofactor
    Real J;
    Three<Real> g, c; // C g_a

    explicit Volume(const Matrix3<Real>& gradient)
        : F(gradient)
        , C(cofactor(gradient))
        , J(dot(F.x, C.x))
    {
    }
    // of lambda (J - J_0) C with J - J_0 = excess
    Matrix3<Real> differential(const Real& lambda, const Real& excess, const Matrix3<Real>& dF) const
    {
        const Matrix3<Real> dC{cross(dF.y, F.z) + cross(F.y, dF.z), cross(dF.z, F.x) + cross(F.z, dF.x),
            cross(dF.x, F.y) + cross(F.x, dF.y)};
        return (lambda * inner(C, dF)) * C + (lambda * excess) * dC;
    }
    void set_vectors(const Three<Real>& vectors)
    {
        g = vectors;
        c = times(C, g);
    }
    // of lambda (J - J_0) C g_a with J - J_0 = excess
    Matrix3<Real> derivative(const Real& lambda, const Real& excess, int a, int b) const
    {
        const Matrix3<Real> stretch = lambda * outer(c[a], c[b]);
        return a == b ? stretch : stretch + cross_matrix(lambda * excess * (F * cross(g[b], g[a])));
    }
};

/// P = 2 mu (F - R) + lambda (J - 1) C.
template <typename Real>
class FixedCorotatedLaw {
public:
    static constexpr bool is_convex = false;

    FixedCorotatedLaw(const Real& mu, const Real& lambda, const Matrix3<Real>& F)
        : mu_(mu)
        , lambda_(lambda)
        , volume_(F)
        , polar_(polar_rotation(F))
    {
    }
    Real energy() const
    {
        const Matrix3<Real> off = volume_.F - polar_.R;
        return mu_ * inner(off, off) + 0.5 * lambda_ * (volume_.J - 1.0) * (volume_.J - 1.0);
    }
    Matrix3<Real> stress() const
    {
        return (2.0 * mu_) * (volume_.F - polar_.R) + (lambda_ * (volume_.J - 1.0)) * volume_.C;
    }
    Matrix3<Real> differential(const Matrix3<Real>& dF) const
    {
        const Matrix3<Real> A = dF * transposed(polar_.R);
        const Triple<Real> w = polar_.M * Triple<Real>{A.y.z - A.z.y, A.z.x - A.x.z, A.x.y - A.y.x};
        return (2.0 * mu_) * (dF - cross(w, polar_.R)) + volume_.differential(lambda_, volume_.J - 1.0, dF);
    }
    void set_vectors(const Three<Real>& g)
    {
        volume_.set_vectors(g);
        turned_ = times(polar_.R, g);
        for (int b = 0; b < 3; ++b) // M [h_b]x = -([h_b]x M)^T
            turning_[b] = transposed(cross(turned_[b], polar_.M));
    }
    // With h = R g: 2 mu ((g_a . g_b) I + [h_a]x M [h_b]x) and the terms in J.
    Matrix3<Real> derivative(int a, int b) const
    {
        const Matrix3<Real> shear = diagonal(dot(volume_.g[a], volume_.g[b])) - cross(turned_[a], turning_[b]);
        return (2.0 * mu_) * shear + volume_.derivative(lambda_, volume_.J - 1.0, a, b);
    }

private:
    Real mu_, lambda_;
    Volume<Real> volume_;
    PolarRotation<Real> polar_;
    Three<Real> turned_; // h
    std::array<Matrix3<Real>, 3> turning_; // -M [h_b]x
};

/// P = mu' (1 - 1/s) F + lambda' (J - alpha) C, s = |F|^2 + 1 (Smith, de Goes, Kim 2018).
template <typename Real>
class NeoHookeanLaw {
public:
    static constexpr bool is_convex = false;

    NeoHookeanLaw(const Real& mu, const Real& lambda, const Matrix3<Real>& F)
        : mu_(4.0 / 3 * mu)
        , lambda_(lambda + 5.0 / 6 * mu)
        , alpha_(1.0 + 0.75 * mu_ / lambda_)
        , volume_(F)
        , s_(inner(F, F) + 1.0)
    {
    }
    // lambda/2 ((J - alpha)^2 - (1 - alpha)^2) written without cancelling large terms
    Real energy() const
    {
        return 0.5 * mu_ * (s_ - 4.0 - log_1p((s_ - 4.0) / 4))
            + 0.5 * lambda_ * (volume_.J - 1.0) * (volume_.J + 1.0 - 2.0 * alpha_);
    }
    Matrix3<Real> stress() const
    {
        return (mu_ * (1.0 - 1.0 / s_)) * volume_.F + (lambda_ * (volume_.J - alpha_)) * volume_.C;
    }
    Matrix3<Real> differential(const Matrix3<Real>& dF) const
    {
        return (mu_ * (1.0 - 1.0 / s_)) * dF + (2.0 * mu_ / (s_ * s_) * inner(volume_.F, dF)) * volume_.F
            + volume_.differential(lambda_, volume_.J - alpha_, dF);
    }
    void set_vectors(const Three<Real>& g)
    {
        volume_.set_vectors(g);
        f_ = times(volume_.F, g);
    }
    // With f = F g: mu' ((1 - 1/s) (g_a . g_b) I + 2/s^2 f_a f_b^T) and the terms in J.
    Matrix3<Real> derivative(int a, int b) const
    {
        return diagonal((mu_ * (1.0 - 1.0 / s_)) * dot(volume_.g[a], volume_.g[b]))
            + (2.0 * mu_ / (s_ * s_)) * outer(f_[a], f_[b]) + volume_.derivative(lambda_, volume_.J - alpha_, a, b);
    }

private:
    Real mu_, lambda_, alpha_;
    Volume<Real> volume_;
    Real s_;
    Three<Real> f_;
};

/// P = F S with S = 2 mu E + lambda tr(E) I and dE = sym(G^T dF): St. Venant and Kirchhoff's law with E = (F^T F - I)/2
/// and G = F; the viscous stress with E the rate sym(F_dot^T F) and G = (2 F - F_old)/dt.
template <typename Real>
class SecondPiolaLaw {
public:
    static constexpr bool is_convex = false;

    SecondPiolaLaw(
        const Real& mu, const Real& lambda, const Matrix3<Real>& F, const Matrix3<Real>& E, const Matrix3<Real>& G)
        : mu_(mu)
        , lambda_(lambda)
        , F_(F)
        , G_(G)
        , E_(E)
        , S_(hooke_stress(mu, lambda, E))
        , FGt_(F * transposed(G))
    {
    }
    Real energy() const
    {
        const Real t = trace(E_);
        return mu_ * inner(E_, E_) + 0.5 * lambda_ * t * t;
    }
    Matrix3<Real> stress() const { return F_ * S_; }
    Matrix3<Real> differential(const Matrix3<Real>& dF) const
    {
        return dF * S_ + F_ * hooke_stress(mu_, lambda_, symmetric_part(transposed(G_) * dF));
    }
    Matrix3<Real> transposed_differential(const Matrix3<Real>& dF) const
    {
        return dF * S_ + G_ * hooke_stress(mu_, lambda_, symmetric_part(transposed(F_) * dF));
    }
    void set_vectors(const Three<Real>& g)
    {
        g_ = g;
        f_ = times(F_, g);
        gamma_ = times(G_, g);
        s_ = times(S_, g);
    }
    // With f = F g, gamma = G g: (g_a . S g_b) I + mu ((g_a . g_b) F G^T + f_b gamma_a^T) + lambda f_a gamma_b^T
    Matrix3<Real> derivative(int a, int b) const
    {
        return diagonal(dot(g_[a], s_[b])) + (mu_ * dot(g_[a], g_[b])) * FGt_ + mu_ * outer(f_[b], gamma_[a])
            + lambda_ * outer(f_[a], gamma_[b]);
    }

private:
    Real mu_, lambda_;
    Matrix3<Real> F_, G_, E_, S_, FGt_;
    Three<Real> g_, f_, gamma_, s_;
};

template <typename Real>
SecondPiolaLaw<Real> st_venant_kirchhoff_law(const Real& mu, const Real& lambda, const Matrix3<Real>& F)
{
    const Matrix3<Real> E = 0.5 * (transposed(F) * F - identity<Real>());
    return {mu, lambda, F, E, F};
}

/// Lame parameters mu and lambda [Pa s] of the viscous stress.
template <typename Real>
SecondPiolaLaw<Real> viscous_law(
    const Real& mu, const Real& lambda, const Matrix3<Real>& F, const Matrix3<Real>& F_old, double dt)
{
    const Real rate = Real{} + 1 / dt;
    const Matrix3<Real> D = symmetric_part(rate * (transposed(F - F_old) * F));
    return {mu, lambda, F, D, rate * (F + (F - F_old))};
}

/// Calls body(law) with the law of a model at F.
template <typename Real, typename Body>
auto with_law(ElasticModel model, const Real& mu, const Real& lambda, const Matrix3<Real>& F, const Body& body)
{
    switch (model) {
    case ElasticModel::linear:
        return body(LinearLaw<Real>(mu, lambda, F));
    case ElasticModel::fixed_corotated:
        return body(FixedCorotatedLaw<Real>(mu, lambda, F));
    case ElasticModel::neo_hookean:
        return body(NeoHookeanLaw<Real>(mu, lambda, F));
    case ElasticModel::st_venant_kirchhoff:
        break;
    }
    return body(st_venant_kirchhoff_law(mu, lambda, F));
}

} // namespace stickslip
