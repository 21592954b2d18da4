"""Papers: verdicts, what is kept, claims.json, the page and the command."""

import json
import math
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from ludus.errors import LudusError
from ludus.papers import names
from ludus.papers.paper import VERDICTS, Claim, Figure, Report, Workplace, judged, judged_above
from ludus.papers.report import Making, claims_told, duration, prose, reproduce, write_report
from tests.interfaces.conftest import say  # noqa: F401 - a fixture
from tests.papers.made_up import MadeUp

VOID = {"meta", "link", "img"}
MAKING = Making("quick", 1, 125.0, {"ludus": "0.1.0"})


class Page(HTMLParser):
    """Reads a page and checks that whatever is opened is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.elements, self.text = list[str](), list[tuple[str, dict[str, str | None]]](), ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data

    def values(self, name: str) -> list[str]:
        return [value for _, attributes in self.elements if (value := attributes.get(name))]


@pytest.fixture
def place(tmp_path: Path) -> Workplace:
    return Workplace(runs=tmp_path / "runs", report=tmp_path / "report")


@pytest.fixture
def page(place: Workplace) -> Page:
    reproduce(MadeUp(), "quick", place)
    return Page((place.report / "index.html").read_text())


def claim(**changes: object) -> Claim:
    usual = {"id": "a", "says": "", "paper": "1.0", "ours": 1.0, "interval": None, "runs": 1, "scale": "quick"}
    return Claim(**{**usual, "verdict": "reproduced", **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ours", "interval", "verdict"),
    [
        (None, None, "not run"),
        (87.0, None, "reproduced"),
        (85.0, (83.9, 86.1), "reproduced"),  # reaches 86
        (87.0, (82.0, 92.0), "partly"),  # too wide to tell
        (85.5, (85.2, 85.8), "partly"),  # near, but surely different
        (84.0, (83.0, 85.0), "not reproduced"),
        (90.0, (89.5, 90.5), "not reproduced"),
    ],
)
def test_a_figure_is_judged_by_its_interval(ours, interval, verdict) -> None:
    assert judged(87, 1, ours, interval) == verdict


def test_exact_figures_have_to_be_equal() -> None:
    assert judged(5046, 0, 5046) == "reproduced"
    assert judged(5046, 0, 5047) == "not reproduced"


@pytest.mark.parametrize(
    ("ours", "interval", "verdict"),
    [
        (None, None, "not run"),
        (1.0, None, "reproduced"),
        (1.0, (0.5, 1.5), "reproduced"),
        (1.0, (-0.5, 2.5), "partly"),
        (0.0, (-1.0, 1.0), "not reproduced"),
    ],
)
def test_a_difference_is_judged_by_its_sign(ours, interval, verdict) -> None:
    assert judged_above(0, ours, interval) == verdict


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "Table 2"},
        {"verdict": "perhaps"},
        {"scale": "huge"},
        {"ours": None},
        {"verdict": "not run"},
        {"ours": math.nan},
        {"interval": (2.0, 1.0)},
    ],
)
def test_a_claim_that_cannot_be_right_is_refused(changes) -> None:
    with pytest.raises(LudusError, match="claim"):
        claim(**changes)


@pytest.mark.parametrize(
    ("paper", "ours", "shown"),
    [
        ("87.26 ± 0.32", 87.5, "87.50"),
        ("about 110", 117.25, "117.2"),
        (0.0035, 0.0052, "0.0052"),
        (845931, 845931, "845,931"),
        ("1,234.56", 1300.0, "1,300.00"),
        ("65%", 64.23, "64.2%"),
        ("four", 1.5, "1.50"),
        ("weak corner", "weak corner", "weak corner"),
    ],
)
def test_ours_is_shown_as_exactly_as_the_papers(paper, ours, shown) -> None:
    assert claim(paper=paper, ours=ours).ours_shown == shown


def test_what_was_measured_is_kept_until_another_thing_is_asked(place: Workplace) -> None:
    done: list[int] = []

    def work() -> dict[str, object]:
        done.append(1)
        return {"scores": np.array([0.1, 0.2]), "games": np.int64(5)}

    for _ in range(2):
        assert place.kept("scores", {"games": 5}, work) == {"scores": [0.1, 0.2], "games": 5}
    assert len(done) == 1
    place.kept("scores", {"games": 6}, work)
    assert len(done) == 2
    (place.runs / "scores.json").write_text("{")
    place.kept("scores", {"games": 6}, work)
    assert len(done) == 3


def test_runs_are_trained_once_and_told_in_order(tmp_path: Path) -> None:
    lines: list[str] = []
    place = Workplace(tmp_path / "runs", tmp_path / "report", tell=lines.append)
    tasks = [place.task(f"run-{seed}", "tdl", "othello6", seed, {"games": 200}) for seed in place.seeds(2)]
    assert place.train(tasks) == [place.runs / "run-1000", place.runs / "run-1001"]
    assert lines == ["1 of 2 runs finished: run-1000", "2 of 2 runs finished: run-1001"]
    assert all((folder / "player.safetensors").is_file() for folder in place.train(tasks))


def test_other_seeds_give_other_runs() -> None:
    seeds = [set(Workplace(Path(), Path(), seed=seed).seeds(1000)) for seed in (1, 2)]
    assert not seeds[0] & seeds[1]


def test_claims_are_told_to_programs(place: Workplace) -> None:
    reproduce(MadeUp(), "quick", place)
    told = json.loads((place.report / "claims.json").read_text())
    assert (told["paper"], told["scale"], told["seed"]) == ("nobody2031", "quick", 1)
    assert set(told["versions"]) == {"ludus", "python", "numba", "numpy"}
    fields = {"id", "says", "paper", "ours", "interval", "runs", "scale", "verdict", "note"}
    assert all(fields <= set(each) for each in told["claims"])
    assert {each["verdict"] for each in told["claims"]} == set(VERDICTS)
    assert told["claims"][1]["interval"] == [-0.6, 4.4]
    assert told["claims"][3]["ours"] is None
    assert claims_told([claim(ours=np.int64(5))])[0]["ours"] == 5


def test_done_again_nothing_is_measured_again_and_the_bytes_are_the_same(place: Workplace) -> None:
    paper, contents = MadeUp(), []
    for _ in range(2):
        write_report(paper, reproduce(paper, "quick", place), MAKING, place.report)
        contents.append({file.name: file.read_bytes() for file in place.report.iterdir()})
    assert paper.measured == 1
    assert set(contents[0]) == {"claims.json", "index.html", "profile.svg", "profile.png"}
    assert contents[0] == contents[1]


def test_the_page_is_complete_and_needs_nothing_from_elsewhere(page: Page, place: Workplace) -> None:
    tags = [tag for tag, _ in page.elements]
    assert "script" not in tags
    assert all("//" not in link for link in page.values("src") + page.values("href"))
    assert "url(" not in (place.report / "index.html").read_text()
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    for link in page.values("href"):
        assert link == "data:," or link[1:] in ids or (place.report / link).is_file()
    for tag, attributes in page.elements:
        if tag == "img":
            assert attributes["alt"]
            assert (place.report / str(attributes["src"])).is_file()


def test_the_page_shows_paper_and_ours_side_by_side(page: Page) -> None:
    for words in (
        "87.26\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.32",
        "87.50",
        "86.51 to 88.49",
        "1.90",
        "−0.60 to 4.40",
        "Seeds of the runs1000 to 1002",
    ):
        assert words in page.text
    assert all(f" {verdict}" in page.text for verdict in VERDICTS)
    assert "Of 4 claims: 1 reproduced, 1 partly, 1 not reproduced, 1 not run." in page.text


def test_whatever_a_paper_says_is_text(page: Page) -> None:
    assert '<script>alert("never")</script>' in page.text
    assert "the same <corner>" in page.text
    assert "nothing <i>about</i> them" in page.text


def test_plain_text_becomes_paragraphs_lists_and_tables() -> None:
    assert prose("one\ntwo\n\n- a `b`\n  c\n- d") == (
        "<p>one\ntwo</p>\n<ul>\n<li>a <code>b</code>\n  c</li>\n<li>d</li>\n</ul>"
    )
    assert Page(prose("| a | b |\n| 1 | 2 |")).text.split() == ["ab", "12"]
    assert prose("") == ""


def test_a_report_whose_parts_do_not_fit_is_refused(place: Workplace) -> None:
    for report in (
        Report([claim(figure="profile")]),
        Report([claim(), claim()]),
        Report([claim()], [Figure("undrawn", "")]),
    ):
        with pytest.raises(LudusError, match="nobody2031"):
            write_report(MadeUp(), report, MAKING, place.report)
    with pytest.raises(LudusError, match="figure"):
        Figure("../elsewhere", "")
    assert not place.report.exists()


def test_a_place_that_cannot_be_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    paper = MadeUp()
    with pytest.raises(LudusError, match="name another place"):
        reproduce(paper, "quick", Workplace(tmp_path / "runs", tmp_path / "file" / "report"))
    assert paper.measured == 0


def test_time_in_words() -> None:
    assert [duration(seconds) for seconds in (4.2, 125, 3599, 7500)] == ["4 s", "2 min", "1 h 0 min", "2 h 5 min"]


def test_papers_are_found_by_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(paper.key == key for key, paper in names.papers().items())
    assert all(set(paper.scales) == {"quick", "full"} for paper in names.papers().values())
    monkeypatch.setattr(names, "papers", lambda: {"nobody2031": MadeUp()})
    assert names.paper("nobody2031").year == 2031
    with pytest.raises(LudusError, match="there is no paper 'nobody'; there is nobody2031"):
        names.paper("nobody")


def test_the_command_lists_and_reproduces(say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "papers", lambda: {"nobody2031": MadeUp()})
    code, out, _ = say("paper")
    assert code == 0
    assert "nobody2031" in out
    assert json.loads(say("paper", "--json")[1])["papers"][0]["year"] == 2031
    arguments = ["paper", "nobody2031", "--out", str(tmp_path / "reports"), "--runs", str(tmp_path / "runs")]
    code, out, err = say(*arguments)
    assert (code, err) == (0, "")
    page = tmp_path / "reports" / "nobody2031" / "index.html"
    assert page.is_file()
    assert out.endswith(f"1 reproduced, 1 partly, 1 not reproduced, 1 not run; the page is {page}\n")
    assert "87.26 ± 0.32  87.50  86.51 to 88.49  reproduced" in out
    told = json.loads(say(*arguments, "--json")[1])
    assert told["page"] == str(page)
    assert told["claims"] == json.loads(page.with_name("claims.json").read_text())["claims"]
    for wrong in (["--scale", "huge"], ["--on", "moon"], ["--address", "tcp://a:1"], ["--workers", "0"]):
        code, out, err = say(*arguments, *wrong)
        assert (code, out, err.count("\n")) == (2, "", 1)
    code, _, err = say("paper", "nobody1999")
    assert (code, err) == (2, "ludus: there is no paper 'nobody1999'; there is nobody2031\n")
