"""Archives of finished work: they bring it all, and nothing else."""

import io
import tarfile
from pathlib import Path

import pytest

import ludus
from ludus.errors import DamagedFile, LudusError
from ludus.papers.archive import pack, unpack
from ludus.papers.base import Workspace
from ludus.storage import write_whole

PAPERS = Path(__file__).parents[2] / "docs/papers"


@pytest.fixture
def worked(tmp_path: Path) -> Workspace:
    """With a finished run, one that is not, and something measured."""
    workspace = Workspace(runs=tmp_path / "runs", report=tmp_path / "report")
    done = workspace.run("tdl/seed-1", "tdl", "othello4", 1, {"games": 20, "step_games": 10})
    halfway = workspace.run("tdl/seed-2", "tdl", "othello4", 2, {"games": 20, "step_games": 10})
    done.complete()
    next(halfway.steps(0))
    workspace.cached("won/seed-1", {"games": 2}, lambda: [1.0, 0.5])
    workspace.cached("matches/C0 - untrained 1, king 1.5", {"games": 2}, lambda: [0.0, 1.0])
    return workspace


def test_finished_work_moves(worked: Workspace, tmp_path: Path) -> None:
    archive, elsewhere = tmp_path / "runs.tar.xz", Workspace(runs=tmp_path / "there", report=tmp_path / "report")
    assert pack(worked.runs, archive) == 5
    assert unpack(archive, elsewhere.runs) == 5
    run = elsewhere.run("tdl/seed-1", "tdl", "othello4", 1, {"games": 20, "step_games": 10})
    run.complete()  # which finds nothing to do
    assert not (run.folder / "checkpoint.safetensors").exists()
    assert run.metrics == worked.run("tdl/seed-1", "tdl", "othello4", 1).metrics
    assert len(ludus.match(run, "random", games=2).scores) == 2
    assert elsewhere.cached("won/seed-1", {"games": 2}, lambda: pytest.fail("measured again")) == [1.0, 0.5]
    assert not (elsewhere.runs / "tdl/seed-2").exists()
    again = tmp_path / "again.tar.xz"
    pack(elsewhere.runs, again)
    assert again.read_bytes() == archive.read_bytes()


def test_work_that_is_there_stays(worked: Workspace, tmp_path: Path) -> None:
    archive = tmp_path / "runs.tar.xz"
    pack(worked.runs, archive)
    (worked.runs / "won/seed-1.json").write_text("mine")
    assert unpack(archive, worked.runs) == 0
    assert (worked.runs / "won/seed-1.json").read_text() == "mine"


def test_a_run_that_was_begun_becomes_the_finished_one(worked: Workspace, tmp_path: Path) -> None:
    asked = ("tdl/seed-2", "tdl", "othello4", 2, {"games": 20, "step_games": 10})
    archive, elsewhere = tmp_path / "runs.tar.xz", Workspace(runs=tmp_path / "there", report=tmp_path / "report")
    whole = elsewhere.run(*asked)
    whole.complete()
    pack(elsewhere.runs, archive)
    begun = worked.run(*asked)
    assert len(begun.metrics) == 1
    unpack(archive, worked.runs)
    assert begun.finished
    assert begun.metrics == whole.metrics


@pytest.mark.parametrize(
    "name", ["../won.json", "/won.json", "won/../../x.json", "a.py", "checkpoint.safetensors", "x\n.json"]
)
def test_nothing_else_is_unpacked(tmp_path: Path, name: str) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as tar:
        tar.addfile(tarfile.TarInfo(name), io.BytesIO())
    write_whole(tmp_path / "runs.tar.xz", buffer.getvalue())
    with pytest.raises(DamagedFile, match="it has an entry"):
        unpack(tmp_path / "runs.tar.xz", tmp_path / "there")
    assert not (tmp_path / "there").exists()


def test_links_are_not_followed(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as tar:
        link = tarfile.TarInfo("won.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    write_whole(tmp_path / "runs.tar.xz", buffer.getvalue())
    with pytest.raises(DamagedFile, match=r"won\.json"):
        unpack(tmp_path / "runs.tar.xz", tmp_path / "there")


def test_damaged_archives(worked: Workspace, tmp_path: Path) -> None:
    archive = tmp_path / "runs.tar.xz"
    pack(worked.runs, archive)
    whole = archive.read_bytes()
    for content in (b"", b"tar", whole[: len(whole) // 2], whole[:-40] + bytes(40)):
        archive.write_bytes(content)
        with pytest.raises(LudusError, match="damaged"):
            unpack(archive, tmp_path / "there")
    with pytest.raises(LudusError, match="can't read"):
        unpack(tmp_path / "nowhere", tmp_path / "there")


def test_long_names(tmp_path: Path) -> None:
    """Those of studies tell all that they change."""
    name = f"study/{'no-discount-' * 15}/seed-1/figures.json"
    (tmp_path / "runs" / name).parent.mkdir(parents=True)
    (tmp_path / "runs" / name).write_text("[1, 2]")
    assert pack(tmp_path / "runs", tmp_path / "runs.tar.xz") == 1
    assert unpack(tmp_path / "runs.tar.xz", tmp_path / "there") == 1
    assert (tmp_path / "there" / name).read_text() == "[1, 2]"


@pytest.mark.parametrize("archive", sorted(PAPERS.glob("*/*.tar.xz")), ids=lambda archive: archive.parent.name)
def test_archives_of_our_reports(archive: Path, tmp_path: Path) -> None:
    assert unpack(archive, tmp_path / "there") > 0
    assert pack(tmp_path / "there", tmp_path / "again.tar.xz") == unpack(archive, tmp_path / "elsewhere")
