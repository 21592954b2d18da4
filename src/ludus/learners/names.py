"""Learners by name."""

from typing import Any

from ludus.errors import UnknownName
from ludus.learners.base import Learner
from ludus.registry import learners
from ludus.suggestions import did_you_mean


def learner(name: str) -> Learner[Any, Any]:
    """The learner of that name."""
    if name not in learners():
        raise UnknownName(
            f"unknown learner {name!r}{did_you_mean(name, learners())}; known learners: {', '.join(learners())}"
        )
    return learners()[name]
