// Coefficients of two bodies: the same in implicit and explicit runs, from rules for bodies, for materials, or from
// these.
#include "stickslip/build/build_world.h"
#include "stickslip/build/scene_reader.h"
#include "stickslip/dem/sphere_system.h"
#include "stickslip/scene/text/body_names.h"

#include <gtest/gtest.h>

#include <map>

namespace stickslip::pair_rules_test {
namespace {

const char* const bodies = R"(materials:
  sand: {density: 2500, kn: 1e4, friction: 0.5, restitution: 0.6, rolling_friction: 0.2}
  ice: {density: 900, kn: 2e4, friction: 0.05, restitution: 0.9}
  steel: {density: 7800, kn: 3e4, restitution: 0.8}
  slate: {density: 2700, kn: 3e4}
bodies:
  - {name: grains, kind: spheres, material: sand, radius: 0.01, positions: [[0, 0.1, 0], [0, 0.2, 0]]}
  - {name: ball, kind: rigid, material: steel, shape: {sphere: 0.01}, position: [1, 0.1, 0]}
  - {name: cube, kind: rigid, material: ice, shape: {box: [0.02, 0.02, 0.02]}, position: [2, 0.1, 0]}
  - {name: twin, kind: rigid, material: ice, shape: {box: [0.02, 0.02, 0.02]}, position: [3, 0.1, 0]}
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: roof, kind: obstacle, material: slate, shape: {plane: {normal: [0, 1, 0]}}, position: [0, -1, 0]}
)";

struct Built {
    Scene scene;
    BuildResult result;

