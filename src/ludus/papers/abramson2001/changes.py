"""Beyond the paper: what lifts the 5x5 player most against GNU Go, and whether that holds with new seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.games.names import game
from ludus.measures.performance import percent, share_over_runs
from ludus.papers.abramson2001.gnugo import (
    BOARD,
    ERRING,
    STRAIGHT,
    STRONGER,
    Opponent,
    games_with_wally,
    installed,
    meet,
    own_games,
    restrained,
)
from ludus.papers.abramson2001.runs import changed_run, late_loss, lost_over_games, mean_lost, shown, untrained
from ludus.papers.abramson2001.setup import BY_KEY, HEURISTIC, LVQ, Budget
from ludus.papers.study import Study, slug
from ludus.players.base import CompiledPlayer
from ludus.players.restrained import Restrained
from ludus.runs.run import Run

SETTING = BY_KEY["fig6"]
HEADING = "What lifts the player most against GNU Go"

NONE = "as we read the paper"
SEARCHER = "alphabeta:depth=2,value=area"
MORE_ROOM = {"capacity": 20_000}
TOGETHER = {"gamma": 1.0, "alpha": 0.3, "side": "both", "times": 3}

CHANGES: Mapping[str, Mapping[str, Any]] = {
    NONE: {},
    "no seeds": {"seeds": "none"},
    "seeds from 108 games of Wally and GNU Go": {"wally_games": 108, **MORE_ROOM},
    "seeds from games of GNU Go with itself": {"own_games": True, **MORE_ROOM},
    "plays both colours": {"side": "both"},
    "also learns from the opponent's moves": {"from_opponent": True},
    "no discount": {"gamma": 1.0},
    "rate 0.3": {"alpha": 0.3},
    "ten times the exploration": {"exploration": 0.9},
    "local patterns, focus 0.5": {"focus": 0.5},
    "six times the games": {"times": 6},
    "trained against Heuristic": {"opponent": HEURISTIC},
    "trained against a search two moves deep": {"opponent": SEARCHER},
    "no discount, rate 0.3, both colours, three times the games": TOGETHER,
    "the same with seeds from games of GNU Go with itself": {**TOGETHER, "own_games": True, **MORE_ROOM},
}
"""By name, in which settings they differ. `times` is a factor of the games; `own_games` seeds from games of GNU Go with
itself, and `wally_games` from so many of Wally and GNU Go, among them those that are shipped."""

CONTROLS = ("random", "influence", "wally")


def lifts(study: Study[Budget]) -> None:
    """Every change by itself, and some of them together, against GNU Go."""
    budget = study.budget
    if not budget.study_runs:
        return
    if not installed():
        study.section(HEADING, "Not run: GNU Go is not installed.")
        return
    seeds = [seed + 500 for seed in study.workspace.seeds(budget.study_runs)]
    trained = {name: runs for name in CHANGES if len(runs := _trained(study, name, seeds)) > 1}
    if not trained:
        study.section(HEADING, "None of its runs is finished yet.")
        return
    met = {ERRING: budget.study_games, STRAIGHT: _few(budget.study_games)}
    losses, rows = dict[str, float](), dict[str, str]()
    for name, runs in trained.items():
        found = [_against(study, name, runs, opponent, games) for opponent, games in met.items()]
        losses[name] = float(np.mean(found[0].lost))
        cells = [shown(mean_lost(found[0].lost)), *found[1].cells, shown(mean_lost(map(late_loss, runs)))]
        rows[name] = f"| {name} | {' | '.join(cells)} |"
    text = (
        f"{budget.study_runs} runs for each change of settings, all of 5x5 games against Wally unless the change says "
        "otherwise, with seeds that are reported nowhere else. Each player then met GNU Go at level 1, in "
        f"{met[STRAIGHT]} games, and GNU Go making every fifth move at random, in {met[ERRING]}: nearly everybody "
        "loses nearly everything to the former, which can't tell players apart. Colours alternate, without komi, each "
        "pair of games after one random move of each side, by area rules, under which our players keep to the paper's "
        "moves and pass when there are none (`restrained`). Part of the board lost and games won, with 95% intervals "
        "over runs, the best against the erring one first; in the last column what is lost in the last quarter of "
        "training to the opponent trained against. Below stand players that have learned nothing, with intervals over "
        "pairs of games. The games of GNU Go with itself are from other openings, but of the same program.\n\n"
        "| change | lost to GNU Go that errs | lost to GNU Go | won (%) | lost in training |\n"
        + "\n".join([*(rows[name] for name in sorted(losses, key=losses.__getitem__)), *_controls(study, met)])
    )
    study.section(HEADING, f"{text}\n\n{_confirmed(study, losses)}")


def _confirmed(study: Study[Budget], losses: Mapping[str, float]) -> str:
    """The best of the changes beside none, with seeds and games that had no part in choosing it."""
    changed = [name for name in losses if name != NONE]
    if not changed or study.budget.confirmed_runs < 2:
        return ""
    best = min(changed, key=losses.__getitem__)
    seeds = [seed + 700 for seed in study.workspace.seeds(study.budget.confirmed_runs)]
    games, lines = study.budget.confirmed_games, list[str]()
    for name in (NONE, best):
        runs = _trained(study, name, seeds)
        if len(runs) < 2:
            return ""
        for opponent, count in ((ERRING, games), (STRAIGHT, games), (STRONGER, _few(games))):
            found = _against(study, f"{name} again", runs, opponent, count, study.workspace.seed + 1)
            lines.append(f"| {name} | {opponent.words} | {count} | {' | '.join(found.cells)} |")
    return (
        "The best of a table looks better than it is. So the change that did best there was tried again beside none, "
        f"with {len(seeds)} new runs of each, other openings, and GNU Go with another seed, also at level 10:\n\n"
        "| change | GNU Go | games of each run | lost | won (%) |\n" + "\n".join(lines)
    )


def _few(games: int) -> int:
    """A quarter of so many games, in pairs: where they tell little, or take long."""
    return max(2, games // 8 * 2)


def _trained(study: Study[Budget], name: str, seeds: Sequence[int]) -> list[Run]:
    """The finished runs with a change."""
    change, folder = dict(CHANGES[name]), f"study/{slug(name)}"
    if study.workspace.partial and not all((study.workspace.runs / folder / f"seed-{seed}").is_dir() for seed in seeds):
        return []  # nor are games to seed from played for a partial report
    if "times" in change:
        change["games"] = change.pop("times") * study.budget.games
    if change.pop("own_games", False):
        change["seeds"] = str(own_games(study))
    if "wally_games" in change:
        change["seeds"] = str(games_with_wally(study, change.pop("wally_games")))
    runs = [changed_run(study, LVQ, SETTING, seed, change, folder) for seed in seeds]
    return list(study.workspace.train_available({str(run.folder): run for run in runs}).values())


@dataclass(frozen=True)
class Met:
    """What the runs of a change score against one opponent."""

    won: list[float]
    """In percent, by run."""
    lost: list[float]
    """The part of the board, by run."""

    @property
    def cells(self) -> list[str]:
        return [shown(mean_lost(self.lost)), f"{share_over_runs(self.won):.0f}"]


def _against(
    study: Study[Budget], name: str, runs: Sequence[Run], opponent: Opponent, games: int, seed: int = 0
) -> Met:
    """These runs against GNU Go."""
    won, lost = [], []
    for run in runs:
        one = restrained(str(run.folder))
        scores, losses = meet(study, f"{slug(name)}-{run.spec.seed}", one, opponent, games, seed)
        won.append(100 * float(np.mean(scores)))
        lost.append(float(np.mean(losses)))
    return Met(won, lost)


def _controls(study: Study[Budget], met: Mapping[Opponent, int]) -> list[str]:
    """Players that have learned nothing, in as many games as the runs of a change together."""
    players = {f"`{name}`": restrained(name) for name in CONTROLS}
    seeds_only = Restrained(untrained(SETTING).parts)
    players["seeds without training"] = CompiledPlayer("untrained", game(BOARD), seeds_only)
    rows = []
    for words, one in players.items():
        found = {
            opponent: meet(study, slug(words), one, opponent, games * study.budget.study_runs)
            for opponent, games in met.items()
        }
        lost = [shown(lost_over_games(found[opponent][1])) for opponent in (ERRING, STRAIGHT)]
        rows.append(f"| {words} | {' | '.join(lost)} | {percent(np.array(found[STRAIGHT][0])):.0f} | |")
    return rows
