"""What a reproduced paper is: its claims, its report, and the workspace where its experiments are done.

A paper is one file or folder that ends with `PAPER = ...`. Its `run` trains and measures, and returns a `Report`, which
`ludus.papers.study` helps to collect; everything around it (resuming, the page, claims.json, the command line) is the
same for all papers and found elsewhere.
"""

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from ludus import __version__
from ludus.errors import InvalidSetting, StorageError
from ludus.papers.verdicts import VERDICTS, Verdict
from ludus.runs.pool import Cluster, complete_all, follow_all
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from ludus.storage import write_whole

SCALES = ("quick", "full")

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
"""Names of claims and figures, which are also names of files and of places on the page."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Our figure for a claim if the paper, or a setting it leaves open, is read in another way."""

    name: str
    """What is read differently, in a few words."""
    ours: str | float | None
    interval: tuple[float, float] | None = None
    runs: int
    verdict: Verdict
    """By the same rule as that of the claim."""

    def __post_init__(self) -> None:
        if wrong := _problem_of_figure(self.ours, self.interval, self.verdict):
            raise InvalidSetting(f"reading {self.name!r}: {wrong}")


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One figure of a paper, with ours beside it."""

    id: str
    """Where it stands in the paper and what it is about, as `table2-tdl-generalization`."""
    description: str
    """One sentence, in our words."""
    paper: str | float
    """The published figure, as `87.26 ± 0.32`."""
    ours: str | float | None
    """Our figure, in the paper's unit; None if it was not run."""
    interval: tuple[float, float] | None = None
    """The 95% interval of our figure."""
    runs: int
    """How many runs our figure comes from."""
    scale: str
    verdict: Verdict
    rule: str = ""
    """What makes it reproduced, with the tolerance; see `ludus.papers.verdicts`."""
    runs_to_settle: int | None = None
    """If it is not settled: about how many runs would settle it."""
    over: Literal["runs", "games"] = "runs"
    """What the interval is over. Games of the same players are settled by more of them rather than by more runs."""
    reading: str = ""
    """How we read the paper here, where it can be read in several ways; chosen from its text before the runs."""
    readings: tuple[Reading, ...] = ()
    """Our figures under other readings."""
    note: str = ""
    """Why, and what was tried; shown on the page."""
    figure: str = ""
    """The stem of the figure that shows it, if any."""

    def __post_init__(self) -> None:
        wrong = (
            _problem_of_name(self.id)
            or (self.scale not in SCALES and f"invalid scale {self.scale!r}: must be {' or '.join(SCALES)}")
            or (isinstance(self.paper, float) and not math.isfinite(self.paper) and "its figures must be finite")
            or _problem_of_figure(self.ours, self.interval, self.verdict)
        )
        if wrong:
            raise InvalidSetting(f"claim {self.id!r}: {wrong}")

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Claim":
        """A claim as claims.json holds it."""
        readings = tuple(Reading(**_with_interval(each)) for each in data.get("readings", ()))
        return cls(**{**_with_interval(data), "readings": readings})

    def to_json(self) -> dict[str, Any]:
        """As claims.json holds it."""
        data: dict[str, Any] = json.loads(json.dumps(asdict(self), default=json_default))
        return data

    def shown(self, value: str | float) -> str:
        """A figure of ours with as many decimals as the paper's, so that both can be compared at a glance.

        Where the paper has words, as `smaller`, they are as many as in our own words, as `by 0.0026`.
        """
        if isinstance(value, str):
            return value
        number = re.compile(r"[\d,]*\d(?:\.(\d+))?")
        first = number.search(self.paper_shown) or number.search(str(self.ours) if isinstance(self.ours, str) else "")
        decimals = max(1, len(first[1] or "")) if first else 2
        unit = "%" if "%" in self.paper_shown else ""
        return (f"{value:z,.{decimals}f}" if isinstance(value, float) else f"{value:,}") + unit

    @property
    def paper_shown(self) -> str:
        return self.paper if isinstance(self.paper, str) else f"{self.paper:,}"

    @property
    def ours_shown(self) -> str:
        return "" if self.ours is None else self.shown(self.ours)

    @property
    def interval_shown(self) -> str:
        return " to ".join(map(self.shown, self.interval)) if self.interval else ""

    @property
    def settled_by(self) -> str:
        """What would settle it, as `about 40 runs`; empty if that can't be told, or if it is settled."""
        if self.runs_to_settle is None:
            return ""
        if self.over == "runs":
            return f"about {self.runs_to_settle:,} runs"
        return f"about {math.ceil(self.runs_to_settle / max(1, self.runs)):,} times the games"


@dataclass(frozen=True)
class Figure:
    """A figure of the report: STEM.svg and STEM.png in its folder, drawn by `ludus.measures.figures`."""

    stem: str
    title: str
    caption: str = ""
    alt: str = ""
    """What there is to see, for those who can't; the title if empty."""

    def __post_init__(self) -> None:
        if wrong := _problem_of_name(self.stem):
            raise InvalidSetting(f"figure {self.stem!r}: {wrong}")


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
    summary: str = ""
    """What holds, under which reading, and what does not: a few lines at the top of the page, as in a `Section`."""


