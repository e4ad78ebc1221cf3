#include "stickslip/scene/import/import_rigid_ipc.h"

#include "stickslip/files/atomic_file.h"
#include "stickslip/math/error.h"
#include "support/imported_scene.h"
#include "support/temporary_folder.h"

#include "support/numeric.h"

#include <algorithm>
#include <numbers>

namespace stickslip::import_rigid_ipc_test {
namespace {

TEST(ImportRigidIpc, TakesOverTimesGravityAndFriction)
{
    const Imported i(R"({"mesh": "cube.obj"})");
    EXPECT_EQ(i.result.scene.time.step, 0.01);
    EXPECT_EQ(i.result.scene.time.end, 2);
    EXPECT_EQ(i.result.scene.gravity, Vec3(0, -9.8, 0));
    EXPECT_EQ(i.result.scene.contact.friction, 0.5);
    EXPECT_TRUE(i.result.notes.empty());
}

TEST(ImportRigidIpc, TakesTheTimeStepOfOlderFiles)
{
    TemporaryFolder folder;
    const auto read = [&](const std::string& times) {
        write_file_atomically(folder.path() / "cube.obj", cube_obj);
        write_file_atomically(folder.path() / "old.json",
            "{" + times + R"("max_time": 1, "rigid_body_problem": {"rigid_bodies": [{"mesh": "cube.obj"}]}})");
        return import_rigid_ipc((folder.path() / "old.json").string(), folder.path(), folder.path());
    };
    const ImportedScene old = read(R"("timestep_size": 0.02, )");
    EXPECT_EQ(old.scene.time.step, 0.02);
    EXPECT_TRUE(old.notes.empty());
    EXPECT_EQ(read(R"("timestep_size": 0.02, "timestep": 0.01, )").scene.time.step, 0.01);
    EXPECT_EQ(read("").faults.size(), 1u);
    EXPECT_EQ(read(R"("timestep_size": 0, )").faults.size(), 1u);
}

class WrongValue : public testing::TestWithParam<std::pair<const char*, const char*>> { };

TEST_P(WrongValue, IsRefused)
{
    const auto& [value, said] = GetParam();
    const Imported i(R"({"mesh": "cube.obj", "type": "kinematic", "kinematic_poses": []}, {"mesh": "cube.obj", )"
        + std::string(value) + "}");
    ASSERT_EQ(i.result.faults.size(), 1u) << value;
    EXPECT_NE(
        format(i.result.faults).find(std::string("rigid_body_problem.rigid_bodies[1].") + said), std::string::npos)
        << format(i.result.faults);
    EXPECT_TRUE(i.result.scene.bodies.empty());
}

INSTANTIATE_TEST_SUITE_P(ImportRigidIpc, WrongValue,
    testing::Values(std::pair(R"("group_id": "a")", "group_id: expected a whole number, found \"a\""),
        std::pair(R"("group_id": 1.5)", "group_id: expected a whole number, found 1.5"),
        std::pair(R"("group_id": 4294967297)", "group_id: expected a whole number, found 4294967297"),
        std::pair(R"("type": null)", "type: expected static, kinematic or dynamic, found null"),
        std::pair(R"("type": 1)", "type: expected static, kinematic or dynamic, found 1"),
        std::pair(R"("enabled": 0)", "enabled: expected true or false, found 0"),
        std::pair(R"("enabled": "false")", "enabled: expected true or false, found \"false\""),
        std::pair(R"("split_components": 1)", "split_components: expected true or false, found 1"),
        std::pair(R"("density": 0)", "density: expected a number > 0, found 0"),
        std::pair(R"("density": -1)", "density: expected a number > 0, found -1"),
        std::pair(R"("position": [0, 1e40, 0])", "position: expected three numbers up to 1e30, found"),
        std::pair(R"("scale": 1e40)", "scale: expected a number up to 1e30, found 1e+40"),
        std::pair(
            R"("type": "kinematic", "kinematic_poses": [1])", "kinematic_poses[0]: expected an object, found 1")));

TEST(ImportRigidIpc, RefusesNegativeFriction)
{
    for (const char* value : {"-0.1", "1e40"}) {
        const Imported i(R"({"mesh": "cube.obj"})", R"(, "coefficient_friction": )" + std::string(value));
        EXPECT_EQ(i.result.faults.size(), 1u) << value;
    }
}

TEST(ImportRigidIpc, TurnsDegreesAndKeepsBodiesWhereTheyAre)
{
    const Imported i(R"({"mesh": "cube.obj", "position": [1, 2, 3], "rotation": [90, 0, 90], "dimensions": [2, 4, 6],
        "linear_velocity": [1, 0, 0], "angular_velocity": [0, 180, 0], "force": [5, 0, 0], "torque": [0, 0, 90],
        "is_dof_fixed": [false, true, false, true, false, false], "density": 500})");
    const BodySettings& body = i.body();
    EXPECT_EQ(body.kind, BodyKind::rigid);
    EXPECT_EQ(std::get<Box>(body.shape).size, Vec3(2, 4, 6));
    // the cube's origin is a corner: the box's centre (1, 2, 3) goes by z <- y, y <- -z, then x <- -y, y <- x
    EXPECT_CLOSE_ALL(body.position, Vec3(1 + 3, 2 + 1, 3 + 2), 1e-14);
    EXPECT_EQ(body.velocity, Vec3(1, 0, 0));
    EXPECT_CLOSE_ALL(body.angular_velocity, Vec3(0, std::numbers::pi, 0), 1e-15);
    EXPECT_EQ(body.force, Vec3(5, 0, 0));
    EXPECT_CLOSE_ALL(body.torque, Vec3(0, 0, std::numbers::pi / 2), 1e-15);
    EXPECT_TRUE(i.says("rigid_bodies[0].torque: multiplied by pi/180"));
    EXPECT_EQ(body.fixed_dofs, (FixedDofs{false, true, false, true, false, false}));
    EXPECT_EQ(i.result.scene.materials.at(0).density, 500);
    EXPECT_NEAR(i.built().built.world.rigids.at(0).mass, 500 * 48, 1e-9);
}

TEST(ImportRigidIpc, KeepsAMeshWithItsScale)
{
    const Imported i(R"({"mesh": "wedge.obj", "scale": [1, 2, 0.5]}, {"mesh": "wedge.obj", "scale": 3})");
    EXPECT_EQ(std::get<MeshShape>(i.body(0).shape).file, "shapes/wedge.obj");
    EXPECT_EQ(i.body(1).name, "wedge 2");
    const BuildResult built = i.built();
    ASSERT_EQ(format(built.faults), "");
    EXPECT_NEAR(built.built.world.rigids.at(0).mass, 1000, 1e-9); // its volume is 1
    EXPECT_NEAR(built.built.world.rigids.at(1).mass, 27000, 1e-8);
}

TEST(ImportRigidIpc, FixedAndScriptedBodiesBecomeObstacles)
{
    const Imported i(R"({"mesh": "cube.obj", "is_dof_fixed": true}, {"mesh": "cube.obj", "type": "static"},
        {"mesh": "cube.obj", "type": "kinematic", "linear_velocity": [0, 1, 0]}, {"mesh": "cube.obj"})");
    EXPECT_EQ(i.body(0).kind, BodyKind::obstacle);
    EXPECT_EQ(i.body(1).kind, BodyKind::obstacle);
    EXPECT_EQ(std::get<SteadyMotion>(i.body(2).motion.value()).velocity, Vec3(0, 1, 0));
    EXPECT_EQ(i.built().built.world.rigids.size(), 1u);
    EXPECT_EQ(i.built().built.world.obstacles.size(), 3u);
}

TEST(ImportRigidIpc, SheetsBecomeBoxesWithTheSameFace)
{
    const Imported i(R"({"mesh": "sheet.obj", "is_dof_fixed": true, "position": [0, 1, 0], "scale": [2, 1, -1]},
        {"mesh": "sheet.obj", "position": [0, 9, 0], "scale": [0.2, 1, 0.1]})");
    EXPECT_EQ(std::get<Box>(i.body(0).shape).size, Vec3(20, 2, 10));
    EXPECT_CLOSE_ALL(i.body(0).position, Vec3(0, 0, 0), 1e-15); // its upper face at y = 1
    EXPECT_EQ(std::get<Box>(i.body(1).shape).size, Vec3(2, 0.02, 1));
    EXPECT_CLOSE_ALL(i.body(1).position, Vec3(0, 9, 0), 1e-15);
    EXPECT_TRUE(i.says("rigid_bodies[0].mesh: a sheet has no volume: a box 2.0 m thick here"));
    const Imported upside_down(R"({"mesh": "sheet.obj", "is_dof_fixed": true, "rotation": [180, 0, 0]})");
    EXPECT_CLOSE_ALL(upside_down.body().position, Vec3(0, -0.5, 0), 1e-14);
}

TEST(ImportRigidIpc, BodiesOfAGroupPassThroughEachOther)
{
    const Imported i(
        R"({"mesh": "cube.obj", "group_id": 3}, {"mesh": "cube.obj"}, {"mesh": "cube.obj", "group_id": 3})");
    ASSERT_EQ(i.result.scene.contact.pairs.size(), 1u);
    EXPECT_FALSE(i.result.scene.contact.pairs[0].enabled);
    EXPECT_EQ(i.result.scene.contact.pairs[0].bodies[1], "cube 3");
}

TEST(ImportRigidIpc, ListsWhatItLeavesOut)
{
    const Imported i(R"({"mesh": "cube.obj", "colour": "red", "#force": [1, 0, 0], "kinematic_max_time": 3},
        {"mesh": "no_such.obj"}, {"vertices": [[0, 0, 0]]}, {"mesh": "cube.obj", "enabled": false})",
        R"(, "coefficient_restitution": 0.5, "speed": 1)", R"(, "ipc_solver": {"velocity_conv_tol": 1e-4})");
    EXPECT_TRUE(i.says("ipc_solver: not carried over, {\"velocity_conv_tol\":0.0001}"));
    EXPECT_TRUE(i.says("rigid_body_problem.coefficient_restitution: not carried over, 0.5"));
    EXPECT_TRUE(i.says("rigid_body_problem.speed: not carried over, 1"));
    EXPECT_TRUE(i.says("rigid_bodies[0].colour: not carried over, \"red\""));
    EXPECT_TRUE(i.says("rigid_bodies[0].#force: commented out there, [1,0,0]"));
    EXPECT_TRUE(i.says("rigid_bodies[0].kinematic_max_time: has no effect on a body of this type"));
    EXPECT_TRUE(i.drops("rigid_bodies[2].mesh: the body has no mesh file"));
    EXPECT_TRUE(i.says("rigid_bodies[3].enabled: the body is disabled"));
    EXPECT_EQ(i.result.notes.size(), 7u);
    EXPECT_EQ(i.result.dropped.size(), 1u);
    EXPECT_EQ(i.result.scene.bodies.size(), 2u);
}

