#include "stickslip/geometry/mesh/polygon.h"

#include "stickslip/math/types.h"

#include <algorithm>

namespace stickslip {

namespace {

/// Twice the area vector of a polygon [m^2].
Vec3 area_vector(std::span<const int> corners, std::span<const Vec3> vertices)
{
    const Vec3& origin = vertices[corners[0]]; // far from the world's, products would cancel
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 2; i < corners.size(); ++i)
        sum += (vertices[corners[i - 1]] - origin).cross(vertices[corners[i]] - origin);
    return sum;
}

/// The corners of a polygon that are left, seen along its normal.
class EarCutter {
public:
    EarCutter(std::span<const int> corners, std::span<const Vec3> vertices)
        : left_(corners.begin(), corners.end())
        , vertices_(vertices)
        , area_(area_vector(corners, vertices).norm())
        , normal_(area_vector(corners, vertices).normalized())
    {
    }

    bool is_convex() const
    {
        for (std::size_t i = 0; i < left_.size(); ++i)
            if (turn(before(i), left_[i], after(i)) < -1e-12 * area_) // less is round-off of a straight corner
                return false;
        return true;
    }

    void cut(std::vector<Triangle>& triangles)
    {
        std::size_t i = 0, tried = 0;
        while (left_.size() > 3 && tried < left_.size()) {
            i %= left_.size();
            if (is_ear(i)) {
                triangles.push_back({before(i), left_[i], after(i)});
                left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
                tried = 0;
            } else {
                ++tried;
            }
            ++i; // else all ears would be those of one corner: slivers
        }
        for (std::size_t k = 2; k < left_.size(); ++k)
            triangles.push_back({left_[0], left_[k - 1], left_[k]});
    }

private:
    int before(std::size_t i) const { return left_[(i + left_.size() - 1) % left_.size()]; }
    int after(std::size_t i) const { return left_[(i + 1) % left_.size()]; }

    /// Twice the area of the triangle as seen along the normal [m^2]: > 0 where it winds as the polygon does.
    double turn(int a, int b, int c) const
    {
        return (vertices_[b] - vertices_[a]).cross(vertices_[c] - vertices_[a]).dot(normal_);
    }

    bool is_ear(std::size_t i) const
    {
        const int a = before(i), b = left_[i], c = after(i);
        if (!(turn(a, b, c) > 0))
            return false;
        return std::none_of(left_.begin(), left_.end(), [&](int p) {
            const Vec3& x = vertices_[p]; // a bridge to a hole comes to its place twice
            return x != vertices_[a] && x != vertices_[b] && x != vertices_[c] && turn(a, b, p) >= 0
                && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
        });
    }

    std::vector<int> left_;
    std::span<const Vec3> vertices_;
    double area_; // [m^2] twice that of the polygon
    Vec3 normal_;
};

} // namespace

void add_polygon(std::span<const int> corners, std::span<const Vec3> vertices, std::vector<Triangle>& triangles)
{
    if (corners.size() > 3) {
        EarCutter polygon(corners, vertices);
        if (!polygon.is_convex())
            return polygon.cut(triangles);
    }
    for (std::size_t i = 2; i < corners.size(); ++i)
        triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

} // namespace stickslip
