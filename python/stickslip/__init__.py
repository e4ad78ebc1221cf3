"""stickslip: frictional contact of rigid bodies, elastic solids, granular spheres and scripted obstacles.

    import stickslip

    simulation = stickslip.Simulation(stickslip.load("scenes/incline.yaml"))
    simulation.run(until=1.0)
    print(simulation.pose("cube").position)

SI units and world axes everywhere; bodies go by their names in the scene.
"""
from stickslip.bodies import Body, Mesh, Pose
from stickslip.equations import StepSystem
from stickslip.errors import BusyError, Error, Fault, FileError, InputError, Interrupted, SceneError, StepError, StickslipWarning
from stickslip._stickslip import Contacts, Energies, Nodes, Particles, Report, Rigids, Snapshot, Spheres, State
from stickslip._stickslip import version as __version__
from stickslip.made_objects import refuse_constructors as _refuse_constructors
from stickslip.runs import Run, open, run
from stickslip.scene import Scene, load
from stickslip.simulation import Simulation
from stickslip.sweeps import sweep

__all__ = [
    "load", "Scene", "Simulation", "State", "Nodes", "Rigids", "Particles", "Spheres", "Body", "Pose", "Mesh", "Contacts", "Report",
    "Energies", "Snapshot", "StepSystem", "run", "open", "Run", "sweep", "Fault", "Error", "InputError", "SceneError",
    "FileError", "StepError", "Interrupted", "BusyError", "StickslipWarning",
]

_refuse_constructors()
