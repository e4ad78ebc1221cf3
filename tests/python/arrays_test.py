#!/usr/bin/env python3
"""Arrays are views of the simulation, and stay good after it is gone; contacts and meshes as arrays."""
import gc
import pathlib
import tempfile
import unittest

import support
from support import np, stickslip


class Views(unittest.TestCase):
    def test_the_array_shows_the_state_as_it_changes(self):
        simulation = stickslip.Simulation(support.soft())
        state = simulation.state
        arrays = [state.nodes.positions, state.nodes.velocities, state.rigids.positions, state.rigids.velocities,
                  state.rigids.angular_velocities, state.rigids.rotations]
        again = [simulation.state.nodes.positions, simulation.state.rigids.rotations]
        self.assertTrue(np.shares_memory(arrays[0], again[0]) and np.shares_memory(arrays[5], again[1]))
        self.assertFalse(any(array.flags.owndata for array in arrays))
        moment = simulation.snapshot()
        before = [array.copy() for array in arrays]
        simulation.set_velocity("block", [1, 0, 0])
        np.testing.assert_array_equal(arrays[3], [[1, 0, 0]])
        for _ in range(5):  # each step: a new state in the same memory
            simulation.step()
            self.assertTrue(np.shares_memory(arrays[0], simulation.state.nodes.positions))
        self.assertTrue((arrays[0] != before[0]).any())
        self.assertGreater(arrays[2][0, 0], 0)
        simulation.restore(moment)
        for array, old in zip(arrays, before):
            np.testing.assert_array_equal(array, old)

    def test_it_stays_after_a_step_that_failed(self):
        scene = support.soft()
        scene.update({"solver.max_newton": 1, "time.min_step": 0.005})
        simulation = stickslip.Simulation(scene)
        positions = simulation.state.nodes.positions
        with self.assertRaises(stickslip.StepError), self.assertWarns(stickslip.StickslipWarning):
            simulation.run(1)
        self.assertTrue(np.shares_memory(positions, simulation.state.nodes.positions))

    def test_shapes(self):
        simulation = stickslip.Simulation(support.soft())
        cube, block = simulation.body("cube"), simulation.body("block")
        self.assertEqual(simulation.state.nodes.positions[cube.rows].shape, (cube.count, 3))
        self.assertEqual(simulation.state.rigids.rotations[block.rows].tolist(), [[0, 0, 0, 1]])
        np.testing.assert_allclose(simulation.pose("block").position, simulation.state.rigids.positions[block.first])
        self.assertEqual(simulation.state.spheres.positions.shape, (0, 3))
        self.assertEqual(simulation.state.spheres.ids.shape, (0,))
        np.testing.assert_allclose(simulation.state.nodes.positions.mean(axis=0), [0.4, 0.051, 0], atol=1e-3)

    def test_arrays_keep_what_they_show(self):
        simulation = stickslip.Simulation(support.soft())
        simulation.run(0.3)
        positions, force = simulation.state.nodes.positions, simulation.contacts.force
        copies = positions.copy(), force.copy()
        del simulation
        gc.collect()
        others = [stickslip.Simulation(support.soft()) for _ in range(3)]  # would take freed memory
        np.testing.assert_array_equal(positions, copies[0])
        np.testing.assert_array_equal(force, copies[1])
        del others

    def test_arrays_are_read_only(self):
        simulation = stickslip.Simulation(support.soft())
        simulation.run(0.1)
        grains = stickslip.Simulation(support.spheres())
        for array in (simulation.state.nodes.positions, simulation.contacts.point, simulation.contacts.sticks,
                      grains.state.spheres.positions, grains.state.spheres.ids):
            with self.assertRaises(ValueError):
                array[...] = 0
        with self.assertRaises(ValueError):
            simulation.state.nodes.positions.setflags(write=True)

    def test_material_points(self):
        simulation = stickslip.Simulation(support.points())
        left, right = simulation.body("left"), simulation.body("right")
        self.assertEqual((left.kind, left.count), ("mpm", 216))  # 27 in each of 8 cells
        self.assertAlmostEqual(left.mass, 8)
        particles = simulation.state.particles
        positions, velocities = particles.positions, particles.velocities
        self.assertEqual(positions.shape, (left.count + right.count, 3))
        np.testing.assert_allclose(positions[right.rows].mean(axis=0), [1, 2, 0], atol=1e-12)
        np.testing.assert_array_equal(velocities[right.rows], np.tile([1, 0, 0], (right.count, 1)))
        simulation.run(0.1)
        self.assertTrue(np.shares_memory(positions, simulation.state.particles.positions))
        tolerance = 1e-6 * 9.81 * 0.01  # of the solver [m/s], for each body as a whole
        np.testing.assert_allclose(velocities[right.rows], np.tile([1, -0.981, 0], (right.count, 1)), atol=tolerance)
        np.testing.assert_allclose(simulation.pose("right").position, positions[right.rows].mean(axis=0), atol=1e-12)
        self.assertGreater(simulation.contact_force("left")[1], 0)
        with self.assertRaisesRegex(stickslip.InputError, "material points"):
            simulation.mesh("left")
        system = simulation.equations()
        v, w = np.random.default_rng(1).standard_normal((2, system.size))
        system.residual(np.zeros(system.size))
        self.assertAlmostEqual(w @ system.apply(v) / (system.apply_transpose(w) @ v), 1, places=9)
        np.testing.assert_allclose(system.matrix() @ v, system.apply(v), atol=1e-9 * np.abs(system.apply(v)).max())

    def test_what_material_points_remember(self):
        scene = support.points()
        scene["gravity"] = [0, 0, 0]
        scene["bodies.left.velocity"] = [0, -1, 0]
        simulation = stickslip.Simulation(scene)
        particles = simulation.state.particles
        F, plastic = particles.deformation_gradients, particles.plastic
        self.assertEqual((F.shape, plastic.shape), ((len(plastic), 3, 3), (len(particles.positions),)))
        np.testing.assert_array_equal(F, np.tile(np.eye(3), (len(F), 1, 1)))
        simulation.run(0.02)
        self.assertTrue(np.shares_memory(F, simulation.state.particles.deformation_gradients))
        rows = simulation.body("left").rows  # pressed against the floor along y
        self.assertLess(F[rows, 1, 1].mean(), 0.995)
        self.assertGreater(F[rows, 0, 0].mean(), F[rows, 1, 1].mean())
        np.testing.assert_array_equal(plastic, 0)


