"""Wally against Heuristic (abstract), and trained players against others than they were trained against."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ludus.games.names import game
from ludus.measures.performance import compiled, percent
from ludus.measures.territory import territory_lost
from ludus.papers.abramson2001.runs import Trained, lost, mean_lost, shown
from ludus.papers.abramson2001.setup import BY_KEY, HEURISTIC, LEARNERS, MAIN, RULES, WALLY, Budget
from ludus.papers.study import Study, slug
from ludus.papers.verdicts import verdict_above
from ludus.play.intervals import Estimate
from ludus.play.matches import match, pair_scores
from ludus.players.names import player

WALLYS = {
    WALLY: "Millen's",
    "wally:defends=yes": "saves stones in atari only",
    "wally:defends=yes,edge=yes": "saves stones in atari only, also on the edge",
    "wally:edge=yes": "Millen's, saves stones also on the edge",
    "wally:defends=no": "saves no stones",
    "wally:source=abramson2001": "the paper's list",
    "wally:source=abramson2001,defends=yes,edge=yes": "the paper's list, saves stones in atari",
}
"""The first is the main reading."""

SIZES = (5, 7)
OPENING = "random:2"


def ranking(study: Study[Budget]) -> None:
    """The paper's order of its two opponents."""
    games, rows = study.budget.ranking_games, list[str]()
    played = {
        name: [_won(study, name, size, side) for size in SIZES for side in ("first", "second")] for name in WALLYS
    }
    pairs = {name: [_pairs(study, name, size) for size in SIZES] for name in WALLYS}
    for name, words in WALLYS.items():
        cells = [percent(each.astype(float)) for each in played[name]] + [percent(each) for each in pairs[name]]
        rows.append(f"| `{name}`: {words} | " + " | ".join(f"{each:.0f}" for each in cells) + " |")
    ours = _all_games(played[WALLY])
    readings = [
        study.reading(
            words,
            ours=_words(found := _all_games(played[name])),
            interval=found.interval,
            verdict=verdict_above(found, 50.0),
            runs=0,
        )
        for name, words in WALLYS.items()
        if name != WALLY
    ]
    varied = percent(np.concatenate(pairs[WALLY]))
    readings.insert(
        0,
        study.reading(
            "Millen's, from random openings",
            ours=_words(varied),
            interval=varied.interval,
            verdict=verdict_above(varied, 50.0),
            runs=0,
        ),
    )
    study.claim(
        "section1-wally-stronger",
        "Wally is a stronger opponent than Heuristic.",
        paper="stronger",
        ours=_words(ours),
        interval=ours.interval,
        runs=0,
        verdict=verdict_above(ours, 50.0),
        reading="Wally is Millen's program, since the paper cites his article for it, and says that Newman's of 1988 "
        f"was modified for colours and boards only. {games} games with each colour on 5x5 and on 7x7, all together, "
        "from the usual start.",
        readings=readings,
        note="Colours and boards apart, and games from random openings, are in the section on the paper's opponents.",
    )
    study.section(
        "The paper's opponents",
        f"Games that Wally wins against Heuristic, in percent with 95% intervals: {games} with each colour from the "
        f"usual start, and {2 * games} from random openings (one random move of each side, the same for both colours; "
        "a draw counts half). Heuristic never varies its play, and on 5x5 its first moves happen to suit it or not, so "
        "games from the usual start are few lines of play; random openings show more of both.\n\n"
        "| Wally | 5x5, moving first | moving second | 7x7, first | second | 5x5, random openings | 7x7 |\n"
        + "\n".join(rows),
    )


def _won(study: Study[Budget], name: str, size: int, side: str) -> NDArray[np.bool_]:
    """Which games this Wally wins against Heuristic."""
    variant = game(f"go{size}:{RULES}")
    wally, heuristic = (compiled(player(each, variant)) for each in (name, HEURISTIC))
    games, seed = study.budget.ranking_games, study.workspace.seed
    found = study.workspace.cached(
        f"opponents/go{size}-{slug(name)}-{side}",
        {"player": name, "games": games, "seed": seed},
        partial(territory_lost, wally, heuristic, games, side=side, seed=seed),
    )
    return np.array(found) < 0


def _pairs(study: Study[Budget], name: str, size: int) -> NDArray[np.float64]:
    """The score of each pair of games from a random opening."""
    variant = game(f"go{size}:{RULES}")
    games, seed = 2 * study.budget.ranking_games, study.workspace.seed

    def play() -> NDArray[np.float64]:
        wally, heuristic = (player(each, variant) for each in (name, HEURISTIC))
        return pair_scores(match(wally, heuristic, games, seed=seed, opening=OPENING).scores)

    asked = {"player": name, "games": games, "seed": seed}
    return np.array(study.workspace.cached(f"opponents/go{size}-{slug(name)}-openings", asked, play))


def _all_games(cells: list[NDArray[np.bool_]]) -> Estimate:
    return percent(np.concatenate(cells).astype(float))


def _words(found: Estimate) -> str:
    return f"{found.value:.0f}% of games won"


def other_opponents(study: Study[Budget], trained: Trained) -> None:
    """Who was trained against whom, and plays against whom."""
    names = [HEURISTIC, WALLY, "random"]
    for size, keys in ((5, ("fig5", "fig6")), (7, ("fig9", "fig8"))):
        rows = []
        for learner in LEARNERS:
            for setting in (BY_KEY[key] for key in keys):
                runs, cells = trained.runs(learner, setting), []
                for name in names if runs else ():
                    found = lost(study, f"{setting.key}-{MAIN.key}-{learner}", runs, setting, name, "")
                    cells.append(shown(mean_lost(float(np.mean(games)) for games in found.values())))
                if cells:
                    rows.append(f"| {LEARNERS[learner]}, trained against {setting.opponent} | {' | '.join(cells)} |")
        study.section(
            f"Trained against one, playing another, {size}x{size}",
            f"Part of the board lost on {size}x{size}, the learner moving first, {study.budget.measured_games} "
            "games of each trained player, with 95% intervals over players. `influence` is the paper's Heuristic and "
            "never varies its play.\n\n| | against " + " | against ".join(names) + " |\n" + "\n".join(rows),
        )
