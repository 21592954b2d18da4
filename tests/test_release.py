"""What is released: versions that agree, a wheel and a source archive with all that belongs in them, and that run."""

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import ludus
from tests.docs.pages import ROOT


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive, made without the network."""
    pytest.importorskip("hatchling", reason="hatchling is not installed")
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True, capture_output=True
    )
    return folder


def test_everything_is_pinned_once() -> None:
    """What is installed for development, what builds the package, and whatever these bring along."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [canonical(line.partition("==")[0]) for line in lines if not line.startswith("#")]
    assert len(pins) == len(set(pins))
    assert (
        f'requires = ["{next(line for line in lines if line.startswith("hatchling"))}"]'
        in (ROOT / "pyproject.toml").read_text()
    )
    needed, found = ["ludus"], set[str]()
    while needed:
        name = needed.pop()
        with suppress(metadata.PackageNotFoundError):
            for text in metadata.requires(name) or []:
                requirement = Requirement(text)
                each, marker = canonical(requirement.name), requirement.marker
                if each not in found and (name == "ludus" or not marker or marker.evaluate({"extra": ""})):
                    found.add(each)
                    needed.append(each)
    assert {"numba", "distributed", "zipp"} <= found
    assert found - {"ludus"} <= set(pins), sorted(found - {"ludus"} - set(pins))


def canonical(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def test_the_wheel_has_the_whole_package_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.name == f"ludus-{ludus.__version__}-py3-none-any.whl"
    found = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    sources = (file for file in (ROOT / "src").rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    assert found == {file.relative_to(ROOT / "src").as_posix() for file in sources}
    assert {
        "ludus/py.typed",
        "ludus/papers/page.css",
        "ludus/interfaces/web/page/index.html",
        "ludus/benchmarks/c/go.c",
    } <= found


def test_the_source_archive_has_what_a_developer_needs(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        found = {name.partition("/")[2] for name in files.getnames()}
    assert {"pyproject.toml", "constraints.txt", "Makefile", "LICENSE", "CHANGELOG.md", "docs/tutorial.md"} <= found
    assert {
        "src/ludus/py.typed",
        "tests/test_release.py",
        "examples/cluster/by_ssh.sh",
        "benchmarks/training.py",
    } <= found
    assert not [name for name in found if name.startswith((".venv", "runs/", "reports/", "dist/"))]


def test_the_wheel_runs(built: Path, tmp_path: Path) -> None:
    """Installed elsewhere, it finds a player that comes with it, and plays it."""
    (wheel,) = built.glob("*.whl")
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-index",
        "--quiet",
        "--target",
        tmp_path,
        wheel,
    ]
    subprocess.run(install, check=True, capture_output=True)

    def say(*command: str | Path) -> str:
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert say(sys.executable, "-c", "import ludus; print(ludus.__file__)") == f"{tmp_path}/ludus/__init__.py\n"
    script = tmp_path / "bin" / "ludus"
    assert "xcs:othello6" in say(script, "players")
    assert "score" in say(script, "match", "xcs:othello6", "random", "--game", "othello6", "--games", "4")


def test_versions_agree() -> None:
    assert f"\nversion: {ludus.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.search(r"^## (Unreleased|\d+\.\d+\.\d+ )", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
