#pragma once

#include "stickslip/math/types.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <random>
#include <vector>

namespace stickslip {

/// Seeded numbers, the same with every standard library (no std distributions).
class Random {
public:
    explicit Random(std::uint64_t seed)
        : engine_(seed)
    {
    }
    double uniform(double low, double high)
    {
        return low + (high - low) * 0x1p-53 * static_cast<double>(engine_() >> 11);
    }

    /// Each entry in [-size, size].
    Vec3 vector(double size = 1) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
    Mat3 matrix(double size = 1)
    {
        Mat3 A;
        A << vector(size), vector(size), vector(size);
        return A;
    }
    Vec3 unit()
    {
        while (true) {
            const Vec3 a = vector();
            if (a.norm() > 0.1 && a.norm() < 1)
                return a.normalized();
        }
    }
    Mat3 rotation() { return Eigen::AngleAxisd(uniform(-3, 3), unit()).toRotationMatrix(); }
    std::vector<Vec3> vectors(std::size_t count, double size = 1)
    {
        std::vector<Vec3> all;
        for (std::size_t i = 0; i < count; ++i)
            all.push_back(vector(size));
        return all;
    }

private:
    std::mt19937_64 engine_;
};

namespace detail {

inline Eigen::Matrix<double, 1, 1> as_column(double value)
{
    return Eigen::Matrix<double, 1, 1>::Constant(value);
}
template <typename Derived>
auto as_column(const Eigen::MatrixBase<Derived>& value)
{
    return value.reshaped().eval();
}
inline Eigen::MatrixXd as_column(const std::vector<Vec3>& value)
{
    return Eigen::Map<const Eigen::VectorXd>(value.data()->data(), 3 * static_cast<Eigen::Index>(value.size()));
}
inline Eigen::MatrixXd as_dense(const std::vector<Vec3>& value)
{
    return as_column(value);
}
template <typename Derived>
Eigen::MatrixXd as_dense(const Eigen::MatrixBase<Derived>& value)
{
    return value;
}

template <typename A, typename B>
testing::AssertionResult near_all(
    const char* a_text, const char* b_text, const A& a_value, const B& b_value, double tolerance, bool relative)
{
    const Eigen::MatrixXd a = as_dense(a_value), b = as_dense(b_value);
    if (a.rows() != b.rows() || a.cols() != b.cols())
        return testing::AssertionFailure() << a_text << " and " << b_text << " differ in size";
    const double scale = relative ? std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()) : 1;
    const double difference = (a - b).cwiseAbs().maxCoeff();
    if (a.allFinite() && b.allFinite() && difference <= tolerance * scale)
        return testing::AssertionSuccess();
    return testing::AssertionFailure() << a_text << " =\n"
                                       << a << "\n"
                                       << b_text << " =\n"
                                       << b << "\nlargest difference " << difference << ", allowed "
                                       << tolerance * scale;
}

} // namespace detail

/// Derivative of f by the vector x: central differences of fourth order with steps of `step`. Column i is df/dx_i; a
/// matrix-valued f is taken column by column.
template <typename Function, int N>
auto difference(const Function& f, const Eigen::Matrix<double, N, 1>& x, double step)
{
    using Value = decltype(detail::as_column(f(x)));
    Eigen::Matrix<double, Value::RowsAtCompileTime, N> J;
    for (int i = 0; i < x.size(); ++i) {
        const auto at = [&](double s) {
            Eigen::Matrix<double, N, 1> moved = x;
            moved[i] += s * step;
            return detail::as_column(f(moved));
        };
        const Value d = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step);
        if (i == 0)
            J.resize(d.size(), x.size());
        J.col(i) = d;
    }
    return J;
}

/// Derivative of f along the direction d, the same way.
template <typename Function>
std::vector<Vec3> difference_along(
    const Function& f, const std::vector<Vec3>& x, const std::vector<Vec3>& d, double step)
{
    const auto at = [&](double s) {
        std::vector<Vec3> moved = x;
        for (std::size_t i = 0; i < x.size(); ++i)
            moved[i] += s * step * d[i];
        return f(moved);
    };
    const std::vector<Vec3> a = at(1), b = at(-1), c = at(2), e = at(-2);
    std::vector<Vec3> result;
    for (std::size_t i = 0; i < x.size(); ++i)
        result.push_back((8 * (a[i] - b[i]) - (c[i] - e[i])) / (12 * step));
    return result;
}

inline double dot_all(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i].dot(b[i]);
    return sum;
}

inline double norm_all(const std::vector<Vec3>& a)
{
    return std::sqrt(dot_all(a, a));
}

/// Bit for bit, so that -0 and 0 differ and so do not-a-numbers.
inline bool same_bits(const std::vector<Vec3>& a, const std::vector<Vec3>& b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Vec3& p, const Vec3& q) {
        return std::equal(p.data(), p.data() + 3, q.data(),
            [](double s, double t) { return s == t && std::signbit(s) == std::signbit(t); });
    });
}

} // namespace stickslip

/// Vectors, matrices or lists of vectors agree; the difference is compared with the largest entry of either.
#define EXPECT_NEAR_ALL(a, b, tolerance) EXPECT_TRUE(::stickslip::detail::near_all(#a, #b, a, b, tolerance, true))

/// The same with an absolute tolerance.
#define EXPECT_CLOSE_ALL(a, b, tolerance) EXPECT_TRUE(::stickslip::detail::near_all(#a, #b, a, b, tolerance, false))
