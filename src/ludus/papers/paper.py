"""What a reproduced paper is: its claims, the experiments behind them, and the place where they are done.

A paper is one file that ends with `PAPER = ...`. Its `run` trains and measures, and returns a `Report`; everything
around it (resuming, the page, claims.json, the command line) is the same for all papers and found elsewhere.
"""

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

from ludus import __version__
from ludus.errors import LudusError
from ludus.lab.many import Cluster, Task, do_all
from ludus.lab.runs import finished
from ludus.storage import write_whole

Verdict = Literal["reproduced", "partly", "not reproduced", "not run"]
Interval = tuple[float, float]

VERDICTS: tuple[str, ...] = get_args(Verdict)
SCALES = ("quick", "full")

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
"""Names of claims and figures, which are also names of files and of places on the page."""


@dataclass(frozen=True)
class Claim:
    """One figure of a paper, with ours beside it."""

    id: str
    """Where it stands in the paper and what it is about, as `table2-tdl-generalization`."""
    says: str
    """One sentence, in our words."""
    paper: str | float
    """The published figure, as `87.26 ± 0.32`."""
    ours: str | float | None
    """Our figure, in the paper's unit; None if it was not run."""
    interval: Interval | None
    """The 95% interval of our figure."""
    runs: int
    """How many runs our figure comes from."""
    scale: str
    verdict: Verdict
    note: str = ""
    """Why, and what was tried; shown on the page."""
    figure: str = ""
    """The stem of the figure that shows it, if any."""

    def __post_init__(self) -> None:
        numbers = [value for value in (self.paper, self.ours, *(self.interval or ())) if isinstance(value, float)]
        wrong = (
            _named(self.id)
            or (self.verdict not in VERDICTS and f"verdict {self.verdict!r} is none of {', '.join(VERDICTS)}")
            or (self.scale not in SCALES and f"scale {self.scale!r} is none of {', '.join(SCALES)}")
            or ((self.ours is None) != (self.verdict == "not run") and "not run means that there is no figure of ours")
            or (not all(map(math.isfinite, numbers)) and "its figures have to be finite")
            or (self.interval and self.interval[0] > self.interval[1] and "its interval is upside down")
        )
        if wrong:
            raise LudusError(f"claim {self.id!r}: {wrong}")

    @property
    def paper_shown(self) -> str:
        return self.paper if isinstance(self.paper, str) else f"{self.paper:,}"

    @property
    def ours_shown(self) -> str:
        """Our figure with as many decimals as the paper's, so that both can be compared at a glance."""
        return "" if self.ours is None else self._shown(self.ours)

    @property
    def interval_shown(self) -> str:
        return " to ".join(map(self._shown, self.interval)) if self.interval else ""

    def _shown(self, value: str | float) -> str:
        if isinstance(value, str):
            return value
        first = re.search(r"[\d,]*\d(?:\.(\d+))?", self.paper_shown)
        decimals = max(1, len(first[1] or "")) if first else 2
        unit = "%" if "%" in self.paper_shown else ""
        return (f"{value:,.{decimals}f}" if isinstance(value, float) else f"{value:,}") + unit


@dataclass(frozen=True)
class Figure:
    """A figure of the report: STEM.svg and STEM.png in its folder, as `Workplace.drawing` makes them."""

    stem: str
    title: str
    caption: str = ""
    alt: str = ""
    """What there is to see, for those who can't; the title if nothing is said."""

    def __post_init__(self) -> None:
        if wrong := _named(self.stem):
            raise LudusError(f"figure {self.stem!r}: {wrong}")


@dataclass(frozen=True)
class Section:
    """A heading and plain text under it.

    Blank lines separate paragraphs; lines that begin with `- ` make a list, and lines `| a | b |` a table, headed by
    its first line. Words in backticks are set as code. Anything else, HTML included, is shown as it is.
    """

    heading: str
    text: str


@dataclass(frozen=True)
class Report:
    """What the experiments of a paper found."""

    claims: Sequence[Claim]
    figures: Sequence[Figure] = ()
    sections: Sequence[Section] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    """What was chosen, by name: budgets, learning rates, numbers of games."""
    seeds: Sequence[int] = ()
    """The seeds of the runs."""


