#pragma once

#include "stickslip/math/types.h"
#include "stickslip/scene/scene.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

/// Contact forces at one time, added up by body and by pair of bodies; bodies in the order of the scene.
class ContactLoads {
public:
    explicit ContactLoads(std::size_t bodies)
        : by_body_(bodies)
    {
    }

    /// A contact at x [m] with this force [N] on the first body, and the opposite on the second.
    void add(int first, int second, const Vec3& x, const Vec3& force);

    /// Row of `body` in a table of loads: torque about `place` [m].
    std::string body_row(double time, const std::string& name, int body, const Vec3& place) const;
    /// Rows of all pairs that touch: on the first of each, which stands first in the scene, about its place [m].
    std::string pair_rows(double time, const Scene& scene, const std::vector<Vec3>& places) const;

private:
    struct Sum {
        std::size_t contacts = 0;
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero(); // [N], [N m] about the origin

        void add(const Vec3& x, const Vec3& f);
        Vec3 torque_about(const Vec3& place) const { return torque - place.cross(force); }
    };
    std::vector<Sum> by_body_;
    std::map<std::pair<int, int>, Sum> by_pair_;
};

/// reactions.csv has rows of this body.
bool has_reaction(const BodySettings& body);

/// reactions.csv tells regions of `fix` apart.
bool names_regions(const Scene& scene);

/// First rows of walls.csv, reactions.csv and pairs.csv.
std::string loads_header();
std::string reactions_header(const Scene& scene);
std::string pairs_header();

} // namespace stickslip
