"""Al-Khateeb and Kendall (2012): individual and social learning in evolutionary checkers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludus.games.game import Game
from ludus.lab.many import Task
from ludus.lab.shelf import read_rows
from ludus.measures import figures
from ludus.measures.matches import match
from ludus.measures.ratings import Ratings, Result, rate, rounded, whole_percent
from ludus.papers.paper import Claim, Figure, Paper, Report, Section, Workplace, judged, judged_above
from ludus.players.player import Player
from ludus.players.strings import player
from ludus.registry import game

GAME = "checkers"
BALLOT_GAMES = 86
"""All 43 openings of the two-move ballot, each with both colours."""

PUBLISHED: Mapping[str, Any] = json.loads((Path(__file__).parent / "alkhateeb2012.json").read_text())["leagues"]

PLANS = ("C1", "C200", "C100", "C50", "C20", "C10")
METHODS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "C0": ("blondie24", {}),
    "RR": ("blondie24-rr", {}),
    **{plan: ("social", {"plan": plan}) for plan in PLANS},
}
ALIKE = {"C0": "III, IV, V", "RR": "VI, VII, VIII", "C10": "X, XI, XII"}
"""Of which methods ten players were compared, and in which tables."""

SUPERIOR = 0.95
"""The likelihood of superiority from which on two players are taken to differ."""

ELO_TOLERANCE, SCORE_TOLERANCE = 15.0, 5.0
"""How far a rating, and a score in percent, may be from the paper's: about half its own intervals."""

SEARCHERS = (2, 4, 6)
"""Depths of the searchers with a piece count that tell how strong the evolved players are."""


@dataclass(frozen=True)
class Budget:
    """How much is done at a scale."""

    generations: int
    depth: int
    alike: int
    """Players of each method that should be alike."""
    alike_generations: int


BUDGETS = {
    "quick": Budget(generations=120, depth=2, alike=3, alike_generations=40),
    "full": Budget(generations=840, depth=4, alike=10, alike_generations=84),
}


class Alkhateeb2012(Paper):
    key = "alkhateeb2012"
    title = "Introducing Individual and Social Learning Into Evolutionary Checkers"
    authors = "Belal Al-Khateeb, Graham Kendall"
    year = 2012
    summary = (
        "Networks that judge positions of checkers are evolved as in Blondie24 (C0), by a round robin (Blondie24-RR), "
        "and with a pool of good strategies from which those who do badly may learn: every M generations the best "
        "enter it, every N generations the others look into it (C200 to C10 for falling N; C1 has a pool of one). "
        "The more often they learn from others, the better they play; C10 beats all others."
    )
    scales = {
        "quick": "one player of each method, 120 generations looking 2 moves ahead instead of 840 looking 4 ahead; "
        "less than ten minutes on two cores. C200 then never learns from others, and C100 once.",
        "full": "one player of each method with the paper's 840 generations, 4 moves ahead; ten more of C0, RR and C10 "
        "with a tenth of that, to see whether they are alike. About four hours on two cores.",
    }

    def run(self, scale: str, place: Workplace) -> Report:
        budget = BUDGETS[scale]
        study = _Study(scale, budget, place, game(GAME), place.seeds(1)[0])
        parts = [
            study.published(), study.league(), study.against("C0", "XV, XVI, XVII"),
            study.against("RR", "XVIII, XIX, XX"), study.go_as_you_please(), study.alike(), study.strength(),
        ]  # fmt: skip
        return Report(
            claims=[claim for claims, _, _ in parts for claim in claims],
            figures=[figure for _, drawn, _ in parts for figure in drawn],
            sections=[*(section for _, _, told in parts for section in told), *NOTES],
            settings=asdict(budget),
            seeds=place.seeds(budget.alike),
        )


Part = tuple[list[Claim], list[Figure], list[Section]]


def published_results(league: Mapping[str, Any]) -> list[Result]:
    """The printed results of a round robin, or of many players against one."""
    if "hub" in league:
        return [Result(name, league["hub"], *counts) for name, *counts in league["against_hub"]]
    players, wins = league["players"], league["wins"]
    return [
        Result(players[i], players[j], wins[i][j], BALLOT_GAMES - wins[i][j] - wins[j][i], wins[j][i])
        for i in range(len(players))
        for j in range(i)
    ]


