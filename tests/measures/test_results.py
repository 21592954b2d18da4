"""What results have in common: JSON with the keys that commands print, and short forms for people."""

import json
import math

import numpy as np
import pytest

import ludus
from ludus.measures.adaptation import Played, PlayedByRules
from ludus.measures.behaviour import Behaviour
from ludus.measures.compaction import Compaction
from ludus.measures.performance import Measures
from ludus.measures.profiles import Database, Profile
from ludus.measures.ratings import Result, rate
from ludus.measures.strategies import strategies
from ludus.play.intervals import Estimate
from ludus.play.tables import html_table
from ludus.players.names import player

SOME = Estimate(87.612, (87.28, 87.944))
PROFILE = Profile(
    np.array([10.0, 90.0]), np.array([95.0, 30.0]), np.array([[90.0, 98.0], [25.0, 35.0]]), np.array([5, 4])
)
BEHAVIOUR = Behaviour(
    2, np.array([2, 2]), np.array([[2.0, 2.0], [4.0, 1.0]]), np.array([[2, 0], [0, 2]]),
    np.array([[4.0, np.nan], [np.nan, 3.0]]),
)  # fmt: skip
COMPACTION = Compaction(player("random", ludus.game("othello6")), 1000, 200, SOME, SOME, Estimate(50.0, (48.0, 52.0)))  # type: ignore[arg-type]
RATINGS = rate([Result("<b>", "c", 3, 1, 0)])
STRATEGIES = strategies(np.random.default_rng(1).normal(size=(4, 16)), players=["a", "b", "c", "d"])


@pytest.mark.parametrize(
    ("value", "interval", "shown"),
    [
        (87.612, (87.28, 87.944), "87.6 (87.3 to 87.9)"),
        (0.00297, (0.00279, 0.00312), "0.0030 (0.0028 to 0.0031)"),
        (1.0, (1.0, 1.0), "1.0 (1.0 to 1.0)"),
        (-12.25, (-30.0, 5.5), "-12.2 (-30.0 to 5.5)"),
        (0.5, (-math.inf, math.inf), "0.5 (-inf to inf)"),
    ],
)
def test_an_estimate_has_as_many_decimals_as_it_needs(value, interval, shown) -> None:
    assert repr(Estimate(value, interval)) == str(Estimate(value, interval)) == shown


@pytest.mark.parametrize(
    ("result", "keys"),
    [
        (Measures(SOME, SOME), {"generalization", "heuristic"}),
        (BEHAVIOUR, {"games", "turning_point", "overtaking", "reached", "pieces", "turns", "choices", "mobility"}),
        (COMPACTION, {"rules", "kept", "percent_before", "percent_after", "loss", "percent_against_all"}),
        (RATINGS, {"ratings", "los"}),
        (STRATEGIES, {"bandwidth", "explained", "players"}),
        (Played(0, 1.0, 2), {"strategy", "score", "next_strategy"}),
        (PlayedByRules(1.0, 200, 3), {"score", "rules", "added"}),
    ],
)
def test_results_are_json(result, keys: set[str]) -> None:
    assert set(json.loads(json.dumps(result.to_json(), allow_nan=False))) == keys


def test_a_profile_is_json_by_rows() -> None:
    first, second = json.loads(json.dumps(PROFILE.to_json()))
    assert first == {"strength": 10.0, "percent": 95.0, "interval": [90.0, 98.0], "opponents": 5}
    assert second["opponents"] == 4


@pytest.mark.parametrize("result", [Measures(SOME, SOME), BEHAVIOUR, COMPACTION, RATINGS, STRATEGIES, PROFILE])
def test_results_are_short_and_tables_in_notebooks(result) -> None:
    assert len(repr(result)) < 120
    table = result._repr_html_()
    assert table.startswith("<table>")
    assert table.count("<tr>") == table.count("</tr>") > 1


def test_tables_escape_whatever_they_show() -> None:
    assert "&lt;b&gt;" in RATINGS._repr_html_()
    assert html_table(["<"], [["&"], [1]]) == (
        "<table><thead><tr><th>&lt;</th></tr></thead><tbody><tr><td>&amp;</td></tr><tr><td>1</td></tr></tbody></table>"
    )


def test_a_database_says_what_it_holds() -> None:
    some = Database("othello4", 20.0, 2, np.zeros((3, 16)), np.array([10.0, 50.0, 55.0]))
    assert repr(some) == ("3 opponents of othello4 from 10.0% to 55.0%; of 5 bins 2 have opponents and 1 are full")
