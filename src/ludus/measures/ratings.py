"""Ratings from results, by the model of BayesElo.

Coulom (2005), "Bayesian Elo rating". With D the rating of a less that of b, plus a's advantage, and
f(x) = 1 / (1 + 10^(x/400)), a wins against b with probability f(draw_elo - D), loses with f(draw_elo + D) and draws
otherwise. The prior adds draws: `prior` / 2 for each player, shared among its opponents by the games it played.

Where we differ: the likeliest ratings are found by Newton's method instead of minorisation-maximisation. It is the same
maximum, found to the last digits.
"""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import DamagedFile, InvalidSetting, LudusError, StorageError
from ludus.play.tables import html_table
from ludus.records.files import FORMATS, MOST_BYTES, read_games
from ludus.records.record import BadRecord, Told, untold
from ludus.storage import read_whole, write_whole

Array = NDArray[np.float64]

HEADER = ["a", "b", "wins", "draws", "losses"]
MOST = 10**9
"""Wins, draws or losses in one result, so that sums of them stay exact in doubles."""
ELO = math.log(10) / 400
"""One Elo point in the natural units used inside, in which the win probability is logistic."""
DEVIATIONS = 1.96
"""Standard deviations on either side of a rating that hold 95%."""
STEPS, STEP = 500, 3 * ELO
"""Points of the posterior on either side of a rating, and their distance; the latter is BayesElo's."""


