"""A paper that nobody wrote, with something of everything that a report can hold."""

from ludus.measures.figures import Curve, curves
from ludus.measures.performance import over_runs
from ludus.papers.paper import Claim, Figure, Paper, Report, Section, Workplace, judged, judged_above


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

    def run(self, scale: str, place: Workplace) -> Report:
        seeds = place.seeds(3)
        scores = place.kept("generalization", {"seeds": seeds}, lambda: self.measure(seeds))
        measured = over_runs(scores)
        mean, interval = measured.percent, measured.interval
        strength = range(10, 100, 10)
        drawn = {
            "bred": Curve(strength, [96, 95, 93, 91, 87, 82, 76, 69, 60]),
            "learned": Curve(strength, [93, 92, 91, 89, 87, 84, 80, 74, 66]),
        }
        curves(place.report / "profile.svg", drawn, x="strength of the opponent (%)", y="score (%)")
        claims = [
            Claim(
                id="table2-learned-generalization",
                says="A learned player scores 87.26% against random players.",
                paper="87.26 ± 0.32",
                ours=mean,
                interval=interval,
                runs=3,
                scale=scale,
                verdict=judged(87.26, 1.5, mean, interval),
                figure="profile",
            ),
            Claim(
                id="table2-learned-advantage",
                says="Learned players score more against the heuristic than bred ones do, by some 14 points.",
                paper=13.83,
                ours=1.9,
                interval=(-0.6, 4.4),
                runs=3,
                scale=scale,
                verdict=judged_above(0, 1.9, (-0.6, 4.4)),
                note="The difference has the paper's sign, but three runs are too few to tell it from none.",
            ),
            Claim(
                id="section5-clusters",
                says="Learned players fall into four clusters, which differ in the corner that is weak.",
                paper="4 clusters",
                ours=2,
                interval=None,
                runs=3,
                scale=scale,
                verdict="not reproduced",
                note="""
                <script>alert("never")</script> Each of our runs has one weak corner, as the paper says, but three runs
                can't show four corners. We tried `bandwidth=0.2` and `0.4` with the same result.
                """,
            ),
            Claim("figure3-win-rate", "Bred players win 65% of games.", "65%", None, None, 0, scale, "not run"),
        ]
        text = """
            Passes count as moves, and the paper says nothing <i>about</i> them.

            - ties are broken at random,
              as in the authors' program
            - `w=0` at first

            | exploration | 0.01 | 0.05 |
            | none | 81.4 | 84.3 |
            | 0.05 | 84.0 | 87.9 |
            """
        return Report(
            claims,
            [
                Figure(
                    "profile", "Score against opponents of a given strength", "Mean of 3 runs; the curves cross at 50."
                )
            ],
            [Section("Where we differ", text)],
            {"games": 200_000, "learning rate": 0.05},
            seeds,
        )

    def measure(self, seeds: list[int]) -> list[float]:
        self.measured += 1
        return [87.1 + 0.4 * (seed % 10) for seed in seeds]
