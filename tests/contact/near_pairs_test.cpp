#include "stickslip/contact/detect/near_pairs.h"

#include "support/boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace stickslip::near_pairs_test {
namespace {

constexpr int count = 30;

/// Many rigid boxes, a floor and a wall; the first two bodies are of one group and do not touch each other.
struct Crowd {
    DeformableSet set;
    std::vector<RigidBody> rigids;
    std::vector<Obstacle> obstacles;
    ContactLaw law;
    std::vector<int> all;

    Crowd()
        : rigids(count)
        , all(count + 2)
    {
        for (RigidBody& body : rigids) {
            body.solid = Box{Vec3::Ones()};
            body.samples.resize(8);
        }
        obstacles = {{.name = "floor", .solid = Plane{Vec3::UnitY()}}, {.name = "wall", .solid = Box{Vec3(1, 9, 9)}}};
        obstacles[1].samples.resize(8);
        law.rules[{0, 1}] = {.enabled = false};
        std::iota(all.begin(), all.end(), 0);
    }
    ContactBodies bodies() const { return {&set, &rigids, &obstacles, &law, RelaxationKind::planar}; }

    std::vector<Bounds> boxes(Random& random) const
    {
        std::vector<Bounds> boxes;
        for (int i = 0; i < count; ++i) {
            const Vec3 centre = random.vector(2), half = random.vector(0.3).cwiseAbs() + Vec3::Constant(0.2);
            boxes.push_back({centre - half, centre + half});
        }
        boxes.push_back({Vec3::Constant(-infinity), Vec3::Constant(infinity)});
        boxes.push_back({Vec3(-3, -4, -4), Vec3(-1.5, 4, 4)});
        return boxes;
    }
};

void move(Bounds& box, const Vec3& way)
{
    box.min += way;
    box.max += way;
}

std::vector<CandidatePair> meeting(const NearPairs& near, const std::vector<Bounds>& boxes)
{
    std::vector<CandidatePair> pairs;
    std::copy_if(near.pairs().begin(), near.pairs().end(), std::back_inserter(pairs),
        [&](const CandidatePair& p) { return boxes_meet(boxes[p.point_body], boxes[p.surface_body]); });
    return pairs;
}

TEST(NearPairs, ThoseThatMeetAreWhatTheBroadPhaseFinds)
{
    Random random(1);
    const Crowd crowd;
    std::vector<Bounds> boxes = crowd.boxes(random);
    NearPairs near(crowd.bodies());
    const BroadPhase broad_phase(crowd.bodies());
    int listed = 0;
    for (int step = 0; step < 400; ++step) {
        std::vector<int> moved;
        for (int body = step % 3; body < count; body += 3) {
            moved.push_back(body);
            move(boxes[body], random.vector(step % 20 == 0 ? 3 : 0.02)); // now and then a trial goes far
        }
        listed += near.update(boxes, step == 0 ? crowd.all : moved);
        ASSERT_EQ(meeting(near, boxes), broad_phase.find(boxes)) << step;
    }
    EXPECT_LT(listed, 100) << "most motions stay within the margins";
}

TEST(NearPairs, AreTheSameListWhileNothingMoves)
{
    Random random(2);
    const Crowd crowd;
    const std::vector<Bounds> boxes = crowd.boxes(random);
    NearPairs near(crowd.bodies());
    EXPECT_TRUE(near.update(boxes, crowd.all));
    EXPECT_FALSE(near.update(boxes, crowd.all));
}

// A body without a finite place meets nothing but as a surface, and is found again when it comes back.
TEST(NearPairs, FollowBodiesThatAreNowhere)
{
    Random random(3);
    const Crowd crowd;
    std::vector<Bounds> boxes = crowd.boxes(random);
    NearPairs near(crowd.bodies());
    const BroadPhase broad_phase(crowd.bodies());
    near.update(boxes, crowd.all);
    const Bounds place = boxes[5];
    for (const Bounds& somewhere : {Bounds{}, Bounds{Vec3::Constant(-infinity), Vec3::Constant(infinity)}, place}) {
        boxes[5] = somewhere;
        const std::vector<int> moved = {5};
        near.update(boxes, moved);
        EXPECT_EQ(meeting(near, boxes), broad_phase.find(boxes));
    }
}

} // namespace
} // namespace stickslip::near_pairs_test
