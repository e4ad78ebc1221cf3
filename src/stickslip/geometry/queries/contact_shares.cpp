#include "stickslip/geometry/queries/contact_shares.h"

#include "stickslip/math/check.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

constexpr double in_span = 1e-12; // [-] squared part of a direction across others: less is none
constexpr double met = 1e-11; // [-] of the greatest depth: lacks less; above what exchanging within the span leaves

void set_size(ShareSlopes&, int) { }
void set_size(ShareSlopesOnCircle& slopes, int count)
{
    slopes.by_depth.resize(count, count);
    slopes.by_n.assign(count, std::vector<Vec3>(count));
    slopes.by_u = slopes.by_n;
}

// g
double common_part(double cosine)
{
    return 0.5 * cosine * cosine * (1 + cosine);
}

// dg/dc
double common_part_slope(double cosine)
{
    return cosine * (1 + 1.5 * cosine);
}

// n n and n n n: of the symmetric tensors the entries that differ, each by the root of how often it comes. Products are
// g of the cosine.
Eigen::Matrix<double, 16, 1> direction_of(const Vec3& n)
{
    using std::numbers::sqrt2, std::numbers::sqrt3;
    const Vec3 square = n.cwiseAbs2(), next(n.y(), n.z(), n.x()), last(n.z(), n.x(), n.y());
    Eigen::Matrix<double, 16, 1> f;
    f << square, sqrt2 * n.cwiseProduct(next), square.cwiseProduct(n), sqrt3 * square.cwiseProduct(next),
        sqrt3 * square.cwiseProduct(last), sqrt2 * sqrt3 * n.prod();
    return sqrt2 / 2 * f;
}

// dG/dn and dG/du of `turns`, with the other place.
Vec3 slope_by_n(const Touching& other, const Touching& turns)
{
    return common_part_slope(other.n.dot(turns.n)) * other.n;
}
Vec3 slope_by_n(const TouchingOnCircle& other, const TouchingOnCircle& turns)
{
    return common_part(other.u.dot(turns.u)) * common_part_slope(other.n.dot(turns.n)) * other.n;
}
Vec3 slope_by_u(const TouchingOnCircle& other, const TouchingOnCircle& turns)
{
    return common_part(other.n.dot(turns.n)) * common_part_slope(other.u.dot(turns.u)) * other.u;
}

} // namespace

template <class Place>
typename SharesOf<Place>::Direction SharesOf<Place>::direction(const Place& place)
{
    const Eigen::Matrix<double, of_direction, 1> of_n = direction_of(place.n);
    if constexpr (is_on_circle) {
        const Eigen::Matrix<double, of_direction, 1> of_u = direction_of(place.u);
        Direction f;
        for (int i = 0; i < of_direction; ++i)
            f.template segment<of_direction>(of_direction * i) = of_u[i] * of_n;
        return f;
    } else {
        return of_n;
    }
}

template <class Place>
typename SharesOf<Place>::Products SharesOf<Place>::products(std::span<const Place> contacts) const
{
    if constexpr (is_on_circle) { // whose directions are long
        Products G(count_, count_);
        for (int a = 0; a < count_; ++a)
            for (int b = 0; b <= a; ++b) {
                const Place &one = contacts[pushing_[a]], &other = contacts[pushing_[b]];
                G(a, b) = G(b, a) = common_part(one.n.dot(other.n)) * common_part(one.u.dot(other.u));
            }
        return G;
    } else {
        const auto F = directions_.leftCols(count_);
        return F.transpose() * F;
    }
}

template <class Place>
void SharesOf<Place>::drop(int slot)
{
    for (int k = slot; k + 1 < count_; ++k) {
        pushing_[k] = pushing_[k + 1];
        directions_.col(k) = directions_.col(k + 1);
    }
    --count_;
}