class ExplicitViews(unittest.TestCase):
    """Spheres change places in memory, come and leave; a row of an array is one sphere for good."""

    def columns(self, simulation):
        spheres, rigids = simulation.state.spheres, simulation.state.rigids
        return [spheres.positions, spheres.velocities, spheres.angular_velocities, spheres.rotations, spheres.radii,
                rigids.positions, rigids.velocities, rigids.angular_velocities, rigids.rotations]

    def test_the_array_shows_the_state_as_it_changes(self):
        simulation = stickslip.Simulation(support.spheres())
        moment, arrays = simulation.snapshot(), self.columns(simulation)
        for array, again in zip(arrays, self.columns(simulation)):
            self.assertTrue(np.shares_memory(array, again))
            self.assertFalse(array.flags.owndata or array.flags.writeable)
        before = [array.copy() for array in arrays]
        simulation.set_velocity("brick", [0, 1, 0])
        np.testing.assert_array_equal(arrays[6], [[0, 1, 0]])
        simulation.step()
        self.assertTrue((arrays[0] != before[0]).any())
        self.assertGreater(arrays[5][0, 1], before[5][0, 1])
        heights = []
        simulation.run(0.1, lambda now: heights.append(arrays[5][0, 1]), every=0.02)
        self.assertEqual(len(set(heights)), len(heights))
        spheres = simulation.state.spheres  # the inlet has brought some: behind those of before
        ids, known = list(spheres.ids), len(arrays[0])
        self.assertEqual(ids, sorted(ids))
        self.assertGreater(len(ids), known)
        np.testing.assert_array_equal(arrays[0], spheres.positions[:known])
        np.testing.assert_array_equal(arrays[1], spheres.velocities[:known])
        np.testing.assert_array_equal(simulation.pose("brick").position, arrays[5][0])
        self.assertEqual({array.shape for array in (spheres.velocities, spheres.angular_velocities, spheres.positions)}, {(len(ids), 3)})
        self.assertEqual(set(spheres.groups), {simulation.body("grains").first})
        np.testing.assert_allclose(spheres.radii, 0.01)
        simulation.restore(moment)
        for array, old in zip(arrays, before):
            np.testing.assert_array_equal(array, old)

    def test_rows_of_spheres_that_left_are_nan(self):
        scene = support.spheres()
        scene["outlets"] = [{"name": "gate", "box": {"min": [-1, -1, -1], "max": [0, 1, 1]}}]
        scene["output.history"] = 0.01
        simulation = stickslip.Simulation(scene)
        positions, before = simulation.state.spheres.positions, simulation.state.spheres.positions.copy()
        simulation.run(0.03)
        gone = np.isnan(positions).all(axis=1)
        self.assertTrue(gone[before[:, 0] < -0.005].all() and not gone[before[:, 0] > 0.005].any())
        now = simulation.state.spheres
        np.testing.assert_array_equal(positions[~gone], now.positions[now.ids < len(before)])

    def test_arrays_outlive_the_simulation(self):
        simulation = stickslip.Simulation(support.spheres())
        arrays = self.columns(simulation)
        simulation.run(0.05)
        copies = [array.copy() for array in arrays]
        other = simulation.copy()
        del simulation
        gc.collect()
        other.run(0.1)  # moves arrays of its own
        for array, copy in zip(arrays, copies):
            np.testing.assert_array_equal(array, copy)

    def test_clumps(self):
        pair = "clump: {positions: [[-0.005, 0, 0], [0.005, 0, 0]], radius: 0.01},"
        text = support.SPHERES.replace("radius: 0.01,", pair).replace("count: 60", "count: 20")
        simulation = stickslip.Simulation(stickslip.Scene(text))
        rotations = simulation.state.rigids.rotations
        rows = len(rotations)
        self.assertGreater(rows, 2)
        simulation.run(0.1)
        now = simulation.state.rigids.rotations
        self.assertGreater(len(now), rows)  # by the inlet
        np.testing.assert_array_equal(rotations, now[:rows])
        np.testing.assert_allclose(np.linalg.norm(rotations, axis=1), 1)


