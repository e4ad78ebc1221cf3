#include "stickslip/scene/table/body_table.h"

#include "stickslip/scene/table/scene_variant.h"
#include "stickslip/scene/table/table_words.h"

namespace stickslip {

using namespace table;

namespace {

std::vector<Field<AxisRotation>> axis_keys()
{
    return {
        required("axis", &AxisRotation::axis, vector(any_number(), true), "Axis of rotation, of any length."),
        required("degrees", &AxisRotation::degrees, number(any_number()), "Angle, by the right-hand rule.").unit("deg"),
    };
}

std::string motion_example(const std::string& motion)
{
    return obstacle_example("shape: {box: [0.4, 0.1, 0.4]}, motion: " + motion);
}

KindPtr<OscillationSettings> oscillation_kind()
{
    using O = OscillationSettings;
    return object<O>(
        {"oscillation",
            "A harmonic motion: the amplitudes times `sin(2 pi frequency t + phase) - sin(phase)`. At t = 0 the body "
            "is at its initial position. Several oscillations add up; their rotations add up as vectors along the "
            "axes.",
            motion_example("{oscillations: [{amplitude: [0.01, 0, 0], frequency: 5}]}")},
        {
            optional("amplitude", &O::amplitude, vector(), "Amplitude of the displacement, in world axes.").unit("m"),
            optional("turn", &O::turn,
                object<AxisRotation>(
                    {"swing", "Amplitude of a rotation about the body's origin, in world axes.",
                        motion_example("{oscillations: [{turn: {axis: [0, 0, 1], degrees: 10}, frequency: 2}]}")},
                    axis_keys()),
                "Amplitude of a rotation about the body's origin. Fixed nodes rotate about `about`. Default: none."),
            required("frequency", &O::frequency, number(above(0)), "Frequency.").unit("Hz"),
            optional("phase_degrees", &O::phase_degrees, number(any_number()),
                "Phase at t = 0. 0: starts at the greatest speed. 90: starts at rest at an end of the path.")
                .unit("deg"),
        },
        &O::where);
}

/// The keys of one kind of motion, and those that all have.
template <typename T>
ObjectKind<T> motion_of_kind(std::vector<Field<T>> keys)
{
    keys.push_back(optional("oscillations", &T::oscillations, list(oscillation_kind(), 1),
        "Harmonic motions, superposed on the motion. They also move its axis of rotation."));
    keys.push_back(optional("surface_velocity", &T::surface_velocity, vector(),
        "Conveyor: velocity of the surface relative to the shape, in the body's own axes. Only its tangential part "
        "acts. Not for fixed nodes.")
                       .unit("m/s"));
    keys.push_back(optional("about", &T::about, vector(),
        "Fixed nodes only: centre of their rotation, a point on the axis, in world coordinates at the start. It moves "
        "with the velocity, the positions of the keyframes and the oscillations. Default: the mean of the positions "
        "of the nodes in the region, which follows the mesh and need not be on the axis of the body; `check` says "
        "where it is.")
                       .unit("m"));
    return ObjectKind<T>({}, std::move(keys));
}

ObjectKind<SteadyMotion> steady_motion()
{
    return motion_of_kind<SteadyMotion>({
        optional("velocity", &SteadyMotion::velocity, vector(), "Constant velocity.").unit("m/s"),
        optional("angular_velocity", &SteadyMotion::angular_velocity, vector(),
            "Constant, in world axes, about the body's origin. Fixed nodes rotate about `about`, by default the "
            "mean of their initial positions.")
            .unit("rad/s"),
    });
}

ObjectKind<KeyframeMotion> keyframe_motion()
{
    const KindPtr<Keyframe> keyframe = object<Keyframe>(
        {"keyframe",
            "Pose at one time. Between keyframes the position is linear in time and the rotation has a constant "
            "angular velocity along the shorter way; with `interpolation: smooth` both are smooth. The body rests "
            "before the first and after the last keyframe.",
            motion_example("{keyframes: [{time: 0, position: [0, 0.5, 0]}, {time: 1, position: [0, 0.2, 0], "
                           "rotation: {axis: [0, 1, 0], degrees: 90}}]}")},
        {
            required("time", &Keyframe::time, number(at_least(0)), "Later than the keyframe before.").unit("s"),
            optional("position", &Keyframe::position, vector(),
                "Position of the body's origin. Default: that of the body. Fixed nodes: displacement from the start.")
                .unit("m"),
            optional("rotation", &Keyframe::rotation, rotation_kind(),
                "Default: that of the body. Fixed nodes: relative to the start, about `about`."),
        });
    return motion_of_kind<KeyframeMotion>({
        required("keyframes", &KeyframeMotion::keyframes, list(keyframe, 1), "Poses, in the order of time."),
        optional("interpolation", &KeyframeMotion::interpolation,
            choice<Interpolation>({{"linear", Interpolation::linear}, {"smooth", Interpolation::smooth}}),
            "`linear`: constant velocity between keyframes. `smooth`: monotone cubics with a continuous velocity; at "
            "rest at the first and the last keyframe, without overshoot along any axis."),
    });
}

} // namespace

KindPtr<Rotation> rotation_kind()
{
    using Quaternion = NumbersKind<std::array<double, 4>>;
    const KindPtr<std::array<double, 4>> wxyz = std::make_shared<Quaternion>(
        NumbersRule{.count = 4, .range = any_number(), .nonzero = true, .form = "[w, x, y, z]"});
    using Choice = VariantKind<AxisRotation, QuaternionRotation, EulerRotation>;
    return std::make_shared<Choice>(
        SectionText{"rotation", "Rotation from the body's own axes to the world axes.",
            obstacle_example("shape: {box: [1, 0.1, 1]}, rotation: {axis: [0, 0, 1], degrees: 20}")},
        ObjectKind<AxisRotation>({}, axis_keys()),
        ObjectKind<QuaternionRotation>({},
            {required("quaternion", &QuaternionRotation::wxyz, wxyz,
                "Unit quaternion, real part first. Other lengths are normalised.")}),
        ObjectKind<EulerRotation>({},
            {required("euler_xyz_degrees", &EulerRotation::degrees, vector(),
                "Rotations about the fixed world axes: first x, then y, then z.")
                    .unit("deg")}));
}

KindPtr<Motion> motion_kind()
{
    using Choice = VariantKind<SteadyMotion, KeyframeMotion>;
    return std::make_shared<Choice>(
        SectionText{"motion",
            "A scripted motion: either `velocity` and `angular_velocity`, or `keyframes`. `oscillations` and "
            "`surface_velocity` can be added to either, or stand alone.",
            motion_example("{velocity: [0.1, 0, 0], angular_velocity: [0, 1, 0]}")},
        steady_motion(), keyframe_motion());
}

} // namespace stickslip