@dataclass(frozen=True)
class Result:
    """Games between two players, counted for `a`: where there is an advantage, `a` had it."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int

    def __post_init__(self) -> None:
        for name in (self.a, self.b):
            if not name or name != name.strip() or not name.isprintable():
                raise InvalidSetting(
                    f"{name!r:.40} can't be a player's name; write printable text without spaces around it"
                )
        if self.a == self.b:
            raise InvalidSetting(f"{self.a!r:.40} can't be rated by games against itself; write two different players")
        for column in HEADER[2:]:
            count = getattr(self, column)
            if not isinstance(count, int | np.integer) or not 0 <= count <= MOST:
                raise InvalidSetting(f"invalid {column} {count!r:.40}: must be a whole number from 0 to {MOST}")


class Rating(NamedTuple):
    """One player: 95% of what its rating may be lies from `elo - minus` to `elo + plus`; score and draws are shares."""

    name: str
    elo: float
    plus: float
    minus: float
    games: int
    score: float
    draws: float


class Ratings(NamedTuple):
    """All players, best first, and their likelihoods of superiority."""

    ratings: tuple[Rating, ...]
    los: dict[str, dict[str, float]]
    """`los[row][column]`: the probability that row is better than column."""

    def __repr__(self) -> str:
        return f"Ratings({', '.join(f'{each.name} {rounded(each.elo):+d}' for each in self.ratings)})"

    def _repr_html_(self) -> str:
        headers = ["rank", "name", "elo", "+", "-", "games", "score", "draws"]
        rows = [
            [
                rank,
                each.name,
                *(rounded(value) for value in (each.elo, each.plus, each.minus)),
                each.games,
                *(f"{rounded(100 * share)}%" for share in (each.score, each.draws)),
            ]
            for rank, each in enumerate(self.ratings, 1)
        ]
        return html_table(headers, rows)

    def to_json(self) -> dict[str, Any]:
        return {"ratings": [rating._asdict() for rating in self.ratings], "los": self.los}


def rate(
    results: Iterable[Result],
    *,
    draw_elo: float = 97.3,
    prior: float = 2.0,
    advantage: float = 0.0,
    scaled: bool = True,
    exact: bool = False,
) -> Ratings:
    """Rate players by their results, which are added up; the mean rating is 0.

    `draw_elo` says how common draws are and `advantage` how many Elo points the advantage gives; neither is fitted.
    `scaled` shrinks ratings so that near 0 they mean what they mean without draws. `plus` and `minus` take all other
    ratings as known, which in a round robin makes them a little wide; `exact` takes them from the posterior along the
    line on which the mean stays 0. Where only few games join groups of players both are too narrow, but `los` is not.
    Refuses players whom no chain of games joins.
    """
    for option, value, low, high in (
        ("draw_elo", draw_elo, 0, 1000),
        ("prior", prior, 0.1, 1000),
        ("advantage", advantage, -1000, 1000),
    ):
        if value and not low <= value <= high:
            raise InvalidSetting(f"invalid {option}={value}: must be 0, or from {low} to {high}")
    results = list(results)
    names = sorted({name for result in results for name in (result.a, result.b)})
    place = {name: index for index, name in enumerate(names)}
    wins, draws, losses = np.zeros((3, len(names), len(names)))
    for result in results:
        pair = place[result.a], place[result.b]
        wins[pair] += result.wins
        draws[pair] += result.draws
        losses[pair] += result.losses
    met = wins + draws + losses
    met += met.T
    _check_connected(names, met, "no chain of games joins them; add games between them or rate them apart")
    if prior == 0:
        scored = wins + losses.T + draws + draws.T
        reason = "between them only one side scores, which without a prior has no likeliest rating; use a prior of 2"
        _check_connected(names, scored, reason)
        _check_connected(names, scored.T, reason)

    games = met.sum(1)
    virtual = prior / 4 * met * (1 / games[:, None] + 1 / games)  # the other half is at [j, i]
    evidence = _Evidence(wins + draws + virtual, losses + draws + virtual, draw_elo * ELO, advantage * ELO)
    natural, information = _most_likely(evidence)
    even = 10 ** (-draw_elo / 400)
    scale = (4 * even / (1 + even) ** 2 if scaled else 1) / ELO
    if exact:
        bounds = [_bounds(evidence, natural, information, index) for index in range(len(names))]
    else:
        bounds = [(DEVIATIONS / math.sqrt(own),) * 2 for own in information.diagonal()]
    drawn = draws.sum(0) + draws.sum(1)
    score = wins.sum(1) + losses.sum(0) + drawn / 2
    ratings = [
        Rating(
            name=name,
            elo=float(natural[index] * scale),
            plus=bounds[index][0] * scale,
            minus=bounds[index][1] * scale,
            games=int(games[index]),
            score=float(score[index] / games[index]),
            draws=float(drawn[index] / games[index]),
        )
        for index, name in enumerate(names)
    ]
    ratings.sort(key=lambda rating: (-rating.elo, rating.name))
    return Ratings(
        tuple(ratings), _likelihoods_of_superiority([rating.name for rating in ratings], place, natural, information)
    )


def rounded(value: float) -> int:
    """An Elo number as it is printed: halves go away from 0."""
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def whole_percent(los: float) -> int:
    """A likelihood of superiority as BayesElo prints it: cut off, so that 100 is certainty."""
    return int(100 * los)


def likely_percent(los: float) -> int:
    """A likelihood of superiority to the nearest percent, so that both sides of a pair add up to 100."""
    return round(100 * los)


class ReadResults(NamedTuple):
    """What a file of results or games holds."""

    results: list[Result]
    unfinished: int = 0
    """How many games have no end."""
    problems: Sequence[BadRecord] = ()
    """Games that can't be read or rated."""
    remark: str = ""


def read_any_results(path: Path, *, strict: bool = False, pdn_result: str = "", progress: Told = untold) -> ReadResults:
    """The results in a file: a table (.csv), or games, of which one result each (see `read_games`)."""
    if path.suffix.lower() not in FORMATS:
        return ReadResults(read_results(path))
    games = read_games(path, strict=strict, pdn_result=pdn_result, progress=progress)
    results, unfinished, problems = list[Result](), 0, list(games.problems)
    for number, record in zip(games.numbers, games, strict=True):
        if record.outcome is None:
            unfinished += 1
            continue
        first, second = (" ".join(name.split()) for name in record.players)
        try:
            results.append(Result(first, second, *(int(record.outcome == outcome) for outcome in (1.0, 0.5, 0.0))))
        except LudusError as problem:
            problems.append(BadRecord(problem, "players", file=str(path), number=number))
            if strict:
                raise problems[-1] from None
    problems.sort(key=lambda bad: bad.number)
    if problems and not results:
        raise problems[0]
    return ReadResults(results, unfinished, problems, games.remark)


