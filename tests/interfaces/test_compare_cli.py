"""`ludus compare`, and `ludus train --settings`, as a person uses them; docs/how-to/compare.md uses the others."""

import csv
import json
from pathlib import Path

import pytest

import ludus
from ludus.papers.comparison_report import mean_curve
from ludus.runs import scores
from ludus.runs.run import Run
from ludus.runs.scores import Point, Scoring
from ludus.runs.spec import RunSpec
from tests.papers.test_papers import Page
from tests.small import SMALL

TRAINED = ["--game", "othello6", "--set", "games=1200", "--set", "step_games=300", "--runs", "4", "--workers", "1"]
GROUPS = ["tdl", "slow=tdl:alpha=0.0001"]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a comparison of two groups that were trained for it."""
    folder = tmp_path_factory.mktemp("compared")
    ludus.compare(
        *GROUPS, game="othello6", settings={"games": 1200, "step_games": 300}, runs=4, games=100, workers=1,
        folder=folder / "comparison", progress=False,
    )  # fmt: skip
    return folder


@pytest.fixture(autouse=True)
def _there(done: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(done)


def test_two_groups_are_told_apart(say) -> None:
    players = {file: file.stat().st_mtime_ns for file in Path("comparison").rglob("player.safetensors")}
    assert len(players) == 8
    code, out, _ = say("compare", *GROUPS, *TRAINED, "--games", "100", "--same-within", "1")
    assert code == 0
    assert "tdl scores better than slow (p = 0.029)." in out
    assert {file: file.stat().st_mtime_ns for file in Path("comparison").rglob("player.safetensors")} == players
    found = json.loads(Path("comparison/comparison.json").read_text())
    assert (found["pairs"][0]["verdict"], found["game"], len(found["runs"])) == ("better", "othello6", 8)
    rows = list(csv.DictReader(Path("comparison/scores.csv").read_text().splitlines()))
    assert [(row["group"], row["seed"], row["games"]) for row in rows[:2]] == [
        ("tdl", "1", "1200.0"),
        ("tdl", "2", "1200.0"),
    ]
    assert [float(row["score"]) for row in rows] == [run["score"] for run in found["runs"]]
    (pair,) = csv.DictReader(Path("comparison/pairs.csv").read_text().splitlines())
    assert float(pair["difference_interval_low"]) < float(pair["difference"]) < float(pair["difference_interval_high"])


def test_it_is_told_as_json(say, tmp_path: Path) -> None:
    groups = ["one=comparison/runs/tdl", "other=comparison/runs/slow"]
    out = ["--games", "100", "--no-curves", "--out", str(tmp_path / "told")]
    code, text, _ = say("compare", *groups, *out, "--json")
    told = json.loads(text)
    assert (code, told.pop("page")) == (0, str(tmp_path / "told" / "index.html"))
    written = json.loads((tmp_path / "told" / "comparison.json").read_text())
    assert written == told | {"command": written["command"]}
    assert not list((tmp_path / "told").glob("over-*"))


def test_another_version_measures_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"runs": 4, "games": 4, "workers": 1, "folder": tmp_path / "again", "progress": False, "curves": False}
    ludus.compare("comparison/runs/tdl", "comparison/runs/slow", **asked)
    before = json.loads((tmp_path / "again" / "measured.json").read_text())
    monkeypatch.setattr(scores, "__version__", "99")
    ludus.compare("comparison/runs/tdl", "comparison/runs/slow", **asked)
    after = json.loads((tmp_path / "again" / "measured.json").read_text())
    assert (len(before), len(after)) == (8, 16)


def test_the_page_is_whole(say) -> None:
    page = Page(Path("comparison/index.html").read_text())
    for file in page.values("src"):
        assert (Path("comparison") / file).exists()
    assert "over-games.svg" in page.values("src")
    assert "We compared tdl and slow on othello6 over 4 runs each" in page.text


def test_at_equal_games_and_by_a_column(say) -> None:
    """Runs of other folders, half of them trained twice as long."""
    ludus.train(
        "tdl", "othello6", games=600, step_games=300, seeds=range(1, 5), workers=1, folder="short", progress=False
    )
    (warning,) = ludus.compare("comparison/runs/tdl", "short", measure="td_error", folder=None).warnings()
    assert "did not train for equally many games (comparison/runs/tdl 1,200, short 600); --at games" in warning
    code, _, _ = say(
        "compare", "long=comparison/runs/tdl", "short", "--measure", "td_error", "--lower-is-better", "--at", "games",
        "--out", "by-column",
    )  # fmt: skip
    assert code == 0
    found = json.loads(Path("by-column/comparison.json").read_text())
    assert {run["games"] for run in found["runs"]} == {600}
    assert found["pairs"][0]["difference"] == 0  # the longer began as the shorter did, seed by seed
    # of a measure, too, by a player on the way: with the same seeds it is the same player
    compared = ludus.compare({"long": "comparison/runs/tdl", "short": "short"}, at="games", games=100, folder=None)
    assert compared.found.pairs[0].difference.value == 0
    for file in [*Path("short").rglob("times.csv"), *Path("comparison/runs/tdl").rglob("times.csv")]:
        steps = file.read_text().count("\n") - 1
        file.write_text("step,seconds\n" + "".join(f"{step},{step / 4}\n" for step in range(1, steps + 1)))
    by_time = ludus.compare("comparison/runs/tdl", "short", at="seconds", games=100, folder=None)
    assert by_time.when.startswith("at 0.5 seconds")
    assert by_time.warnings() == []
    assert by_time.found.pairs[0].difference.value == 0


def test_curves_of_runs_that_have_other_points() -> None:
    one, other = ([Point(int(x), x, x / 2, 2.0 * x) for x in at] for at in ((1.0, 2.0, 4.0), (2.0, 3.0)))
    curve = mean_curve([one, other], "games")
    assert curve is not None
    assert list(curve.y) == pytest.approx([x + min(x, 3.0) for x in curve.x])  # the other ended at 3
    assert (curve.x[0], curve.x[-1]) == (2.0, 4.0)
    assert mean_curve([one, [Point(1, 1.0, None, 2.0), Point(2, 2.0, None, 2.0)]], "seconds") is None


def test_bands_of_curves_end_where_scores_do() -> None:
    courses = [[Point(1, 1.0, None, low), Point(2, 2.0, None, high)] for low, high in ((0.0, 100.0), (9.0, 90.0))]
    for name in ("generalization", "measured_points"):
        curve = mean_curve(courses, "games", Scoring(name).within)
        assert curve is not None
        assert (curve.low[0], curve.high[1]) == (0, 100)
        assert curve.high[0] < 100
    unbounded = mean_curve(courses, "games", Scoring("td_error").within)
    assert unbounded is not None
    assert unbounded.low[0] < 0


@pytest.fixture(scope="module")
def wrong(done: Path) -> Path:
    """A folder with runs that can't be compared."""
    Run(RunSpec.create("tdl", "othello6", SMALL["tdl"], 1), done / "wrong" / "begun" / "seed-1").register()
    ludus.train("tdl", "othello8", games=10, seeds=[1, 2], workers=1, folder=done / "wrong" / "eight", progress=False)
    ludus.train("tdl", "othello6", games=10, seeds=[1, 2], workers=1, folder=done / "wrong" / "damaged", progress=False)
    (done / "wrong" / "damaged" / "seed-2" / "metrics.csv").write_text("games\nmany\n")
    return done / "wrong"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tdl"], "two or more groups"),
        (["comparison/runs/tdl", "nowhere"], "there are no runs in 'nowhere'; name a folder of runs"),
        (["comparison/runs/tdl", "wrong/eight"], "comparison/runs/tdl plays othello6 and wrong/eight plays othello8"),
        (
            ["comparison/runs/tdl", "wrong/begun"],
            "1 of 1 runs of wrong/begun are not finished, such as wrong/begun/seed-1",
        ),
        (["comparison/runs/tdl", "wrong/damaged"], "1 of 2 runs in wrong/damaged can't be read; wrong/damaged/seed-2"),
        (["comparison/runs/tdl", "comparison/runs/*"], "is in the groups comparison/runs/tdl and comparison/runs/*"),
        (["comparison/runs/tdl/seed-1", "slow=tdl"], "comparison/runs/tdl/seed-1 has 1 run"),
        (["tdl", "tdl"], "two groups are named tdl"),
        (["tdl", "tdl:apha=1"], "unknown setting 'apha'"),
        (
            ["tdl", "slow=tdl:alpha=0.2", *TRAINED, "--out", "comparison"],
            "comparison/runs/slow/seed-1 holds a run with",
        ),
        (["tdl", "a=tdl:alpha"], "invalid settings in 'tdl:alpha'"),
        (["comparison/runs/*", "tdl", "--measure", "beauty"], "unknown measure 'beauty'; measures: generalization"),
        (["tdl", "cel", "--measure", "regret", "--game", "checkers"], "the solver does not play checkers"),
        (["tdl", "cel", "--measure", "ladder", "--game", "go3"], "go3 has no ladder"),
        (["comparison/runs/tdl", "comparison/runs/slow", "--at", "noon"], "invalid --at noon"),
        (["comparison/runs/tdl", "comparison/runs/slow", "--at", "games=5"], "has no player of 5 games or fewer"),
        (["comparison/runs/tdl", "comparison/runs/slow", "--at", "games=5000"], "ended before 5,000 games"),
        (["comparison/runs/tdl", "comparison/runs/slow", "--ordered"], "three or more groups"),
    ],
)
def test_what_can_not_be_compared(refuses, wrong: Path, arguments: list[str], sentence: str) -> None:
    refuses(["compare", "--out", "refused", *arguments], sentence)
    assert not Path("refused").exists()


def test_settings_from_files(say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, run = str(tmp_path / "my.toml"), "comparison/runs/slow/seed-2"
    assert say("train", "--settings", run, "--save-settings", file)[0] == 0
    assert say("train", "--settings", file, "--out", str(tmp_path / "again"))[0] == 0
    assert (tmp_path / "again" / "player.safetensors").read_bytes() == Path(run, "player.safetensors").read_bytes()
    assert (
        say("train", "--settings", file, "--set", "games=10", "--seed", "9", "--out", str(tmp_path / "other"))[0] == 0
    )
    asked = json.loads((tmp_path / "other" / "run.json").read_text())
    assert (asked["seed"], asked["game"], asked["settings"]["games"], asked["settings"]["alpha"]) == (
        9,
        "othello6",
        10,
        1e-4,
    )
    code, _, err = say("train", "cel", "--settings", file)
    assert (code, "is for tdl, not cel" in err) == (2, True)
