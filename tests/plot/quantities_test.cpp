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

TEST(RunTables, NamesAreKnownWithoutTheirTable)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "history.csv", "time,dt\n0.1,0.01\n");
    write_file_atomically(folder.path() / "walls.csv", "time,body,fx,fy,fz,tx,ty,tz\n0.1,beam,0,-5,0,0,0,0\n");
    write_file_atomically(folder.path() / "reactions.csv", "time,body,fx,fy,fz,tx,ty,tz\n0.1,beam,0,9,0,0,0,2\n");
    write_file_atomically(folder.path() / "probes.csv",
        "time,probe,contacts,normal_sum,normal_x,normal_y,normal_z,friction_x,friction_y,friction_z,torque_x,torque_y,"
        "torque_z\n0.1,seat,1,4,0,4,0,3,0,0,0,0,0\n");
    const RunTables run(folder.path());
    EXPECT_EQ(run.track("seat.friction_x").value, std::vector<double>{3});
    EXPECT_EQ(run.track("seat.friction_x").quantity.name, "probes.seat.friction_x");
    const auto fault_of = [&](const std::string& name) {
        try {
            run.track(name);
            return std::string();
        } catch (const InputError& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(fault_of("beam.fy"), "\"beam.fy\" may be walls.beam.fy or reactions.beam.fy; give the whole name");
    EXPECT_NE(fault_of("seet.normal_x").find("; did you mean \"seat.normal_x\"?"), std::string::npos);
    EXPECT_NE(fault_of("beam+floor.fy").find(": pairs of bodies are recorded with `output.contacts: true`"),
        std::string::npos);
}

TEST(RunTables, ReactionsOfRegionsAreNamedByBodyAndRegion)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "history.csv", "time,dt\n0.1,0.01\n0.2,0.01\n");
    write_file_atomically(folder.path() / "reactions.csv",
        "time,body,region,fx,fy,fz,tx,ty,tz,x,y,z\n0.1,beam,,0,9,0,0,0,2,0,0,0\n0.1,beam,grip,3,4,0,0,0,1,1,0,0\n"
        "0.2,beam,,0,8,0,0,0,2,0,0,0\n0.2,beam,grip,0,2,0,0,0,1,1,0,0\n");
    const RunTables run(folder.path());
    EXPECT_EQ(run.track("reactions.beam.fy").value, (std::vector<double>{9, 8})) << "the sum alone";
    EXPECT_EQ(run.track("reactions.beam.grip.force").value, (std::vector<double>{5, 2}));
    EXPECT_EQ(run.track("beam.grip.tz").quantity.name, "reactions.beam.grip.tz");
    EXPECT_NE(run.name_list().find("reactions.beam.grip.fx"), std::string::npos);
}

// Two bodies 3 m apart along x; of each torque about the own place.
TEST(RunTables, PairsAreKnownInEitherOrder)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "scene.yaml",
        "stickslip: 1\ntime: {step: 0.1, end: 1}\nmaterials: {oak: {density: 1}}\nbodies:\n"
        "  - {name: a, kind: rigid, material: oak, shape: {sphere: 1}}\n"
        "  - {name: b+c, kind: rigid, material: oak, shape: {sphere: 1}}\n");
    write_file_atomically(folder.path() / "history.csv", "time,dt\n0.1,0.01\n");
    write_file_atomically(folder.path() / "bodies.csv",
        "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n0.1,a,1,0,0,1,0,0,0,0,0,0,0,0,0\n"
        "0.1,b+c,4,0,0,1,0,0,0,0,0,0,0,0,0\n");
    write_file_atomically(
        folder.path() / "pairs.csv", "time,pair,contacts,fx,fy,fz,tx,ty,tz\n0.1,a+b+c,2,0,5,0,0,0,10\n");
    const RunTables run(folder.path());
    const auto value = [&](const std::string& name) { return run.track(name).value.at(0); };
    EXPECT_EQ(value("pairs.a+b+c.fy"), 5);
    EXPECT_EQ(value("a+b+c.tz"), 10); // the force acts 2 m beside a
    EXPECT_EQ(value("pairs.b+c+a.fy"), -5);
    EXPECT_EQ(value("b+c+a.tz"), 5); // its opposite 1 m before b+c
    EXPECT_EQ(value("b+c+a.torque"), 5);
    EXPECT_EQ(value("b+c+a.force"), 5);
    EXPECT_EQ(value("b+c+a.contacts"), 2);
    EXPECT_EQ(run.track("b+c+a.contacts").quantity.name, "pairs.b+c+a.contacts");
    EXPECT_THROW(value("c+a+b.fy"), InputError);
}

TEST(RunTables, WhatHasNoNumberInTheRunIsNoName)
{
    const TemporaryFolder folder;
    write_file_atomically(folder.path() / "history.csv", "time,dt\n0.1,0.01\n");
    write_file_atomically(folder.path() / "packing.csv",
        "time,region,spheres,solid_fraction,coordination\n0,all,5,nan,nan\n0.1,all,5,nan,2\n0.1,core,3,0.6,nan\n");
    const RunTables run(folder.path());
    EXPECT_EQ(run.track("core.solid_fraction").value, std::vector<double>{0.6});
    EXPECT_EQ(run.track("packing.all.coordination").value.at(1), 2);
    EXPECT_THROW(run.track("packing.all.solid_fraction"), InputError);
    EXPECT_EQ(run.name_list().find("all.solid_fraction"), std::string::npos) << run.name_list();
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
