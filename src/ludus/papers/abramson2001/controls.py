"""What the learners win by learning: trained players beside those that have learned nothing, and our 7x7 problem."""

import numpy as np

from ludus.compile.rng import stream
from ludus.games.names import game
from ludus.measures.performance import compiled
from ludus.papers.abramson2001.runs import (
    Runs,
    Trained,
    changed_run,
    lost,
    lost_by,
    lost_over_games,
    mean,
    mean_lost,
    shown,
    untrained,
)
from ludus.papers.abramson2001.setup import (
    BY_KEY,
    LINEAR,
    LVQ,
    MAIN,
    OUR_MOVE,
    OUR_PROBLEM,
    SETTINGS,
    Budget,
    Setting,
)
from ludus.papers.study import Study
from ludus.players.base import Player
from ludus.players.names import player


def controls(study: Study[Budget], trained: Trained) -> None:
    """Trained players beside an untrained codebook, SLinear, and a random mover, against the opponents of the paper."""
    rows = [
        "| games | SLVQ | SLVQ before training | gained by training | SLinear | SLinear trained against random "
        "| random mover |"
    ]
    random_games = _random_games(study)
    for setting in SETTINGS:
        kinds = {
            LVQ: trained.runs(LVQ, setting),
            LINEAR: trained.runs(LINEAR, setting),
            f"{LINEAR}-random-games": random_games.get(setting, {}),
        }
        means = [_means(study, name, runs, setting) for name, runs in kinds.items()]
        before, chance = (
            lost_by(study, each, setting, setting.opponent, setting.start)
            for each in (untrained(setting), compiled(player("random", game(setting.game))))
        )
        gained = mean(np.mean(before) - np.array(means[0]), (-2.0, 2.0))
        cells = [
            shown(mean_lost(means[0])),
            shown(lost_over_games(before)),
            shown(gained),
            *(shown(mean_lost(each)) for each in means[1:]),
            shown(lost_over_games(chance)),
        ]
        rows.append(f"| {setting.title} | " + " | ".join(cells) + " |")
    study.section(
        "What learning adds",
        f"Part of the board lost when training is over, {study.budget.measured_games} games of each player as Black "
        "against the opponent of the figure, with 95% intervals over trained players, or over games where nothing was "
        "trained. Before training SLVQ is the codebook of its seed games, whose vectors all have the same utility; "
        "against Heuristic, which never varies, it has one game only, and its interval means nothing. The paper also "
        "says that SLinear learns `by playing random games`, though training `was done against the same opponent`: so "
        "it was also trained against a random mover.\n\n" + "\n".join(rows),
    )


def _random_games(study: Study[Budget]) -> dict[Setting, Runs]:
    """SLinear trained against a random mover, in every setting."""
    asked = {
        (setting, seed): changed_run(
            study, LINEAR, setting, seed, {"opponent": "random"}, f"random-games/{setting.key}"
        )
        for setting in SETTINGS
        for seed in study.seeds
    }
    finished = study.workspace.train_available({str(run.folder): run for run in asked.values()})
    return {
        setting: {seed: run for (where, seed), run in asked.items() if where is setting and str(run.folder) in finished}
        for setting in SETTINGS
    }


def _means(study: Study[Budget], name: str, runs: Runs, setting: Setting, start: str | None = None) -> list[float]:
    """What the player of each run loses on average from there, or from where it was trained."""
    start = setting.start if start is None else start
    group = f"{setting.key}-{MAIN.key}-{name}"
    found = lost(study, group, runs, setting, setting.opponent, start) if runs else {}
    return [float(np.mean(games)) for games in found.values()]


def our_problem(study: Study[Budget], trained: Trained) -> None:
    """The 7x7 problem in the place of the paper's Figure 10."""
    setting, variant = BY_KEY["fig11"], game(BY_KEY["fig11"].game)
    given = variant.position(OUR_PROBLEM)
    starts = {
        "as given": OUR_PROBLEM,
        f"after {OUR_MOVE}": given.play(OUR_MOVE).text,
        "White first": OUR_PROBLEM[:-1] + "O",
    }
    rows = [f"| player | {' | '.join(starts)} | {OUR_MOVE} first |"]
    for name, words in ((LVQ, "SLVQ"), (LINEAR, "SLinear")):
        if runs := trained.runs(name, setting):
            cells = [shown(mean_lost(_means(study, name, runs, setting, start))) for start in starts.values()]
            opened = sum(_first_move(study, run.player) == OUR_MOVE for run in runs.values())
            rows.append(f"| {words} | {' | '.join(cells)} | {opened} of {len(runs)} runs |")
    others = {
        "SLVQ before training": untrained(setting),
        **{each: compiled(player(each, variant)) for each in ("influence", "wally", "random")},
    }
    for words, one in others.items():
        cells = [
            shown(lost_over_games(lost_by(study, one, setting, setting.opponent, each))) for each in starts.values()
        ]
        rows.append(f"| {words} | {' | '.join(cells)} | |")
    study.section(
        "The 7x7 problem of our own",
        f"`{OUR_PROBLEM}`, Black to move, in the place of the paper's Figure 10, which is lost. Black has half of the "
        f"board and one eye. {OUR_MOVE} makes the second, and no other move saves the group: with best play the game "
        "then ends 24 to 25, so that 0.02 of the board is lost, and whoever wins owes it to a mistake of Wally. If "
        "White moves first, the group dies. Both come from an exhaustive search of the position (2 and 8 million "
        "nodes, in which positions count as equal whatever moves led to them); GNU Go 3.8 at level 10 plays the same "
        "moves and counts the same score. Part of the board lost to Wally, with 95% intervals over runs, or over games "
        "where nothing was trained:\n\n" + "\n".join(rows),
    )


def _first_move(study: Study[Budget], one: Player) -> str:
    """The first move that a trained player makes in the problem."""
    seat, position = one.seat(), one.game.position(OUR_PROBLEM)
    seat.begin(position, [])
    move = seat.choose(position, stream(study.workspace.seed, "first move"))
    return next(text for text, number in position.legal.items() if number == move)