    explicit Built(const std::string& contact, bool is_explicit = true, const std::string& rest = bodies)
    {
        const SceneResult read =
            read_scene_text(std::string("stickslip: 1\ntime: {step: 1e-5, end: 1}\nsolver: {integration: ")
                    + (is_explicit ? "explicit" : "implicit") + "}\ncontact: {" + contact + "}\n" + rest,
                "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        scene = read.scene;
        if (read.good())
            result = build_world(scene, ".");
        EXPECT_EQ(format(result.faults), "");
    }
    const GranularWorld& granular() const { return result.built.granular->world; }

    /// Of a body, in an explicit run.
    int material(const std::string& name) const
    {
        for (const GranularWall& wall : granular().walls)
            if (wall.name == name)
                return wall.material;
        for (const SphereSet& set : result.built.granular->sets)
            if (set.name == name)
                return set.material;
        ADD_FAILURE() << name;
        return 0;
    }
    PairLaw law(const std::string& a, const std::string& b) const
    {
        return pair_laws(granular())[material(a) * granular().materials.size() + material(b)];
    }
};

using Pair = std::pair<std::string, std::string>;

/// Frictions between all bodies that meet, by the names in the scene.
std::map<Pair, double> frictions(const Built& built)
{
    const auto is_obstacle = [](const BodySettings& body) { return body.kind == BodyKind::obstacle; };
    std::map<Pair, double> all;
    if (built.result.built.granular) {
        for (const BodySettings& a : built.scene.bodies)
            for (const BodySettings& b : built.scene.bodies)
                if (&a == &b ? a.kind == BodyKind::spheres : !(is_obstacle(a) && is_obstacle(b)))
                    all[std::minmax(a.name, b.name)] = built.law(a.name, b.name).friction;
        return all;
    }
    const World& world = built.result.built.world;
    const ContactBodies those = contact_bodies(world);
    for (int a = 0; a < those.count(); ++a)
        for (int b = 0; b < those.count(); ++b)
            if (a != b && !(those.is_obstacle(a) && those.is_obstacle(b)))
                all[std::minmax(family_of(contact_body_name(world, a)), family_of(contact_body_name(world, b)))] =
                    those.friction(a, b);
    return all;
}

TEST(PairRules, FrictionIsTheSameInImplicitAndExplicitRuns)
{
    for (const std::string pairs :
        {"", "pairs: [{materials: [steel, sand], friction: 0.7}, {materials: [ice, ice], friction: 0.01}]",
            "pairs: [{bodies: [grains, floor], friction: 0.9}, {materials: [slate, sand], friction: 0.8}, {bodies: "
            "[grains, roof], enabled: true}, {bodies: [cube, twin], friction: 0.03}, {materials: [ice, ice], friction: "
            "0.01}, {bodies: [grains, grains], friction: 0.6}]"}) {
        const std::string contact = "friction: 0.4" + (pairs.empty() ? "" : ", " + pairs);
        EXPECT_EQ(frictions(Built(contact, true)), frictions(Built(contact, false))) << pairs;
    }
}

TEST(PairRules, FrictionIsTheLesserOfTheMaterialsThatHaveOne)
{
    std::map<Pair, double> mu = frictions(Built("friction: 0.4"));
    EXPECT_EQ((mu[{"cube", "grains"}]), 0.05) << "the lesser";
    EXPECT_EQ((mu[{"ball", "grains"}]), 0.5) << "of the one that has one";
    EXPECT_EQ((mu[{"floor", "grains"}]), 0.5) << "beside a body without material";
    EXPECT_EQ((mu[{"ball", "roof"}]), 0.4) << "of none: the common one";
    EXPECT_EQ((mu[{"ball", "floor"}]), 0.4);
    mu = frictions(Built("friction: 0.4, pairs: [{bodies: [grains, floor], friction: 0.9}, {materials: [sand, slate], "
                         "friction: 0.8}, {materials: [sand, sand], friction: 0.7}]"));
    EXPECT_EQ((mu[{"floor", "grains"}]), 0.9);
    EXPECT_EQ((mu[{"grains", "roof"}]), 0.8);
    EXPECT_EQ((mu[{"grains", "grains"}]), 0.7);
    EXPECT_EQ((mu[{"cube", "grains"}]), 0.05);
}

TEST(PairRules, OneCoefficientIsTheDefaultEverywhere)
{
    EXPECT_EQ(ContactSettings().friction, ContactLaw().friction);
    EXPECT_EQ(ContactSettings().friction, GranularMaterial().friction);
    EXPECT_EQ(ContactSettings().friction, 0.3);
}

TEST(PairRules, ReachTheLawOfExplicitContacts)
{
    const Built built("pairs: [{materials: [sand, steel], friction: 0.1, restitution: 0.2, rolling_friction: 0.3, "
                      "twisting_friction: 0.4, kn: 500, kt: 200}, {bodies: [grains, cube], kn: 700}]");
    const PairLaw law = built.law("ball", "grains");
    EXPECT_EQ(law.friction, 0.1);
    EXPECT_EQ(law.damping_ratio, damping_ratio(0.2));
    EXPECT_EQ(law.rolling_friction, 0.3);
    EXPECT_EQ(law.twisting_friction, 0.4);
    EXPECT_EQ(law.stiffness, 500);
    EXPECT_EQ(law.shear_ratio, 0.4);
    EXPECT_EQ(built.law("grains", "cube").stiffness, 700);
    EXPECT_EQ(built.law("grains", "twin").stiffness, 0) << "of bodies, not of their materials";
    EXPECT_EQ(built.law("grains", "cube").shear_ratio, built.law("grains", "twin").shear_ratio);
    const std::string sticky =
        "materials: {clay: {density: 1500, young: 1e6, poisson: 0.3}, mud: {density: 1500, young: "
        "1e6, poisson: 0.3}}\nbodies:\n  - {name: a, kind: spheres, material: clay, radius: "
        "0.01, positions: [[0, 0, 0]]}\n  - {name: b, kind: spheres, material: mud, radius: "
        "0.01, positions: [[1, 0, 0]]}\n";
    const Built adhesive("pairs: [{materials: [clay, mud], surface_energy: 0.5}]", true, sticky);
    EXPECT_EQ(adhesive.granular().law, NormalLaw::dmt);
    EXPECT_EQ(adhesive.law("a", "b").adhesion, 1);
    EXPECT_EQ(adhesive.law("a", "a").adhesion, 0);
}

TEST(PairRules, WhatTheRuleOfBodiesLeavesOutIsThatOfTheirMaterials)
{
    const Built built(
        "pairs: [{bodies: [grains, cube], friction: 0.9, kn: 600}, {materials: [ice, sand], friction: 0.1, "
        "restitution: 0.3, kn: 500, kt: 400}]");
    const PairLaw law = built.law("grains", "cube");
    EXPECT_EQ(law.friction, 0.9);
    EXPECT_EQ(law.damping_ratio, damping_ratio(0.3));
    EXPECT_EQ(law.stiffness, 600);
    EXPECT_EQ(law.shear_ratio, 2.0 / 7) << "kt belongs to the kn beside it";
    EXPECT_EQ(built.law("grains", "twin").friction, 0.1);
    EXPECT_EQ(built.law("grains", "twin").shear_ratio, 0.8);
    EXPECT_FALSE(Built("pairs: [{bodies: [grains, cube], friction: 0.9}, {materials: [ice, sand], enabled: false}]")
                     .law("grains", "cube")
                     .touches);
}

/// Where the spheres and bodies of an explicit scene are after a time, by their names.
std::map<std::string, double> heights(const Built& built, double time)
{
    const BuiltGranular& granular = *built.result.built.granular;
    SphereSystem system(granular.world, granular.grains);
    EXPECT_TRUE(system.step(static_cast<int>(time / system.dt())));
    std::map<std::string, double> heights;
    for (const int slot : system.slots())
        heights[granular.sets[system.state().spheres.group[slot]].name] = system.state().spheres.place[slot].x.y();
    for (const GranularRigid& rigid : granular.rigids)
        heights[built.scene.bodies[rigid.scene_body].name] = system.state().bodies[rigid.body].x.y();
    return heights;
}

const char* const sieve = R"(materials: {sand: {density: 2500, kn: 1e4, restitution: 0.2}}
bodies:
  - {name: sieve, kind: obstacle, shape: {box: [9, 0.01, 9]}, position: [0, 0.105, 0]}
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
)";

