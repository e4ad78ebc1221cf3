"""Run folders: written as the program does, and read back."""
from __future__ import annotations

import collections.abc
import html
import json
import numbers
import pathlib
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from stickslip import _stickslip
from stickslip.errors import FileError, InputError
from stickslip.scene import Path, Scene, _path_text


def run(
    scene: Scene,
    folder: Path,
    until: Optional[float] = None,
    threads: int = 1,
    resume: bool = False,
    force: bool = False,
) -> "Run":
    """Simulates a scene into a run folder, as `stickslip run` does: the same files and the same bits.

    `until`: [s] stops there instead of at `time.end`. `resume`: goes on from the last checkpoint in the folder; `force`:
    replaces the run that is there (without either that is an InputError, and so are both).

    SceneError; StepError when the run gave up; KeyboardInterrupt (Ctrl-C) after it has been saved, to be resumed. In all
    of these but the first the folder is complete.
    """
    _expect_scene(scene)
    _stickslip.run_scene(scene._read(), _path_text(folder), until, resume, force, threads)
    return Run(folder)


def open(folder: Path) -> "Run":
    """A run folder in any state, finished or still growing. FileError: there is none."""
    return Run(folder)


def _expect_scene(scene: Any) -> None:
    if not isinstance(scene, Scene):
        raise TypeError(f"scene: expected a stickslip.Scene, found {type(scene).__name__}; load() and Scene() make one")


class Replay:
    """The replay page of a run; a notebook shows it where it is the value of a cell."""

    def __init__(self, page: str, height: int) -> None:
        if not isinstance(height, numbers.Integral):
            raise TypeError(f"height: expected a whole number, found {height!r}")
        if not 1 <= height <= 10000:
            raise InputError(f"height: expected 1 to 10000 pixels, found {height}")
        self.page = page  #: HTML, one file without links
        self.height = height  #: [pixels] in a notebook

    def save(self, path: Path) -> None:
        """Writes the page for a browser."""
        pathlib.Path(path).write_text(self.page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="{self.height}" '
            'style="border:0" allowfullscreen></iframe>'
        )

    def __repr__(self) -> str:
        return f"<stickslip replay page, {len(self.page) / 1e6:.1f} MB; save(path) writes it>"


