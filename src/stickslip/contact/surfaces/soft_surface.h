#pragma once

#include "stickslip/contact/side.h"
#include "stickslip/contact/surfaces/ball_on_triangles.h"
#include "stickslip/contact/surfaces/soft_ball_contact.h"

#include <span>
#include <vector>

namespace stickslip {

/// A ball in a step.
struct MovingBall {
    Vec3 c_old, c; // [m] centre
    double radius; // [m]
    Vec3 theta; // [rad] turn in the step, world axes
    Side body; // that it is fixed in
    Vec3 belt; // [m] by which conveyors move the surface's material past that of the ball in the step
};

/// Contact parameters of a ball on a deformable surface.
struct SoftContactLaw {
    double k; // [N/m]
    double mu; // [-]
    double damping; // [-] of the normal force, as a share of the step
};

/// Surface side of the contact table for balls: the boundary triangles of a deformable body, met from outside alone. A
/// facet counts as one that moves and turns rigidly but for the strain at the place of contact, and near its sides as
/// what the ball sees of the place alone; what rides on it does not slip
/// (docs/derivations.md#balls-on-deformable-surfaces).
class SoftSurface {
public:
    explicit SoftSurface(const TriangulatedSurface& at_rest)
        : old_(at_rest)
        , now_(at_rest)
    {
    }

    /// Vertices [m] at the start of a step, and at the candidate. Errors: as EdgeTopology::update.
    void begin_step(const std::vector<Vec3>& vertices) { old_.update(vertices); }
    void move_to(const std::vector<Vec3>& vertices) { now_.update(vertices); }

    /// Keeps its memory between calls.
    struct Search {
        BallOnTriangles places;
        BallOnTriangles near; // also what the ball does not reach but might share with
        std::vector<Attachment> kept; // normals in world axes, as the search compares them
        std::vector<BesideContact> beside; // of the contacts found
        std::vector<int> facets;
        std::vector<SphereSurfaceContact> contacts;
    };

    /// The contacts of a ball. `kept`: its attachments of the last step on this surface; their X and n are along the
    /// axes of their facets (facet_axes.h). `found` is replaced; what it holds names vertices of the surface by the
    /// number of their node in `nodes`. The bodies and the point are left to be filled in. A ball that was outside at
    /// the start of the step stays there, also where its centre has gone in, or through a thin body. search.beside
    /// holds how the contacts found share their forces.
    void relax_ball(const MovingBall& ball, std::span<const Attachment> kept, const SoftContactLaw& law,
        std::span<const int> nodes, Search& search, std::vector<SoftBallContact>& found) const;

private:
    // Whose side the centre was on at the start of the step, and whether it is beyond it now.
    struct Side {
        Vec3 facing; // unit, outward there
        bool behind;
    };
    Side side_of(const MovingBall& ball, Search& search) const;
    // Of the place with that number, without its names; by the ball and those vertices.
    SoftBallContact contact_at(const MovingBall& ball, std::size_t index, const std::array<int, 3>& unknowns,
        std::span<const Attachment> kept, const SoftContactLaw& law, const Search& search) const;
    void share(
        const MovingBall& ball, std::span<const int> nodes, Search& search, std::vector<SoftBallContact>& found) const;

    TriangulatedSurface old_, now_;
};

} // namespace stickslip
