"""Papers: what is kept, claims.json, the page and the command."""

import importlib
import inspect
import json
import math
import os
import shutil
import subprocess
from dataclasses import replace
from fnmatch import fnmatchcase
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus import registry
from ludus.errors import LudusError
from ludus.papers import names
from ludus.papers import report as report_module
from ludus.papers.base import Claim, Figure, Reading, Report, Section, Workspace
from ludus.papers.report import Making, duration, prose, reproduce, write_report
from ludus.papers.report import page as page_of
from ludus.papers.study import Study
from ludus.papers.verdicts import VERDICTS, Ruling, verdict_above, verdict_near, verdict_superior
from ludus.play.intervals import Estimate
from tests.interfaces.conftest import say  # noqa: F401 - a fixture
from tests.papers.made_up import MadeUp

CHROMIUM = os.environ.get("LUDUS_CHROMIUM") or shutil.which("chromium") or ""
PAPERS = Path(__file__).parents[2] / "docs/papers"
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
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(runs=tmp_path / "runs", report=tmp_path / "report")


@pytest.fixture
def page(workspace: Workspace) -> Page:
    reproduce(MadeUp(), "quick", workspace)
    return Page((workspace.report / "index.html").read_text())


def claim(**changes: object) -> Claim:
    usual = {"id": "a", "description": "", "paper": "1.0", "ours": 1.0, "interval": None, "runs": 1, "scale": "quick"}
    return Claim(**{**usual, "verdict": "reproduced", **changes})  # type: ignore[arg-type]


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


def test_a_reading_that_cannot_be_right_is_refused() -> None:
    for changes in ({"verdict": "not run"}, {"ours": math.inf}, {"interval": (2.0, 1.0)}):
        with pytest.raises(LudusError, match="reading 'other'"):
            Reading(**{"name": "other", "ours": 1.0, "runs": 1, "verdict": "partly", **changes})  # type: ignore[arg-type]


def test_what_would_settle_a_claim_is_told_in_runs_or_games() -> None:
    shown = [
        claim(verdict="not settled", runs=runs, runs_to_settle=needed, over=over).settled_by
        for runs, needed, over in (
            (5, 1234, "runs"),
            (1, 3, "games"),
            (4, 9, "games"),
            (0, 3, "games"),
            (5, None, "runs"),
        )
    ]
    assert shown == ["about 1,234 runs", *["about 3 times the games"] * 3, ""]


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


def test_what_was_measured_is_kept_until_another_thing_is_asked(workspace: Workspace) -> None:
    done: list[int] = []

    def work() -> dict[str, object]:
        done.append(1)
        return {"scores": np.array([0.1, 0.2]), "games": np.int64(5)}

    for _ in range(2):
        assert workspace.cached("scores", {"games": 5}, work) == {"scores": [0.1, 0.2], "games": 5}
    assert len(done) == 1
    workspace.cached("scores", {"games": 6}, work)
    assert len(done) == 2
    (workspace.runs / "scores.json").write_text("{")
    workspace.cached("scores", {"games": 6}, work)
    assert len(done) == 3


def test_runs_are_trained_once_and_logged_in_order(tmp_path: Path) -> None:
    lines: list[str] = []
    workspace = Workspace(tmp_path / "runs", tmp_path / "report", log=lines.append)
    runs = [workspace.run(f"run-{seed}", "tdl", "othello6", seed, {"games": 200}) for seed in workspace.seeds(2)]
    assert [run.folder for run in workspace.train(runs)] == [workspace.runs / f"run-{seed}" for seed in (1000, 1001)]
    assert lines == ["1 of 2 runs finished: run-1000", "2 of 2 runs finished: run-1001"]
    assert all(run.finished for run in workspace.train(runs))


def test_other_seeds_give_other_runs() -> None:
    seeds = [set(Workspace(Path(), Path(), seed=seed).seeds(1000)) for seed in (1, 2)]
    assert not seeds[0] & seeds[1]