def read_results(path: str | Path, *, whole_lines: bool = False) -> list[Result]:
    """The results in a CSV file with the header `a,b,wins,draws,losses`; empty lines don't count.

    With `whole_lines` a last line without an end is left out: a process may have been killed while it wrote it.
    """
    data = read_whole(Path(path), MOST_BYTES, "file of results")
    if whole_lines:
        data = data[: data.rfind(b"\n") + 1]
        if not data:
            return []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        raise DamagedFile(f"{path}, line {line}: not UTF-8; save the file as UTF-8 text") from None
    results: list[Result] = []
    headed = False
    for line, content in enumerate(io.StringIO(text, newline=None), 1):
        if not content.strip():
            continue
        try:
            cells = _cells(content)
            if headed:
                results.append(Result(cells[0], cells[1], *map(_count, HEADER[2:], cells[2:])))
            elif cells != HEADER:
                raise DamagedFile(f"invalid header {','.join(cells)!r:.60}: must be {','.join(HEADER)}")
        except LudusError as problem:
            raise DamagedFile(f"{path}, line {line}: {problem}") from None
        headed = True
    if not headed:
        raise DamagedFile(f"{path}, line 1: the file is empty; it must begin with {','.join(HEADER)}")
    return results


def write_results(path: str | Path, results: Iterable[Result]) -> None:
    """Write a file that `read_results` reads, whole or not at all: a league counts on it."""
    path, text = Path(path), io.StringIO()
    if not path.parent.is_dir():
        raise StorageError(f"can't write {path}: there is no folder {path.parent}; name one that exists")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows([result.a, result.b, result.wins, result.draws, result.losses] for result in results)
    write_whole(path, text.getvalue().encode())


class _Evidence(NamedTuple):
    """All results. A draw counts as a win and a loss, since its probability is in proportion to their product."""

    won: Array
    """[i, j]: wins and draws of i, who had the advantage, against j, virtual draws included."""
    lost: Array
    """[i, j]: the same for losses and draws."""
    margin: float
    advantage: float

    def gradient_and_information(self, ratings: Array) -> tuple[Array, Array]:
        """The log likelihood's gradient, and the Fisher information: the Hessian with the sign turned."""
        lead = ratings[:, None] - ratings + self.advantage
        win, lose = lead - self.margin, -lead - self.margin
        pull = self.won * _logistic(-win) - self.lost * _logistic(-lose)
        bend = self.won * _logistic(win) * _logistic(-win) + self.lost * _logistic(lose) * _logistic(-lose)
        information = -bend - bend.T
        np.fill_diagonal(information, -information.sum(1))
        return pull.sum(1) - pull.sum(0), information

    def log_likelihood(self, index: int, opponents: NDArray[np.intp], leads: Array) -> Array:
        """Of the games of player `index` against `opponents`, for each row of its leads over them."""
        first, second = leads + self.advantage, leads - self.advantage
        result: Array = (
            _log_logistic(first - self.margin) @ self.won[index, opponents]
            + _log_logistic(-first - self.margin) @ self.lost[index, opponents]
            + _log_logistic(-second - self.margin) @ self.won[opponents, index]
            + _log_logistic(second - self.margin) @ self.lost[opponents, index]
        )
        return result


