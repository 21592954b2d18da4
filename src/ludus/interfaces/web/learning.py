"""The page's view of learning: runs with their curves, begun and stopped from the page."""

import json
import re
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ludus.errors import LudusError
from ludus.interfaces.web.catalog import Catalog, Run, offered_game
from ludus.interfaces.web.clients import Client
from ludus.interfaces.web.jobs import Jobs
from ludus.interfaces.web.limits import ROWS, RUN_SECONDS, Refused
from ludus.interfaces.web.payloads import finite
from ludus.learners.base import Learner, parse_settings
from ludus.learners.names import learner as find_learner
from ludus.registry import learners
from ludus.runs.curve import POINTS
from ludus.runs.store import read_run

ARENA = "arena"
"""The folder among the runs for those that the page began."""

SUGGESTED_RUN = {"learner": "tdl", "game": "othello6", "seed": 1, "settings": {"games": 200_000}}
"""What the page suggests to somebody who has not trained a player yet: seen to learn within a minute."""

FRESH_SECONDS = 20
"""A run whose files changed so lately is running, whoever works on it."""

_NUMBERS = re.compile(r"[0-9 ,;.-]{0,100}")
_WORD = re.compile(r"[a-z][a-z0-9-]{0,29}")


class Learning:
    def __init__(self, catalog: Catalog, jobs: Jobs, run_seconds: float = RUN_SECONDS) -> None:
        self.catalog, self.jobs, self._run_seconds = catalog, jobs, run_seconds

    def learners(self) -> list[dict[str, Any]]:
        """Every learner with the fields of its settings."""
        return [
            {
                "name": each.name,
                "description": each.description,
                "usual_game": each.usual_game,
                "fields": _fields(each.name),
            }
            for each in learners().values()
        ]

    def runs(self, who: Client) -> list[dict[str, Any]]:
        """The runs there are, those begun last first."""
        found = []
        for run in self.catalog.runs().values():
            try:
                found.append(self._described(run, _summary(run.folder), who))
            except LudusError:
                continue  # being made or removed, or damaged
        return found

    def _described(self, run: Run, found: dict[str, Any], who: Client) -> dict[str, Any]:
        job = self.jobs.get(run.id)
        ours = job is not None and job.running
        state, asked = found["state"], found["asked"]
        if state != "finished":
            state = "running" if ours or (_age(run.folder) < FRESH_SECONDS and not (job and job.stopped)) else "stopped"
        return {
            "id": run.id,
            "name": run.name,
            "learner": asked["learner"],
            "game": asked["game"],
            "seed": asked["seed"],
            "settings": asked["settings"],
            "state": state,
            "steps": found["steps"],
            "seconds": found["seconds"],
            "last": {name: finite(value) for name, value in found["last"].items()},
            "mine": run.name.startswith(f"{ARENA}/"),
            "stoppable": self.jobs.may_stop(run.id, who),
            "problem": job.problem() if job else "",
            "begun": _begun(run.folder),
        }

    def _run(self, id: str) -> Run:
        run = self.catalog.runs().get(id)
        if run is None:
            raise Refused(404, "there is no such run")
        return run

    def curve(self, id: str, who: Client) -> dict[str, Any]:
        """The figures of a run, step by step: the numbers of the steps, and a column for each figure."""
        run = self._run(id)
        rows = read_run(run.folder).metrics
        steps = list(range(1, len(rows) + 1))
        if len(rows) > ROWS:
            spread = {round(i * (len(rows) - 1) / (ROWS - 1)) for i in range(ROWS)}
            keep = sorted(spread | {i for i, row in enumerate(rows) if POINTS in row})  # of which there are few
            rows, steps = [rows[i] for i in keep], [steps[i] for i in keep]
        names = dict.fromkeys(name for row in rows for name in row)
        columns = {name: [finite(row.get(name, float("nan"))) for row in rows] for name in names}
        return self._described(run, _summary(run.folder), who) | {"at": steps, "columns": columns}

    def start(self, learner: str, game: str, settings: Mapping[str, Any], seed: int, who: Client) -> dict[str, Any]:
        """Begin a run."""
        method, variant = find_learner(learner), offered_game(game)
        given = {name: value for name, value in settings.items() if value is not None and value != ""}
        for name, value in given.items():
            if isinstance(value, str):
                self._check_words(method, name, value, game)
        parse_settings(method, given)
        stem = f"{method.name}-{variant.name.replace(':', '-').replace(',', '-').replace('=', '')}-{seed}"
        folder = _new_folder(self.catalog.folder / ARENA, stem)
        arguments = _arguments(
            method.name, variant.name, {name: _written(value) for name, value in given.items()}, seed
        )
        try:
            return self._go(folder, arguments, who)
        except (LudusError, OSError):
            folder.rmdir()  # nothing has begun, so nothing is left behind
            raise

    def _go(self, folder: Path, arguments: list[str], who: Client) -> dict[str, Any]:
        run = self.catalog.run(folder)
        self.jobs.start(run.id, [*arguments, "--out", str(folder.resolve())], self._run_seconds, who=who)
        self.catalog.look_again()
        return {"id": run.id, "name": run.name}

    def stop(self, id: str, who: Client) -> dict[str, Any]:
        """Stop a run that the page began; it can be resumed."""
        self.jobs.stop(self._run(id).id, who)
        return {"id": id}

    def resume(self, id: str, who: Client) -> dict[str, Any]:
        """Go on with a run that the page began."""
        run = self._run(id)
        if not run.name.startswith(f"{ARENA}/"):
            raise Refused(403, "only runs that were started on this page can be resumed here")
        found = read_run(run.folder)
        if found.finished:
            raise Refused(409, "this run is finished")
        spec = found.spec
        settings = {name: _written(value) for name, value in spec.settings.items()}
        return self._go(run.folder, _arguments(spec.learner, spec.game, settings, spec.seed), who)

    def _check_words(self, method: Learner[Any, Any], name: str, value: str, game: str) -> None:
        """A setting that is text may be one of its choices, numbers, or names of players that are safe."""
        field = method.settings.model_fields.get(name)
        if field is None or value == field.default or field.annotation is not str or _NUMBERS.fullmatch(value):
            return
        for part in re.split(r"\s*(?:;|\+)\s*", value.strip()):
            if not _WORD.fullmatch(part):
                try:
                    self.catalog.check(part, offered_game(game))
                except LudusError:
                    raise LudusError(
                        f"{name}={value!r:.60} is not available here; choose players from the list"
                    ) from None


