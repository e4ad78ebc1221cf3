#include "stickslip/dem/granular_world.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {

namespace {

struct Stiffness {
    double normal, shear; // [N/m]
};

/// Of a contact of a sphere of this radius with a wall or a much larger sphere: the stiffest there is.
Stiffness stiffest(const GranularWorld& world, const std::vector<PairLaw>& laws, double radius, int own, int other)
{
    // Hertz contacts stiffen with the overlap; they are judged at this share of R*.
    constexpr double judged_overlap = 0.05;
    const PairLaw& pair = laws[static_cast<std::size_t>(own) * world.materials.size() + other];
    if (world.law == NormalLaw::linear) {
        const double normal = contact_stiffness(
            pair, side_compliance(world.materials[own], radius) + side_compliance(world.materials[other], radius));
        return {normal, pair.shear_ratio * normal};
    }
    const double a = std::sqrt(judged_overlap) * radius;
    return {2 * pair.young * a, 8 * pair.shear * a};
}

/// Square of twice the rate [1/s^2] at which a contact of this frequency [1/s] comes to rest where it is damped beyond
/// the critical, else 0. Then its dashpot is what is fast; the limit 2/w of a step is the time of this rate.
double overdamped_rate(
    const GranularWorld& world, const std::vector<PairLaw>& laws, double frequency, int own, int other)
{
    const double zeta = laws[static_cast<std::size_t>(own) * world.materials.size() + other].damping_ratio;
    return zeta > 1 ? std::pow(2 * frequency * (zeta + std::sqrt(zeta * zeta - 1)), 2) : 0;
}

/// Frequency [1/s] of one contact of a clump's spheres with its like: the dashpot counts the mass of the whole clump,
/// the sphere gives way with its lever, too.
double clump_contact_frequency(
    const GranularWorld& world, const std::vector<PairLaw>& laws, const GranularBody& body, int other)
{
    const RigidBody& rigid = body.rigid;
    const double least = Eigen::SelfAdjointEigenSolver<Mat3>(rigid.inertia, Eigen::EigenvaluesOnly).eigenvalues()[0];
    double most = 0;
    for (const RoundPoint& ball : rigid.rounds) {
        const Stiffness k = stiffest(world, laws, ball.radius, body.material, other);
        const double gives_way = 1 / rigid.mass + ball.centre.squaredNorm() / least;
        most = std::max(most, gives_way * std::sqrt(2 * k.normal * rigid.mass));
    }
    return most;
}

/// Square of a clump's highest frequency [1/s^2] among others of one material: each of its spheres is held as one by
/// itself would be, but all together by no more than has room around them.
double clump_frequency(
    const GranularWorld& world, const std::vector<PairLaw>& laws, const GranularBody& body, int other)
{
    const RigidBody& rigid = body.rigid;
    double sum = 0, room = 0, reach = 0;
    for (const RoundPoint& ball : rigid.rounds)
        reach = std::max(reach, ball.centre.norm() + ball.radius);
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(rigid.inertia);
    Vec3 turn = Vec3::Zero();
    for (const RoundPoint& ball : rigid.rounds) {
        const Stiffness k = stiffest(world, laws, ball.radius, body.material, other);
        const double held = 8 * (k.normal + 2 * k.shear), share = reach / ball.radius;
        sum += held;
        room = std::max(room, held * share * share);
        for (int axis = 0; axis < 3; ++axis) {
            const double lever = principal.eigenvectors().col(axis).cross(ball.centre).squaredNorm();
            turn[axis] += (held * lever + 16 * k.shear * ball.radius * ball.radius) / principal.eigenvalues()[axis];
        }
    }
    return std::min(1.0, room / sum) * std::max(sum / rigid.mass, turn.maxCoeff());
}

/// The same of a solid whose whole surface is covered with the smallest of the spheres, or that lies on half its
/// points (docs/derivations.md#bodies-among-spheres).
double solid_frequency(const GranularWorld& world, const std::vector<PairLaw>& laws, const GranularWall& wall,
    double smallest, std::size_t spheres, int other)
{
    constexpr double room = 0.9069 / std::numbers::pi; // spheres of radius 1 on a unit of area, at most
    const RigidBody& rigid = world.bodies[wall.body].rigid;
    const Bounds box = bounds(wall);
    const Vec3 size = box.max - box.min;
    const double half = 0.25 * size.squaredNorm(); // square of the farthest lever
    const double surface = 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(rigid.inertia);
    double farthest = 1 / rigid.mass; // what a corner answers with [1/kg]
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3 along = principal.eigenvectors().col(axis).cwiseAbs();
        const double reach = 0.5 * along.dot(size);
        farthest = std::max(farthest, std::max(half - reach * reach, 0.0) / principal.eigenvalues()[axis]);
    }
    double square = 0;
    if (spheres > 0) {
        const double count = std::min<double>(static_cast<double>(spheres), room * surface / (smallest * smallest));
        const Stiffness k = stiffest(world, laws, smallest, other, wall.material);
        square = 2 * count * std::max(k.normal, k.shear) * std::max(1 / rigid.mass, 0.5 * farthest);
    }
    double weights = 0;
    for (const SurfacePoint& point : wall.points)
        weights += point.weight;
    const Stiffness k = stiffest(world, laws, wall.size, wall.material, other);
    return std::max(square, weights * std::max(k.normal, k.shear) * farthest);
}

} // namespace

double stable_time_step(const GranularWorld& world, const std::vector<Grain>& grains)
{
    double square = 0; // [1/s^2] of the highest frequency
    const std::vector<PairLaw> laws = pair_laws(world);
    const int count = static_cast<int>(world.materials.size());
    double smallest = infinity;
    std::size_t spheres = grains.size();
    for (const Grain& g : grains) {
        smallest = std::min(smallest, g.radius);
        const double mass = 4.0 / 3 * std::numbers::pi * std::pow(g.radius, 3) * world.materials[g.material].density;
        for (int other = 0; other < count; ++other) {
            const Stiffness k = stiffest(world, laws, g.radius, g.material, other);
            square = std::max(square, std::max(8 * (k.normal + 2 * k.shear), 40 * k.shear) / mass);
            square = std::max(square,
                overdamped_rate(world, laws, std::sqrt(2 * k.normal / mass), g.material, other)); // with its like
        }
    }
    for (const GranularBody& body : world.bodies) {
        for (const RoundPoint& ball : body.is_clump ? body.rigid.rounds : std::vector<RoundPoint>{}) {
            smallest = std::min(smallest, ball.radius);
            ++spheres;
        }
        for (int other = 0; body.is_clump && other < count; ++other) {
            square = std::max(square, clump_frequency(world, laws, body, other));
            const double contact = clump_contact_frequency(world, laws, body, other);
            square = std::max(square, overdamped_rate(world, laws, contact, body.material, other));
        }
    }
    for (const GranularWall& wall : world.walls) {
        for (int other = 0; wall.body >= 0 && other < count; ++other) {
            // that of all points together, at the farthest lever: no blow is half as fast
            const double body = solid_frequency(world, laws, wall, smallest, spheres, other);
            square = std::max(
                square, std::max(body, overdamped_rate(world, laws, 0.5 * std::sqrt(body), wall.material, other)));
        }
    }
    return square > 0 ? world.safety * 2 / std::sqrt(square) : world.safety;
}

} // namespace stickslip
