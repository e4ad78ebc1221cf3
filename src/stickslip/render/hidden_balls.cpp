#include "stickslip/render/hidden_balls.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

namespace {

constexpr int tile = 8; // pixels of a side

/// The farthest depth in each square of pixels.
struct Tiles {
    int columns, rows;
    std::vector<float> farthest;
};

Tiles tiles_of(const DepthPicture& picture)
{
    Tiles tiles{(picture.width + tile - 1) / tile, (picture.height + tile - 1) / tile, {}};
    tiles.farthest.assign(static_cast<std::size_t>(tiles.columns) * static_cast<std::size_t>(tiles.rows), 0);
    const float* depth = picture.depths.data();
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) {
            float& farthest = tiles.farthest[static_cast<std::size_t>(y / tile * tiles.columns + x / tile)];
            farthest = std::max(farthest, *depth++);
        }
    return tiles;
}

/// The box around the box around a ball, as the picture shows it: pixels and depths.
struct Place {
    Eigen::Array3f min = Eigen::Array3f::Constant(1e9f), max = -min;
    bool before_eye = true;
};

Place place_of(const DrawnSphere& ball, const Eigen::Matrix4f& clip, const DepthPicture& picture)
{
    const Eigen::Array3f size(static_cast<float>(picture.width), static_cast<float>(picture.height), 1);
    Place place;
    for (int corner = 0; corner < 8; ++corner) {
        const Eigen::Vector3f side(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        const Eigen::Vector4f x = clip * (ball.centre + ball.radius * side).homogeneous();
        place.before_eye &= x.w() > 0;
        const Eigen::Array3f at = (0.5f * x.head<3>().array() / x.w() + 0.5f) * size;
        place.min = place.min.min(at);
        place.max = place.max.max(at);
    }
    return place;
}

int tile_at(float pixel, int count)
{
    return static_cast<int>(std::clamp(pixel / tile, 0.0f, static_cast<float>(count - 1)));
}

} // namespace

std::vector<bool> balls_in_sight(
    const std::vector<DrawnSphere>& balls, const Eigen::Matrix4f& clip, const DepthPicture& picture)
{
    const Tiles tiles = tiles_of(picture);
    std::vector<bool> in_sight;
    for (const DrawnSphere& ball : balls) {
        const Place place = place_of(ball, clip, picture);
        bool seen = !place.before_eye;
        const int left = tile_at(place.min.x() - 1, tiles.columns), right = tile_at(place.max.x() + 1, tiles.columns);
        const int low = tile_at(place.min.y() - 1, tiles.rows), high = tile_at(place.max.y() + 1, tiles.rows);
        for (int row = low; row <= high && !seen; ++row)
            for (int column = left; column <= right && !seen; ++column)
                seen = !(place.min.z() > tiles.farthest[static_cast<std::size_t>(row * tiles.columns + column)]);
        in_sight.push_back(seen);
    }
    return in_sight;
}

} // namespace stickslip
