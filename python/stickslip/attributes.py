"""Attributes that objects have and no others."""
from __future__ import annotations

import difflib
from typing import Any


class FixedAttributes:
    """Refuses attributes that its class does not have, such as a mistyped `simulation.tim = 3`. Classes that users derive
    take what they are given."""

    _hint = ""  # of what to write instead, where no attribute is nearly called so

    def __setattr__(self, name: str, value: Any) -> None:
        cls = type(self)
        if cls.__module__.startswith("stickslip.") and not name.startswith("_") and not hasattr(cls, name):
            close = difflib.get_close_matches(name, [known for known in dir(cls) if not known.startswith("_")], 1)
            hint = f"; did you mean {close[0]!r}?" if close else cls._hint
            raise AttributeError(f"stickslip.{cls.__name__} has no attribute {name!r}{hint}")
        super().__setattr__(name, value)