class Run:
    """A run folder (docs/run_folder.md). Everything is read when it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = pathlib.Path(_path_text(folder))  #: where it is
        if not (self.folder / "scene.yaml").is_file():
            raise FileError(f"{self.folder}: expected a run folder, found no scene.yaml in it")

    @property
    def scene(self) -> Scene:
        """The scene with all defaults; its files are in the folder."""
        return Scene._of(_stickslip.read_scene_file(str(self.folder / "scene.yaml")), str(self.folder / "scene.yaml"))

    @property
    def summary(self) -> dict[str, Any]:
        """How the run ended and what it cost: summary.json. FileError: it has not ended, or the file is damaged."""
        path = self.folder / "summary.json"
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}: the run has not ended") from None
        except ValueError as error:
            raise FileError(f"{path}: expected JSON, found {error}: the file is damaged") from None

    @property
    def tables(self) -> list[str]:
        """Names of its tables: "history", "bodies", "balance", ..."""
        return sorted(path.stem for path in self.folder.glob("*.csv"))

    def table(self, name: str) -> dict[str, Any]:
        """Columns of a table by name: (n,) arrays of numbers, nan where there is none; words (bodies, status) as arrays
        of str. InputError: there is no such table."""
        if name not in self.tables:
            raise InputError(f"expected one of the tables {', '.join(self.tables)}, found {name!r}")
        columns = _stickslip.read_table(str(self.folder / f"{name}.csv"))
        return {key: np.array(value) if isinstance(value, list) else value for key, value in columns.items()}

    def dataframe(self, name: str) -> Any:
        """A table as a pandas.DataFrame. ImportError: pandas is not installed."""
        import pandas

        return pandas.DataFrame(self.table(name))

    def body(self, name: str) -> dict[str, np.ndarray]:
        """The rows of the table "bodies" of one body. InputError: there is none."""
        table = self.table("bodies")
        names = dict.fromkeys(table["body"])
        if name not in names:
            raise InputError(f"expected one of the bodies {', '.join(names)}, found {name!r}")
        rows = table["body"] == name
        return {key: column[rows] for key, column in table.items() if key != "body"}

    @property
    def frame_times(self) -> np.ndarray:
        """(n,) [s] of the frames."""
        return np.array(_stickslip.frame_times(str(self.folder)))

    def show(self, height: int = 480, megabytes: float = 8.0) -> Replay:
        """The replay page, as `stickslip view` makes it, inline in a notebook. `height`: [pixels]; `megabytes`: frames
        are left out evenly to stay below."""
        return Replay(_stickslip.replay_page(str(self.folder), megabytes), height)

    def render(
        self,
        time: Union[None, float, Sequence[float]] = None,
        size: tuple[int, int] = (1280, 720),
        camera: Optional[Sequence[float]] = None,
        target: Optional[Sequence[float]] = None,
        color: str = "body",
        *,
        min: Optional[float] = None,
        max: Optional[float] = None,
        quantile: Optional[float] = None,
        hide: Union[str, Sequence[str]] = (),
        opacity: Optional[Mapping[str, float]] = None,
        forces: bool = False,
        chains: bool = False,
        labels: bool = False,
        transparent: bool = False,
        draft: bool = False,
    ) -> np.ndarray:
        """A picture, (height, width, 3) uint8, as `stickslip render` makes it; needs no display.

        `time`: [s] the nearest frame (the last one without it), or several that are shown in one picture. `size`: width
        and height [pixels], each from 16 to 8192. `camera`: (3,) [m] its place, `target`: (3,) [m] what it looks at;
        without them it sees the whole run. `draft`: a quarter of the pixels and few lights, in two fifths of the time.

        `color`: "body", "speed" or "stress"; of these two, colours go from `min` (0 without it) to `max` [m/s] or [Pa],
        or cover the share `quantile` of the values of the run (0.995 without it).

        `hide`: names of bodies or families that are left out; `opacity`: from 0 to 1 by name. `forces`: of contacts as
        arrows, `chains`: as bars between centres (of explicit runs both need `output.contacts: true` in the scene).
        `labels`: title, time and a colour bar. `transparent`: no background, and of the ground only the shadows:
        (height, width, 4).

        InputError: no frame is near that time; the run has no such body, no contacts. FileError: the system cannot
        draw. NotImplementedError: the module was built without OpenGL.
        """
        if not hasattr(_stickslip, "render"):
            raise NotImplementedError("the module was built without EGL, OpenGL, libpng, FreeType or the font DejaVu Sans, which draw pictures")
        try:
            width, height = size
        except (TypeError, ValueError):
            raise TypeError(f"size: expected a width and a height, found {size!r}") from None
        names = [hide] if isinstance(hide, str) else hide
        if not isinstance(names, collections.abc.Iterable):
            raise TypeError(f"hide: expected names of bodies, found {hide!r}")
        if not isinstance(opacity or {}, collections.abc.Mapping):
            raise TypeError(f"opacity: expected a dict of numbers by body, found {opacity!r}")
        options = dict(
            width=width, height=height, camera=camera, target=target, color=color, min=min, max=max, quantile=quantile,
            hide=list(names), opacity=dict(opacity or {}), forces=forces, chains=chains, labels=labels, transparent=transparent,
            draft=draft,
        )
        return _stickslip.render(str(self.folder), self._frames_at(time), options)

    def _frames_at(self, time: Union[None, float, Sequence[float]]) -> list[int]:
        times = self.frame_times
        if not len(times):
            raise InputError(f"{self.folder}: expected a run with frames, found none")
        if time is None:
            return [len(times) - 1]
        try:
            wanted = np.atleast_1d(np.asarray(time, dtype=float))
        except (TypeError, ValueError):
            raise TypeError(f"time: expected a number or several, found {time!r}") from None
        if not wanted.size:
            raise InputError("time: expected at least one, found none")
        slack = (times[-1] - times[0]) / max(len(times) - 1, 1)
        if not ((wanted >= times[0] - slack) & (wanted <= times[-1] + slack)).all():
            raise InputError(f"time: expected times from {times[0]:.6g} to {times[-1]:.6g} s, found {time}")
        return [int(np.abs(times - t).argmin()) for t in wanted]

    def __repr__(self) -> str:
        return f"<stickslip.Run {self.folder}>"
