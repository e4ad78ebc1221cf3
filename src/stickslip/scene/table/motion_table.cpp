#include "stickslip/scene/table/motion_table.h"

#include "stickslip/scene/table/scene_variant.h"
#include "stickslip/scene/table/table_words.h"

namespace stickslip {

using namespace table;

namespace {

std::vector<Field<AxisRotation>> axis_keys()
{
    return {
        required("axis", &AxisRotation::axis, vector(any_number(), true), "axis of the turn, of any length"),
        required("degrees", &AxisRotation::degrees, number(any_number()), "angle, by the right hand rule").unit("deg"),
    };
}

KindPtr<OscillationSettings> oscillation_kind()
{
    using O = OscillationSettings;
    return object<O>("oscillation",
        "A sine, `sin(2 pi frequency t + phase) - sin(phase)` times the amplitudes: at t = 0 the body is where it is "
        "placed. Several add up: their displacements, and their turns as vectors along the axes.",
        {
            optional("amplitude", &O::amplitude, vector(), "of the displacement, in world axes").unit("m"),
            optional("turn", &O::turn,
                object<AxisRotation>(
                    "swing", "The amplitude of a turn about the body's origin, in world axes.", axis_keys()),
                "amplitude of a turn about the body's origin; pinned nodes turn about their mean place. Left out: "
                "none"),
            required("frequency", &O::frequency, number(above(0)), "periods a second").unit("Hz"),
            optional("phase_degrees", &O::phase_degrees, number(any_number()),
                "phase at t = 0: 0 starts at the greatest speed, 90 at rest at the far end of the way")
                .unit("deg"),
        },
        &O::where);
}

/// The keys of one kind of motion, and those that all have.
template <typename T>
ObjectKind<T> motion_of_kind(const char* title, std::vector<Field<T>> keys)
{
    keys.push_back(optional("oscillations", &T::oscillations, list(oscillation_kind(), 1),
        "sines that are added to the motion: after it, so that the axis of a spin swings along"));
    keys.push_back(optional("surface_velocity", &T::surface_velocity, vector(),
        "a conveyor: the surface moves past the shape, in the body's own axes, whatever else moves; its part along "
        "the surface drags. Not for pinned nodes")
                       .unit("m/s"));
    return ObjectKind<T>(title, "", std::move(keys));
}

ObjectKind<SteadyMotion> steady_motion()
{
    return motion_of_kind<SteadyMotion>("steady",
        {
            optional("velocity", &SteadyMotion::velocity, vector(), "constant velocity").unit("m/s"),
            optional("angular_velocity", &SteadyMotion::angular_velocity, vector(),
                "constant, in world axes, about the body's origin; pinned nodes turn about their mean place at the "
                "start")
                .unit("rad/s"),
        });
}

ObjectKind<KeyframeMotion> keyframe_motion()
{
    const KindPtr<Keyframe> keyframe = object<Keyframe>("keyframe",
        "One place on the way. Between keyframes the position is linear in time and the rotation turns steadily the "
        "short way round, or both are smooth (`interpolation`); before the first and after the last the body rests "
        "there.",
        {
            required("time", &Keyframe::time, number(at_least(0)), "later than that of the keyframe before").unit("s"),
            optional("position", &Keyframe::position, vector(),
                "of the body's origin; left out: where the body is placed. Pinned nodes: displacement from the start")
                .unit("m"),
            optional("rotation", &Keyframe::rotation, rotation_kind(),
                "left out: as the body is placed. Pinned nodes: relative to the start, about their mean place"),
        });
    return motion_of_kind<KeyframeMotion>("keyframes",
        {
            required("keyframes", &KeyframeMotion::keyframes, list(keyframe, 1), "places in the order of time"),
            optional("interpolation", &KeyframeMotion::interpolation,
                choice<Interpolation>({{"linear", Interpolation::linear}, {"smooth", Interpolation::smooth}}),
                "`linear`: at a constant velocity from one keyframe to the next; `smooth`: by cubics without a jump in "
                "velocity, which reach every keyframe, rest at the first and the last, and along no axis go beyond two "
                "that follow one another"),
        });
}

} // namespace

KindPtr<Rotation> rotation_kind()
{
    using Quaternion = NumbersKind<std::array<double, 4>>;
    const KindPtr<std::array<double, 4>> wxyz = std::make_shared<Quaternion>(
        NumbersRule{.count = 4, .range = any_number(), .nonzero = true, .form = "[w, x, y, z]"});
    using Choice = VariantKind<AxisRotation, QuaternionRotation, EulerRotation>;
    return std::make_shared<Choice>("rotation",
        "From the body's own axes to the world. One of: `axis` with `degrees`, `quaternion`, `euler_xyz_degrees`.",
        ObjectKind<AxisRotation>("axis", "", axis_keys()),
        ObjectKind<QuaternionRotation>("quaternion", "",
            {required(
                "quaternion", &QuaternionRotation::wxyz, wxyz, "real part first; of any length, it is normalised")}),
        ObjectKind<EulerRotation>("euler", "",
            {required("euler_xyz_degrees", &EulerRotation::degrees, vector(),
                "turns about the fixed axes of the world: first x, then y, then z")
                    .unit("deg")}));
}

KindPtr<Motion> motion_kind()
{
    using Choice = VariantKind<SteadyMotion, KeyframeMotion>;
    return std::make_shared<Choice>("motion",
        "A scripted motion: `velocity` and `angular_velocity`, or `keyframes`; with either or alone `oscillations` and "
        "`surface_velocity`.",
        steady_motion(), keyframe_motion());
}

} // namespace stickslip
