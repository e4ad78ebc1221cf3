#include "laws/rigid_world.h"
#include "stickslip/contact/contact_set.h"
#include "stickslip/world/rigid_equations.h"
#include "support/numeric.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {

thread_local long allocations = 0; // of this thread

} // namespace

// Not inlined: where GCC sees malloc and free behind one of the two alone it warns of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size)
{
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size))
        return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept
{
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace stickslip::warm_evaluation_test {
namespace {

constexpr double dt = 0.01, size = 0.2;

/// A row of boxes, a ball and a cylinder that are pushed into one another and into the floor.
struct Row {
    Random random{1};
    RigidWorld w;
    State state;
    RigidEquations rigid;
    ContactSet contacts;

    static RigidWorld pushed(Random& random)
    {
        RigidWorld w(dt);
        w.plane(Vec3::UnitY());
        for (int i = 0; i < 4; ++i)
            w.box(Vec3::Constant(size), 800, Vec3(0.195 * i, 0.098, 0.01 * i), rotation_exp(random.vector(0.02)),
                random.vector(0.3), random.vector(1));
        w.ball(0.1, 800, Vec3(4 * 0.195, 0.0995, 0.02), random.vector(0.3));
        w.rimmed(Cylinder{0.1, 0.2}, 800, Vec3(5 * 0.195, 0.098, 0), rotation_exp(random.vector(0.02)));
        return w;
    }

    Row()
        : w(pushed(random))
        , state(w.start(0.5))
        , rigid(w.world.rigids)
        , contacts(contact_bodies(w.world))
    {
        rigid.begin_step(state.rigid, dt);
        contacts.begin_step(0, dt, {}, {}, state.rigid, state.attachments);
    }

    /// A candidate near the start of the step.
    void propose()
    {
        BlockVector z;
        for (std::size_t i = 0; i < 2 * w.world.rigids.size(); ++i)
            z.push_back(random.vector(0.02));
        rigid.set_candidate(z);
    }
};

TEST(WarmEvaluation, DoesNotAllocate)
{
    Row row;
    ContactPart part{{1, 2}, {}};
    row.propose();
    for (int i = 0; i < 3; ++i) { // as many contacts as there will be, or more
        row.contacts.evaluate({}, row.rigid.candidates());
        row.contacts.evaluate(part, row.rigid.candidates());
    }
    for (int i = 0; i < 10; ++i) {
        long before = allocations;
        row.contacts.evaluate({}, row.rigid.candidates());
        EXPECT_EQ(allocations - before, 0);
        EXPECT_GT(row.contacts.count(), 20u);
        before = allocations;
        row.contacts.evaluate(part, row.rigid.candidates());
        EXPECT_EQ(allocations - before, 0);
    }
}

TEST(WarmEvaluation, DependsOnTheCandidateAlone)
{
    Row warm, cold;
    for (int i = 0; i < 20; ++i) {
        warm.propose();
        warm.contacts.evaluate({}, warm.rigid.candidates());
        ContactSet copy = cold.contacts; // has evaluated nothing
        copy.evaluate({}, warm.rigid.candidates());
        ASSERT_EQ(warm.contacts.count(), copy.count());
        for (std::size_t c = 0; c < copy.count(); ++c) {
            const Contact &a = warm.contacts.blocks().contacts()[c], &b = copy.blocks().contacts()[c];
            EXPECT_TRUE(a.j == b.j && a.Z == b.Z && a.point == b.point) << c;
        }
    }
}

// What a copy evaluates once it has begun the step is its own, also when the original goes on.
TEST(WarmEvaluation, OfACopyIsItsOwn)
{
    Row row;
    row.propose();
    row.contacts.evaluate({}, row.rigid.candidates());
    const double energy = row.contacts.energy();
    ContactSet copy = row.contacts;
    copy.begin_step(0, dt, {}, {}, row.state.rigid, row.state.attachments);
    row.contacts = ContactSet(contact_bodies(row.w.world));
    copy.evaluate({}, row.rigid.candidates());
    EXPECT_EQ(copy.energy(), energy);
    EXPECT_GT(energy, 0);
}

} // namespace
} // namespace stickslip::warm_evaluation_test
