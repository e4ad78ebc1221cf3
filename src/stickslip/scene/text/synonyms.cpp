#include "stickslip/scene/text/synonyms.h"

#include <algorithm>
#include <cctype>

namespace stickslip {

namespace {

/// A word of other programs, and the key that it stands for where there is one of this name.
struct Word {
    std::string_view word, key;
};

constexpr Word words[] = {
    // shapes
    {"ball", "sphere"}, {"cube", "box"}, {"cuboid", "box"}, {"brick", "box"}, {"ellipsoid", "sphere"},
    {"rod", "cylinder"}, {"tube", "cylinder"}, {"halfspace", "plane"}, {"ground", "plane"}, {"ring", "torus"},
    {"stl", "mesh"}, {"obj", "mesh"}, {"filename", "file"}, {"path", "file"}, {"uri", "file"}, {"src", "file"},
    // bodies
    {"type", "kind"}, {"bodytype", "kind"}, {"geometry", "shape"}, {"geom", "shape"}, {"collider", "shape"},
    {"collision", "shape"}, {"visual", "shape"}, {"pose", "position"}, {"pos", "position"}, {"origin", "position"},
    {"translation", "position"}, {"location", "position"}, {"xyz", "position"}, {"center", "position"},
    {"centre", "position"}, {"orientation", "rotation"}, {"quat", "rotation"}, {"euler", "rotation"},
    {"rpy", "rotation"}, {"rot", "rotation"}, {"rotate", "rotation"}, {"angle", "degrees"}, {"theta", "degrees"},
    {"deg", "degrees"}, {"vel", "velocity"}, {"linearvelocity", "velocity"}, {"initialvelocity", "velocity"},
    {"pivot", "about"}, {"center", "about"}, {"centre", "about"}, {"centerofrotation", "about"},
    {"centreofrotation", "about"}, {"rotationcenter", "about"}, {"spin", "angular_velocity"},
    {"angvel", "angular_velocity"}, {"omega", "angular_velocity"}, {"id", "name"}, {"label", "name"},
    {"linear", "velocity"}, {"array", "copies"}, {"repeat", "copies"}, {"instances", "copies"},
    {"explicit", "integration"}, {"implicit", "integration"}, {"meshsize", "resolution"}, {"elementsize", "resolution"},
    {"hmax", "resolution"}, {"dirichlet", "fix"}, {"pin", "fix"}, {"pins", "fix"}, {"boundaryconditions", "fix"},
    {"dof", "fixed_dofs"}, {"dofs", "fixed_dofs"}, {"isdoffixed", "fixed_dofs"}, {"locked", "fixed_dofs"},
    {"rad", "radius"}, {"r", "radius"}, {"length", "height"}, {"h", "height"},
    // materials
    {"rho", "density"}, {"e", "young"}, {"youngmodulus", "young"}, {"youngsmodulus", "young"}, {"stiffness", "young"},
    {"nu", "poisson"}, {"poissonratio", "poisson"}, {"poissonsratio", "poisson"}, {"mu", "friction"},
    {"frictioncoefficient", "friction"}, {"coefficientoffriction", "friction"}, {"cof", "friction"},
    {"coefficientofrestitution", "restitution"}, {"bounce", "restitution"}, {"elasticity", "restitution"},
    {"constitutive", "model"}, {"elasticmodel", "model"},
    // kinds
    {"static", "obstacle"}, {"fixed", "obstacle"}, {"kinematic", "obstacle"}, {"wall", "obstacle"},
    {"dynamic", "rigid"}, {"soft", "deformable"}, {"softbody", "deformable"}, {"fem", "deformable"},
    {"elastic", "deformable"}, {"particles", "spheres"}, {"dem", "spheres"}, {"granular", "spheres"},
    // the whole
    {"objects", "bodies"}, {"rigidbodies", "bodies"}, {"links", "bodies"}, {"geometries", "bodies"},
    {"worldbody", "bodies"}, {"simulation", "time"}, {"timestep", "step"}, {"dt", "step"}, {"stepsize", "step"},
    {"deltat", "step"}, {"duration", "end"}, {"maxtime", "end"}, {"stop", "end"}, {"tend", "end"}, {"finaltime", "end"},
    {"fps", "frame"}, {"outputinterval", "frame"}, {"integrator", "integration"}, {"method", "integration"},
    {"with", "by"}, {"against", "by"}, {"name", "title"}, {"contacts", "contact"}, {"material", "materials"},
    {"g", "gravity"}};

/// A word that no key stands for: what to write, where bodies (or materials) are described.
struct Advice {
    std::string_view word, of, text; // of: a key that the place must know
};

constexpr Advice advices[] = {{"mass", "material", "the mass follows from shape and `density` of the material"},
    {"mass", "young", "the mass of a body follows from its shape and `density`"},
    {"inertia", "material", "inertia follows from shape and `density` of the material"},
    {"static", "kind", "what never moves is `kind: obstacle`"},
    {"fixed", "kind", "what never moves is `kind: obstacle`"},
    {"immovable", "kind", "what never moves is `kind: obstacle`"},
    {"dynamic", "kind", "what moves by itself is `kind: rigid` or `deformable`"},
    {"kinematic", "kind", "what is moved is `kind: obstacle` with `motion`"},
    {"friction", "kind", "friction belongs to the material, to `contact.friction` or to a pair in `contact.pairs`"},
    {"mu", "kind", "friction belongs to the material, to `contact.friction` or to a pair in `contact.pairs`"},
    {"restitution", "kind", "restitution belongs to the material or to a pair in `contact.pairs`"},
    {"density", "material", "density belongs to the material"},
    {"color", "kind", "colours are chosen by the commands that show a run"},
    {"colour", "kind", "colours are chosen by the commands that show a run"},
    {"scale", "shape", "`shape: {mesh: {file: ..., scale: ...}}` scales a mesh; other shapes have their sizes"},
    {"size", "shape", "sizes stand with the shape: `shape: {box: [0.1, 0.2, 0.3]}`, full edges"},
    {"dimensions", "shape", "sizes stand with the shape: `shape: {box: [0.1, 0.2, 0.3]}`, full edges"},
    {"halfextents", "shape", "sizes stand with the shape: `shape: {box: [0.1, 0.2, 0.3]}`, full edges"},
    {"halfextents", "box", "`box` takes the full edges: `box: [0.1, 0.2, 0.3]`"},
    {"timestep", "time", "the time step is `time: {step: 0.01, end: 1}`"},
    {"dt", "time", "the time step is `time: {step: 0.01, end: 1}`"},
    {"timestep", "integration", "the time step is `time: {step: 0.01, end: 1}`"},
    {"dt", "integration", "the time step is `time: {step: 0.01, end: 1}`"},
    {"step", "integration", "the time step is `time: {step: 0.01, end: 1}`"},
    {"integrator", "end", "implicit or explicit steps are `solver: {integration: explicit}`"},
    {"integration", "end", "implicit or explicit steps are `solver: {integration: explicit}`"},
    {"frame", "frames", "the time from frame to frame is `time: {frame: 0.05}`"},
    {"fps", "frames", "the time from frame to frame is `time: {frame: 0.05}`"},
    {"interval", "frames", "the time from frame to frame is `time: {frame: 0.05}`"},
    {"forces", "probes", "forces are recorded with `contacts: true`, and at each step by `probes`"},
    {"duration", "time", "the end time is `time: {step: 0.01, end: 1}`"},
    {"friction", "bodies", "friction of all bodies is `contact: {friction: 0.5}`, of some it belongs to the material"},
    {"mu", "bodies", "friction of all bodies is `contact: {friction: 0.5}`, of some it belongs to the material"},
    {"restitution", "bodies", "restitution belongs to the material or to a pair in `contact.pairs`"},
    {"density", "bodies", "density belongs to a material: `materials: {oak: {density: 700}}`"},
    {"young", "bodies", "`young` belongs to a material: `materials: {rubber: {density: 1000, young: 1e6}}`"},
    {"youngsmodulus", "bodies", "`young` belongs to a material: `materials: {rubber: {density: 1000, young: 1e6}}`"},
    {"count", "copies", "copies have theirs in `copies`, spheres in `fill: {box: [1, 1, 1], count: 500}`"},
    {"angle", "kind", "a rotation is `rotation: {axis: [0, 0, 1], degrees: 30}`"},
    {"theta", "kind", "a rotation is `rotation: {axis: [0, 0, 1], degrees: 30}`"},
    {"ball", "obstacle", "a ball is a shape: `kind: rigid, shape: {sphere: 0.1}`"},
    {"sphere", "obstacle", "a ball is a shape: `kind: rigid, shape: {sphere: 0.1}`; `spheres` are grains"},
    {"box", "obstacle", "a box is a shape: `kind: rigid, shape: {box: [0.1, 0.2, 0.3]}`"},
    {"cube", "obstacle", "a box is a shape: `kind: rigid, shape: {box: [0.1, 0.2, 0.3]}`"},
    {"cylinder", "obstacle", "a cylinder is a shape: `kind: rigid, shape: {cylinder: ...}`"},
    {"mesh", "obstacle", "a mesh is a shape: `kind: rigid, shape: {mesh: {file: ...}}`"},
    {"plane", "obstacle", "a plane is a shape: `kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}`"},
    {"quaternion", "degrees", "a rotation is `{axis: [0, 0, 1], degrees: 30}`"},
    {"radians", "degrees", "angles are in degrees"}, {"diameter", "radius", "`radius` is half of it"},
    {"halfheight", "height", "`height` is the whole height"}, {"halflength", "height", "`height` is the whole length"},
    {"offset", "normal", "the plane goes through `position` of its body"},
    {"distance", "normal", "the plane goes through `position` of its body"},
    {"constant", "normal", "the plane goes through `position` of its body"},
    {"point", "normal", "the plane goes through `position` of its body"}};

/// Without case and what joins words: "Youngs_Modulus" is "youngsmodulus".
std::string plain(std::string_view word)
{
    std::string letters;
    for (const char c : word)
        if (std::isalnum(static_cast<unsigned char>(c)))
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return letters;
}

bool has(const std::vector<std::string>& keys, std::string_view key)
{
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

} // namespace

Synonym synonym_of(std::string_view word, const std::vector<std::string>& keys)
{
    const std::string letters = plain(word);
    for (const Word& known : words)
        if (known.word == letters && has(keys, known.key))
            return {std::string(known.key), "; here it is \"" + std::string(known.key) + "\""};
    for (const Advice& advice : advices)
        if (advice.word == letters && has(keys, advice.of))
            return {"", "; " + std::string(advice.text)};
    return {};
}

} // namespace stickslip
