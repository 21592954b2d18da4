"""The evolved players of alkhateeb2012, and their matches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.measures.performance import percent
from ludus.measures.ratings import Rating, Result
from ludus.papers.alkhateeb2012.published import BALLOT_GAMES
from ludus.papers.alkhateeb2012.setup import (
    ALIKE,
    GAME,
    GAME_SECONDS,
    GENERATION_GAMES,
    MAIN,
    METHODS,
    ROUND_ROBIN_GAMES,
    VARIANTS,
    Budget,
    Variant,
)
from ludus.papers.study import Study
from ludus.play.intervals import Estimate
from ludus.play.matches import match, pair_scores
from ludus.players.base import Player
from ludus.runs.run import Run

MOST_NAMED = 8
"""Of more runs than this, those that are missing are counted instead of named."""

Players = Mapping[str, Player]
"""By their labels."""


def method_run(study: Study[Budget], method: str, seed: int, generations: int, variant: Variant = MAIN) -> Run:
    """A run of a method."""
    learner, settings = METHODS[method]
    if learner == "blondie24-rr":  # as many games
        generations = max(1, round(generations * GENERATION_GAMES / ROUND_ROBIN_GAMES))
    chosen = settings | {"generations": generations, "depth": study.budget.depth} | dict(variant.settings)
    group = method.lower() if variant is MAIN else f"{variant.key}/{method.lower()}"
    return study.workspace.run(f"{group}/{generations}/seed-{seed}", learner, GAME, seed, chosen)


def league_runs(study: Study[Budget]) -> dict[str, Run]:
    """One of each method, with all generations."""
    return {method: method_run(study, method, study.seeds[0], study.budget.generations) for method in METHODS}


def alike_runs(study: Study[Budget], method: str) -> dict[str, Run]:
    """Several of one method with all generations, the one of the league first."""
    seeds, generations = study.seeds[: study.budget.alike], study.budget.generations
    return {f"{method} {n}": method_run(study, method, seed, generations) for n, seed in enumerate(seeds, 1)}


def short_runs(study: Study[Budget], method: str, variant: Variant = MAIN) -> dict[str, Run]:
    """Several of one method with fewer generations, by their labels."""
    budget = study.budget
    seeds = study.seeds[: budget.short if variant is MAIN else budget.reading_runs]
    reading = "" if variant is MAIN else f", {variant.key}"
    return {
        f"short {method} {n}{reading}": method_run(study, method, seed, budget.short_generations, variant)
        for n, seed in enumerate(seeds, 1)
    }


def train_all(study: Study[Budget], more: Sequence[Run] = ()) -> None:
    """All runs, those of the main claims first, then `more`; a partial report starts none."""
    alike = [list(alike_runs(study, method).values()) for method in ("C0", "C10", "RR")]
    runs = [
        *league_runs(study).values(),
        *(run for turn in zip(*alike, strict=True) for run in turn),  # the second of each, then the third
        *(run for method in ALIKE for run in short_runs(study, method).values()),
        *(run for each in VARIANTS for method in ("C0", "C10") for run in short_runs(study, method, each).values()),
        *more,
    ]
    study.workspace.train_available({str(run.folder): run for run in runs})


def finished(study: Study[Budget], runs: Mapping[str, Run]) -> dict[str, Run]:
    """These runs, done; for a partial report, those that are finished."""
    study.workspace.train_available({name: run for name, run in runs.items() if not run.finished})
    return {name: run for name, run in runs.items() if run.finished}


def players_of(study: Study[Budget], runs: Mapping[str, Run]) -> dict[str, Player]:
    """The players of these runs, labelled by their names; for a partial report, of those that are finished."""
    return {name: replace(run.player, label=name) for name, run in finished(study, runs).items()}


def league_players(study: Study[Budget]) -> dict[str, Player]:
    """One of each method. Of C0 and RR, the one with the most wins among those that are alike, as in the paper."""
    players = players_of(study, league_runs(study))
    for method in ("C0", "RR"):
        evolved = players_of(study, alike_runs(study, method))
        if evolved:
            players[method] = replace(most_wins(study, evolved), label=method)
    return {method: players[method] for method in METHODS if method in players}


def most_wins(study: Study[Budget], players: Players) -> Player:
    """Who wins most games among these; of several, the first."""
    wins = dict.fromkeys(players, 0)
    for each in round_robin(study, players):
        wins[each.a] += each.wins
        wins[each.b] += each.losses
    return players[max(wins, key=lambda name: wins[name])]


def round_robin(study: Study[Budget], players: Players) -> list[Result]:
    """The results of every two of these players."""
    listed = list(players.values())
    return [result(study, a, b) for i, a in enumerate(listed) for b in listed[:i]]


def game_scores(
    study: Study[Budget], a: Player, b: Player, games: int = BALLOT_GAMES, *, opening: str = "ballots", seed: int = 0
) -> NDArray[np.float64]:
    """The score of `a` in each game of a match, in which it moves first in every other one; another seed gives others.

    Players are known by their labels, and by where they come from.
    """

    def play() -> list[float]:
        workers = study.workspace.workers
        found: list[float] = match(a, b, games, seed=chosen, workers=workers, opening=opening).scores.tolist()
        return found

    chosen = study.seeds[0] + seed
    asked = {"players": [_origin(study, each) for each in (a, b)], "games": games, "opening": opening, "seed": chosen}
    number = f" {seed}" if seed else ""
    name = f"matches/{opening}/{a.label} - {b.label}{number}"
    return np.array(study.workspace.cached(name, asked | {"depth": study.budget.depth}, play))


def _origin(study: Study[Budget], player: Player) -> str:
    """The folder of the player's run, wherever the runs are; or its name."""
    folder = Path(player.name)
    return str(folder.relative_to(study.workspace.runs)) if folder.is_relative_to(study.workspace.runs) else player.name