@dataclass(frozen=True)
class Workplace:
    """Where the experiments of a paper are done. Whatever is finished there is not done again."""

    runs: Path
    """The folder for runs and for what was measured."""
    report: Path
    """The folder for the page and its figures."""
    workers: int = 1
    cluster: Cluster | None = None
    """A Dask cluster; None means processes of this machine."""
    seed: int = 1
    so_far: bool = False
    """Begin no run, and tell of those that are finished."""
    tell: Callable[[str], None] = lambda text: None
    """Takes a line about what is going on."""

    def seeds(self, count: int) -> list[int]:
        """Seeds for so many runs; other seeds of the workplace give others."""
        if count > 1000:
            raise LudusError(f"there are 1000 seeds for the runs of a paper, not {count}")
        return [1000 * self.seed + number for number in range(count)]

    def task(self, name: str, learner: str, game: str, seed: int, settings: Mapping[str, Any] | None = None) -> Task:
        """A run that is kept under that name."""
        return Task(learner, game, tuple((settings or {}).items()), seed, str(self.runs / name))

    def train(self, tasks: Sequence[Task]) -> list[Path]:
        """Do these runs, or what is left of them; their folders, in the same order."""
        if missing := [task.folder for task in tasks if self.so_far and not finished(Path(task.folder))]:
            raise LudusError(f"nothing can be told so far: {missing[0]} is not finished; go on without --so-far")
        # so far nothing is left to do, so there is nothing to share either
        doing = do_all(tasks) if self.so_far else do_all(tasks, self.workers, self.cluster)
        for number, folder in enumerate(doing, 1):
            self.tell(f"{number} of {len(tasks)} runs finished: {folder.removeprefix(f'{self.runs}/')}")
        return [Path(task.folder) for task in tasks]

    def trained(self, tasks: Mapping[str, Task]) -> dict[str, Path]:
        """The folders of these runs by name: of all of them or, so far, of those that are finished."""
        if self.so_far:
            tasks = {name: task for name, task in tasks.items() if finished(Path(task.folder))}
        return dict(zip(tasks, self.train(list(tasks.values())), strict=True))

    def kept(self, name: str, asked: Mapping[str, Any], work: Callable[[], Any]) -> Any:
        """What `work` finds, kept as JSON under that name: only another request or version makes it work again."""
        file = self.runs / f"{name}.json"
        asked = json.loads(json.dumps({**asked, "ludus": __version__}, default=plain))
        with suppress(OSError, ValueError, KeyError, TypeError):
            before = json.loads(file.read_text())
            if before["asked"] == asked:
                return before["found"]
        self.tell(name)
        text = json.dumps({"asked": asked, "found": work()}, default=plain)
        write_whole(file, text.encode())
        return json.loads(text)["found"]


class Paper(ABC):
    """A paper whose claims we check."""

    key: ClassVar[str]
    """First author and year, as `jaskowski2014`."""
    title: ClassVar[str]
    authors: ClassVar[str]
    year: ClassVar[int]
    summary: ClassVar[str]
    """What the paper did and found, in a few sentences."""
    scales: ClassVar[Mapping[str, str]]
    """What `quick` and `full` mean here, and how long they take."""

    @abstractmethod
    def run(self, scale: str, place: Workplace) -> Report:
        """Do the experiments at that scale, or what is left of them, and tell what they found."""


def judged(paper: float, tolerance: float, ours: float | None, interval: Interval | None = None) -> Verdict:
    """The verdict on a figure, where `tolerance` is the difference from the paper's that would not matter.

    reproduced      our interval reaches the paper's figure ± tolerance, and is no wider than twice that range
    partly          it reaches it but is wider, so there are too few runs to tell; or it misses it, though our figure
                    is within twice the tolerance
    not reproduced  anything else

    Without an interval our figure stands for it, so with a tolerance of 0 the figures have to be equal.
    """
    if ours is None:
        return "not run"
    low, high = interval or (ours, ours)
    if low <= paper + tolerance and high >= paper - tolerance:
        return "reproduced" if high - low <= 4 * tolerance else "partly"
    return "partly" if abs(ours - paper) <= 2 * tolerance else "not reproduced"


def judged_above(bound: float, ours: float | None, interval: Interval | None = None) -> Verdict:
    """The verdict on a claim that something exceeds a bound, as a difference between two methods exceeds 0.

    reproduced      our whole interval lies above the bound
    partly          our figure does, but not the whole interval
    not reproduced  anything else
    """
    if ours is None:
        return "not run"
    if ours <= bound:
        return "not reproduced"
    return "reproduced" if interval is None or interval[0] > bound else "partly"


def _named(name: str) -> str:
    return "" if _NAME.fullmatch(name) else "its name has to be of small letters, digits, dots and hyphens"


def plain(value: Any) -> Any:
    """Numbers and arrays of NumPy as JSON takes them."""
    return value.tolist()
