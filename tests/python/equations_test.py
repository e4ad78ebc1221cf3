#!/usr/bin/env python3
"""The equations of a step: products, transpose, matrix, derivative."""
import gc
import unittest

import support
from support import np, stickslip


class Equations(unittest.TestCase):
    def setUp(self):
        self.simulation = stickslip.Simulation(support.soft())
        self.simulation.run(0.3)
        self.system = self.simulation.equations()
        self.random = np.random.default_rng(1)
        self.v, self.w = self.random.standard_normal((2, self.system.size))

    def test_transpose(self):
        self.system.residual(np.zeros(self.system.size))
        Hv, Htw = self.system.apply(self.v), self.system.apply_transpose(self.w)
        self.assertAlmostEqual((self.w @ Hv) / (Htw @ self.v), 1, places=11)

    def test_derivative(self):
        h = 1e-6
        g = [self.system.residual(step * self.v) for step in (h, -h)]
        self.system.residual(np.zeros(self.system.size))
        Hv = self.system.apply(self.v)
        self.assertLess(np.abs(Hv - (g[0] - g[1]) / (2 * h)).max(), 1e-5 * np.linalg.norm(Hv))

    def test_matrix(self):
        try:
            import scipy.sparse
        except ImportError:
            self.skipTest("scipy is not installed")
        self.system.residual(np.zeros(self.system.size))
        H = self.system.matrix()
        self.assertTrue(scipy.sparse.isspmatrix_bsr(H) and H.blocksize == (3, 3))
        np.testing.assert_allclose(H @ self.v, self.system.apply(self.v), atol=1e-11)
        np.testing.assert_allclose(H.T @ self.w, self.system.apply_transpose(self.w), atol=1e-11)
        operator = self.system.operator()
        np.testing.assert_array_equal(operator.matvec(self.v), self.system.apply(self.v))
        np.testing.assert_array_equal(operator.rmatvec(self.w), self.system.apply_transpose(self.w))

    def test_a_newton_step_leads_to_the_root(self):
        try:
            from scipy.sparse.linalg import spsolve
        except ImportError:
            self.skipTest("scipy is not installed")
        self.simulation.set_load("block", [20, 0, 0])
        system = self.simulation.equations()
        z = np.zeros(system.size)
        norms = []
        for _ in range(8):
            g = system.residual(z)
            norms.append(np.linalg.norm(g))
            z -= spsolve(system.matrix().tocsc(), g)
        self.assertLess(np.linalg.norm(system.residual(z)), 1e-8 * max(norms[0], 1e-3))

    def test_misuse(self):
        n = self.system.size
        for call, said in [
            (lambda: self.system.apply(self.v), "residual"),
            (lambda: self.system.residual(np.zeros(n + 1)), rf"z: expected real numbers of shape \({n},\), found shape"),
            (lambda: self.system.residual(np.zeros((n, 1))), "shape"),
            (lambda: self.system.residual(np.full(n, np.nan)), "finite"),
            (lambda: self.system.residual(np.zeros(n, dtype=complex)), "complex128"),
            (lambda: self.system.residual([None] * n), "dtype"),
            (lambda: self.simulation.equations(-1), "dt"),
            (lambda: self.simulation.equations(float("nan")), "dt"),
            (lambda: stickslip.Simulation(support.spheres()).equations(), "implicit"),
        ]:
            with self.assertRaisesRegex(stickslip.InputError, said):
                call()
        with self.assertRaisesRegex(TypeError, "expected a stickslip.Simulation, found <class 'int'>"):
            stickslip.StepSystem(5)
        self.system.residual(np.zeros(n))
        self.simulation.set_friction(0.1)
        with self.assertRaisesRegex(stickslip.InputError, "steered or restored since"):
            self.system.apply(self.v)

    def test_it_keeps_the_simulation(self):
        g = self.system.residual(np.zeros(self.system.size))
        del self.simulation
        gc.collect()
        np.testing.assert_array_equal(self.system.residual(np.zeros(self.system.size)), g)

    def test_lists_and_integers_and_strides_are_taken(self):
        n = self.system.size
        g = self.system.residual(np.zeros(n))
        for zeros in ([0] * n, np.zeros(2 * n)[::2], np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.float32)):
            np.testing.assert_array_equal(self.system.residual(zeros), g)


if __name__ == "__main__":
    unittest.main()
