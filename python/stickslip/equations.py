"""The equations of a step."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stickslip import _stickslip
from stickslip.attributes import FixedAttributes

if TYPE_CHECKING:
    import scipy.sparse
    import scipy.sparse.linalg


class StepSystem(FixedAttributes, _stickslip.Equations):
    """The equations g(z) = 0 of the next step of an implicit simulation, as its solver sees them.

    Unknowns: three for each node, then six for each rigid body (velocity of its centre of mass, angular velocity times
    its radius of gyration): changes of velocity in the step times the square root of the mass, so that the Euclidean
    norm is that of the mass (docs/derivations.md). Of the state at which it was made; to be made anew when the
    simulation has been steered (InputError else).

    `dt`: length of the step [s]; 0: the nominal one. InputError: an explicit simulation.
    """

    def __init__(self, simulation: _stickslip.Simulation, dt: float = 0.0) -> None:
        super().__init__(simulation, dt)

    def matrix(self) -> "scipy.sparse.bsr_matrix":
        """H = dg/dz at the z given last, (size, size) [-], blocks of 3x3. Needs scipy."""
        from scipy.sparse import bsr_matrix

        return bsr_matrix(self._matrix(), shape=(self.size, self.size))

    def operator(self) -> "scipy.sparse.linalg.LinearOperator":
        """The same without the matrix, for scipy's solvers: products by apply() and apply_transpose()."""
        from scipy.sparse.linalg import LinearOperator

        def flat(product: Any) -> Any:
            return lambda v: product(v.reshape(-1))

        return LinearOperator(
            (self.size, self.size), matvec=flat(self.apply), rmatvec=flat(self.apply_transpose), dtype=float
        )