// Lets the push of contact p grow until its depth is met. The others answer so that theirs stay met, and cease to push
// where they would pull (Goldfarb and Idnani 1983).
template <class Place>
void SharesOf<Place>::let_push(std::span<Place> contacts, int p)
{
    Place& c = contacts[p];
    const Direction f = direction(c);
    for (;;) {
        const auto F = directions_.leftCols(count_);
        const Column answer = products(contacts).ldlt().solve(F.transpose() * f);
        const Direction across = f - F * answer;
        const double rate = across.squaredNorm();
        const bool can_be_met = count_ < most && rate > in_span;
        double step = can_be_met ? (c.depth - f.dot(way_)) / rate : infinity;
        int first = -1; // slot of the first that would pull
        for (int k = 0; k < count_; ++k) {
            const double push = contacts[pushing_[k]].push;
            if (answer[k] * step > push) {
                step = push / answer[k];
                first = k;
            }
        }
        STICKSLIP_ASSERT(step < infinity); // a ball squeezed evenly meets any depths: no direction is all in the way
        for (int k = 0; k < count_; ++k)
            contacts[pushing_[k]].push = std::max(contacts[pushing_[k]].push - step * answer[k], 0.0);
        c.push += step;
        way_ += step * across;
        if (first < 0)
            break;
        contacts[pushing_[first]].push = 0;
        drop(first);
    }
    if constexpr (is_on_circle)
        if (count_ == directions_.cols())
            directions_.conservativeResize(Eigen::NoChange, count_ + of_direction);
    pushing_[count_] = p;
    directions_.col(count_++) = f;
}

template <class Place>
void SharesOf<Place>::find(std::span<Place> contacts)
{
    count_ = 0;
    way_.setZero();
    for (Place& c : contacts)
        c.push = 0;
    double tolerance = 0;
    for (std::size_t round = 0;; ++round) {
        STICKSLIP_ASSERT(round < 100 + 20 * contacts.size()); // E grows in every one
        int next = -1;
        double most_lacking = tolerance;
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const double lacks = contacts[i].depth - direction(contacts[i]).dot(way_);
            if (lacks > most_lacking && !(contacts[i].push > 0)) {
                most_lacking = lacks;
                next = static_cast<int>(i);
            }
        }
        if (next < 0)
            return;
        let_push(contacts, next);
        if (round == 0)
            tolerance = met * most_lacking;
    }
}

// G lambda = d by those that push: d lambda = G^-1 (d d - dG lambda).
template <class Place>
typename SharesOf<Place>::Slopes SharesOf<Place>::slopes(std::span<const Place> contacts) const
{
    const Products inverse = products(contacts).ldlt().solve(Products::Identity(count_, count_));
    Slopes slopes;
    set_size(slopes, count_);
    // of all shares by a direction of place b
    const auto by_direction = [&](int b, const auto& slope_of, auto& by) {
        const Place& turns = contacts[pushing_[b]];
        std::array<Vec3, most> dG_lambda;
        dG_lambda[b] = Vec3::Zero();
        for (int a = 0; a < count_; ++a) {
            if (a == b)
                continue;
            const Place& other = contacts[pushing_[a]];
            const Vec3 slope = slope_of(other, turns);
            dG_lambda[a] = turns.push * slope;
            dG_lambda[b] += other.push * slope;
        }
        for (int a = 0; a < count_; ++a) {
            Vec3& by_b = by[a][b] = Vec3::Zero();
            for (int i = 0; i < count_; ++i)
                by_b -= inverse(a, i) / contacts[pushing_[a]].depth * dG_lambda[i];
        }
    };
    for (int b = 0; b < count_; ++b) {
        by_direction(
            b, [](const Place& a, const Place& c) { return slope_by_n(a, c); }, slopes.by_n);
        if constexpr (is_on_circle)
            by_direction(
                b, [](const Place& a, const Place& c) { return slope_by_u(a, c); }, slopes.by_u);
        for (int a = 0; a < count_; ++a) {
            const Place& c = contacts[pushing_[a]];
            slopes.by_depth(a, b) = (inverse(a, b) - (a == b ? c.push / c.depth : 0)) / c.depth;
        }
    }
    return slopes;
}

template class SharesOf<Touching>;
template class SharesOf<TouchingOnCircle>;

} // namespace stickslip
