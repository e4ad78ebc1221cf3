"""Bodies of a simulation, as plain tuples."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Body(NamedTuple):
    """A body of the scene, and where it is in State."""

    name: str  #: as in the scene
    kind: str  #: "deformable", "rigid", "obstacle", "mpm" or "spheres"; a rigid body with a motion is an obstacle
    mass: float  #: [kg]; inf of an obstacle, nan of spheres, which may come and leave
    first: int  #: deformable: its first node; mpm: its first particle; rigid: its row; spheres: their group; -1 of obstacles
    count: int  #: number of its rows

    @property
    def rows(self) -> slice:
        """Its rows of state.nodes (deformable), state.particles (mpm) or state.rigids (rigid)."""
        return slice(self.first, self.first + self.count)


class Pose(NamedTuple):
    """Where a body is and how it moves."""

    position: np.ndarray  #: (3,) [m] of the centre of mass; of an obstacle of its origin
    rotation: np.ndarray  #: (4,) unit quaternion (x, y, z, w), body axes to world; that fits best of a deformable body; the identity of an mpm body
    velocity: np.ndarray  #: (3,) [m/s]
    angular_velocity: np.ndarray  #: (3,) [rad/s]


class Mesh(NamedTuple):
    """What a body looks like.

    Of a rigid body or an obstacle in the frame of its pose: it is now at scipy's
    Rotation.from_quat(pose.rotation).apply(vertices) + pose.position. Of a deformable one undeformed, in the frame of
    its shape: its vertices are now at state.nodes.positions[body.rows].

    The arrays are read-only, and views of the simulation's memory where that has them as they are: vertices of
    deformable bodies, and meshes from files unless the centre of mass of a rigid one is not their origin.
    """

    vertices: np.ndarray  #: (n, 3) [m]; a plane is a square of 2 m
    triangles: np.ndarray  #: (m, 3) int, rows of vertices, outward by the right-hand rule
    tetrahedra: np.ndarray  #: (k, 4) int; empty but of deformable bodies
