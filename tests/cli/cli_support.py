"""What the tests of the command line share: running the program, one printed line a check, scenes and meshes to run."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import traceback

HISTORY = (
    "time,dt,newton,krylov,residual,contacts,sticking,sliding,kinetic_energy,potential_energy,elastic_energy,contact_energy,"
    "friction_loss,px,py,pz,lx,ly,lz,max_contact_depth,wall"
)
BODIES = "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"
BALANCE = (
    "time,change,external_work,stiffening_work,inertia_loss,elastic_loss,geometric_loss,viscous_loss,friction_loss,contact_loss,energy_error,"
    "momentum_error_x,momentum_error_y,momentum_error_z,angular_error_x,angular_error_y,angular_error_z,"
    "angular_backward_euler_x,angular_backward_euler_y,angular_backward_euler_z,plastic_loss,transfer_loss,hardening_work"
)
SOLVES = "time,dt,status,tries,newton,krylov,descent_steps,evaluations,residual,evaluation,assembly,linear_solve"
LOADS = "time,body,fx,fy,fz,tx,ty,tz"
PAIRS = "time,pair,contacts,fx,fy,fz,tx,ty,tz"
CONTACTS = "time,point_body,surface_body,node,x,y,z,nx,ny,nz,fx,fy,fz,depth,state"

# A small cube that drops a little, slides and has come to contact after a few steps. No expectations: exit status 0.
SLIDE = """stickslip: 1
title: A small cube slides on a floor
time: {step: 0.01, end: 0.6, frame: 0.035}
contact: {friction: 0.2}
materials:
  rubber: {density: 1000, young: 2.0e5, poisson: 0.4}
bodies:
  - {name: floor, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - name: cube
    kind: deformable
    shape: {box: [0.1, 0.1, 0.1]}
    resolution: 0.05
    material: rubber
    position: [0, 0.055, 0]
    velocity: [1, 0, 0.2]
output: {contacts: true, checkpoint: 0.05}
"""


class Tester:
    """Runs checks in a temporary folder; a failed one does not stop the others."""

    def __init__(self):
        if len(sys.argv) != 3:
            sys.exit(f"usage: {sys.argv[0]} PROGRAM SOURCE_DIR")
        self.program = str(pathlib.Path(sys.argv[1]).resolve())
        self.source = pathlib.Path(sys.argv[2]).resolve()
        if not os.access(self.program, os.X_OK):
            print(f"skipped: there is no program {self.program}")
            sys.exit(77)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="stickslip-cli-")).resolve()
        self.failed = 0
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"), LC_ALL="C")

    def run(self, *arguments, **options):
        """The program with these arguments in the temporary folder; stdout and stderr as text."""
        options.setdefault("cwd", self.folder)
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        options.setdefault("timeout", 60)
        return subprocess.run(
            [self.program, *map(str, arguments)], env=self.environment, encoding="utf-8", errors="replace", **options
        )

    def start(self, *arguments):
        return subprocess.Popen(
            [self.program, *map(str, arguments)],
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    def check(self, what, holds, detail=""):
        print(("ok      " if holds else "FAILED  ") + what, flush=True)
        if not holds:
            self.failed += 1
            for line in str(detail).splitlines()[:30]:
                print("          " + line, flush=True)
        return holds

    def equal(self, what, found, expected):
        return self.check(what, found == expected, f"expected {expected!r}\nfound    {found!r}")

    def group(self, function):
        """A check that breaks off is a failed check."""
        try:
            function(self)
        except Exception:
            self.check(f"{function.__name__} runs through", False, traceback.format_exc())

    def finish(self, groups):
        try:
            for function in groups:
                self.group(function)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
        print(f"{self.failed} failed" if self.failed else "all hold")
        sys.exit(1 if self.failed else 0)


def shown(result):
    """A finished process in words, for the detail of a failed check."""
    return f"exit status {result.returncode}\nstdout: {result.stdout}\nstderr: {result.stderr}"


def msh(nodes, tets, element=4):
    """Gmsh 2.2 as text; nodes and elements are numbered from 1."""
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(nodes))]
    lines += [f"{i} {x} {y} {z}" for i, (x, y, z) in enumerate(nodes, 1)]
    lines += ["$EndNodes", "$Elements", str(len(tets))]
    lines += [f"{i} {element} 2 0 1 " + " ".join(map(str, tet)) for i, tet in enumerate(tets, 1)]
    return "\n".join(lines + ["$EndElements", ""])


def obj(vertices, triangles):
    return "".join(f"v {x} {y} {z}\n" for x, y, z in vertices) + "".join(f"f {a} {b} {c}\n" for a, b, c in triangles)
