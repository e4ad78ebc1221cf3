"""A scene under way."""
from __future__ import annotations

import copy as _copy
import os
import pathlib
import shutil
import tempfile
import weakref
from typing import Any, Optional, Sequence, Union

import numpy as np

from stickslip import _stickslip
from stickslip._stickslip import Snapshot
from stickslip.attributes import FixedAttributes
from stickslip.bodies import Mesh
from stickslip.equations import StepSystem
from stickslip.errors import BusyError, FileError, InputError
from stickslip.runs import Replay, Run, _expect_scene
from stickslip.scene import Path, Scene, _path_text


class Simulation(FixedAttributes, _stickslip.Simulation):
    """A scene under way, by implicit or explicit steps: the scene's `solver.integration` decides.

    It takes exactly the steps of `stickslip run`: the same bits, for any number of threads. Simulations are
    independent of each other; each is used by one thread at a time (BusyError else), and other threads of Python go on
    while it steps.

    `threads`: that its steps use at most; 0: all. `steered`: bodies may be steered to where the scene by itself would
    never bring them, such as two that fly side by side; without it a steering that needs it is an InputError.

    SceneError: the scene is wrong. Warnings come as StickslipWarning.
    """

    def __init__(self, scene: Scene, threads: int = 1, steered: bool = False) -> None:
        _expect_scene(scene)
        super().__init__(scene._read(), threads, steered)
        self._scene = scene.copy()
        self._made_with = (threads, steered)
        self._folder: Optional[pathlib.Path] = None  # of its recording

    @property
    def scene(self) -> Scene:
        """The scene that it was made of, a copy."""
        return self._scene.copy()

    def mesh(self, body: str) -> Mesh:
        """What a body looks like: a Mesh. InputError: spheres, which have none."""
        return Mesh(*self._mesh(body))

    def equations(self, dt: float = 0.0) -> StepSystem:
        """The equations of the next step, of dt [s]; 0: the nominal one. InputError: an explicit simulation."""
        return StepSystem(self, dt)

    def restore(self, moment: Union[Snapshot, Path]) -> None:
        """Goes on from a Snapshot, or from a file of save(), bit by bit. Also after a step that failed.

        InputError: it is of another scene or of other meshes in its files, or the simulation is recorded. FileError:
        the file cannot be read.
        """
        self._restore(moment if isinstance(moment, Snapshot) else self._read_snapshot(moment))

    @staticmethod
    def _read_snapshot(path: Path) -> Snapshot:
        if not isinstance(path, (str, bytes, os.PathLike)):
            raise TypeError(f"moment: expected a Snapshot or the path of a file of save(), found {path!r}")
        path = _path_text(path)
        try:
            content = pathlib.Path(path).read_bytes()
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None
        try:
            return Snapshot.from_bytes(content)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    def save(self, path: Path) -> None:
        """Writes the snapshot of this moment to a file, as a whole or not at all. FileError: it cannot be written."""
        path = pathlib.Path(path)
        part = path.with_name(f"{path.name}.tmp-{os.getpid()}")
        try:
            part.write_bytes(self.snapshot().to_bytes())
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise FileError(f"{path}: {error.strerror}") from None

    def copy(self) -> "Simulation":
        """Another simulation that goes on from here by itself, with the same bits. It is not recorded."""
        return _copy.copy(self)

    def __copy__(self) -> "Simulation":
        other = type(self).__new__(type(self))
        _stickslip.Simulation.__init__(other, self)
        other._scene, other._made_with = self._scene, self._made_with
        other._folder = None
        return other

    def __deepcopy__(self, memo: Any) -> "Simulation":
        return _copy.copy(self)

    def __reduce__(self) -> Any:
        return _unpickled, (type(self), self._scene, *self._made_with, self.snapshot())

    def record(self, folder: Optional[Path] = None, force: bool = False) -> None:
        """Writes a run folder from now on, the one `stickslip run` writes; without `folder` a temporary one, for show()
        and render(). `force`: replaces the run that is there.

        finish_recording() completes it. A recorded simulation cannot be restored. InputError: it is recorded already, or
        the folder holds a run.
        """
        is_temporary = folder is None
        path = pathlib.Path(tempfile.mkdtemp(prefix="stickslip-") if folder is None else _path_text(folder))
        if is_temporary:
            weakref.finalize(self, shutil.rmtree, path, ignore_errors=True)
        self._record(str(path), str(self._scene._file), force or is_temporary)
        self._folder = path

    def finish_recording(self) -> Run:
        """Writes the last frame and the summary. InputError: it is not recorded."""
        self._finish_recording()
        return Run(self._folder)  # type: ignore[arg-type]

    def show(self, height: int = 480, megabytes: float = 8.0) -> Replay:
        """The replay page inline in a notebook: of what was recorded, else of the present moment. See Run.show()."""
        return self._shown(lambda shown: shown.show(height, megabytes))

    def render(self, time: Union[None, float, Sequence[float]] = None, *args: Any, **options: Any) -> np.ndarray:
        """A picture, (height, width, 3) uint8: at a `time` that was recorded, else of the present moment. All other
        arguments are those of Run.render()."""
        return self._shown(lambda shown: shown.render(time, *args, **options), now=time is None)

    def _shown(self, show: Any, now: bool = False) -> Any:
        if self._folder is not None and not now:
            return show(Run(self._folder))
        with tempfile.TemporaryDirectory(prefix="stickslip-") as folder:
            present = self.copy()
            present.record(folder, force=True)
            return show(Run(folder))

    def __repr__(self) -> str:
        try:
            return f"<stickslip.Simulation at {self.time:.6g} s, {len(self.bodies)} bodies>"
        except BusyError:
            return "<stickslip.Simulation in a step of another thread>"


def _unpickled(cls: Any, scene: Scene, threads: int, steered: bool, snapshot: Snapshot) -> Simulation:
    simulation = cls(scene, threads, steered)
    simulation.restore(snapshot)
    return simulation
