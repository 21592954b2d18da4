"""What other packages offer appears everywhere: the examples are installed, and tests/outside runs with them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = [ROOT / "examples" / name for name in ("connect-four", "hill-climber")]

Said = tuple[int, str, str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where both packages are installed, by pip but out of everybody's way."""
    found = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", found, *EXAMPLES], check=True)
    return found


def run(folder: Path, *arguments: str, **more: str) -> Said:
    """Python in a process of its own, for which the packages are installed."""
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)} | more
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
def test_the_command_line_knows_them(folder: Path, tmp_path: Path) -> None:
    def told(*arguments: str) -> object:
        code, out, problem = run(folder, "-m", "ludus", *arguments, "--json")
        assert code == 0, problem
        return json.loads(out)

    assert "connectfour" in {game["name"] for game in told("games")["games"]}
    listed = told("players")
    assert "cautious" in {player["name"] for player in listed["players"]}
    assert {
        "name": "lines",
        "description": "lines of four that can still be filled",
        "games": ["connectfour"],
    } in listed["evaluators"]
    assert told("match", "greedy", "random", "--game", "connectfour", "--games", "20")["score"] > 0.8
    assert all(not row["wrong"] for row in told("check", "connectfour")["checks"])
    assert run(folder, "-m", "ludus", "reference", "--out", str(tmp_path))[0] == 0
    for page, name in (("games.md", "connectfour"), ("players.md", "lines"), ("learners.md", "hill-climber")):
        assert name in (tmp_path / page).read_text()
    code, _, problem = run(
        folder, "-m", "ludus", "match", "greedy", "random", "--game", "connectfour", "--save", str(tmp_path / "x.sgf")
    )
    assert (code, "x.sgf can't hold games of connectfour; no format of games here can" in problem) == (2, True)


@pytest.mark.long
def test_everything_else_works_with_them(folder: Path) -> None:
    code, out, _ = run(folder, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "tests/outside")
    assert code == 0, out


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("GAME = missing\n", "can't be loaded (NameError: name 'missing' is not defined); repair the package"),
        ("from ludus.games.go import GoType\nGAME = GoType()\n", "two things are named go"),
    ],
)
def test_a_package_that_does_not_fit_is_told_of_in_one_sentence(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "unfit.py").write_text(content)
    (tmp_path / "unfit-1.0.dist-info").mkdir()
    (tmp_path / "unfit-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: unfit\nVersion: 1.0\n")
    (tmp_path / "unfit-1.0.dist-info" / "entry_points.txt").write_text("[ludus]\ngame = unfit:GAME\n")
    code, out, problem = run(tmp_path, "-m", "ludus", "games")
    assert (code, out, "Traceback" in problem) == (2, "", False)
    assert sentence in problem
