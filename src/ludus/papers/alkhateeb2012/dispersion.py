"""How even the printed results of players that are alike are, beside what independent games of equal players give.

Three figures, from the published wins alone:

- Between equal players the wins of either side differ by chance. With independent games the square of the difference,
  divided by the number of games that are not drawn, is about chi-square with one degree of freedom for each pair.
- Two leagues of other players agree in a cell by chance as often as their counts of wins happen to coincide.
- The ratings of equal players span some Elo by chance, which is found by simulated leagues.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.measures import figures
from ludus.measures.ratings import Result, rate
from ludus.papers.alkhateeb2012.evolved import alike_runs, game_scores, players_of, table
from ludus.papers.alkhateeb2012.published import BALLOT_GAMES, PUBLISHED, published_results
from ludus.papers.alkhateeb2012.setup import ALIKE, Budget
from ludus.papers.study import Study
from ludus.papers.verdicts import SUPERIOR
from ludus.play.intervals import Estimate

DRAWS = 0.5
"""The share of draws in the printed leagues of players that are alike: 46 to 51%."""

FITTED = "10"
"""The player of Table VI whose row is missing in print, and was fitted to other tables."""


class Evenness(NamedTuple):
    """A test whether pairs of players differ by as much as independent games of equal players would let them."""

    chi_square: float
    degrees: int
    """Of freedom, which is also what chi-square is on average."""

    @property
    def chance(self) -> float:
        """That of a chi-square as small as this."""
        from scipy.special import chdtr  # type: ignore[import-untyped]

        return float(chdtr(self.degrees, self.chi_square))

    def __str__(self) -> str:
        return f"{self.chi_square:.1f} on {self.degrees}"


def evenness(results: Sequence[Result]) -> Evenness:
    """How evenly wins are shared in pairs of players; a pair without a win says nothing."""
    decided = [each for each in results if each.wins + each.losses]
    return Evenness(sum((each.wins - each.losses) ** 2 / (each.wins + each.losses) for each in decided), len(decided))


class Agreement(NamedTuple):
    """In how many cells two tables of wins agree, and in how many they would if the cells of one were shuffled."""

    same: int
    cells: int
    expected: float


def agreement(one: Sequence[int], other: Sequence[int]) -> Agreement:
    """Of the same cells of two tables."""
    first, second = Counter(one), Counter(other)
    return Agreement(
        sum(a == b for a, b in zip(one, other, strict=True)),
        len(one),
        sum(count * second[value] for value, count in first.items()) / len(one),
    )


def printed_cells(tables: str, rows: int) -> list[int]:
    """The wins in the first rows of a printed league, without the diagonal."""
    wins = PUBLISHED[tables]["wins"]
    return [wins[i][j] for i in range(rows) for j in range(len(wins)) if i != j]


def rating_span(results: Sequence[Result]) -> float:
    """From the lowest to the highest rating."""
    elos = [each.elo for each in rate(results).ratings]
    return max(elos) - min(elos)


def differing_pairs(results: Sequence[Result]) -> int:
    """Of how many pairs one is better by its likelihood of superiority."""
    return sum(chance >= SUPERIOR for row in rate(results).los.values() for chance in row.values())


def simulated_leagues(players: int, draws: float, leagues: int, seed: int = 1) -> Iterator[list[Result]]:
    """So many leagues of equal players, whose games are independent and drawn with a chance."""
    rng, decided = np.random.default_rng(seed), (1 - draws) / 2
    pairs = [(str(i), str(j)) for i in range(players) for j in range(i)]
    for _ in range(leagues):
        counts = rng.multinomial(BALLOT_GAMES, (decided, draws, decided), len(pairs)).tolist()
        yield [Result(*pair, *each) for pair, each in zip(pairs, counts, strict=True)]


def simulated_spans(players: int, draws: float, leagues: int) -> NDArray[np.float64]:
    """The span of ratings in each of these leagues."""
    return np.array([rating_span(league) for league in simulated_leagues(players, draws, leagues)])


def differing_by_chance(players: int, draws: float, leagues: int) -> float:
    """The share of pairs in these leagues that seem to differ.

    One in ten if as many games are drawn as the ratings expect, 27% between equal players; of more draws fewer.
    """
    pairs = players * (players - 1) // 2
    return float(np.mean([differing_pairs(league) for league in simulated_leagues(players, draws, leagues)])) / pairs


def span_by_chance(study: Study[Budget], players: int, draws: float) -> Estimate:
    """The span of the ratings of equal players: the mean of simulated leagues, and where 90% of them lie."""
    spans = simulated_spans(players, draws, study.budget.simulations)
    low, high = np.percentile(spans, [5, 95])
    return Estimate(float(spans.mean()), (float(low), float(high)))


def copies(study: Study[Budget]) -> list[Result]:
    """A league of copies of one player, the first C0: each pair plays the ballot with other lots among equal moves."""
    players = list(players_of(study, dict([next(iter(alike_runs(study, "C0").items()))])).values())
    if not players:
        return []
    pairs = [(i, j) for i in range(study.budget.copies) for j in range(i)]
    results = []
    for number, (i, j) in enumerate(pairs, 1):
        scores = game_scores(study, players[0], players[0], seed=number)
        results.append(Result(str(i), str(j), *(int(np.sum(scores == each)) for each in (1.0, 0.5, 0.0))))
    return results


def dispersion(study: Study[Budget]) -> None:
    """The printed leagues of players that are alike, tested."""
    expected = span_by_chance(study, 10, DRAWS)
    rows: list[list[Any]] = []
    for method, tables in ALIKE.items():
        results = published_results(PUBLISHED[tables])
        rows.append([f"paper, {method} (Tables {tables})", *_cells(results)])
        if tables == "VI, VII, VIII":
            printed = [each for each in results if FITTED not in (each.a, each.b)]
            rows.append([f"the same without player {FITTED}", *_cells(printed)])
    if ours := copies(study):
        rows.append([f"ours, {study.budget.copies} copies of one C0", *_cells(ours)])
    same = agreement(printed_cells("III, IV, V", 9), printed_cells("VI, VII, VIII", 9))
    file = study.figure(
        "spans",
        "Ratings of ten players that are alike",
        "From the lowest to the highest: as printed, and in simulated leagues of ten equal players (mean, and where "
        "90% of them lie).",
        alt="Spans with an interval",
    )
    spans = {f"{method} (Tables {tables})": rating_span(published_results(PUBLISHED[tables]))
             for method, tables in ALIKE.items()}  # fmt: skip
    figures.whiskers(
        file,
        {
            "paper": {name: (value, value, value) for name, value in spans.items()},
            "simulated": {"ten equal players": (expected.value, *expected.interval)},
        },
        x="Elo between the best and the worst",
    )
    study.section(
        "The printed leagues of players that are alike",
        "A statistical observation about Tables III, VI and X, from the printed numbers alone. The assumptions: ten "
        "players of equal strength (where they differ, results differ more), and games that are independent of each "
        "other. Then the wins of both sides of a pair differ by chance, and the sum over pairs of their squared "
        "difference, divided by the games that were not drawn, is about chi-square with one degree of freedom for "
        "each pair. Two games of one opening with colours swapped are not quite independent, which may make results "
        "more even; how much, a league of copies of one of our players shows, from the same openings.\n\n"
        + table("| league | chi-square on degrees of freedom | chance of less | times as even | span (Elo) |", rows)
        + f"\n\nTen equal players with {DRAWS:.0%} draws would span {expected.value:.0f} Elo "
        f"(90% of {study.budget.simulations:,} simulated leagues: {expected.interval[0]:.0f} to "
        f"{expected.interval[1]:.0f}). Tables III and VI are about other players, and agree in {same.same} of the "
        f"{same.cells} cells that are printed in both; if the cells of one were shuffled, {same.expected:.0f} would "
        "agree. Under these assumptions runs of the same experiment should not be expected to match the printed spans.",
    )  # fmt: skip


def _cells(results: Sequence[Result]) -> list[str]:
    found = evenness(results)
    times = found.degrees / found.chi_square if found.chi_square else np.inf
    return [str(found), f"{found.chance:.1g}", f"{times:.1f}", f"{rating_span(results):.1f}"]