TEST(ImportRigidIpc, NamesMeshesThatAreMissing)
{
    const Imported i(R"({"mesh": "cube.obj"}, {"mesh": "no_such.obj"})");
    ASSERT_EQ(i.result.missing.size(), 1u);
    EXPECT_EQ(i.result.missing[0].path, "rigid_body_problem.rigid_bodies[1].mesh");
    EXPECT_TRUE(i.result.missing[0].message.starts_with("\"no_such.obj\" is not in the folders"));
    EXPECT_EQ(i.result.missing[0].line, 1);
    EXPECT_EQ(i.result.scene.bodies.size(), 2u);
}

TEST(ImportRigidIpc, ListsWhatHasNoEffectThereEither)
{
    const Imported i(R"({"mesh": "cube.obj", "type": "static", "linear_velocity": [0, 0, 1], "force": [0, 0, 0]},
        {"mesh": "cube.obj", "is_dof_fixed": true, "angular_velocity": [0, 90, 0]},
        {"mesh": "cube.obj", "type": "kinematic", "linear_velocity": [1, 0, 0], "torque": [1, 0, 0]},
        {"mesh": "cube.obj", "linear_velocity": [1, 0, 0], "kinematic_poses": [{"position": [0, 1, 0]}]})");
    EXPECT_TRUE(i.says("rigid_bodies[0].linear_velocity: has no effect on a body of this type"));
    EXPECT_TRUE(i.says("rigid_bodies[1].angular_velocity: has no effect"));
    EXPECT_TRUE(i.says("rigid_bodies[2].torque: has no effect"));
    EXPECT_TRUE(i.says("rigid_bodies[3].kinematic_poses: has no effect"));
    EXPECT_EQ(i.result.notes.size(), 4u);
}

