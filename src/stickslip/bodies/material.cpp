#include "stickslip/bodies/material.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

// d(A X B)/dX as a matrix on vec(X) is kron(B^T, A); this adds s kron(B^T, A) to D.
void add_kronecker(Mat9& D, const Mat3& Bt, const Mat3& A, double s)
{
    for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
            D.block<3, 3>(3 * i, 3 * j) += s * Bt(i, j) * A;
}

// Adds s * d vec(A X^T B)/d vec(X): entry (row r of column c) = sum A(r, p) X(q, p) B(q, c).
void add_transposed_kronecker(Mat9& D, const Mat3& A, const Mat3& B, double s)
{
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r)
            for (int p = 0; p < 3; ++p)
                for (int q = 0; q < 3; ++q)
                    D(3 * c + r, 3 * p + q) += s * A(r, p) * B(q, c);
}

Mat3 hooke(double mu, double lambda, const Mat3& strain)
{
    return 2 * mu * strain + lambda * strain.trace() * Mat3::Identity();
}

Mat3 green_strain(const Mat3& F)
{
    return 0.5 * (F.transpose() * F - Mat3::Identity());
}

// Shared by St. Venant-Kirchhoff (G = F) and the viscous stress (G = (2 F - F_old)/dt): P = F S, S = hooke(sym(G^T
// dF)).
Mat9 second_piola_derivative(double mu, double lambda, const Mat3& F, const Mat3& S, const Mat3& G)
{
    Mat9 D = Mat9::Zero();
    add_kronecker(D, S, Mat3::Identity(), 1); // dF S
    add_kronecker(D, Mat3::Identity(), F * G.transpose(), mu); // mu F G^T dF
    add_transposed_kronecker(D, F, G, mu); // mu F dF^T G
    D += lambda * vec(F) * vec(G).transpose();
    return D;
}

struct NeoHookean {
    double mu, lambda, alpha;
};

NeoHookean reparametrized(const ElasticMaterial& m)
{
    const double mu = 4.0 / 3 * m.mu;
    const double lambda = m.lambda + 5.0 / 6 * m.mu;
    return {mu, lambda, 1 + 0.75 * mu / lambda};
}

Mat9 rotation_derivative(const RotationSvd& svd)
{
    Mat9 D = Mat9::Zero();
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        Mat3 twist = Mat3::Zero();
        twist(i, j) = 1;
        twist(j, i) = -1;
        const Vec9 q = vec(svd.U * twist * svd.V.transpose());
        D += 1 / std::max(svd.sigma(i) + svd.sigma(j), 1e-6) * q * q.transpose();
    }
    return D;
}

} // namespace

ElasticMaterial make_material(ElasticModel model, double density, double young, double poisson, double damping)
{
    ElasticMaterial m;
    m.model = model;
    m.density = density;
    m.mu = young / (2 * (1 + poisson));
    m.lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    m.damping = damping;
    return m;
}

double young_modulus(const ElasticMaterial& m)
{
    return m.mu * (3 * m.lambda + 2 * m.mu) / (m.lambda + m.mu);
}

double energy_density(const ElasticMaterial& m, const Mat3& F)
{
    switch (m.model) {
    case ElasticModel::linear: {
        const Mat3 e = 0.5 * (F + F.transpose()) - Mat3::Identity();
        return m.mu * e.squaredNorm() + 0.5 * m.lambda * e.trace() * e.trace();
    }
    case ElasticModel::fixed_corotated: {
        const double J = F.determinant();
        return m.mu * (rotation_svd(F).sigma - Vec3::Ones()).squaredNorm() + 0.5 * m.lambda * (J - 1) * (J - 1);
    }
    case ElasticModel::neo_hookean: {
        const auto [mu, lambda, alpha] = reparametrized(m);
        const double I_C = F.squaredNorm();
        const double J = F.determinant();
        // lambda/2 ((J - a)^2 - (1 - a)^2), written without cancelling large terms
        return 0.5 * mu * (I_C - 3 - std::log1p((I_C - 3) / 4)) + 0.5 * lambda * (J - 1) * (J + 1 - 2 * alpha);
    }
    case ElasticModel::st_venant_kirchhoff: {
        const Mat3 E = green_strain(F);
        return m.mu * E.squaredNorm() + 0.5 * m.lambda * E.trace() * E.trace();
    }
    }
    return nan;
}

Mat3 first_piola(const ElasticMaterial& m, const Mat3& F)
{
    switch (m.model) {
    case ElasticModel::linear:
        return hooke(m.mu, m.lambda, 0.5 * (F + F.transpose()) - Mat3::Identity());
    case ElasticModel::fixed_corotated: {
        const RotationSvd svd = rotation_svd(F);
        return 2 * m.mu * (F - svd.U * svd.V.transpose()) + m.lambda * (F.determinant() - 1) * cofactor(F);
    }
    case ElasticModel::neo_hookean: {
        const auto [mu, lambda, alpha] = reparametrized(m);
        return mu * (1 - 1 / (F.squaredNorm() + 1)) * F + lambda * (F.determinant() - alpha) * cofactor(F);
    }
    case ElasticModel::st_venant_kirchhoff:
        return F * hooke(m.mu, m.lambda, green_strain(F));
    }
    return Mat3::Constant(nan);
}

Mat9 first_piola_derivative(const ElasticMaterial& m, const Mat3& F)
{
    switch (m.model) {
    case ElasticModel::linear:
        return second_piola_derivative(m.mu, m.lambda, Mat3::Identity(), Mat3::Zero(), Mat3::Identity());
    case ElasticModel::fixed_corotated: {
        const Vec9 c = vec(cofactor(F));
        return 2 * m.mu * (Mat9::Identity() - rotation_derivative(rotation_svd(F))) + m.lambda * c * c.transpose()
            + m.lambda * (F.determinant() - 1) * cofactor_derivative(F);
    }
    case ElasticModel::neo_hookean: {
        const auto [mu, lambda, alpha] = reparametrized(m);
        const double s = F.squaredNorm() + 1;
        const Vec9 f = vec(F), c = vec(cofactor(F));
        return mu * (1 - 1 / s) * Mat9::Identity() + 2 * mu / (s * s) * f * f.transpose() + lambda * c * c.transpose()
            + lambda * (F.determinant() - alpha) * cofactor_derivative(F);
    }
    case ElasticModel::st_venant_kirchhoff:
        return second_piola_derivative(m.mu, m.lambda, F, hooke(m.mu, m.lambda, green_strain(F)), F);
    }
    return Mat9::Constant(nan);
}

Mat3 viscous_piola(const ElasticMaterial& m, const Mat3& F, const Mat3& F_old, double dt)
{
    const Mat3 A = (F - F_old).transpose() * F / dt;
    return F * hooke(m.damping * m.mu, m.damping * m.lambda, 0.5 * (A + A.transpose()));
}

Mat9 viscous_piola_derivative(const ElasticMaterial& m, const Mat3& F, const Mat3& F_old, double dt)
{
    const Mat3 A = (F - F_old).transpose() * F / dt;
    const Mat3 S = hooke(m.damping * m.mu, m.damping * m.lambda, 0.5 * (A + A.transpose()));
    return second_piola_derivative(m.damping * m.mu, m.damping * m.lambda, F, S, (2 * F - F_old) / dt);
}

} // namespace stickslip
