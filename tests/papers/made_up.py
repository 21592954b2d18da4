"""A paper that nobody wrote, with something of everything that a report can hold."""

from dataclasses import dataclass

import ludus
from ludus.measures.figures import Curve, curves
from ludus.measures.performance import share_over_runs
from ludus.papers.base import Paper, Report, Section, Workspace
from ludus.papers.study import Study
from ludus.papers.verdicts import verdict_above, verdict_near, verdict_pattern
from ludus.play.intervals import Estimate


@dataclass(frozen=True)
class Budget:
    """How much is done."""

    games: int = 200_000
    learning_rate: float = 0.05


class MadeUp(Paper):
    key = "nobody2031"
    title = "Learning & Breeding: two ways to the same <corner>"
    authors = "A. Nobody, B. Someone"
    year = 2031
    summary = """
        Players of Othello are grown by two methods, learning and breeding, and compared by several measures. Learned
        players are stronger against a good opponent; bred players are better against weak ones.
        """
    scales = {
        "quick": "Three runs of a tenth of the paper's games: about two minutes on two cores.",
        "full": "The paper's budget.",
    }

    def __init__(self) -> None:
        self.measured = 0

    def run(self, scale: str, workspace: Workspace) -> Report:
        study = Study(scale, Budget(), workspace, ludus.game("othello6"), 3)
        scores = workspace.cached("generalization", {"seeds": study.seeds}, lambda: self.measure(study.seeds))
        measured = share_over_runs(scores)
        strength = range(10, 100, 10)
        drawn = {
            "bred": Curve(strength, [96, 95, 93, 91, 87, 82, 76, 69, 60]),
            "learned": Curve(strength, [93, 92, 91, 89, 87, 84, 80, 74, 66]),
        }
        title = "Score against opponents of a given strength"
        file = study.figure("profile", title, "Mean of 3 runs; the curves cross at 50.")
        curves(file, drawn, x="strength of the opponent (%)", y="score (%)")
        study.claim(
            "table2-learned-generalization",
            "A learned player scores 87.26% against random players.",
            paper="87.26 ± 0.32",
            ours=measured,
            verdict=verdict_near(measured, 87.26, 1.5),
            figure="profile",
        )
        ahead, slower = Estimate(1.9, (-0.6, 4.4), 3), Estimate(14.1, (9.8, 18.4), 3)
        study.claim(
            "table2-learned-advantage",
            "Learned players score more against the heuristic than bred ones do, by some 14 points.",
            paper=13.83,
            ours=ahead,
            verdict=verdict_above(ahead, 0),
            reading="both breed for the same number of games, as <section> 3 says of `games`",
            readings=[
                study.reading("the same time", ours=slower, verdict=verdict_above(slower, 0), runs=5),
                study.reading("the same number of generations", ours=None, verdict=verdict_above(None, 0), runs=0),
            ],
            note="The difference has the paper's sign, but three runs are too few to tell it from none.",
        )
        study.claim(
            "section5-clusters",
            "Learned players fall into four clusters, which differ in the corner that is weak.",
            paper="4 clusters",
            ours=2,
            verdict=verdict_near(2, 4, 0),
            note="""
            <script>alert("never")</script> Each of our runs has one weak corner, as the paper says, but three runs
            can't show four corners. We tried `bandwidth=0.2` and `0.4` with the same result.
            """,
        )
        study.claim(
            "section5-corners",
            "Every learned player has one weak corner.",
            paper="all",
            ours="2 of 3",
            verdict=verdict_pattern(1, 0, 1, "all have one (partly: all but one)"),
        )
        study.claim(
            "figure3-win-rate",
            "Bred players win 65% of games.",
            paper="65%",
            ours=None,
            runs=0,
            verdict=verdict_near(None, 65, 5),
        )
        text = """
            Passes count as moves, and the paper says nothing <i>about</i> them.

            - ties are broken at random,
              as in the authors' program
            - `w=0` at first

            | exploration | 0.01 | 0.05 |
            | none | 81.4 | 84.3 |
            | 0.05 | 84.0 | 87.9 |
            """
        summary = f"""
            - Strength (Table 2): {study.tally("table2-*")}. Learned players are as strong as the paper's; whether they
              are stronger than bred ones three runs can't tell.
            - Strategies (section 5): {study.tally("section5-*")}.
            """
        return study.report([Section("Where we differ", text)], summary)

    def measure(self, seeds: list[int]) -> list[float]:
        self.measured += 1
        return [87.1 + 0.2 * (seed % 10) for seed in seeds]