def result(study: Study[Budget], a: Player, b: Player) -> Result:
    """The result of the 86 games of the ballot between two players."""
    scores = game_scores(study, a, b)
    return Result(a.label, b.label, *(int(np.sum(scores == each)) for each in (1.0, 0.5, 0.0)))


def match_score(study: Study[Budget], a: Player, b: Player, games: int = BALLOT_GAMES) -> float:
    """The score of `a` from the ballot, in percent."""
    return float(100 * game_scores(study, a, b, games).mean())


def score_over_games(scores: NDArray[np.float64]) -> Estimate:
    """The score in percent; two games of one opening are one observation."""
    return percent(pair_scores(scores))


def drawn(results: Sequence[Result]) -> Estimate:
    """The share of drawn games in percent, with the interval over games."""
    draws = sum(each.draws for each in results)
    return percent(np.repeat([1.0, 0.0], (draws, sum(each.wins + each.losses for each in results))))


def interval(rating: Rating) -> tuple[float, float]:
    """The 95% interval of a rating."""
    return rating.elo - rating.minus, rating.elo + rating.plus


def core_hours(study: Study[Budget], runs: int, generations: int | None = None) -> float:
    """About what so many runs take of one core; with all generations, unless others are given."""
    games = runs * (generations or study.budget.generations) * GENERATION_GAMES
    return games * GAME_SECONDS[study.budget.depth] / 3600


def waits_for(study: Study[Budget], runs: Mapping[str, Run]) -> str:
    """What a claim that was not run waits for; nothing if all of these runs are finished."""
    missing = {name: run for name, run in runs.items() if not run.finished}
    if not missing:
        return ""
    hours = sum(map(_games, missing.values())) * GAME_SECONDS[study.budget.depth] / 3600
    names = ", ".join(missing) if len(missing) <= MOST_NAMED else f"{len(missing)} runs"
    return f"Not finished: {names}, about {hours:.1f} core-hours in all."


def _games(run: Run) -> int:
    """How many games a run has."""
    settings, round_robin = run.spec.settings, run.spec.learner == "blondie24-rr"
    each: int = settings["rounds"] * (ROUND_ROBIN_GAMES if round_robin else GENERATION_GAMES)
    games: int = settings["generations"] * each + settings["final_rounds"] * ROUND_ROBIN_GAMES
    return games


def table(head: str, rows: Sequence[Sequence[Any]]) -> str:
    """A table as sections have it."""
    return "\n".join([head, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])
