"""What `ludus demo` shows: one player grown in half a minute, beside the figures of jaskowski2014."""

import math
from dataclasses import dataclass
from pathlib import Path

from ludus.games.names import game
from ludus.measures import figures
from ludus.measures.figures import Curve
from ludus.measures.performance import compiled, measure
from ludus.papers.base import Paper, Report, Workspace
from ludus.papers.jaskowski2014.published import AGAINST, GAME, RUNS, TABLE_2, TOLERANCE
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_near
from ludus.play.intervals import Estimate

GAMES = 1_000_000
STAGES = (1_000, 10_000, 100_000)
"""Shorter runs of the same seed: since each is how the long one began, they show how it learned."""
MEASURED_GAMES = 20_000
PAPER_GAMES = 2_000_000


@dataclass(frozen=True)
class Budget:
    """How much is done."""

    games: int


class Demo(Paper):
    key = "demo"
    title = "A player grown in half a minute"
    authors = "after Jaśkowski, Szubert and Liskowski"
    year = 2014
    summary = (
        "Temporal difference learning by self-play finds the weights of a piece counter for 8x8 Othello, here with "
        "half the games of jaskowski2014. The player is then measured as in that paper's Table 2."
    )
    scales = {"quick": f"one run of {GAMES:,} games; about a minute in all."}

    def command(self, scale: str, seed: int) -> str:
        return f"ludus demo --seed {seed}"

    def run(self, scale: str, workspace: Workspace) -> Report:
        study = Study(scale, Budget(GAMES), workspace, game(GAME), 1)
        study.seeds = [workspace.seed]
        stages = (*STAGES, GAMES)
        runs = workspace.train(
            [workspace.run(f"{games}-games", "tdl", GAME, workspace.seed, {"games": games}) for games in stages]
        )
        measured = []
        for games, run in zip(stages, runs, strict=True):
            measured.append(measure(compiled(run.player), MEASURED_GAMES, workspace.seed, workspace.workers))
            workspace.log(f"measured after {games:,} games of self-play")
        curves = {
            "generalization": [each.generalization for each in measured],
            "heuristic": [each.heuristic for each in measured],
        }
        for name, estimates in curves.items():
            value, half = TABLE_2["tdl"][name]
            spread = half * math.sqrt(RUNS)
            ours = _widened(estimates[-1], spread)
            study.claim(
                f"tdl-{name}",
                f"A TDL player gets {value}% of the points {AGAINST[name]}.",
                paper=f"{value} ± {half}",
                ours=ours,
                verdict=verdict_near(ours, value, TOLERANCE[name]),
                over="runs",
                note=f"One player after {GAMES:,} games: {estimates[-1]} by its own games. The paper's figure is the "
                f"mean of {RUNS} after 2,000,000, of which 95% are within {spread:.1f} of it; our interval includes "
                "that, so one player settles nothing.",
                figure="learning",
            )
        figures.curves(
            study.figure(
                "learning",
                "How it learned",
                "Points in percent after more and more games; open marks are the paper's means.",
                alt="Two rising curves",
            ),
            {name: Curve.of_estimates(stages, estimates) for name, estimates in curves.items()},
            x="games of self-play",
            y="points (%)",
            x_scale="log",
            marks={f"the paper, {name}": [(PAPER_GAMES, TABLE_2["tdl"][name][0])] for name in curves},
        )
        figures.boards(
            study.figure(
                "weights", "What it learned", "Blue squares are wanted, orange ones are shunned.", alt="A board"
            ),
            study.game,
            {"what each square is worth": compiled(runs[-1].player).parts.evaluator.weights},
        )
        summary = "One player is no evidence for a mean over many: it shows how the figures come about, and no more."
        return study.report(summary=summary)


def _widened(ours: Estimate, spread: float) -> Estimate:
    """A share in percent of one player, with an interval for the mean of many that are so far apart."""
    low, high = ((end - ours.value) for end in ours.interval)
    half = math.hypot(max(-low, high), spread)
    return Estimate(ours.value, (max(0.0, ours.value - half), min(100.0, ours.value + half)))


def main_run(workspace: Workspace) -> Path:
    """The folder of the longest run, which is the player of the demo."""
    return workspace.runs / f"{GAMES}-games"
