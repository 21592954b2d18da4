"""Every learner there is, found from the files in this folder."""

from functools import cache
from typing import Any

from ludus import learners as folder
from ludus.discovery import named
from ludus.errors import LudusError
from ludus.learners.learner import Learner


@cache
def learners() -> dict[str, Learner[Any, Any]]:
    """Every learner by name."""
    return named(folder, "LEARNERS", Learner)  # type: ignore[type-abstract]


def learner(name: str) -> Learner[Any, Any]:
    """The learner of that name."""
    if name not in learners():
        raise LudusError(f"there is no learner {name!r}; there is {', '.join(learners())}")
    return learners()[name]
