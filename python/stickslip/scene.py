"""Scenes: what is to be simulated."""
from __future__ import annotations

import copy as _copy
import os
import pathlib
from typing import Any, Mapping, Optional, Union

from stickslip import _stickslip
from stickslip.attributes import FixedAttributes
from stickslip.errors import Fault, InputError, SceneError

Path = Union[str, "os.PathLike[str]"]


def _path_text(path: Path) -> str:
    text = os.fsdecode(path)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"path: expected text that UTF-8 can hold, found {text!r}") from None
    return text


def load(path: Path, changes: Optional[Mapping[str, Any]] = None) -> "Scene":
    """Reads a scene from a file of YAML or JSON. `changes`: as of Scene.update().

    FileError: it cannot be read. SceneError: a change leads nowhere; other faults of the scene are told by check(), and
    by who simulates it.
    """
    file = _path_text(path)
    scene = Scene._of(_stickslip.read_scene_file(file), file)
    scene.update(changes or {})
    return scene


class Scene(FixedAttributes):
    """What is to be simulated: the keys of docs/scene_format.md.

    `description` is a dict with the same keys as the YAML; numpy arrays may stand where lists of numbers do. Or it is
    the text itself. `folder`: where the files are that it names; the current one without it.

    Values are read and changed by their path:

        scene["bodies.block.velocity"] = [1, 0, 0]
        scene["contact.friction"]       # also where it is a default
        "bodies.block.force" in scene   # whether it says something there
    """

    _hint = "; values are changed by their path: scene[\"time.end\"] = 2"

    def __init__(self, description: Union[Mapping[str, Any], str], folder: Path = "") -> None:
        if isinstance(description, Mapping):
            description = _stickslip.emit_yaml(dict(description))
        elif not isinstance(description, str):
            raise TypeError(f"description: expected a dict or a text, found {type(description).__name__}")
        self._set(description, str(pathlib.Path(_path_text(folder)) / "scene"))

    @classmethod
    def _of(cls, text: str, file: str) -> "Scene":
        scene = cls.__new__(cls)
        scene._set(text, file)
        return scene

    def _set(self, text: str, file: str) -> None:
        self._text, self._file = text, file
        self._changes: dict[str, str] = {}  # YAML by path, in the order in which they are made
        self._made: Any = None

    def _read(self) -> Any:
        if self._made is None:
            self._made = self._read_with(self._changes)
        return self._made

    def _read_with(self, changes: dict[str, str]) -> Any:
        return _stickslip.read_scene(self._text, self._file, [f"{path}={value}" for path, value in changes.items()])

    def check(self) -> list[Fault]:
        """All that is wrong with it, also in the files that it names; empty: it can be simulated."""
        return self._read().check()[0]

    def warnings(self) -> list[Fault]:
        """What it warns of: contact that will not be detected, bodies that start inside each other."""
        return self._read().check()[1]

    def update(self, changes: Mapping[str, Any]) -> None:
        """Changes values by their paths, all at once. SceneError: one leads nowhere or is no such value; none is made
        then. What the values make wrong elsewhere is left to check()."""
        if not isinstance(changes, Mapping):
            raise TypeError(f"changes: expected a dict of values by path, found {type(changes).__name__}")
        made = dict(self._changes)
        for path, value in changes.items():
            if not isinstance(path, str):
                raise TypeError(f"path: expected a text such as \"time.end\", found {path!r}")
            for old in [old for old in made if old == path or old.startswith((path + ".", path + "["))]:
                del made[old]
            made[path] = _stickslip.emit_flow(value)
        read = self._read_with(made)
        faults = [fault for path in changes for fault in read.faults_of_override(path)]
        if faults:
            raise SceneError(faults)
        self._changes, self._made = made, read

    def __setitem__(self, path: str, value: Any) -> None:
        self.update({path: value})

    def __getitem__(self, path: str) -> Any:
        """The value at a path, defaults filled in: number, str, bool, array of numbers, list, dict or None.

        InputError: there is none. SceneError: the scene is wrong.
        """
        return self._read().value(path)

    def __contains__(self, path: str) -> bool:
        try:
            self[path]
        except SceneError:
            raise
        except InputError:
            return False
        return True

    __iter__ = None  # by paths alone

    def to_yaml(self) -> str:
        """The whole scene with all defaults; numbers read back to the same bits. SceneError: it is wrong."""
        return self._read().text()

    def copy(self) -> "Scene":
        """Another scene that says the same."""
        return _copy.copy(self)

    def __copy__(self) -> "Scene":
        other = type(self)._of(self._text, self._file)
        other._changes, other._made = dict(self._changes), self._made
        return other

    def __deepcopy__(self, memo: Any) -> "Scene":
        return _copy.copy(self)

    def __getstate__(self) -> tuple[str, str, dict[str, str]]:
        return self._text, self._file, self._changes

    def __setstate__(self, state: tuple[str, str, dict[str, str]]) -> None:
        self._text, self._file, self._changes = state
        self._made = None

    def __repr__(self) -> str:
        changes = f", {len(self._changes)} changes" if self._changes else ""
        return f"<stickslip.Scene {self._file}{changes}>"