@dataclass(frozen=True)
class Workspace:
    """Where the experiments of a paper are done. Whatever is finished there is not done again."""

    runs: Path
    """The folder for runs and for what was measured."""
    report: Path
    """The folder for the page and its figures."""
    workers: int = 1
    cluster: Cluster | None = None
    """A Dask cluster; None means processes of this machine."""
    seed: int = 1
    partial: bool = False
    """Start no run, and report on those that are finished."""
    log: Callable[[str], None] = lambda line: None
    """Takes a line about what is going on."""

    def seeds(self, count: int) -> list[int]:
        """Seeds for so many runs; another seed of the workspace gives others."""
        if count > 1000:
            raise InvalidSetting(f"there are 1000 seeds for the runs of a paper, not {count}")
        return [1000 * self.seed + number for number in range(count)]

    def run(self, name: str, learner: str, game: str, seed: int, settings: Mapping[str, Any] | None = None) -> Run:
        """A run that is stored under that name."""
        return Run(RunSpec.create(learner, game, settings, seed), self.runs / name)

    def train(self, runs: Sequence[Run]) -> list[Run]:
        """Do these runs, or what is left of them; returns them in the same order."""
        if missing := [run.folder for run in runs if self.partial and not run.finished]:
            raise StorageError(f"there is nothing to report yet: {missing[0]} is not finished; leave out --partial")
        # a partial report starts nothing, so there is nothing to share either
        doing = complete_all(runs) if self.partial else follow_all(runs, self.workers, self.cluster, title="runs")
        for number, run in enumerate(doing, 1):
            self.log(f"{number} of {len(runs)} runs finished: {run.folder.relative_to(self.runs)}")
        return list(runs)

    def train_available(self, runs: Mapping[str, Run]) -> dict[str, Run]:
        """Do these runs, or for a partial report take only those that are finished; by name."""
        if self.partial:
            runs = {name: run for name, run in runs.items() if run.finished}
        return dict(zip(runs, self.train(list(runs.values())), strict=True))

    def cached(self, name: str, asked: Mapping[str, Any], work: Callable[[], Any]) -> Any:
        """What `work` returns, stored as JSON under that name: only another request or version does the work again."""
        if (stored := self.stored(name, asked)) is not None:
            return stored
        self.log(name)
        text = json.dumps({"asked": _request(asked), "found": work()}, default=json_default)
        write_whole(self.runs / f"{name}.json", text.encode())
        return json.loads(text)["found"]

    def stored(self, name: str, asked: Mapping[str, Any]) -> Any:
        """What is stored under that name, if it was asked for so; else None."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            stored = json.loads((self.runs / f"{name}.json").read_text())
            if stored["asked"] == _request(asked):
                return stored["found"]
        return None


class Paper(ABC):
    """A paper whose claims we check."""

    key: ClassVar[str]
    """First author and year, as `jaskowski2014`."""
    title: ClassVar[str]
    authors: ClassVar[str]
    year: ClassVar[int]
    summary: ClassVar[str]
    """What the paper did and found, in a few sentences."""
    doi: ClassVar[str] = ""
    """Of the paper, as `10.1109/IJCNN.2001.938727`, where it is known."""
    scales: ClassVar[Mapping[str, str]]
    """What `quick` and `full` mean here, and how long they take."""

    def command(self, scale: str, seed: int) -> str:
        """What makes the report again."""
        return f"ludus paper {self.key} --scale {scale} --seed {seed}"

    @abstractmethod
    def run(self, scale: str, workspace: Workspace) -> Report:
        """Do the experiments at that scale, or what is left of them, and report what they found."""


def _request(asked: Mapping[str, Any]) -> Any:
    """What is asked of this version, as JSON gives it back."""
    return json.loads(json.dumps({**asked, "ludus": __version__}, default=json_default))


def _with_interval(data: Mapping[str, Any]) -> dict[str, Any]:
    """What JSON holds, with its interval as a tuple again."""
    return {**data, "interval": data["interval"] and tuple(data["interval"])}


def _problem_of_figure(ours: str | float | None, interval: tuple[float, float] | None, verdict: str) -> str:
    numbers = [value for value in (ours, *(interval or ())) if isinstance(value, float)]
    if verdict not in VERDICTS:
        return f"invalid verdict {verdict!r}: must be {' or '.join(VERDICTS)}"
    if (ours is None) != (verdict == "not run"):
        return "not run means that there is no figure of ours"
    if not all(map(math.isfinite, numbers)):
        return "its figures must be finite"
    return "its interval is upside down" if interval and interval[0] > interval[1] else ""


def _problem_of_name(name: str) -> str:
    return "" if _NAME.fullmatch(name) else "its name must be of small letters, digits, dots and hyphens"


def json_default(value: Any) -> Any:
    """Numbers and arrays of NumPy as JSON takes them."""
    return value.tolist()