def test_a_study_collects_what_its_experiments_add(workspace: Workspace) -> None:
    study = Study("quick", Making("quick", 1, 0.0, {}), workspace, ludus.game("othello6"), runs=2)
    reading = study.reading("other", ours=Estimate(3.0, (2.0, 4.0)), verdict=Ruling("not reproduced", "near"), runs=5)
    study.claim(
        "a",
        "An estimate.",
        paper=1.0,
        ours=Estimate(1.5, (1.0, 2.0)),
        verdict=Ruling("not settled", "near", 2.6),
        reading="this one",
        readings=[reading],
    )
    holds = Ruling("reproduced", "above")
    study.claim("b", "A sentence.", paper="more", ours="by 1", interval=(0.0, 2.0), runs=7, verdict=holds)
    for id, times, runs in (("c-many", 1001.0, 2), ("c-games", 3.2, 0)):
        study.claim(id, "", paper=1.0, ours=1.0, runs=runs, verdict=Ruling("not settled", "near", times))
    assert study.figure("drawn", "A title", "A caption.", alt="Curves") == workspace.report / "drawn.svg"
    study.section("Found", "Text.")
    assert study.tally("a*", "b") == "1 reproduced, 1 not settled"
    report = study.report([Section("Notes", "More.")], "In short.")
    assert [(each.id, each.ours, each.interval, each.runs) for each in report.claims[:2]] == [
        ("a", 1.5, (1.0, 2.0), 2),
        ("b", "by 1", (0.0, 2.0), 7),
    ]
    assert [each.runs_to_settle for each in report.claims] == [6, None, None, 4]
    assert [each.over for each in report.claims] == ["runs", "runs", "runs", "games"]
    assert (report.claims[0].rule, report.claims[0].reading) == ("near", "this one")
    assert report.claims[0].readings == (
        Reading(name="other", ours=3.0, interval=(2.0, 4.0), runs=5, verdict="not reproduced"),
    )
    assert report.summary == "In short."
    assert report.figures == [Figure("drawn", "A title", "A caption.", "Curves")]
    assert [each.heading for each in report.sections] == ["Found", "Notes"]
    assert (report.settings["seed"], report.seeds) == (1, [1000, 1001])


def test_a_figure_that_is_not_finite_is_refused_whatever_the_rule(workspace: Workspace) -> None:
    study = Study("quick", Making("quick", 1, 0.0, {}), workspace, ludus.game("othello6"), runs=2)
    nothing = Estimate(math.nan, (math.nan, math.nan))
    for ruling in (verdict_near(nothing, 1.0, 0.5), verdict_above(nothing, 1.0), verdict_superior(math.nan)):
        with pytest.raises(LudusError, match="its figures must be finite"):
            study.claim("a", "", paper=1.0, ours=math.nan, verdict=ruling)


def test_claims_are_json_for_programs(workspace: Workspace) -> None:
    reproduce(MadeUp(), "quick", workspace)
    written = json.loads((workspace.report / "claims.json").read_text())
    assert (written["paper"], written["scale"], written["seed"]) == ("nobody2031", "quick", 1)
    assert set(written["versions"]) == {"ludus", "python", "numba", "numpy"}
    fields = {"id", "description", "paper", "ours", "interval", "runs", "scale", "verdict", "rule", "note"}
    assert all(fields <= set(each) for each in written["claims"])
    assert {each["verdict"] for each in written["claims"]} == set(VERDICTS)
    assert written["claims"][1]["interval"] == [-0.6, 4.4]
    assert written["claims"][1]["readings"][0]["interval"] == [9.8, 18.4]
    assert written["claims"][4]["ours"] is None
    assert claim(ours=np.int64(5)).to_json()["ours"] == 5


def test_claims_and_page_are_the_same_after_a_round_trip(workspace: Workspace) -> None:
    report = reproduce(MadeUp(), "quick", workspace)
    written = json.loads((workspace.report / "claims.json").read_text())["claims"]
    read = [Claim.from_json(each) for each in written]
    assert read == report.claims
    assert [each.to_json() for each in read] == written
    assert page_of(MadeUp(), replace(report, claims=read), MAKING) == page_of(MadeUp(), report, MAKING)


