"""A run and its folder, in words that can be sent to another process or machine."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.lab.runs import Progress, Request, train
from ludus.learners.learner import parse_settings
from ludus.learners.names import learner
from ludus.registry import game


@dataclass(frozen=True)
class Task:
    """What is asked of a run, and where it is kept."""

    learner: str
    game: str
    settings: tuple[tuple[str, Any], ...]
    seed: int
    folder: str

    def request(self) -> Request:
        chosen = learner(self.learner)
        return Request(chosen, game(self.game), parse_settings(chosen, dict(self.settings)), self.seed)

    def steps(self, patience: float = 0.0) -> Iterator[Progress]:
        """The run, step by step; if another process works in its folder, wait so many seconds for it to end."""
        return train(self.request(), Path(self.folder), patience=patience)


def do(task: Task) -> str:
    """Do a run to its end; returns its folder."""
    for _ in task.steps():
        pass
    return task.folder
