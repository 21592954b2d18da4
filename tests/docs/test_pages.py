"""Whatever a page tells its reader to do works, and shows what the page says."""

import re
from pathlib import Path

import pytest
import typer

from ludus.interfaces.cli.app import app
from tests.docs.follower import Follower, alike, understood
from tests.docs.pages import LANGUAGES, PAGES, ROOT, blocks, prose

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


@pytest.mark.long
@every_page
def test_a_page_can_be_followed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    follower = Follower(tmp_path)
    for block in blocks(page):
        assert block.language in LANGUAGES, f"line {block.line}: a block is one of {', '.join(LANGUAGES)}"
        follower.follow(block)


@every_page
def test_its_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)]*)\)", prose(page)):
        if "://" in link:
            continue
        file, _, place = link.partition("#")
        there = page.parent / file if file else page
        assert there.exists(), f"{link} is missing"
        assert not place or place in _anchors(there), f"{link}: there is no such heading"


@every_page
def test_the_commands_it_speaks_of_exist(page: Path) -> None:
    known = [command.name or command.callback.__name__ for command in app.registered_commands]
    for words in re.findall(r"`ludus ([^`]+)`", prose(page)):
        name = words.split()[0]
        assert name in known or name == "COMMAND" or name.startswith("--"), f"`ludus {words}`"


def test_the_examples_in_the_help_of_commands_are_right() -> None:
    for name, command in typer.main.get_command(app).commands.items():
        example = re.search(r"Example: (ludus .*?)(?:\n\n|\Z)", command.help or "", re.DOTALL)
        assert example, f"ludus {name} --help has no example"
        understood(" ".join(example[1].split()))


def test_a_wrong_command_would_be_noticed() -> None:
    for wrong in ("ludus fly", "ludus games --speed 3", "ludus match random", "ludus train tdl --runs 0"):
        with pytest.raises(Exception, match=r"."):
            understood(wrong)
    assert alike("it took 3.0 s\n...\nend\n", "20 of 90 games, score 3%\nit took 4.25 s\na\nb\nend\n")
    assert not alike("3 wins\n", "4 wins\n")


def _anchors(page: Path) -> list[str]:
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