def _new_folder(place: Path, stem: str) -> Path:
    """A folder of that name and a number, made for whoever asks: two who ask at once get two."""
    number = 1
    while True:
        try:
            (folder := place / f"{stem}-{number}").mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return folder


def _arguments(learner: str, game: str, settings: Mapping[str, str], seed: int) -> list[str]:
    chosen = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
    return ["train", learner, "--game", game, "--seed", str(seed), *chosen]


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@cache
def _fields(name: str) -> list[dict[str, Any]]:
    """The fields of a learner's settings, as a form wants them."""
    schema = learners()[name].settings.model_json_schema()
    found = []
    for field, described in schema["properties"].items():
        kinds = [described, *described.get("anyOf", ())]
        kind = next((each["type"] for each in kinds if each.get("type") not in (None, "null")), "string")
        bounds = {
            word: next((each[key] for each in kinds for key in keys if key in each), None)
            for word, keys in (("low", ("minimum", "exclusiveMinimum")), ("high", ("maximum", "exclusiveMaximum")))
        }
        choices: list[str] = next((each["enum"] for each in kinds if "enum" in each), [])
        found.append(
            {"name": field, "kind": kind, "description": described.get("description", "")}
            | {"default": described.get("default")}
            | bounds
            | {"choices": choices}
        )
    return found


_known: dict[Path, tuple[tuple[float, ...], dict[str, Any]]] = {}


def _summary(folder: Path) -> dict[str, Any]:
    """What there is to know of a run, read anew only when its files have changed."""
    stamp = tuple(_changed(folder / name) for name in ("run.json", "metrics.csv", "curve.csv", "player.safetensors"))
    if folder not in _known or _known[folder][0] != stamp:
        if len(_known) > 1000:
            _known.clear()
        _known[folder] = (stamp, read_run(folder).to_json())
    return _known[folder][1]


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _age(folder: Path) -> float:
    names = ("run.json", "metrics.csv", "checkpoint.safetensors")
    return time.time() - max(_changed(folder / name) for name in names)


def _begun(folder: Path) -> float:
    return _changed(folder / "run.json")