def test_done_again_nothing_is_measured_again_and_the_bytes_are_the_same(workspace: Workspace) -> None:
    paper, contents = MadeUp(), []
    for _ in range(2):
        write_report(paper, reproduce(paper, "quick", workspace), MAKING, workspace.report)
        contents.append({file.name: file.read_bytes() for file in workspace.report.iterdir()})
    assert paper.measured == 1
    assert set(contents[0]) == {"claims.json", "index.html", "profile.svg", "profile.png"}
    assert contents[0] == contents[1]


def test_the_page_is_complete_and_needs_nothing_from_elsewhere(page: Page, workspace: Workspace) -> None:
    tags = [tag for tag, _ in page.elements]
    assert "script" not in tags
    assert all("//" not in link for link in page.values("src") + page.values("href"))
    assert "url(" not in (workspace.report / "index.html").read_text()
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    for link in page.values("href"):
        assert link == "data:," or link[1:] in ids or (workspace.report / link).is_file()
    for tag, attributes in page.elements:
        if tag == "img":
            assert attributes["alt"]
            assert (workspace.report / str(attributes["src"])).is_file()


def test_the_page_shows_paper_and_ours_side_by_side(page: Page) -> None:
    for words in (
        "87.26\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.32",
        "87.30",
        "86.80 to 87.80",
        "1.90",
        "−0.60 to 4.40",
        "Seeds of the runs1000 to 1002",
    ):
        assert words in page.text
    badges = "✓ 1 reproduced ≈ 1 consistent, not settled ½ 1 partly ✕ 1 not reproduced – 1 not run"
    assert f"Of 5 claims: {badges}" in page.text
    assert page.text.index("Strength (Table 2): 1 reproduced, 1 not settled.") < page.text.index("Scale quick")


def test_the_page_shows_rules_and_readings(page: Page) -> None:
    for words in (
        "Reproduced if our whole interval is within 1.5 of 87.26.",
        "Reproduced if our whole interval is above 0 (p = 0.082). About 4 runs would settle it.",
        "Read as: both breed for the same number of games, as <section> 3 says of games.",
        "the same time14.10 9.80 to 18.405✓ reproduced",
        "the same number of generationsnot run–– not run",
        "Reproduced if all have one (partly: all but one).",
    ):
        assert words in page.text


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


def test_a_report_whose_parts_do_not_fit_is_refused(workspace: Workspace) -> None:
    for report in (
        Report([claim(figure="profile")]),
        Report([claim(), claim()]),
        Report([claim()], [Figure("undrawn", "")]),
    ):
        with pytest.raises(LudusError, match="nobody2031"):
            write_report(MadeUp(), report, MAKING, workspace.report)
    with pytest.raises(LudusError, match="figure"):
        Figure("../elsewhere", "")
    assert not workspace.report.exists()


def test_a_place_that_cannot_be_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    paper = MadeUp()
    with pytest.raises(LudusError, match="name another place"):
        reproduce(paper, "quick", Workspace(tmp_path / "runs", tmp_path / "file" / "report"))
    assert paper.measured == 0


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git on this machine")
def test_the_commit_is_that_of_ludus_and_not_of_a_repository_around_it(tmp_path: Path, monkeypatch) -> None:
    package = tmp_path / "site-packages" / "report.py"
    package.parent.mkdir()
    package.write_text("")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "--quiet"], ["commit", "--quiet", "--allow-empty", "--message=Theirs"]):
        subprocess.run([*git, *command], check=True)
    monkeypatch.setattr(report_module, "__file__", str(package))
    assert not report_module.commit()
    subprocess.run([*git, "add", str(package)], check=True)
    assert report_module.commit().endswith("+")


def test_time_in_words() -> None:
    assert [duration(seconds) for seconds in (4.2, 125, 3599, 7500)] == ["4 s", "2 min", "1 h 0 min", "2 h 5 min"]


