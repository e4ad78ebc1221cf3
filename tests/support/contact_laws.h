#pragma once

#include "support/contact_scene.h"

#include <gtest/gtest.h>

#include <algorithm>

/// What holds for contacts of every kind.
namespace stickslip {

/// Loads at q and at both ends of a central difference about q, along d.
class LoadsBeside {
public:
    /// Leaves the contacts as they are at q.
    template <typename Scene>
    LoadsBeside(
        const Scene& s, ContactSet& contacts, const std::vector<Vec3>& q, const std::vector<Vec3>& d, double step)
        : blocks_(contacts.blocks())
        , d_(d)
        , step_(step)
    {
        const auto at = [&](double by) {
            s.evaluate(contacts, moved(q, by, d));
            return loads_of(contacts);
        };
        plus_ = at(step);
        minus_ = at(-step);
        here_ = at(0);
    }

    /// Of one contact at all three places.
    bool same_branch(const Contact& c) const
    {
        return stickslip::same_branch(plus_, here_, key_of(c)) && stickslip::same_branch(minus_, here_, key_of(c));
    }
    /// Of all contacts, which are the same at all three places.
    bool same_branches() const
    {
        const auto all_in = [&](const auto& there) {
            return there.size() == here_.size() && std::all_of(here_.begin(), here_.end(), [&](const auto& one) {
                return stickslip::same_branch(there, here_, one.first);
            });
        };
        return all_in(plus_) && all_in(minus_);
    }
    /// Derivatives of the contact's loads are the differences, up to `error` [N/m] and `relative` of themselves.
    void expect_derivatives(const Contact& c, double error, double relative = 0) const
    {
        const ContactKey key = key_of(c);
        for (int a = 0; a < c.loaded; ++a) {
            const Vec3 df = blocks_.load_differential(c, a, d_);
            const Vec3 difference = (plus_.at(key).load[a] - minus_.at(key).load[a]) / (2 * step_);
            EXPECT_LT((difference - df).norm(), error + relative * df.norm())
                << "point " << c.point << " of " << c.point_body << " on " << c.surface_body << " slot " << c.at.slot
                << " row " << a << " sticks " << c.at.sticks << " share " << c.at.share << "\n"
                << df.transpose() << "\n"
                << difference.transpose();
        }
    }

private:
    const ContactBlocks& blocks_;
    std::vector<Vec3> d_;
    double step_;
    std::map<ContactKey, Loads> plus_, minus_, here_;
};

struct CentralDifference {
    double step; // [m]
    double error; // [-] of a load's derivative, over the contact's stiffness
    double relative = 0; // [-] over the derivative; comes on top
};

/// Derivatives of the loads of each contact that is on one branch about q and that is_asked(c); compared(c) follows.
template <typename Scene, typename IsAsked, typename Compared>
void expect_derivatives(const Scene& s, ContactSet& contacts, const std::vector<Vec3>& q, const std::vector<Vec3>& d,
    const CentralDifference& by, const IsAsked& is_asked, const Compared& compared)
{
    const LoadsBeside beside(s, contacts, q, d, by.step);
    for (const Contact& c : contacts.blocks().contacts())
        if (is_asked(c) && beside.same_branch(c)) {
            beside.expect_derivatives(c, by.error * c.k, by.relative);
            compared(c);
        }
}

/// Near the surface the cone is as small as the step of a difference.
inline bool is_deep(const Contact& c)
{
    return c.at.depth >= 1e-4;
}

/// How many contacts were on each branch.
struct Branches {
    int sticking = 0, sliding = 0, fading = 0;

    void count(const Contact& c)
    {
        ++(c.at.sticks ? sticking : sliding);
        fading += c.at.share < 0.99;
    }
};

/// Products with the derivative H of the forces: H d is the sum over contacts, and <w, H d> = <H^T w, d>. Returns the
/// norm of H d.
inline double expect_products(const ContactSet& contacts, const std::vector<Vec3>& d, const std::vector<Vec3>& w)
{
    std::vector<Vec3> Hd(d.size(), Vec3::Zero()), Htw = Hd, sum = Hd;
    contacts.add_force_differential(d, Hd, false);
    contacts.add_force_differential(w, Htw, true);
    const ContactBlocks& blocks = contacts.blocks();
    for (const Contact& c : blocks.contacts())
        for (int a = 0; a < c.loaded; ++a)
            sum[blocks.block(c, a)] += blocks.load_differential(c, a, d);
    double scale = 0;
    for (std::size_t i = 0; i < d.size(); ++i)
        scale += w[i].norm() * Hd[i].norm();
    EXPECT_LE(apart(Hd, sum), 1e-13 * norm_all(sum));
    EXPECT_LE(std::abs(dot_all(w, Hd) - dot_all(Htw, d)), 5e-14 * scale);
    return norm_all(Hd);
}

/// The same for d and w at random.
inline double expect_products(const ContactSet& contacts, std::size_t blocks, Random& random)
{
    const std::vector<Vec3> d = random.vectors(blocks);
    return expect_products(contacts, d, random.vectors(blocks));
}

/// Two scenes answer alike, with what comes in and then with what is kept, up to `aside` [m] away.
inline void expect_alike(ShakenScene& one, const ShakenScene& other, double aside)
{
    ContactSet on_one(one.bodies()), on_other(other.bodies());
    one.begin(on_one);
    other.begin(on_other);
    for (const bool is_kept : {false, true}) {
        SCOPED_TRACE(is_kept ? "kept" : "comes in");
        const std::vector<Vec3> q = is_kept ? moved(one.q, aside, one.random.vectors(one.q.size())) : one.q;
        const auto f = one.forces(on_one, q), g = other.forces(on_other, q);
        ASSERT_GT(norm_all(g), 1);
        EXPECT_LT(apart(f, g), 1e-9 * norm_all(g));
        const std::vector<Vec3> d = one.random.vectors(q.size());
        std::vector<Vec3> df(q.size(), Vec3::Zero()), dg = df;
        on_one.add_force_differential(d, df, false);
        on_other.add_force_differential(d, dg, false);
        EXPECT_LT(apart(df, dg), 1e-6 * norm_all(dg));
        one.begin(on_one, on_one.update_attachments());
        other.begin(on_other, on_other.update_attachments());
    }
}

/// Each contact presses along its normal, by a force in the cone of friction mu about it; returns how many slide.
template <typename Contacts>
int expect_cone(const Contacts& contacts, double mu)
{
    int sliding = 0;
    for (const Contact& c : contacts) {
        const double normal = -c.j.dot(c.at.n), along = (c.j + normal * c.at.n).norm();
        EXPECT_GT(normal, 0);
        EXPECT_LE(along, mu * normal * (1 + 1e-9));
        sliding += along > mu * normal * (1 - 1e-9);
    }
    return sliding;
}

} // namespace stickslip
