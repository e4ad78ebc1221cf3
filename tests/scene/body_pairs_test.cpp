#include "stickslip/scene/checks/body_pairs.h"

#include "stickslip/scene/text/body_names.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stickslip::body_pairs_test {
namespace {

TEST(BodyNames, FamiliesAreWhatStandsBeforeTheIndex)
{
    EXPECT_TRUE(is_copy("brick[3]"));
    EXPECT_TRUE(is_copy("brick[0]"));
    for (const char* name : {"brick", "brick[03]", "brick[]", "brick[x]", "[3]", "brick[3", "brick[3]x", ""})
        EXPECT_FALSE(is_copy(name)) << name;
    EXPECT_EQ(family_of("brick[12]"), "brick");
    EXPECT_EQ(family_of("brick"), "brick");
    EXPECT_TRUE(names_body("brick", "brick[3]"));
    EXPECT_TRUE(names_body("brick[3]", "brick[3]"));
    EXPECT_FALSE(names_body("brick[2]", "brick[3]"));
    EXPECT_FALSE(names_body("bric", "brick[3]"));
}

BodySettings body(const std::string& name, const std::string& group = "")
{
    BodySettings settings;
    settings.name = name;
    settings.group = group;
    return settings;
}

TEST(MayTouch, AllUnlessOneLeavesTheOtherOut)
{
    BodySettings brick = body("brick[1]"), other = body("brick[2]"), floor = body("floor"), bird = body("bird", "air");
    EXPECT_TRUE(may_touch(brick, floor));
    brick.collides_with = {"floor", "air"};
    EXPECT_TRUE(may_touch(brick, floor));
    EXPECT_TRUE(may_touch(brick, bird));
    EXPECT_FALSE(may_touch(brick, other));
    EXPECT_FALSE(may_touch(other, brick));
    bird.collides_with = std::vector<std::string>{};
    EXPECT_FALSE(may_touch(brick, bird));
    EXPECT_FALSE(may_touch(floor, bird));
    other.collides_with = brick.collides_with = {"brick"}; // a family is a group
    EXPECT_TRUE(may_touch(brick, other));
}

TEST(SettingsOfPair, WhatNamesSingleBodiesGoesFirst)
{
    ContactSettings contact;
    const auto add = [&](const char* a, const char* b, double friction) {
        contact.pairs.push_back({.bodies = {a, b}, .friction = friction});
    };
    add("brick", "brick", 0.1);
    add("brick", "floor", 0.2);
    add("brick[3]", "brick", 0.3);
    add("brick[4]", "brick[3]", 0.4);
    add("floor", "brick", 0.5); // too late for its kind
    add("brick", "brick", 0.6);
    const auto friction = [&](const char* a, const char* b) {
        const PairSettings* settings = settings_of_pair(contact, a, b);
        const PairSettings* turned = settings_of_pair(contact, b, a);
        EXPECT_EQ(settings, turned);
        return settings ? settings->friction.value() : -1;
    };
    EXPECT_EQ(friction("brick[1]", "brick[2]"), 0.1);
    EXPECT_EQ(friction("floor", "brick[2]"), 0.2);
    EXPECT_EQ(friction("brick[3]", "brick[2]"), 0.3);
    EXPECT_EQ(friction("brick[3]", "brick[4]"), 0.4);
    EXPECT_EQ(friction("floor", "wall"), -1);
}

/// What is found by kinds is what is found pair by pair.
void expect_the_same_as_pair_by_pair(const Scene& scene)
{
    const PairKinds kinds = kinds_of_pairs(scene);
    ASSERT_EQ(kinds.of_body.size(), scene.bodies.size());
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const BodySettings &a = scene.bodies[i], &b = scene.bodies[j];
            const auto it = kinds.rules.find(std::minmax({kinds.of_body[i], kinds.of_body[j]}));
            const bool said = it != kinds.rules.end();
            EXPECT_EQ(said ? it->second.of_bodies : nullptr, settings_of_pair(scene.contact, a.name, b.name))
                << a.name << " " << b.name;
            EXPECT_EQ(said ? it->second.may_touch : true, may_touch(a, b)) << a.name << " " << b.name;
        }
}

Scene piles(int each)
{
    Scene scene;
    for (const char* family : {"brick", "stone", "coin"})
        for (int i = 0; i < each; ++i)
            scene.bodies.push_back(body(std::string(family) + "[" + std::to_string(i) + "]"));
    scene.bodies.push_back(body("floor"));
    scene.bodies.push_back(body("bird", "air"));
    return scene;
}

TEST(KindsOfPairs, AreOneWhereNothingIsSaid)
{
    const PairKinds kinds = kinds_of_pairs(piles(3));
    EXPECT_EQ(kinds.of_body, std::vector<int>(11, 0));
    EXPECT_TRUE(kinds.rules.empty());
}

TEST(KindsOfPairs, FindWhatIsFoundPairByPair)
{
    Scene scene = piles(4);
    const auto say = [&](const char* a, const char* b) { scene.contact.pairs.push_back({.bodies = {a, b}}); };
    say("brick", "brick");
    say("brick[2]", "brick[3]");
    say("brick[2]", "brick");
    say("floor", "stone");
    say("floor", "coin[1]");
    say("bird", "nobody");
    expect_the_same_as_pair_by_pair(scene);
    scene.bodies[5].collides_with = {"floor", "brick"};
    scene.bodies[6].collides_with = {"floor", "brick", "stone"};
    scene.bodies[9].collides_with = {"air"};
    scene.bodies[13].collides_with = std::vector<std::string>{};
    expect_the_same_as_pair_by_pair(scene);
    scene.contact.pairs.clear();
    expect_the_same_as_pair_by_pair(scene);
}

TEST(KindsOfPairs, DoNotGrowInNumberWithTheBodies)
{
    Scene scene = piles(1000);
    for (BodySettings& b : scene.bodies)
        if (b.name.starts_with("brick"))
            b.collides_with = {"brick", "floor"};
    scene.contact.pairs.push_back({.bodies = {"stone", "coin"}});
    scene.contact.pairs.push_back({.bodies = {"coin[17]", "coin[18]"}});
    const PairKinds kinds = kinds_of_pairs(scene);
    EXPECT_EQ(*std::max_element(kinds.of_body.begin(), kinds.of_body.end()) + 1, 7);
    EXPECT_LE(kinds.rules.size(), 12u);
}

} // namespace
} // namespace stickslip::body_pairs_test