def _most_likely(evidence: _Evidence) -> tuple[Array, Array]:
    """The maximum-likelihood ratings, with mean 0, and the Fisher information there.

    The log likelihood is concave, and its third derivatives are no larger than its second. For such functions Newton
    steps shortened to log(1 + width) converge from anywhere (Sun and Tran-Dinh 2019, "Generalized self-concordant
    functions").
    """
    ratings = np.zeros(len(evidence.won))
    for _ in range(1000):
        gradient, information = evidence.gradient_and_information(ratings)
        try:
            step = np.linalg.solve(_with_mean_fixed(information), gradient)
        except np.linalg.LinAlgError:
            break
        width = float(np.ptp(step))
        ratings += step * (math.log1p(width) / width if width else 1)
        ratings -= ratings.mean()
        if width < 1e-7:  # then the error is of the order of its square
            # without the digits that rounding errors fill, players with equal results are exactly equal
            ratings = np.round(ratings, 11) + 0.0
            return ratings, evidence.gradient_and_information(ratings)[1]
    raise InvalidSetting(
        "these results are too lopsided to rate; raise the prior or add games between the best and the worst"
    )


def _with_mean_fixed(information: Array) -> Array:
    """Made invertible: ratings are known only but for a constant, and this holds their mean at 0."""
    level = float(information.trace()) / information.size
    return information + level


def _bounds(evidence: _Evidence, ratings: Array, information: Array, index: int) -> tuple[float, float]:
    """How far above and below the rating 95% of the posterior reach, while the mean of all ratings stays 0.

    The posterior is sampled at BayesElo's points, multiples of 3 Elo, unless it is too narrow or too wide for them.
    Half the weight of a point lies below it.
    """
    deviation = 1 / math.sqrt(information[index, index])
    step = STEP if 2 * STEP < deviation < 16 * STEP else deviation / 16
    points = (np.rint(ratings[index] / step) + np.arange(-STEPS, STEPS + 1)) * step
    opponents = np.flatnonzero(information[index])
    theirs = ratings[opponents] - (points - ratings[index])[:, None] / (len(ratings) - 1)
    heights = evidence.log_likelihood(index, opponents, points[:, None] - theirs)
    weights = np.exp(heights - heights.max())
    below = (np.cumsum(weights) - weights / 2) / weights.sum()
    low, high = np.interp([0.025, 0.975], below, points)
    return float(high - ratings[index]), float(ratings[index] - low)


def _likelihoods_of_superiority(
    names: list[str], place: dict[str, int], ratings: Array, information: Array
) -> dict[str, dict[str, float]]:
    """The probability of each difference being positive, by the normal approximation."""
    covariance = np.linalg.inv(_with_mean_fixed(information))
    own = covariance.diagonal()
    deviations = np.sqrt(np.maximum(own[:, None] + own - 2 * covariance, 1e-300))
    odds = (ratings - ratings[:, None]) / deviations / math.sqrt(2)
    return {
        row: {column: math.erfc(odds[place[row], place[column]]) / 2 for column in names if column != row}
        for row in names
    }


def _check_connected(names: list[str], links: Array, reason: str) -> None:
    """Refuse if links don't lead from the first player to all others."""
    if not links.any():
        raise InvalidSetting("there are no games to rate; give at least one result with a game")
    reached = np.arange(len(names)) == 0
    while (wider := reached | links[reached].any(0)).sum() > reached.sum():
        reached = wider
    if not reached.all():
        raise InvalidSetting(f"{names[0]!r} and {names[int(reached.argmin())]!r} can't be compared: {reason}")


def _cells(content: str) -> list[str]:
    """One line of CSV, which has as many cells as the header."""
    try:
        cells = [cell.strip() for cell in next(csv.reader([content], strict=True))]
    except csv.Error as problem:
        raise DamagedFile(f"not CSV ({problem}); write {','.join(HEADER)}") from None
    if len(cells) != len(HEADER):
        raise DamagedFile(f"there are {len(cells)} columns; write {len(HEADER)}: {','.join(HEADER)}")
    return cells


def _count(column: str, cell: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) <= len(str(MOST))):
        raise InvalidSetting(f"invalid {column} {cell!r:.40}: must be a whole number from 0 to {MOST}")
    return int(cell)


def _logistic(x: Array) -> Array:
    """1 / (1 + e^-x), exact also where it is tiny."""
    return np.exp(_log_logistic(x))


def _log_logistic(x: Array) -> Array:
    return -np.logaddexp(0, -x)
