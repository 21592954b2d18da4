"""Matches: the same games for any number of workers and by either way of playing, fair openings, honest statistics."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.compile.rng import Rng
from ludus.games.game import Game, Position
from ludus.games.openings import openings
from ludus.measures.leagues import league
from ludus.play.intervals import SequentialTest, elo, expected, summary
from ludus.play.matches import Match, match, pair_scores, summary_of_games, without_dead
from ludus.players.base import Player, Seat
from ludus.players.engines.process import Forfeit
from ludus.players.names import player
from ludus.records.files import read_games, write_games
from tests.effort import EFFORT


@dataclass(frozen=True)
class ByHand(Player):
    """A compiled player that hides that it is one."""

    inner: Player

    def seat(self) -> Seat:
        return self.inner.seat()


@dataclass(frozen=True)
class Failing(Player):
    """Plays like another, but fails at its third move of every game."""

    inner: Player
    way: str

    def seat(self) -> Seat:
        return _FailingSeat(self.inner.seat(), self.way)


class _FailingSeat(Seat):
    def __init__(self, inner: Seat, way: str) -> None:
        self._inner, self._way, self._made = inner, way, 0

    def begin(self, position: Position, moves: object) -> None:
        self._made = 0

    def choose(self, position: Position, rng: Rng) -> int:
        self._made += 1
        if self._made == 3:
            if self._way == "illegal":
                return 10**6
            raise Forfeit("time")
        return self._inner.choose(position, rng)


class _Judge(Seat):
    """Calls some squares dead, or has no opinion."""

    def __init__(self, dead: set[int] | None) -> None:
        self._dead = dead

    def choose(self, position: Position, rng: Rng) -> int:
        raise NotImplementedError

    def dead(self, position: Position) -> frozenset[int] | None:
        return None if self._dead is None else frozenset(self._dead)


@pytest.mark.parametrize(
    ("one", "other", "lead"),
    [
        (None, None, -7.5),
        ({0}, None, 3.5),
        (None, {0, 24}, -2.5),
        ({0, 24}, {0}, 3.5),
        ({0}, {24}, -7.5),
        ({0}, set(), -7.5),
    ],
)
def test_stones_are_dead_if_all_who_can_tell_say_so(one: set[int] | None, other: set[int] | None, lead: float) -> None:
    # Black's wall is the third column and White's the fourth; there is a White stone on A1 and a Black one on E5
    over = ludus.game("go5").position("..XOX/..XO./..XO./..XO./O.XO. X passes=2")
    counted = without_dead(over, [_Judge(one), _Judge(other)])
    assert counted.margin == lead
    assert counted.over


@dataclass(frozen=True)
class Passing(Player):
    """Passes, and calls all black stones dead."""

    def seat(self) -> Seat:
        return _PassingSeat()


class _PassingSeat(Seat):
    def choose(self, position: Position, rng: Rng) -> int:
        return position.legal["pass"]

    def dead(self, position: Position) -> frozenset[int]:
        return frozenset(np.flatnonzero(position.cells == 1).tolist())


def test_a_match_counts_and_records_without_dead_stones(tmp_path: Path) -> None:
    go = ludus.game("go5")
    played = match(Passing("a", go), Passing("b", go), 2, opening="random:2", record=True)
    assert played.scores.tolist() == [0.0, 1.0]
    write_games(tmp_path / "games.sgf", played.records())
    assert [each.tag("score") for each in read_games(tmp_path / "games.sgf")] == ["-32.5"] * 2


def players(game: str, a: str, b: str) -> tuple[Player, Player]:
    return player(a, ludus.game(game)), player(b, ludus.game(game))


def games_of(played: Match) -> list[tuple[tuple[str, ...], float | None]]:
    return [(record.moves, record.outcome) for record in played.records()]


@pytest.mark.parametrize(
    ("game", "a", "b", "opening"),
    [
        ("othello6", "noisy:0.3,jain2018", "random", "usual"),
        ("checkers", "alphabeta:depth=2", "random", "usual"),
        ("go5", "random", "weights:seed=2", "random:3"),
        ("othello8", "heuristic", "minimax:depth=1", "none"),
    ],
)
def test_the_same_games_by_kernel_or_by_hand_and_for_any_workers(game: str, a: str, b: str, opening: str) -> None:
    one, other = players(game, a, b)
    by_kernel = match(one, other, 21, seed=4, opening=opening, record=True)
    for again in (
        match(one, other, 21, seed=4, opening=opening, record=True, workers=3),
        match(ByHand(a, one.game, one), other, 21, seed=4, opening=opening, record=True),
        match(one, ByHand(b, one.game, other), 21, seed=4, opening=opening, record=True, workers=2),
    ):
        assert games_of(again) == games_of(by_kernel)
        assert np.array_equal(again.scores, by_kernel.scores)
    assert (
        games_of(match(one, other, 21, seed=5, opening=opening, record=True)) != games_of(by_kernel)
        or opening == "none"
    )


def test_games_are_legal_and_scored_by_the_rules() -> None:
    played = match(*players("checkers", "pieces", "random"), 30, record=True)
    for index, record in enumerate(played.records()):
        last = list(record.positions())[-1]
        assert last.outcome == record.outcome
        assert record.players == (("pieces", "random") if index % 2 == 0 else ("random", "pieces"))
        assert played.scores[index] == (last.outcome if index % 2 == 0 else 1 - (last.outcome or 0))


@pytest.mark.parametrize(
    ("game", "name", "count", "plies"),
    [
        ("othello8", "usual", 244, 4),
        ("othello6", "four-ply", 244, 4),
        ("checkers", "usual", 43, 2),
        ("othello4", "usual", 128, 4),
    ],
)
def test_openings_are_all_there_and_each_is_played_both_ways(game: str, name: str, count: int, plies: int) -> None:
    table = openings(ludus.game(game), name).table
    assert table.shape == (count, plies)
    assert len({tuple(row) for row in table.tolist()}) == count
    played = match(*players(game, "random", "random"), 2 * count, opening=name, record=True)
    opened = [record.moves[:plies] for record in played.records()]
    assert opened[::2] == opened[1::2]
    assert len(set(opened)) == count


def test_random_openings_are_shared_by_pairs() -> None:
    played = match(*players("go5", "random", "random"), 40, opening="random:4", record=True)
    opened = [record.moves[:4] for record in played.records()]
    assert opened[::2] == opened[1::2]
    assert len(set(opened)) > 15


@pytest.mark.parametrize(("way", "reason"), [("time", "time"), ("illegal", "illegal move")])
def test_who_fails_loses_and_the_match_goes_on(way: str, reason: str) -> None:
    good = player("random", ludus.game("othello8"))
    bad = Failing("failing", good.game, good, way)
    played = match(bad, good, 6, record=True)
    assert (played.wins, played.losses) == (0, 6)
    assert played.reasons == dict.fromkeys(range(6), reason)
    assert played.to_json()["forfeited"] == {"a": 6, "b": 0}
    assert [record.reason for record in played.records()] == [reason] * 6
    assert match(good, bad, 6).wins == 6


@dataclass(frozen=True)
class LeavingEarly(Player):
    """Plays like another, but fails when it is told the last move of a game."""

    inner: Player

    def seat(self) -> Seat:
        return _LeavingSeat(self.inner.seat(), self.game)


class _LeavingSeat(Seat):
    def __init__(self, inner: Seat, game: Game) -> None:
        self._inner, self._game, self._position = inner, game, game.start()

    def begin(self, position: Position, moves: object) -> None:
        self._position = position

    def see(self, move: str, mover: int) -> None:
        self._position = self._position.play(move)
        if self._position.over:
            raise Forfeit("crashed")

    def choose(self, position: Position, rng: Rng) -> int:
        move = self._inner.choose(position, rng)
        self._position = position.play(move)
        return move


def test_who_fails_after_the_last_move_has_played_the_game() -> None:
    good = player("random", ludus.game("othello4"))
    played = match(LeavingEarly("leaving", good.game, good), good, 20)
    assert played.reasons == {}
    assert played.scores.tolist() == match(good, good, 20).scores.tolist()


def test_a_sequential_test_stops_at_the_same_game_for_any_workers() -> None:
    one, other = players("othello8", "heuristic", "random")
    test = SequentialTest(0, 30)
    ends = [len(match(one, other, 5000, test=test, workers=workers).scores) for workers in (1, 3)]
    assert ends[0] == ends[1] < 1000
    assert match(one, other, 5000, test=test).verdict == "better"
    assert match(other, one, 5000, test=test).verdict == "not better"


def simulated(choice: np.random.Generator, score: float, draws: float, pairs: int) -> np.ndarray:
    """Pairs of games with that expected score and share of draws."""
    wins = score - draws / 2
    return choice.choice([1.0, 0.5, 0.0], p=[wins, draws, 1 - wins - draws], size=(pairs, 2)).mean(axis=1)


@pytest.mark.parametrize(
    ("score", "draws", "pairs"), [(0.5, 0.3, 50), (0.6, 0.1, 200), (0.9, 0.05, 40), (0.98, 0.01, 50)]
)
def test_intervals_cover_the_truth(score: float, draws: float, pairs: int) -> None:
    choice = np.random.default_rng(1)
    found = [summary(simulated(choice, score, draws, pairs)).interval for _ in range(2000)]
    covered = np.mean([low <= score <= high for low, high in found])
    assert 0.93 <= covered <= 0.985


def test_the_likelihood_of_superiority_is_calibrated() -> None:
    """Among players of random strength, those called better with 80 to 95% are better about as often."""
    choice = np.random.default_rng(2)
    truths = 0.5 + choice.normal(0, 0.05, 4000)
    told = np.array([summary(simulated(choice, truth, 0.2, 60)).los for truth in truths])
    likely = (told > 0.8) & (told < 0.95)
    assert 0.78 < np.mean(truths[likely] > 0.5) < 0.98


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "better"), (20.0, "not better")])
def test_a_sequential_test_is_seldom_wrong(truth: float, wrong: str) -> None:
    choice, test, runs = np.random.default_rng(3), SequentialTest(0, 20), 400 * EFFORT
    found = list[str]()
    for _ in range(runs):
        pairs = simulated(choice, expected(truth), 0.2, 6000)
        found.append(next(filter(None, (test.verdict(pairs[:end]) for end in range(10, 6001, 50))), ""))
    assert 0 < found.count(wrong) / runs < 0.08
    assert found.count("") / runs < 0.01


def test_extreme_scores_have_an_answer() -> None:
    perfect = summary(np.ones(10))
    assert perfect.score == 1
    assert perfect.elo == np.inf
    assert 0.5 < perfect.interval[0] < 1
    assert summary(np.full(10, 0.5)).los == 0.5
    assert elo(expected(123.0)) == pytest.approx(123.0)
    with pytest.raises(ludus.LudusError, match="no game was played"):
        summary(np.empty(0))
    assert pair_scores(np.array([1, 0, 1.0])).tolist() == [0.5, 1.0]
    assert summary_of_games(np.array([1, 0, 1.0])).score == pytest.approx(2 / 3)  # the last has no partner
    for n in range(1, 100):
        assert (summary(np.ones(n)).elo_interval[1], summary(np.zeros(n)).elo_interval[0]) == (np.inf, -np.inf)


@pytest.mark.parametrize(("low", "high"), [(20, 0), (-200_000, 0), (0, np.inf), (np.nan, 20)])
def test_what_can_not_be_tested(low: float, high: float) -> None:
    with pytest.raises(ludus.LudusError, match="the first must be lower, as in 0:20, and both from -10000 to 10000"):
        SequentialTest(low, high)


def test_a_match_shows_itself() -> None:
    game = ludus.game("othello6")
    one, other = player("jain2018", game), player("random", game)
    played = Match(one, other, openings(game), 7, np.array([1.0, 1.0, 0.5, 0.0]), ())
    assert repr(played) == "Match(2-1-1, +89 Elo)"
    page = played._repr_html_()
    assert "<td>jain2018</td><td>random</td><td>2</td><td>1</td><td>1</td>" in page
    assert "<b>" not in replace(played, a=replace(one, label="<b>"))._repr_html_()
    shown = json.loads(json.dumps(played.to_json()))
    assert (shown["game"], shown["a"], shown["b"], shown["seed"]) == ("othello6", "jain2018", "random", 7)
    assert (shown["games"], shown["wins"], shown["draws"], shown["losses"]) == (4, 2, 1, 1)
    assert shown["score"] == 0.625
    assert shown["forfeits"] == {}
    perfect = Match(one, other, openings(game), 7, np.ones(10), ())
    assert perfect.to_json()["elo"] is None
    assert repr(perfect) == "Match(10-0-0, +inf Elo)"


def test_a_league_resumes_to_the_same_results(tmp_path: Path) -> None:
    game = ludus.game("othello6")
    three = [player(name, game) for name in ("random", "discs", "jain2018")]
    whole = list(league(three, 20, tmp_path / "whole"))
    stopped = league(three, 20, tmp_path / "stopped")
    next(stopped)
    stopped.close()
    assert list(league(three, 20, tmp_path / "stopped")) == whole
    assert (tmp_path / "stopped" / "results.csv").read_bytes() == (tmp_path / "whole" / "results.csv").read_bytes()
    results = (tmp_path / "whole" / "results.csv").read_bytes()
    for torn in (results[:-1], results[:-8], results[:-1] + b"\0\0", results[:9], b""):  # a line that was cut off
        (tmp_path / "stopped" / "results.csv").write_bytes(torn)
        assert list(league(three, 20, tmp_path / "stopped")) == whole
        assert (tmp_path / "stopped" / "results.csv").read_bytes() == results
    with pytest.raises(ludus.LudusError, match="holds a league with games 20; ask for the same"):
        list(league(three, 30, tmp_path / "whole"))
    with pytest.raises(ludus.LudusError, match="two or more different players"):
        list(league(three[:1], 20, tmp_path / "one"))
    for wrong in ({"opening": "nothing"}, {"games": 0}):  # what was refused is not what the folder holds from then on
        with pytest.raises(ludus.LudusError, match=r"unknown openings|invalid games=0"):
            list(league(three, **{"games": 20, "folder": tmp_path / "wrong"} | wrong))
    assert not (tmp_path / "wrong").exists()


def test_players_of_different_games_cannot_meet() -> None:
    with pytest.raises(ludus.LudusError, match="a match needs one game"):
        match(player("random", ludus.game("othello6")), player("random", Game(ludus.game("othello8").type, 8)), 2)
