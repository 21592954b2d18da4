"""Evaluators fitted to results: as well as another program fits them, and from the files that people have."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import ludus
from ludus.errors import LudusError
from ludus.learners.base import parse_settings
from ludus.learners.fit import _archive, _split, predict
from ludus.learners.names import learner
from ludus.learners.representations import evaluator
from ludus.records.files import write_games
from ludus.runs.run import Run
from ludus.runs.spec import RunSpec
from tests.records.games import random_record

FIT = learner("fit")


def fitted(folder: Path, game: str = "othello6", **settings: object) -> Run:
    return Run(RunSpec.create("fit", game, settings, 3), folder).complete()


def test_weights_are_those_of_logistic_regression(tmp_path: Path) -> None:
    """Scikit-learn's, on every position of the same games, predicts the games held out about as well."""
    game, asked = ludus.game("othello6"), {"records": "random:1000", "alpha": 0.003}
    settings = parse_settings(FIT, asked)
    archive, _, _ = _archive(settings, game, 3)
    learned, held_out = _split(settings, archive, 3)
    boards, results = [], []
    for number in learned:
        position = game.start()
        for move in archive.moves[archive.begins[number] : archive.begins[number + 1]]:
            side = 1 - 2 * position.current_player
            if archive.outcomes[number] != 0.5:
                boards.append(side * position.cells)
                results.append((archive.outcomes[number] == 1.0) == (side == 1))
            position = position.play(int(move))
    theirs = LogisticRegression(C=1.0, fit_intercept=False).fit(np.array(boards), np.array(results))
    weights = theirs.coef_[0] / 2  # our values count twice in the exponent
    loss, accuracy = predict(game.rules, evaluator(settings, game, weights, np.empty((0, 0))), archive, held_out)
    row = fitted(tmp_path, **asked).metrics[-1]
    assert row["held_out_log_loss"] == pytest.approx(loss, abs=0.004)
    assert row["held_out_accuracy"] == pytest.approx(accuracy, abs=0.02)
    assert row["held_out_log_loss"] < row["constant_log_loss"] - 0.02
    assert row["held_out_accuracy"] > row["constant_accuracy"] + 0.03


def test_files_of_games(tmp_path: Path) -> None:
    games = [random_record("othello6", seed) for seed in range(30)]
    other = [random_record("othello8", 1), random_record("othello6", 2, longest=5)]
    file = tmp_path / "games.ggf"
    write_games(file, [*games, *other])
    file.write_text(file.read_text() + "(;GM[Othello]TY[6]B[a1];)")
    run = fitted(tmp_path / "run", records=str(file), epochs=3, step_positions=40)
    assert (run.metrics[-1]["games"], run.metrics[-1]["left_out"], run.metrics[-1]["positions"]) == (30, 3, 81)
    assert ludus.explain(run).moves
    asked = {"records": str(file), "step_positions": 40}
    again = Run(RunSpec.create("fit", "othello6", asked, 3), tmp_path / "stopped")
    steps = again.steps(0.0)
    next(steps)
    steps.close()  # type: ignore[attr-defined]
    write_games(file, games[:20])
    with pytest.raises(LudusError, match=r"the games in .*games.ggf have changed since the run began"):
        again.complete()


@pytest.mark.parametrize(
    ("records", "sentence"),
    [
        ("absent.ggf", "absent.ggf can't be read: No such file or directory"),
        ("few.ggf", "of its games 2 are whole games of othello6 from the usual start with a result"),
        ("random:0", "random:0 is not a file of games"),
        ("random:5", "at least 10 are needed"),
        ("random:99999999", "must be at most random:1864135 for othello6"),
    ],
)
def test_games_that_cannot_be_learned_from(records: str, sentence: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_games(Path("few.ggf"), [random_record("othello6", seed) for seed in range(2)])
    with pytest.raises(LudusError, match=sentence):
        FIT.start(parse_settings(FIT, {"records": records}), ludus.game("othello6"), 1)
