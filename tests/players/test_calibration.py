"""Chances of winning come from games really played, or there are none."""

import csv
from pathlib import Path

import pytest

import ludus
from ludus.players.calibration import FILE, calibration, whose_values
from ludus.players.endings import WIN

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "review.md"


def test_the_page_has_the_figures_of_the_file() -> None:
    page = PAGE.read_text()
    with FILE.open(newline="") as file:
        for row in csv.DictReader(file):
            assert float(row["log_loss"]) < float(row["baseline"]) == pytest.approx(0.6931, abs=1e-4)
            cells = [f"`{row['game']}`", f"`{row['values']}`", row["scale"], row["games"], row["log_loss"]]
            assert f"| {' | '.join(cells)} |" in page


def test_a_chance_grows_with_the_value() -> None:
    known = calibration("alphabeta:depth=6,value=ntuples:othello8", ludus.game("othello8"))
    assert known is not None
    assert known.chance(0.0) == 0.5
    assert known.chance(-WIN) == 0.0 < known.chance(-1.0) < known.chance(1.0) < 1.0 == known.chance(WIN)


def test_depths_share_a_scale_and_other_evaluators_have_none() -> None:
    game = ludus.game("othello8")
    assert whose_values("alphabeta:depth=3", game) == whose_values("minimax:depth=2,value=positional", game)
    assert whose_values("mcts:seconds=1", game) == "mcts:value=playouts"
    assert whose_values("softmax:0.5,minimax:depth=2", game) == "alphabeta:value=positional"
    assert whose_values("level:9", game) == "alphabeta:value=ntuples:othello8"
    for name in ("heuristic", "alphabeta:value=mobility", "marker:mobility"):
        assert calibration(name, game) is None
    assert all(each.chance is None for each in ludus.explain("heuristic").moves)


def test_explanations_of_a_search_have_chances() -> None:
    moves = ludus.explain("alphabeta:depth=2", moves="f5 d6").moves
    chances = [each.chance for each in moves]
    assert all(chance is not None and 0 < chance < 1 for chance in chances)
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize(
    ("board", "level"), [("othello8", 1), ("othello6", 7), ("checkers", 9), ("go7", 3), ("go9", 4)]
)
def test_levels_with_networks_have_chances(board: str, level: int) -> None:
    assert calibration(f"level:{level}", ludus.game(board)) is not None


def test_random_playouts_are_not_taken_for_guided_ones() -> None:
    assert calibration("level:1", ludus.game("go9")) is None
