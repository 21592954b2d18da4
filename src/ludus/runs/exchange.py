"""A finished run as a folder for others, and back: what it learned and how, ready to be put online.

README.md           a model card: what it is, how it was trained, what it scores, how to use it
player.safetensors  the player
settings.toml       what was asked, for `ludus train --settings`
run.json            the same, as a run's folder has it
metrics.csv         a row of figures for each step; with times.csv, if the run has it
*.svg, *.png        its learning curves, and its weights if it has one for each square
CITATION.cff        how to cite it
SHA256SUMS          the digest of each file, which `sha256sum --check` and `ludus import` compare
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludus import __version__
from ludus.errors import AlreadyAsked, DamagedFile, StorageError
from ludus.evaluators.piece_counter import PieceCounter
from ludus.games.names import game as find_game
from ludus.learners.names import learner as find_learner
from ludus.measures import figures
from ludus.measures.figures import Curve
from ludus.measures.performance import Measures
from ludus.players.files import MOST_BYTES, load_player, read_header
from ludus.runs.run import Run
from ludus.runs.settings import settings_text
from ludus.runs.store import read_run
from ludus.storage import check_place, present, why, write_whole

SUMS = "SHA256SUMS"
NEEDED = ("run.json", "metrics.csv", "player.safetensors")
TAKEN = (*NEEDED, "times.csv")
"""What a run's folder takes of an exported one."""

_LINE = re.compile(r"([0-9a-f]{64}) [ *]([\w.-]+)")


def export_run(
    run: Run,
    folder: Path,
    *,
    measures: Measures | None = None,
    games: int = 0,
    authors: Sequence[str] = (),
    license: str = "",
) -> list[Path]:
    """Write a finished run into a new or empty folder; returns the files. The measures are those of so many games."""
    check_export(run, folder)
    try:
        return _write_export(run, folder, measures, games, authors, license)
    except BaseException:  # what is half written would bar the next try
        for file in folder.glob("*"):
            file.unlink()
        raise


def _write_export(
    run: Run, folder: Path, measures: Measures | None, games: int, authors: Sequence[str], license: str
) -> list[Path]:
    player, rows, drawn = run.player, run.metrics, dict[str, str]()
    for name in TAKEN:
        if (run.folder / name).exists():
            write_whole(folder / name, _content(run.folder / name))
    write_whole(folder / "settings.toml", settings_text(run.spec).encode())
    counted = "games" in (rows[0] if rows else {})
    for column in (name for name in (rows[0] if len(rows) > 1 else {}) if name != "games"):
        x = [row["games"] for row in rows] if counted else list(range(1, len(rows) + 1))
        stem, words = f"metric-{column.replace('_', '-')}", column.replace("_", " ")
        curve = {column: Curve(x, [row.get(column, float("nan")) for row in rows])}
        figures.curves(folder / f"{stem}.svg", curve, x="games" if counted else "step", y=words)
        drawn[stem] = f"{words} in training"
    evaluator = getattr(getattr(player, "parts", None), "evaluator", None)
    if isinstance(evaluator, PieceCounter):
        figures.boards(folder / "weights.svg", player.game, {"what each square is worth": evaluator.weights})
        drawn["weights"] = "the weights that were learned"
    write_whole(folder / "README.md", model_card(run, measures, games, drawn, license).encode())
    write_whole(folder / "CITATION.cff", citation(run, authors, license).encode())
    files = sorted(file for file in folder.iterdir() if file.name != SUMS)
    write_whole(folder / SUMS, "".join(f"{_digest(file)}  {file.name}\n" for file in files).encode())
    return [*files, folder / SUMS]


