"""What `ludus demo` shows: one player grown in half a minute, beside the figures of jaskowski2014."""

from pathlib import Path

from ludus.measures import figures
from ludus.measures.performance import Performance, compiled, generalization, heuristic
from ludus.papers.jaskowski2014 import AGAINST, GAME, TABLE_2, TOLERANCE
from ludus.papers.paper import Claim, Figure, Paper, Report, Workplace, judged
from ludus.players.strings import player
from ludus.registry import game

GAMES = 1_000_000
STAGES = (1_000, 10_000, 100_000)
"""Shorter runs of the same seed: since each is how the long one began, they show how it learned."""
MEASURED_GAMES = 20_000


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

    def run(self, scale: str, place: Workplace) -> Report:
        othello = game(GAME)
        stages = (*STAGES, GAMES)
        folders = place.train(
            [place.task(f"{games}-games", "tdl", GAME, place.seed, {"games": games}) for games in stages]
        )
        learned = [compiled(player(str(folder), othello)) for folder in folders]
        measured: dict[str, list[Performance]] = {
            "generalization": [generalization(one, MEASURED_GAMES, place.seed, place.workers) for one in learned],
            "heuristic": [heuristic(one, MEASURED_GAMES, place.seed, place.workers) for one in learned],
        }
        claims = [
            Claim(
                f"tdl-{name}", f"A TDL player gets {TABLE_2['tdl'][name][0]}% of the points {AGAINST[name]}.",
                TABLE_2["tdl"][name][1], found[-1].percent, found[-1].interval, 1, scale,
                judged(TABLE_2["tdl"][name][0], TOLERANCE[name], found[-1].percent, found[-1].interval),
                note=f"One player after {GAMES:,} games; the paper's figure is the mean of 100 after 2,000,000.",
                figure="learning",
            )
            for name, found in measured.items()
        ]  # fmt: skip
        curves = {
            name: figures.Curve(
                stages, [each.percent for each in found], *zip(*(each.interval for each in found), strict=True)
            )
            for name, found in measured.items()
        }
        figures.curves(place.report / "learning.svg", curves, x="games of self-play", y="points (%)", x_scale="log")
        figures.boards(
            place.report / "weights.svg", othello, {"what each square is worth": learned[-1].parts.evaluator.weights}
        )
        return Report(
            claims,
            [
                Figure(
                    "learning",
                    "How it learned",
                    "Points in percent after more and more games.",
                    alt="Two rising curves",
                ),
                Figure(
                    "weights", "What it learned", "Blue squares are wanted, orange ones are shunned.", alt="A board"
                ),
            ],
            [],
            {"games": GAMES},
            [place.seed],
        )


def main_run(place: Workplace) -> Path:
    """The folder of the longest run, which is the player of the demo."""
    return place.runs / f"{GAMES}-games"