class ContactArrays(unittest.TestCase):
    def test_they_carry_the_weight(self):
        simulation = stickslip.Simulation(support.soft())
        self.assertEqual(len(simulation.contacts), 0)
        simulation.run(1)
        contacts = simulation.contacts
        names = np.array([body.name for body in simulation.bodies])
        of_block = (names[contacts.first] == "block") & (names[contacts.second] == "floor")
        np.testing.assert_allclose(contacts.force[of_block].sum(axis=0), [0, 10 * 9.81, 0], atol=1e-3)
        np.testing.assert_allclose(simulation.contact_force("block"), [0, 10 * 9.81, 0], atol=1e-3)
        np.testing.assert_array_equal(contacts.normal, np.tile([0, 1, 0], (len(contacts), 1)))
        self.assertTrue(contacts.sticks.all() and contacts.sticks.dtype == bool)
        self.assertLess(np.abs(contacts.slip).max(), 1e-9)
        for name in ("first_point", "second_point", "depth"):
            self.assertEqual(getattr(contacts, name).shape, (len(contacts),))

    def test_of_spheres(self):
        simulation = stickslip.Simulation(support.spheres())
        simulation.run(0.1)
        contacts = simulation.contacts
        self.assertGreater(len(contacts), 0)
        self.assertTrue(np.isnan(contacts.slip).all() and contacts.slip.shape == (len(contacts), 3))