def test_papers_are_found_by_key(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(paper.key == key for key, paper in names.papers().items())
    assert all(set(paper.scales) == {"quick", "full"} for paper in names.papers().values())
    monkeypatch.setattr(names, "papers", lambda: {"nobody2031": MadeUp()})
    assert names.paper("nobody2031").year == 2031
    with pytest.raises(
        LudusError, match=r"unknown paper 'nobody' \(did you mean nobody2031\?\); known papers: nobody2031"
    ):
        names.paper("nobody")


@pytest.mark.parametrize("key", ["abramson2001", "alkhateeb2012", "jain2018", "jaskowski2014", "moriarty1995"])
def test_each_claim_is_counted_in_one_place_of_the_summary(key: str, workspace: Workspace, monkeypatch) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(Study, "tally", lambda self, *patterns: str(asked.append(patterns)))
    package, setup = (importlib.import_module(f"ludus.papers.{key}{part}") for part in ("", ".setup"))
    study = Study("full", setup.BUDGETS["full"], workspace, ludus.game("othello6"), runs=2)
    package._summary(study, *[""] * (len(inspect.signature(package._summary).parameters) - 1))
    for claim in json.loads((PAPERS / key / "claims.json").read_text())["claims"]:
        assert sum(any(fnmatchcase(claim["id"], each) for each in patterns) for patterns in asked) == 1, claim["id"]


def test_the_command_lists_and_reproduces(say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (names, registry):
        monkeypatch.setattr(module, "papers", lambda: {"nobody2031": MadeUp()})
    code, out, _ = say("paper")
    assert code == 0
    assert "nobody2031" in out
    assert json.loads(say("paper", "--json")[1])["papers"][0]["year"] == 2031
    arguments = ["paper", "nobody2031", "--out", str(tmp_path / "reports"), "--runs", str(tmp_path / "runs")]
    code, out, err = say(*arguments)
    assert (code, err) == (0, "")
    page = tmp_path / "reports" / "nobody2031" / "index.html"
    assert page.is_file()
    assert out.endswith(f"1 reproduced, 1 not settled, 1 partly, 1 not reproduced, 1 not run; the page is {page}\n")
    rows = [" ".join(line.split()) for line in out.splitlines()]
    rule = "our whole interval is within 1.5 of 87.26"
    assert f"table2-learned-generalization 87.26 ± 0.32 87.30 86.80 to 87.80 reproduced {rule}" in rows
    assert any("1.90 -0.60 to 4.40 not settled (about 4 runs) our whole interval is above 0" in row for row in rows)
    written = json.loads(say(*arguments, "--json")[1])
    assert written["page"] == str(page)
    assert written["claims"] == json.loads(page.with_name("claims.json").read_text())["claims"]
    archive, elsewhere = str(tmp_path / "work.tar.xz"), ["--runs", str(tmp_path / "elsewhere")]
    assert f"2 files of finished work are in {archive}\n" in say(*arguments, "--pack", archive)[1]
    out = say(*arguments, *elsewhere, "--unpack", archive, "--partial")[1]
    assert out.startswith(f"2 files of finished work are new from {archive}\n")
    again = json.loads(say(*arguments, *elsewhere, "--partial", "--json")[1])
    assert (again["partial"], again["claims"]) == (True, written["claims"])
    for wrong in (["--scale", "huge"], ["--on", "moon"], ["--address", "tcp://a:1"], ["--workers", "0"]):
        code, out, err = say(*arguments, *wrong)
        assert (code, out, err.count("\n")) == (2, "", 1)
    code, _, err = say("paper", "nobody1999")
    assert (code, err) == (
        2,
        "ludus: unknown paper 'nobody1999' (did you mean nobody2031?); known papers: nobody2031\n",
    )


@pytest.mark.skipif(not CHROMIUM, reason="there is no chromium on this machine")
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_its_window_and_opens_with_the_summary(workspace: Workspace, width: int) -> None:
    sync_api = pytest.importorskip("playwright.sync_api")
    reproduce(MadeUp(), "quick", workspace)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.goto((workspace.report / "index.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("header").bounding_box()["height"] < 800
        readings = page.locator(".readings").bounding_box()
        assert readings["x"] + readings["width"] <= width
        browser.close()
