#include "stickslip/io/body_pairs.h"

#include "stickslip/io/body_names.h"

#include <gtest/gtest.h>

namespace stickslip {
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

} // namespace
} // namespace stickslip