class Meshes(unittest.TestCase):
    def volume(self, mesh):
        a, b, c = (mesh.vertices[mesh.triangles[:, i]] for i in range(3))
        return np.einsum("ij,ij->", a, np.cross(b, c)) / 6

    def test_meshes_are_views(self):
        simulation = stickslip.Simulation(support.soft())
        once, again = simulation.mesh("cube"), simulation.mesh("cube")
        for a, b in zip(once, again):
            self.assertFalse(a.flags.owndata or a.flags.writeable)
            self.assertTrue(np.shares_memory(a, b))
        rest = once.vertices.copy()
        simulation.run(0.1)
        np.testing.assert_array_equal(once.vertices, rest)  # undeformed
        for name in ("block", "floor"):
            self.assertFalse(any(array.flags.writeable for array in simulation.mesh(name)))
        del simulation, again
        gc.collect()
        others = [stickslip.Simulation(support.soft()) for _ in range(3)]  # would take freed memory
        np.testing.assert_array_equal(once.vertices, rest)
        del others

    def test_an_open_mesh_is_a_view(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "sheet.obj").write_text("v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 4 3\nf 1 3 2\n")
            sheet = {"name": "sheet", "kind": "obstacle", "shape": {"mesh": {"file": "sheet.obj"}}, "contact_geometry": "mesh", "position": [0, 1, 0]}
            scene = stickslip.Scene({"stickslip": 1, "time": {"step": 0.01, "end": 1}, "bodies": [sheet]}, folder)
            simulation = stickslip.Simulation(scene)
        mesh, again = simulation.mesh("sheet"), simulation.mesh("sheet")
        self.assertEqual((mesh.vertices.shape, mesh.triangles.shape, mesh.tetrahedra.shape), ((4, 3), (2, 3), (0, 4)))
        self.assertTrue(np.shares_memory(mesh.vertices, again.vertices) and np.shares_memory(mesh.triangles, again.triangles))
        np.testing.assert_array_equal(mesh.vertices[:, 1], 0)
        np.testing.assert_array_equal(simulation.pose("sheet").position, [0, 1, 0])

    def test_the_second_of_two_has_rows_of_its_own(self):
        scene = support.soft()
        twin = {"name": "twin", "kind": "deformable", "shape": {"box": [0.1, 0.1, 0.1]}, "resolution": 0.05, "material": "gum",
                "position": [-0.4, 0.051, 0]}
        description = scene["bodies"] + [twin]
        simulation = stickslip.Simulation(stickslip.Scene({"stickslip": 1, "time": scene["time"], "materials": scene["materials"], "bodies": description}))
        cube, other = simulation.mesh("cube"), simulation.mesh("twin")
        np.testing.assert_array_equal(cube.triangles, other.triangles)
        np.testing.assert_array_equal(cube.tetrahedra, other.tetrahedra)
        np.testing.assert_array_equal(cube.vertices, other.vertices)

    def test_meshes_enclose_their_bodies(self):
        simulation = stickslip.Simulation(support.soft())
        self.assertAlmostEqual(self.volume(simulation.mesh("block")), 0.2**3)
        cube = simulation.mesh("cube")
        self.assertAlmostEqual(self.volume(cube), 0.1**3)
        corner = cube.vertices[cube.tetrahedra]
        edges = corner[:, 1:] - corner[:, :1]
        self.assertAlmostEqual(np.linalg.det(edges).sum() / 6, 0.1**3)
        self.assertEqual(simulation.mesh("block").tetrahedra.shape, (0, 4))
        self.assertEqual(len(simulation.mesh("floor").triangles), 2)
        self.assertAlmostEqual(self.volume(stickslip.Simulation(support.spheres()).mesh("brick")), 0.04**3)


if __name__ == "__main__":
    unittest.main()
