"""Groups of runs, which are what a comparison is about: found in folders, or to be trained with so many seeds.

A group is written as a folder (all runs in it and below) or a pattern such as `runs/tdl-*`; or for runs that are yet to
be trained, as `LEARNER:NAME=VALUE,...`, a settings file, or a player that comes with Ludus. Before it may stand a name,
as in `slow=tdl:alpha=0.01`.
"""

import glob
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.errors import DamagedFile, InvalidSetting, StorageError, UnknownName, WrongGame
from ludus.registry import learners
from ludus.runs.run import Run
from ludus.runs.settings import presets, read_settings
from ludus.runs.spec import RunSpec
from ludus.runs.store import find_runs
from ludus.storage import present

GroupLike = str | Path | Sequence[Run]

_NAMED = re.compile(r"([\w][\w .+-]*)=(.+)", re.DOTALL)


@dataclass(frozen=True)
class Group:
    """Runs that differ in their seeds alone, or in whatever their name leaves open."""

    name: str
    runs: tuple[Run, ...]
    planned: bool = False
    """Whether they were asked for as a learner with settings, and are to be trained unless they are finished."""

    @property
    def waiting(self) -> list[Run]:
        return [run for run in self.runs if not run.finished]


@dataclass(frozen=True)
class Training:
    """How runs are trained for which a group is written as a learner."""

    game: str
    seeds: Sequence[int]
    folder: Path
    """Where they are kept, in a folder for each group."""
    snapshots: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Those that all groups share."""


def read_groups(given: Sequence[GroupLike | Mapping[str, GroupLike]], training: Training) -> list[Group]:
    """The groups that are given by what they are, or by name and what they are; see `read_group` for text."""
    return [_group(name, each, training) for name, each in _named(given)]


def game_played(given: Sequence[GroupLike | Mapping[str, GroupLike]]) -> str | None:
    """The game of the first runs that are there, if there are any."""
    for _, each in _named(given):
        for run in _runs_of(str(each)) if isinstance(each, str | Path) else each:
            return run.spec.game
    return None


def _named(given: Sequence[GroupLike | Mapping[str, GroupLike]]) -> list[tuple[str, GroupLike]]:
    return [pair for each in given for pair in (each.items() if isinstance(each, Mapping) else [("", each)])]


def _group(name: str, given: GroupLike, training: Training) -> Group:
    if isinstance(given, str | Path):
        return read_group(str(given), training, name)
    return found_group(name or (given[0].spec.learner if given else "without a name"), given)


def read_group(text: str, training: Training, name: str = "") -> Group:
    """The group that is written so; in the text there may be a name only if none is given.

    Raises LudusError if there is none, or if its runs are damaged or not finished.
    """
    name, place = (name, text.strip()) if name else _split(text)
    if _is_settings(place):
        preset = read_settings(place)
        return planned_group(name or place.removesuffix(".toml"), preset.learner, preset.settings, training)
    if folders := _found(place):
        return found_group(name or place, [run for folder in folders for run in _runs_in(folder)])
    learner, _, settings = place.partition(":")
    if learner not in learners():
        raise UnknownName(
            f"there are no runs in {place!r}; name a folder of runs, a pattern of folders, or a learner with settings "
            "such as tdl:alpha=0.1"
        )
    return planned_group(name or place, learner, parse_pairs(settings, place), training)


def _runs_of(text: str) -> Iterator[Run]:
    """The runs that are there, of a group that is written so."""
    place = _split(text)[1]
    for folder in () if _is_settings(place) else _found(place):
        yield from _runs_in(folder)


def _split(text: str) -> tuple[str, str]:
    """The name of a group, if it has one, and what it is."""
    place = text.strip()
    named = None if _found(place) else _NAMED.fullmatch(place)
    return (named[1].strip(), named[2].strip()) if named else ("", place)


def _is_settings(place: str) -> bool:
    return place in presets() or (place.endswith(".toml") and present(Path(place)))


def planned_group(name: str, learner: str, settings: Mapping[str, Any], training: Training) -> Group:
    """Runs of a learner with these settings, one for each seed; those that are finished are not trained again."""
    specs = [RunSpec.create(learner, training.game, {**training.settings, **settings}, seed) for seed in training.seeds]
    place = training.folder / re.sub(r"[^\w.+=-]+", "-", name).strip("-.")
    runs = tuple(Run(spec, place / f"seed-{spec.seed}", training.snapshots) for spec in specs)
    return Group(name, runs, planned=True)


def found_group(name: str, runs: Iterable[Run]) -> Group:
    """Runs that are there, and finished."""
    group = Group(name, tuple({run.folder.absolute(): run for run in runs}.values()))
    if not group.runs:
        raise UnknownName(f"the group {name} has no runs; name a folder that has some")
    if group.waiting:
        first, many = group.waiting[0], f"{len(group.waiting)} of {len(group.runs)} runs of {name} are not finished"
        raise StorageError(f"{many}, such as {first.folder}; train them to their end, or name the others")
    return group


def check_groups(groups: Sequence[Group]) -> None:
    """Raise LudusError unless these groups can be compared: their names differ, each has runs enough, no run is in two,
    one game for all."""
    names = [group.name for group in groups]
    for name in names:
        if names.count(name) > 1:
            raise InvalidSetting(f"two groups are named {name}; give them names, as in slow={name}")
    for group in groups:
        if len(group.runs) < 2:  # now, not when those of the other groups are trained
            raise InvalidSetting(f"{group.name} has 1 run; a group takes two or more to show how runs differ")
    homes = dict[Path, str]()
    for group in groups:
        for run in group.runs:
            other = homes.setdefault(run.folder.absolute(), group.name)
            if other != group.name:
                raise InvalidSetting(f"{run.folder} is in the groups {other} and {group.name}; a run belongs to one")
    games = {run.spec.game: group.name for group in groups for run in group.runs}
    if len(games) > 1:
        (game, one), (other_game, other), *_ = games.items()
        raise WrongGame(f"{one} plays {game} and {other} plays {other_game}; groups are compared in one game")


def register_planned(groups: Sequence[Group]) -> list[Run]:
    """Write down what is asked of planned runs, or refuse if a folder was asked for others; returns those to train."""
    for group in groups:
        for run in group.runs if group.planned else ():
            run.register()
    return [run for group in groups for run in group.waiting]


def parse_pairs(text: str, whole: str) -> dict[str, str]:
    """Settings as they are written after a learner's name: `alpha=0.1,games=500`."""
    pairs = dict[str, str]()
    for part in filter(None, map(str.strip, re.split(r",(?=\s*\w+\s*=)", text))):
        name, equals, value = part.partition("=")
        if not equals:
            raise InvalidSetting(f"invalid settings in {whole!r}: write them as tdl:alpha=0.1,games=20000")
        pairs[name.strip()] = value.strip()
    return pairs


def _found(place: str) -> list[Path]:
    """The folders that a path or a pattern names."""
    if not place:
        return []
    if present(Path(place)):
        return [Path(place)]
    try:
        return sorted(Path(each) for each in glob.glob(place))
    except (ValueError, re.error):
        return []


def _runs_in(folder: Path) -> list[Run]:
    if folder.is_file():
        return []
    found, wrong = find_runs(folder)
    if wrong:
        raise DamagedFile(f"{len(wrong)} of {len(found) + len(wrong)} runs in {folder} can't be read; {wrong[0]}")
    return found
