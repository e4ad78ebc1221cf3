"""What may go wrong."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a scene, and where. str() is the text with the line of the scene and a caret."""

    file: str  #: the scene's file, or one that it includes; empty: a value that was changed
    line: int  #: from 1; 0: no line of a text
    column: int  #: from 1
    path: str  #: of the key: "bodies.block.material"
    message: str  #: what was expected and what was found
    hint: str  #: the part of the message that says what to do; may be empty
    warning: bool  #: True: the scene is good nonetheless
    text: str  #: all of it, for people

    def __str__(self) -> str:
        return self.text


class Error(Exception):
    """The base of all errors of this package."""


class InputError(Error, ValueError):
    """A name, number, array or snapshot is wrong; the text says what was expected and what was found."""


class SceneError(InputError):
    """A scene is wrong: str() shows all faults with their lines, `faults` is a list of Fault."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


class FileError(Error, OSError):
    """A file cannot be read or written."""


class StepError(Error, RuntimeError):
    """A step failed: the solver gave up, a body went through another, energy came from nowhere. The text says which."""


class Interrupted(Error):
    """Simulation.interrupt() ended a step; the simulation is as it was before it."""


class BusyError(Error, RuntimeError):
    """Another thread is in a step of the same simulation: one thread at a time. copy() makes another simulation."""


class StickslipWarning(UserWarning):
    """What a scene or a run warns of: too long steps, bodies that start inside each other."""
