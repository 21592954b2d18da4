"""Al-Khateeb and Kendall (2012): individual and social learning in evolutionary checkers."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from ludus.games.game import Game
from ludus.lab.many import Task
from ludus.lab.shelf import read_rows
from ludus.measures import figures
from ludus.measures.intervals import summary
from ludus.measures.matches import match
from ludus.measures.ratings import Rating, Ratings, Result, rate, rounded, whole_percent
from ludus.papers.paper import (
    Claim,
    Figure,
    Interval,
    Paper,
    Report,
    Section,
    Verdict,
    Workplace,
    judged,
    judged_above,
)
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
HUBS = ("C0", "RR")
"""Whom the social players meet."""

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
        "with a tenth of that, to see whether they are alike. Four to five hours on two cores.",
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
        # ratings are among those who played, so without one of them they can't be compared with the paper's
        whole = evolved.keys() >= set(PLANS)
        found = rate(self._met(evolved, a, b) for i, a in enumerate(PLANS) for b in PLANS[:i]) if whole else None
        rated = {each.name: each for each in found.ratings} if found else {}
        printed = {name: (elo, plus, minus) for name, elo, plus, minus, *_ in PUBLISHED["IX, XIII, XIV"]["ratings"]}
        shown, runs = "league" if whole else "", int(whole)
        claims = []
        for name, (elo, plus, _) in printed.items():
            ours, interval = (rated[name].elo, _interval(rated[name])) if whole else (None, None)
            claims.append(
                Claim(
                    f"table13-{name.lower()}", f"In the league of social players {name} is rated {elo:+d}.",
                    f"{elo} ± {plus}", ours, interval, runs, self.scale,
                    judged(elo, ELO_TOLERANCE, ours, interval), figure=shown,
                )
            )  # fmt: skip
        worst = min(found.los["C10"][other] for other in PLANS if other != "C10") if found else None
        claims.append(
            Claim(
                "table14-c10", "C10 is better than every other social player, with a likelihood of 99% or more.",
                "99 or more", None if worst is None else 100 * worst, None, runs, self.scale,
                judged_above(SUPERIOR, worst), figure=shown,
            )
        )  # fmt: skip
        order = list(rated)
        agree = sum(order.index(a) > order.index(b) for i, b in enumerate(PLANS) for a in PLANS[:i]) if whole else 0
        pairs = len(PLANS) * (len(PLANS) - 1) // 2
        verdict: Verdict = "reproduced" if agree == pairs else ("partly" if agree >= 0.8 * pairs else "not reproduced")
        claims.append(
            Claim(
                "table13-order", "The more often players learn from others, the better: C1, C200, C100, C50, C20, C10.",
                f"all {pairs} pairs", f"{agree} of {pairs} pairs" if whole else None, None, runs, self.scale,
                verdict if whole else "not run",
                note=f"Best first: {', '.join(order)}. By chance alone half of the pairs would be in order."
                if whole else "",
            )
        )  # fmt: skip
        drawn = [self._history(evolved)] if evolved else []
        if whole:
            figures.whiskers(
                self.place.report / "league.svg",
                {
                    "paper": {name: (elo, elo - minus, elo + plus) for name, (elo, plus, minus) in printed.items()},
                    "ours": {name: (each.elo, *_interval(each)) for name, each in rated.items()},
                },
                x="Elo (95% interval over games, not over runs)",
            )
            caption = "Ratings of one evolved player each, by 86 games against every other."
            title = "The league of social players (Table XIII)"
            drawn.insert(0, Figure("league", title, caption, alt="Ratings with intervals"))
        return claims, drawn, []

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
        evolved, title = self._evolved(), {"C0": "C0", "RR": "Blondie24-RR"}[hub]
        results = {name: self._met(evolved, name, hub) for name in PLANS if {name, hub} <= evolved.keys()}
        found = rate(results.values()) if results else None
        printed = {name: counts for name, *counts in PUBLISHED[tables]["against_hub"]}
        names = [rating[0] for rating in PUBLISHED[tables]["ratings"]]
        claims = []
        for name in PLANS:
            wins, draws, losses = printed[name]
            published = 100 * (wins + draws / 2) / BALLOT_GAMES
            los = PUBLISHED[tables]["los"][names.index(name)][names.index(hub)]
            ours, interval, note = None, None, ""
            verdict: Verdict = "not run"
            if found and (result := results.get(name)):
                ours, interval = _score(result)
                likely = found.los[name][hub]
                note = (
                    f"Ours: {result.wins} wins, {result.draws} draws, {result.losses} losses; better with a "
                    f"likelihood of {whole_percent(likely)}%."
                )
                verdict = judged(published, SCORE_TOLERANCE, ours, interval)
                if verdict == "reproduced" and not agree(los / 100, likely):
                    verdict, note = "partly", f"{note} The score is near the paper's, but does not tell who is better."
            claims.append(
                Claim(
                    f"table{'15' if hub == 'C0' else '18'}-{name.lower()}",
                    f"{name} scores {published:.0f}% against {title} ({wins} wins, {draws} draws, {losses} "
                    f"losses), and is better with a likelihood of {los}%.",
                    f"{published:.0f}%", ours, interval, int(ours is not None), self.scale,
                    verdict, note=note,
                )
            )  # fmt: skip
        return claims, [], []

    def go_as_you_please(self) -> Part:
        """Games from the start, one with each colour."""
        evolved, rows = self._evolved(), []
        found: dict[tuple[str, str], str] = {}
        for name in filter(evolved.__contains__, PLANS):
            for hub in filter(evolved.__contains__, HUBS):
                played = match(evolved[name], evolved[hub], 2, seed=self.seed, opening="none")
                found[name, hub] = "".join("LDW"[round(2 * score)] for score in played.scores)
            rows.append(f"| {name} | {' | '.join(', '.join(found.get((name, hub), '')) for hub in HUBS)} |")
        ours = "".join(found.get(("C10", hub), "") for hub in HUBS)
        points = sum({"W": 1.0, "D": 0.5, "L": 0.0}[each] for each in ours)
        whole = len(ours) == 4
        verdict: Verdict = "reproduced" if points == 4 else ("partly" if points > 2 else "not reproduced")
        claim = Claim(
            "table21-c10", "From the usual start, C10 wins with Red and with White against C0 and Blondie24-RR.",
            "W, W, W, W", ", ".join(ours) if whole else None, None, int(whole), self.scale,
            verdict if whole else "not run",
            note="Two players without a tie to break play one game only, so these four games are all there are.",
        )  # fmt: skip
        head = "| player | against C0, Red and White | against Blondie24-RR, Red and White |"
        told = [Section("Games from the usual start (Table XXI)", "\n".join([head, *rows]))] if rows else []
        return [claim], [], told

    def alike(self) -> Part:
        """Whether one method always gives equally strong players."""
        claims = []
        for method, tables in ALIKE.items():
            seeds = self.place.seeds(self.budget.alike)
            tasks = {
                f"{method} {number}": self._task(method, seed, self.budget.alike_generations)
                for number, seed in enumerate(seeds, 1)
            }
            folders = self.place.trained(tasks)
            names, pairs = list(folders), len(folders) * (len(folders) - 1) // 2
            players = {name: player(str(each), self.checkers) for name, each in folders.items()}
            printed = [rating[1] for rating in PUBLISHED[tables]["ratings"]]
            ours: str | None = None
            verdict: Verdict = "not run"
            note = ""
            if pairs:
                found = rate(self._met(players, a, b) for i, a in enumerate(names) for b in names[:i])
                elos = [each.elo for each in found.ratings]
                differing = sum(found.los[a][b] >= SUPERIOR for a in names for b in names if a != b)
                ours = f"{differing} of {pairs} pairs differ"
                few = differing <= 0.1 * pairs
                verdict = "reproduced" if not differing else ("partly" if few else "not reproduced")
                generations = self.budget.alike_generations
                note = f"Ours span {max(elos) - min(elos):.0f} Elo, after {generations} generations each."
            claims.append(
                Claim(
                    f"tables-{tables.replace(', ', '-').lower()}-alike",
                    f"Players that were evolved in the same way ({method}) do not differ: no likelihood of superiority "
                    f"reaches 95%, and the ratings span {max(printed) - min(printed)} Elo.",
                    "0 of 45 pairs differ", ours, None, len(names) if pairs else 0, self.scale, verdict, note=note,
                )
            )  # fmt: skip
        return claims, [], []

    def strength(self) -> Part:
        """The evolved players among each other, searchers that count pieces, and a network that has not evolved."""
        evolved = self._evolved()
        first = self.place.trained({"not evolved": self._task("C0", self.seed, 1)})
        others = {name: player(str(folder), self.checkers) for name, folder in first.items()}
        others |= {f"pieces, {depth} ahead": player(f"alphabeta:depth={depth}", self.checkers) for depth in SEARCHERS}
        meetings = [*combinations(reversed(evolved), 2), *product(evolved, others)]
        found = rate(self._met(evolved | others, *meeting) for meeting in meetings) if evolved else None
        better = found.los["C0"]["not evolved"] if found and "C0" in evolved and first else None
        claim = Claim(
            "beyond-evolved",
            f"Beyond the paper: {self.budget.generations} generations of C0 play better than the best of the first.",
            "not told", None if better is None else f"likelihood {100 * better:.0f}%", None, int(better is not None),
            self.scale, judged_above(SUPERIOR, better), figure="strength" if found else "",
        )  # fmt: skip
        if not found:
            return [claim], [], []
        figures.whiskers(
            self.place.report / "strength.svg",
            {"rating": {each.name: (each.elo, *_interval(each)) for each in found.ratings}},
            x="Elo (95% interval over games, not over runs)",
        )
        rows = "\n".join(
            f"| {each.name} | {each.elo:+.0f} | {-each.minus:.0f} to +{each.plus:.0f} | {each.score:.0%} |"
            for each in found.ratings
        )
        text = (
            "The evolved players met each other, three searchers that count men and kings (a king as one and a half) "
            "and the best of a first generation, which has random networks but the same search: 86 games each.\n\n"
            f"| player | Elo | 95% | score |\n{rows}"
        )
        drawn = Figure(
            "strength", "Strength outside the family", "Evolved players among searchers that count pieces.",
            alt="Ratings with intervals",
        )  # fmt: skip
        return [claim], [drawn], [Section("How strong the players are", text)]

    def _evolved(self) -> dict[str, Player]:
        """One player of each method."""
        tasks = {method: self._task(method, self.seed, self.budget.generations) for method in METHODS}
        return {name: player(str(folder), self.checkers) for name, folder in self.place.trained(tasks).items()}

    def _task(self, method: str, seed: int, generations: int) -> Task:
        learner, settings = METHODS[method]
        if learner == "blondie24-rr":  # as many games
            generations = max(1, round(generations * 150 / 870))
        chosen = settings | {"generations": generations, "depth": self.budget.depth}
        return self.place.task(f"{method.lower()}/{generations}/seed-{seed}", learner, GAME, seed, chosen)

    def _met(self, players: Mapping[str, Player], a: str, b: str) -> Result:
        """The result of the 86 games of the ballot between two of these players."""

        def play() -> list[int]:
            played = match(
                players[a], players[b], BALLOT_GAMES, seed=self.seed, workers=self.place.workers, opening="ballots"
            )
            return [played.wins, played.draws, played.losses]

        found = self.place.kept(f"matches/{a} - {b}", asdict(self.budget) | {"seed": self.seed}, play)
        return Result(a, b, *found)


def agree(paper: float, ours: float) -> bool:
    """Whether who is better, if the paper's likelihood of superiority tells it, is told by ours too."""
    return SUPERIOR > paper > 1 - SUPERIOR or min(paper, ours) >= SUPERIOR or max(paper, ours) <= 1 - SUPERIOR


def _score(result: Result) -> tuple[float, Interval]:
    """The score in percent, and its interval over games."""
    counts = result.wins, result.draws, result.losses
    found = summary(np.repeat([1.0, 0.5, 0.0], counts))
    low, high = found.interval
    return 100 * found.score, (100 * low, 100 * high)


def _interval(rating: Rating) -> Interval:
    return rating.elo - rating.minus, rating.elo + rating.plus


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