TEST(CollisionGroups, WorkInExplicitRuns)
{
    const std::string some =
        R"(  - {name: fine, kind: spheres, material: sand, radius: 0.01, positions: [[0, 0.13, 0]], collides_with: [floor]}
  - {name: coarse, kind: spheres, material: sand, radius: 0.01, positions: [[0.1, 0.13, 0]]}
  - {name: crate, kind: rigid, material: sand, shape: {box: [0.02, 0.02, 0.02]}, position: [0.2, 0.13, 0], group: light, collides_with: [floor]}
  - {name: case, kind: rigid, material: sand, shape: {box: [0.02, 0.02, 0.02]}, position: [0.3, 0.13, 0]}
  - {name: inside, kind: spheres, material: sand, radius: 0.005, positions: [[0.2, 0.13, 0]], collides_with: [floor, inside]}
)";
    const Built built("friction: 0.5", true, sieve + some);
    EXPECT_EQ(format(built.result.warnings), "");
    const std::map<std::string, double> y = heights(built, 0.5);
    EXPECT_NEAR(y.at("fine"), 0.01, 1e-4);
    EXPECT_NEAR(y.at("coarse"), 0.12, 1e-4);
    EXPECT_NEAR(y.at("crate"), 0.01, 1e-4);
    EXPECT_NEAR(y.at("case"), 0.12, 1e-4);
    EXPECT_NEAR(y.at("inside"), 0.005, 1e-4);
}

TEST(CollisionGroups, PairsThatAreNotEnabledPassInExplicitRuns)
{
    const std::string some =
        "  - {name: low, kind: spheres, material: sand, radius: 0.01, positions: [[0, 0.01, 0], [0, 0.05, 0], [0, "
        "0.055, 0]]}\n";
    const Built built(
        "pairs: [{bodies: [low, low], enabled: false}, {bodies: [low, sieve], enabled: false}]", true, sieve + some);
    EXPECT_EQ(format(built.result.warnings), "") << "they may overlap";
    EXPECT_NEAR(heights(built, 0.5).at("low"), 0.01, 1e-4) << "the highest, among the others";
    const Built other("pairs: [{materials: [sand, sand], enabled: false}]", true, sieve + some);
    EXPECT_NEAR(heights(other, 0.5).at("low"), 0.01, 1e-4);
}

TEST(CollisionGroups, AnInletLetsInWhatItDoesNotTouch)
{
    const std::string some =
        "  - {name: rain, kind: spheres, material: sand, radius: 0.01, position: [0, 0.105, 0], inlet: "
        "{box: [0.1, 0.02, 0.1], rate: 1}";
    const auto in_the_way = [&](const std::string& more) {
        const SceneResult read =
            read_scene_text("stickslip: 1\ntime: {step: auto, end: 1}\nsolver: {integration: explicit}\n"
                    + (sieve + some) + more + "}\n",
                "scene.yaml");
        EXPECT_EQ(format(read.faults), "");
        return format(build_world(read.scene, ".").faults).find("obstructed by \"sieve\"") != std::string::npos;
    };
    EXPECT_TRUE(in_the_way(""));
    EXPECT_FALSE(in_the_way(", collides_with: [floor, rain]"));
}

} // namespace
} // namespace stickslip::pair_rules_test