def check_export(run: Run, folder: Path) -> None:
    """Raise LudusError unless the run has a player and the folder can be written and is new or empty."""
    _ = run.player  # says so if there is none yet, or if it is damaged
    if present(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise StorageError(f"{folder} is not empty; name a new folder to export to")
    check_place(folder / SUMS)


def import_run(folder: Path, place: Path) -> Run:
    """Check an exported run and take it into the folder `place`, as the finished run that it was.

    Refuses it if a file is missing or not the one that was exported, if the player doesn't load or was trained
    otherwise than run.json says, or if `place` holds something else.
    """
    _check_sums(folder)
    run = read_run(folder)
    header = read_header(folder / "player.safetensors")
    asked = {"learner": run.spec.learner, "game": run.spec.game, "settings": run.spec.settings, "seed": run.spec.seed}
    if any(header.provenance.get(name) != value for name, value in asked.items()):
        raise DamagedFile(f"{folder}: the player was not trained as run.json says; ask whoever exported it")
    load_player(folder / "player.safetensors", find_game(run.spec.game))
    run.to_json()  # reads the metrics
    if present(place) and (not place.is_dir() or any(place.iterdir())):
        there = place / "player.safetensors"
        if not (present(there) and _digest(there) == _digest(folder / "player.safetensors")):
            raise AlreadyAsked(f"{place} holds something else; name a new folder for the imported run")
    for name in TAKEN:
        if (folder / name).exists():
            write_whole(place / name, (folder / name).read_bytes())
    return Run(run.spec, place)


def model_card(run: Run, measures: Measures | None, games: int, drawn: Mapping[str, str], license: str = "") -> str:
    """The README of an exported run: metadata that model hubs read, then words."""
    spec, learner = run.spec, find_learner(run.spec.learner)
    fields = learner.settings.model_fields
    front: dict[str, Any] = {
        "library_name": "ludus",
        "tags": ["ludus", "board-games", "reinforcement-learning", find_game(spec.game).board, spec.learner],
    }
    if license:
        front["license"] = license.lower()  # as hubs write it; SPDX has capitals
    scores = {} if measures is None else {"generalization": measures.generalization, "heuristic": measures.heuristic}
    if scores:
        results = {
            "task": {"type": "reinforcement-learning", "name": spec.game},
            "dataset": {"type": spec.game, "name": spec.game},
            "metrics": [
                {"type": name, "name": f"{name} (% of points)", "value": round(each.value, 2)}
                for name, each in scores.items()
            ],
        }
        front["model-index"] = [{"name": f"{spec.learner} on {spec.game}", "results": [results]}]
    lines = [
        "---",
        *(f"{name}: {json.dumps(value)}" for name, value in front.items()),  # JSON is YAML
        "---",
        f"# {spec.learner} on {spec.game}",
        f"A player of {spec.game}, trained by {learner.description}, with seed {spec.seed}, by "
        f"Ludus {__version__}. Training took {run.seconds:.0f} s.",
        "## Use",
        "```console\n$ ludus import . --out runs/imported\n$ ludus match runs/imported random\n$ ludus serve\n```",
        '`ludus.player("player.safetensors")` is the player in Python. `ludus train --settings settings.toml` trains '
        "it again, to the same bytes on the same platform.",
        "## What it scores",
    ]
    if scores:
        lines.append(f"Percent of all points in {games:,} games each, with 95% intervals:")
        lines.append(_table(["measure", "score"], [[name, f"{each:.1f}"] for name, each in scores.items()]))
    else:
        lines.append("It was not measured.")
    lines += [
        "One run proves little: other seeds give other players. `ludus compare` compares methods over many.",
        "## How it was trained",
        _table(
            ["setting", "value", "meaning"],
            [
                [f"`{name}`", f"`{value}`", fields[name].description or "" if name in fields else ""]
                for name, value in spec.settings.items()
            ],
        ),
        *(f"![{words}]({stem}.svg)" for stem, words in drawn.items()),
        "`metrics.csv` has a row of figures for each step.",
        "## Limits",
        f"It knows the rules of {spec.game} and nothing else; its strength is what the scores above say. It learned "
        "from games that programs played, so it holds no personal data.",
    ]
    return "\n\n".join(_joined(lines)) + "\n"


def citation(run: Run, authors: Sequence[str], license: str = "") -> str:
    """A CITATION.cff for an exported run."""
    spec = run.spec
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this player, please cite it and Ludus.",
        f"title: {json.dumps(f'{spec.learner} on {spec.game}, seed {spec.seed}: a player trained by Ludus')}",
        "type: dataset",
        "authors:",
        *(f"  - name: {json.dumps(name)}" for name in authors or ["Anonymous"]),
        *([f"license: {json.dumps(license)}"] if license else []),
        "references:",
        "  - type: software",
        "    title: Ludus",
        f"    version: {__version__}",
        "    authors:",
        "      - name: The Ludus developers",
    ]
    return "\n".join(lines) + "\n"


def _joined(lines: Sequence[str]) -> list[str]:
    """The lines of the front matter as one block."""
    end = lines.index("---", 1)
    return ["\n".join(lines[: end + 1]), *lines[end + 1 :]]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(head) + " |", "| --- " * len(head) + "|", *lines])


def _digest(file: Path) -> str:
    return hashlib.sha256(_content(file)).hexdigest()


def _content(file: Path) -> bytes:
    try:
        if file.stat().st_size > MOST_BYTES:
            raise DamagedFile(f"{file} is larger than any file of a run; ask whoever exported it")
        return file.read_bytes()
    except OSError as problem:
        raise StorageError(f"{file} can't be read ({why(problem)}); name the folder of an exported run") from problem


def _check_sums(folder: Path) -> None:
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as problem:
        raise DamagedFile(f"{folder} holds no exported run: {SUMS} is missing; `ludus export` writes it") from problem
    found = [_LINE.fullmatch(line) for line in lines]
    sums = {match[2]: match[1] for match in found if match}
    if not all(found) or not set(NEEDED) <= set(sums):
        raise DamagedFile(f"{folder / SUMS} is damaged; export the run again")
    for name in TAKEN:
        if present(folder / name) and name not in sums:
            raise DamagedFile(f"{folder / name} is not in {SUMS}; export the run again")
    for name, digest in sums.items():
        if not present(folder / name):
            raise DamagedFile(f"{folder} is not whole: {name} is missing; export the run again")
        if _digest(folder / name) != digest:
            raise DamagedFile(f"{folder / name} is not the file that was exported; export the run again")