def as_printed(found: Ratings) -> tuple[list[list[Any]], list[list[int | None]]]:
    """Ratings and likelihoods of superiority, rounded as the paper's tables have them."""
    names = [rating.name for rating in found.ratings]
    ratings = [
        [
            each.name,
            *(rounded(value) for value in (each.elo, each.plus, each.minus)),
            *(rounded(100 * share) for share in (each.score, each.draws)),
        ]
        for each in found.ratings
    ]
    los = [[None if a == b else whole_percent(found.los[a][b]) for b in names] for a in names]
    return ratings, los


@dataclass(frozen=True)
class _Study:
    """The experiments at one scale."""

    scale: str
    budget: Budget
    place: Workplace
    checkers: Game
    seed: int

    def published(self) -> Part:
        """The printed results, rated by our own model."""
        claims = []
        for tables, league in PUBLISHED.items():
            results = published_results(league)
            ratings, los = as_printed(rate(results, exact=league["exact"]))
            tables_of_both = zip([*league["ratings"], *league["los"]], [*ratings, *los], strict=True)
            pairs = [pair for rows in tables_of_both for pair in zip(*rows, strict=True)]
            cells = [(printed, found) for printed, found in pairs if printed is not None]
            same = sum(printed == found for printed, found in cells)
            claims.append(
                Claim(
                    f"tables-{tables.replace(', ', '-').lower()}-rated",
                    f"Tables {tables}: the printed wins give the printed ratings and likelihoods of superiority.",
                    f"{len(cells)} cells", f"{same} alike", None, 0, self.scale, judged(len(cells), 0, same),
                    note=league.get("note", ""),
                )
            )  # fmt: skip
        return claims, [], []

    def league(self) -> Part:
        """Which M and N are best."""
        evolved = self._evolved()
        found = rate(self._met(evolved, a, b) for i, a in enumerate(PLANS) for b in PLANS[:i])
        printed = {name: (elo, plus, minus) for name, elo, plus, minus, *_ in PUBLISHED["IX, XIII, XIV"]["ratings"]}
        claims = []
        for each in found.ratings:
            low, high = each.elo - each.minus, each.elo + each.plus
            elo, plus, _ = printed[each.name]
            claims.append(
                Claim(
                    f"table13-{each.name.lower()}", f"In the league of social players {each.name} is rated {elo:+d}.",
                    f"{elo} ± {plus}", each.elo, (low, high), 1, self.scale,
                    judged(elo, ELO_TOLERANCE, each.elo, (low, high)), figure="league",
                )
            )  # fmt: skip
        worst = min(found.los["C10"][other] for other in PLANS if other != "C10")
        claims.append(
            Claim(
                "table14-c10", "C10 is better than every other social player, with a likelihood of 99% or more.",
                "99 or more", 100 * worst, None, 1, self.scale, judged_above(SUPERIOR, worst), figure="league",
            )
        )  # fmt: skip
        order = [each.name for each in found.ratings]
        agree = sum(order.index(a) > order.index(b) for i, b in enumerate(PLANS) for a in PLANS[:i])
        pairs = len(PLANS) * (len(PLANS) - 1) // 2
        claims.append(
            Claim(
                "table13-order", "The more often players learn from others, the better: C1, C200, C100, C50, C20, C10.",
                f"all {pairs} pairs", f"{agree} of {pairs} pairs", None, 1, self.scale,
                "reproduced" if agree == pairs else ("partly" if agree >= 0.8 * pairs else "not reproduced"),
                note="Best first: " + ", ".join(order) + ". By chance alone half of the pairs would be in order.",
            )
        )  # fmt: skip
        figures.whiskers(
            self.place.report / "league.svg",
            {
                "paper": {name: (elo, elo - minus, elo + plus) for name, (elo, plus, minus) in printed.items()},
                "ours": {each.name: (each.elo, each.elo - each.minus, each.elo + each.plus) for each in found.ratings},
            },
            x="Elo (95% interval over games, not over runs)",
        )
        drawn = Figure(
            "league", "The league of social players (Table XIII)",
            "Ratings of one evolved player each, by 86 games against every other.", alt="Ratings with intervals",
        )  # fmt: skip
        return claims, [drawn, self._history(evolved)], []

    def _history(self, evolved: Mapping[str, Player]) -> Figure:
        """How evolution went."""
        drawn = {}
        for name, one in evolved.items():
            rows = read_rows(Path(one.name).parent)
            games, draws = (np.array([row[column] for row in rows]) for column in ("games", "draws"))
            width = max(1, len(games) // 20)
            smooth = np.convolve(draws, np.ones(width) / width, "valid")
            drawn[name] = figures.Curve(games[width - 1 :], 100 * smooth)
        figures.curves(self.place.report / "draws.svg", drawn, x="games", y="drawn games (%)", y_range=(0, 100))
        return Figure(
            "draws", "Drawn games during evolution",
            "Share of games within the population that were drawn, smoothed over a twentieth of the run.",
            alt="Curves of the share of drawn games",
        )  # fmt: skip

    def against(self, hub: str, tables: str) -> Part:
        """Social players against one that is not."""
        evolved = self._evolved()
        results = [self._met(evolved, name, hub) for name in PLANS]
        found, title = rate(results), {"C0": "C0", "RR": "Blondie24-RR"}[hub]
        printed = {name: counts for name, *counts in PUBLISHED[tables]["against_hub"]}
        names = [rating[0] for rating in PUBLISHED[tables]["ratings"]]
        claims = []
        for result in results:
            wins, draws, losses = printed[result.a]
            published = 100 * (wins + draws / 2) / BALLOT_GAMES
            ours = 100 * (result.wins + result.draws / 2) / BALLOT_GAMES
            los = PUBLISHED[tables]["los"][names.index(result.a)][names.index(hub)]
            claims.append(
                Claim(
                    f"table{'15' if hub == 'C0' else '18'}-{result.a.lower()}",
                    f"{result.a} scores {published:.0f}% against {title} ({wins} wins, {draws} draws, {losses} "
                    f"losses), and is better with a likelihood of {los}%.",
                    f"{published:.0f}%", ours, None, 1, self.scale, judged(published, SCORE_TOLERANCE, ours),
                    note=f"Ours: {result.wins} wins, {result.draws} draws, {result.losses} losses; better with a "
                    f"likelihood of {whole_percent(found.los[result.a][hub])}%.",
                )
            )  # fmt: skip
        return claims, [], []

    def go_as_you_please(self) -> Part:
        """Games from the start, one with each colour."""
        evolved, rows = self._evolved(), []
        found: dict[tuple[str, str], str] = {}
        for name in PLANS:
            for hub in ("C0", "RR"):
                played = match(evolved[name], evolved[hub], 2, seed=self.seed, opening="none")
                found[name, hub] = "".join("LDW"[round(2 * score)] for score in played.scores)
            rows.append(f"| {name} | {', '.join(found[name, 'C0'])} | {', '.join(found[name, 'RR'])} |")
        ours = "".join(found["C10", hub] for hub in ("C0", "RR"))
        points = sum({"W": 1.0, "D": 0.5, "L": 0.0}[each] for each in ours)
        claim = Claim(
            "table21-c10", "From the usual start, C10 wins with Red and with White against C0 and Blondie24-RR.",
            "W, W, W, W", ", ".join(ours), None, 1, self.scale,
            "reproduced" if points == 4 else ("partly" if points > 2 else "not reproduced"),
            note="Two players without a tie to break play one game only, so these four games are all there are.",
        )  # fmt: skip
        head = "| player | against C0, Red and White | against Blondie24-RR, Red and White |"
        return [claim], [], [Section("Games from the usual start (Table XXI)", "\n".join([head, *rows]))]

    def alike(self) -> Part:
        """Whether one method always gives equally strong players."""
        claims = []
        for method, tables in ALIKE.items():
            tasks = [self._task(method, seed, self.budget.alike_generations) for seed in self._seeds()]
            folders = self.place.train(tasks)
            names = [f"{method} {number}" for number in range(1, len(folders) + 1)]
            players = {name: player(str(each), self.checkers) for name, each in zip(names, folders, strict=True)}
            found = rate(self._met(players, a, b) for i, a in enumerate(names) for b in names[:i])
            elos = [each.elo for each in found.ratings]
            differing = sum(found.los[a][b] >= SUPERIOR for a in names for b in names if a != b)
            printed = [rating[1] for rating in PUBLISHED[tables]["ratings"]]
            pairs = len(names) * (len(names) - 1) // 2
            claims.append(
                Claim(
                    f"tables-{tables.replace(', ', '-').lower()}-alike",
                    f"Players that were evolved in the same way ({method}) do not differ: no likelihood of superiority "
                    f"reaches 95%, and the ratings span {max(printed) - min(printed)} Elo.",
                    "0 of 45 pairs differ", f"{differing} of {pairs} pairs differ", None, len(names), self.scale,
                    "reproduced" if not differing else ("partly" if differing <= 0.1 * pairs else "not reproduced"),
                    note=f"Ours span {max(elos) - min(elos):.0f} Elo, after {self.budget.alike_generations} "
                    "generations each.",
                )
            )  # fmt: skip
        return claims, [], []

    def strength(self) -> Part:
        """The evolved players among searchers that count pieces, and networks that have not evolved."""
        (folder,) = self.place.train([self._task("C0", self.seed, 1)])
        evolved = self._evolved() | {"not evolved": player(str(folder), self.checkers)}
        ladder = {f"pieces, {depth} ahead": player(f"alphabeta:depth={depth}", self.checkers) for depth in SEARCHERS}
        found = rate(
            self._met(evolved | ladder, one, other)
            for one in evolved
            for other in [*ladder, "not evolved"]
            if one != other
        )
        figures.whiskers(
            self.place.report / "strength.svg",
            {"rating": {each.name: (each.elo, each.elo - each.minus, each.elo + each.plus) for each in found.ratings}},
            x="Elo (95% interval over games, not over runs)",
        )
        better = found.los["C0"]["not evolved"]
        claim = Claim(
            "beyond-evolved", "Beyond the paper: 840 generations of C0 play better than the best of the first.",
            "not told", f"likelihood {100 * better:.0f}%", None, 1, self.scale, judged_above(SUPERIOR, better),
            figure="strength",
        )  # fmt: skip
        rows = "\n".join(
            f"| {each.name} | {each.elo:+.0f} | {-each.minus:.0f} to +{each.plus:.0f} | {each.score:.0%} |"
            for each in found.ratings
        )
        text = (
            "Each evolved player met three searchers that count men and kings (a king as one and a half) and the best "
            "of a first generation, which has random networks but the same search, 86 games each.\n\n"
            f"| player | Elo | 95% | score |\n{rows}"
        )
        drawn = Figure(
            "strength", "Strength outside the family", "Evolved players among searchers that count pieces.",
            alt="Ratings with intervals",
        )  # fmt: skip
        return [claim], [drawn], [Section("How strong the players are", text)]

    def _evolved(self) -> dict[str, Player]:
        """One player of each method."""
        tasks = [self._task(method, self.seed, self.budget.generations) for method in METHODS]
        folders = self.place.train(tasks)
        return {method: player(str(folder), self.checkers) for method, folder in zip(METHODS, folders, strict=True)}

    def _task(self, method: str, seed: int, generations: int) -> Task:
        learner, settings = METHODS[method]
        if learner == "blondie24-rr":  # as many games
            generations = max(1, round(generations * 150 / 870))
        chosen = settings | {"generations": generations, "depth": self.budget.depth}
        return self.place.task(f"{method.lower()}/{generations}/seed-{seed}", learner, GAME, seed, chosen)

    def _seeds(self) -> Sequence[int]:
        return self.place.seeds(self.budget.alike)

    def _met(self, players: Mapping[str, Player], a: str, b: str) -> Result:
        """The result of the 86 games of the ballot between two of these players."""

        def play() -> list[int]:
            played = match(
                players[a], players[b], BALLOT_GAMES, seed=self.seed, workers=self.place.workers, opening="ballots"
            )
            return [played.wins, played.draws, played.losses]

        found = self.place.kept(f"matches/{a} - {b}", asdict(self.budget) | {"seed": self.seed}, play)
        return Result(a, b, *found)


NOTES = [
    Section(
        "Where the paper leaves a choice",
        """
        - Ratings are BayesElo's with advantage 0, as in the paper; draws and the prior are its defaults.
        - The paper says minimax and no more of the search. Blondie24's authors extend it by pairs of moves where
          captures are forced. At the starting depth of 4 that looked at 115,000 positions a move in our trials, against
          540 when forced captures extend it move by move and 415 without. Here it is the second (`extend=captures`).
        - The paper gave each method the same time, we give it the same number of games.
        - Each player of the league is one run, in the paper as here: intervals are over games, not over runs.
        """,
    ),
]

PAPER = Alkhateeb2012()
