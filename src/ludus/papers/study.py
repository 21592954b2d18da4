"""What the experiments of all papers have in common: a study collects claims, figures and sections for the report."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from ludus.games.game import Game
from ludus.papers.base import Claim, Figure, Reading, Report, Section, Workspace
from ludus.papers.report import tally
from ludus.papers.verdicts import Ruling
from ludus.play.intervals import Estimate

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Budget = TypeVar("Budget", bound="DataclassInstance")
"""How much is done at a scale; becomes the settings of the report."""

MOST_TIMES = 1000
"""A claim that would take more than so many times the runs is too close to its bound to say how many."""


class Study(Generic[Budget]):
    """The experiments of a paper at one scale, which add claims, figures and sections in the order of the report."""

    def __init__(self, scale: str, budget: Budget, workspace: Workspace, game: Game, runs: int) -> None:
        self.scale, self.budget, self.workspace, self.game = scale, budget, workspace, game
        self.seeds = workspace.seeds(runs)
        """One for each run."""
        self._claims, self._figures, self._sections = list[Claim](), list[Figure](), list[Section]()

    def report(self, notes: Sequence[Section] = (), summary: str = "") -> Report:
        """What was added so far, with these notes after it and a summary above it."""
        return Report(
            claims=self._claims,
            figures=self._figures,
            sections=[*self._sections, *notes],
            settings=asdict(self.budget),
            seeds=self.seeds,
            summary=summary,
        )

    def tally(self, *patterns: str) -> str:
        """The verdicts on the claims whose ids match one of these, as `table2-*`, in words for the summary."""
        return tally([claim for claim in self._claims if any(fnmatchcase(claim.id, each) for each in patterns)])

    def claim(
        self,
        id: str,
        description: str,
        *,
        paper: str | float,
        ours: Estimate | str | float | None,
        verdict: Ruling,
        interval: tuple[float, float] | None = None,
        runs: int | None = None,
        reading: str = "",
        readings: Sequence[Reading] = (),
        over: Literal["runs", "games"] | None = None,
        note: str = "",
        figure: str = "",
    ) -> None:
        """Add a claim. An estimate brings its interval; the number of runs is that of the seeds unless given.

        Intervals are taken to be over runs, or if there are no two of them, over games.
        """
        if isinstance(ours, Estimate):
            interval, ours = ours.interval, ours.value
        count = len(self.seeds) if runs is None else runs
        self._claims.append(
            Claim(
                id=id,
                description=description,
                paper=paper,
                ours=ours,
                interval=interval,
                runs=count,
                scale=self.scale,
                verdict=verdict.verdict,
                rule=verdict.rule,
                runs_to_settle=_runs_to_settle(verdict, count),
                over=over or ("runs" if count > 1 else "games"),
                reading=reading,
                readings=tuple(readings),
                note=note,
                figure=figure,
            )
        )

    def reading(
        self,
        name: str,
        *,
        ours: Estimate | str | float | None,
        verdict: Ruling,
        interval: tuple[float, float] | None = None,
        runs: int | None = None,
    ) -> Reading:
        """Our figure under another reading, for a claim."""
        if isinstance(ours, Estimate):
            interval, ours = ours.interval, ours.value
        count = len(self.seeds) if runs is None else runs
        return Reading(name=name, ours=ours, interval=interval, runs=count, verdict=verdict.verdict)

    def figure(self, stem: str, title: str, caption: str = "", *, alt: str = "") -> Path:
        """Add a figure; returns the file to draw it in."""
        self._figures.append(Figure(stem, title, caption, alt))
        return self.workspace.report / f"{stem}.svg"

    def section(self, heading: str, text: str) -> None:
        """Add a heading with text under it."""
        self._sections.append(Section(heading, text))


def slug(words: str) -> str:
    """A name for files and folders from the words, or the player string, that something is known by."""
    return "".join(each if each.isalnum() or each == "." else "-" for each in words.lower())


def _runs_to_settle(verdict: Ruling, runs: int) -> int | None:
    """About how many runs would settle the claim; players that were not trained count as one."""
    if verdict.times is None or not verdict.times <= MOST_TIMES:  # nan included
        return None
    return math.ceil(round(verdict.times * max(1, runs), 6))
