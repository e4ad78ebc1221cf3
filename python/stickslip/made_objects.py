"""What only a simulation makes."""
from __future__ import annotations

from typing import Any

from stickslip import _stickslip

_makers = {
    "State": "simulation.state",
    "Nodes": "simulation.state.nodes",
    "Rigids": "simulation.state.rigids",
    "Particles": "simulation.state.particles",
    "Spheres": "simulation.state.spheres",
    "Contacts": "simulation.contacts",
    "Report": "simulation.report",
    "Energies": "simulation.report.energies",
    "Snapshot": "simulation.snapshot()",
}


def _refuse(name: str, maker: str) -> Any:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        raise TypeError(f"{name} cannot be made by hand; expected {maker} of a stickslip.Simulation")

    return __init__


def refuse_constructors() -> None:
    """Says where these objects come from, when one of their classes is called."""
    for name, maker in _makers.items():
        getattr(_stickslip, name).__init__ = _refuse(name, maker)
