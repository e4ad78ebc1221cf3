#include "stickslip/plot/quantities.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace stickslip::quantities_test {
namespace {

TEST(RunTables, LoadsOnWallsAreNamedByWallAndColumn)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "history.csv", "time,dt\n0.1,0.01\n0.2,0.01\n");
    write_file_atomically(folder.path() / "walls.csv",
        "time,body,fx,fy,fz,tx,ty,tz\n0.1,floor,0,-5,0,0,0,0\n0.1,funnel,3,-4,0,0,0,7\n"
        "0.2,floor,0,-6,0,0,0,0\n0.2,funnel,0,-2,0,0,0,0\n");
    const RunTables run(folder.path());
    EXPECT_NE(run.name_list().find("walls.funnel.fx walls.funnel.fy"), std::string::npos) << run.name_list();
    const Track load = run.track("walls.funnel.force");
    EXPECT_EQ(load.time, (std::vector<double>{0.1, 0.2}));
    EXPECT_EQ(load.value, (std::vector<double>{5, 2}));
    EXPECT_EQ(load.quantity.unit, "N");
    EXPECT_EQ(run.track("walls.floor.fy").value, (std::vector<double>{-5, -6}));
    EXPECT_EQ(run.track("walls.funnel.tz").value, (std::vector<double>{7, 0}));
    EXPECT_THROW(run.track("walls.roof.fy"), InputError);
}

// Tables of older runs call it max_penetration.
TEST(RunTables, DepthOfContactsHasTwoNames)
{
    for (const std::string column : {"max_contact_depth", "max_penetration"}) {
        const TemporaryFolder folder;
        write_file_atomically(folder.path() / "history.csv", "time,dt," + column + "\n0.1,0.01,2e-3\n0.2,0.01,3e-3\n");
        const RunTables run(folder.path());
        for (const char* asked : {"max_contact_depth", "max_penetration"}) {
            const Track depth = run.track(asked);
            EXPECT_EQ(depth.value, (std::vector<double>{2e-3, 3e-3})) << asked << " of " << column;
            EXPECT_EQ(depth.quantity.name, "max_contact_depth");
        }
    }
}

} // namespace
} // namespace stickslip::quantities_test
