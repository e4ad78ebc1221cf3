#pragma once

#include "stickslip/contact/detect/contact_bodies.h"

#include <span>
#include <vector>

namespace stickslip {

/// Boxes around the points of solids, `size` at a time in the order of their numbers, in the frame of the points
/// (StepStart::point_frame): groups that are far from another body are left out as a whole.
class PointGroups {
public:
    static constexpr int size = 64;

    explicit PointGroups(const ContactBodies& bodies)
        : boxes_(bodies.count())
    {
        for (int body = bodies.first_rigid(); body < bodies.count(); ++body) {
            const std::span<const SurfaceSample> samples = bodies.samples(body);
            boxes_[body].resize((samples.size() + size - 1) / size);
            for (std::size_t i = 0; i < samples.size(); ++i)
                boxes_[body][i / size].add(samples[i].z);
        }
    }

    /// The group of its point number `point`.
    const Bounds& box(int body, int point) const { return boxes_[body][point / size]; }

private:
    std::vector<std::vector<Bounds>> boxes_; // by body
};

} // namespace stickslip