std::string refusal(const std::string& text)
{
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "s.json").string();
    write_file_atomically(path, text);
    std::string faults;
    for (const Fault& fault : import_rigid_ipc(path, {}, ".").faults)
        faults += (fault.file == path ? "" : fault.file) + std::to_string(fault.line) + ":"
            + std::to_string(fault.column) + " " + fault.path + ": " + fault.message + "\n";
    return faults;
}

TEST(ImportRigidIpc, RefusesOtherFiles)
{
    EXPECT_EQ(refusal("{\"a\": "), "1:6 : expected a JSON object, found damaged JSON\n");
    EXPECT_EQ(refusal("{\n \"a\": x}"), "2:7 : expected a JSON object, found damaged JSON\n");
    EXPECT_EQ(refusal("3"), "1:1 : expected a JSON object, found 3\n");
    EXPECT_EQ(refusal(" \n"), "1:2 : expected a JSON object, found nothing\n");
    EXPECT_EQ(refusal("{\"a\": 1}"), "1:1 : expected a scene of rigid-ipc, found no \"rigid_body_problem\"\n");
    const std::string begin = "{\"timestep\": 0.1, \"max_time\": 1, \"rigid_body_problem\": ";
    EXPECT_EQ(refusal(begin + "{}}"), "1:34 rigid_body_problem.rigid_bodies: required key is missing\n");
    EXPECT_EQ(refusal(begin + "{\"rigid_bodies\": []}}"),
        "1:73 rigid_body_problem.rigid_bodies: no body could be carried over\n");
    EXPECT_EQ(refusal(begin + "{\"rigid_bodies\": [{\"mesh\": \"m.obj\", \"position\": [1, 2]}]}}"),
        "1:104 rigid_body_problem.rigid_bodies[0].position: expected three numbers (two-dimensional scenes are not "
        "supported), found [1,2]\n");
    EXPECT_EQ(refusal(begin + "{\"rigid_bodies\": [{\"mesh\": 3}]}}"),
        "1:83 rigid_body_problem.rigid_bodies[0].mesh: expected the name of a mesh file, found 3\n");
    EXPECT_EQ(refusal(begin + "{\"rigid_bodies\": [{\"mesh\": \"m.obj\", \"is_dof_fixed\": [true, 1]}]}}"),
        "1:108 rigid_body_problem.rigid_bodies[0].is_dof_fixed: expected true, false or six of them, found [true,1]\n");
    EXPECT_EQ(refusal("{\"max_time\": 1, \"rigid_body_problem\": {}}"),
        "1:1 timestep: required key is missing\n1:17 rigid_body_problem.rigid_bodies: required key is missing\n");
    EXPECT_THROW(import_rigid_ipc("no_such.json", {}, "."), FileError);
}

} // namespace
} // namespace stickslip::import_rigid_ipc_test
