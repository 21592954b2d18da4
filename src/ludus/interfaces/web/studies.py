"""Leagues and performance profiles that the page asks for, and the reports on papers."""

import hashlib
import json
import re
import shutil
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import ludus
from ludus.errors import LudusError
from ludus.games.game import Game
from ludus.interfaces.web.catalog import Catalog, offered_game
from ludus.interfaces.web.clients import Client
from ludus.interfaces.web.jobs import Jobs
from ludus.interfaces.web.limits import LEAGUE_GAMES, LEAGUE_PLAYERS, PROFILE_PLAYERS, STUDY_SECONDS, Refused
from ludus.measures.ratings import Result, rate, read_results
from ludus.progress import number
from ludus.records.arena import PERSON
from ludus.registry import papers
from ludus.storage import write_whole

MOST = 100
"""Studies that are listed."""
KINDS = {"league": LEAGUE_PLAYERS, "profile": PROFILE_PLAYERS}
CHECKOUT_REPORTS = Path(ludus.__file__).parents[2] / "docs" / "papers"
"""Where the reports of full runs are, if Ludus runs from a checkout."""
REPORT_FILES = {".html": "text/html", ".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json"}


class Studies:
    """Each is a folder with `asked.json`; a league's has its results beside it, a profile's `profile.json`."""

    def __init__(self, folder: Path, catalog: Catalog, jobs: Jobs) -> None:
        self.folder, self.catalog, self.jobs = folder, catalog, jobs
        self._lock = threading.Lock()

    def start(self, kind: str, game: str, players: Sequence[str], games: int, seed: int, who: Client) -> dict[str, Any]:
        """Begin a study, or go on with the same one."""
        variant = offered_game(game)
        least = 2 if kind == "league" else 1
        if not least <= len(players) <= KINDS[kind] or len(set(players)) < len(players):
            raise LudusError(f"a {kind} needs {least} to {KINDS[kind]} different players, not {len(players)}")
        if kind == "league" and (games % 2 or not 2 <= games <= LEAGUE_GAMES):
            raise LudusError(
                f"{games} games for each pair are not possible; choose an even number up to {LEAGUE_GAMES}"
            )
        strings = [self._string(text, variant) for text in players]
        asked = {"kind": kind, "game": variant.name, "players": list(players), "games": games, "seed": seed}
        name = hashlib.blake2b(json.dumps(asked).encode(), digest_size=6).hexdigest()
        folder = self.folder / name
        common = ["--game", variant.name, "--seed", str(seed), "--workers", "1"]
        with self._lock:  # whoever is refused must not remove what another has just begun
            new = not (folder / "asked.json").exists()
            finished = kind == "profile" and self._profile(folder, {"titles": strings, "strings": strings})["done"]
            if finished and not new:  # to build it anew would remove it first, and lead to the same
                return {"id": name}
            try:
                if new:
                    titles = [self.catalog.title(text) for text in players]
                    stored = asked | {"titles": titles, "strings": strings, "begun": time.time()}
                    write_whole(folder / "asked.json", json.dumps(stored).encode())
                if kind == "league":
                    out = ["--games", str(games), "--out", str(folder.resolve() / "league")]
                    self.jobs.start(name, ["league", *common, *out, "--", *strings], STUDY_SECONDS, who=who)
                else:
                    arguments = ["profile", *common, "--build", "--json", "--", *strings]
                    self.jobs.start(name, arguments, STUDY_SECONDS, folder / "profile.json", who)
            except (LudusError, OSError):
                if new:  # nothing has begun, so nothing is left behind
                    shutil.rmtree(folder, ignore_errors=True)
                raise
        return {"id": name}

    def _string(self, text: str, game: Game) -> str:
        """The player string for the process that does the work: a file that the server knows, or the string itself."""
        if text == PERSON:
            raise LudusError("people can't play in a study; choose players from the list")
        self.catalog.check(text, game)
        file = self.catalog.file(text)
        return str(file.resolve()) if file and text.startswith("run:") else text

    def stop(self, id: str, who: Client) -> dict[str, Any]:
        if not re.fullmatch("[0-9a-f]{12}", id) or not (self.folder / id).is_dir():
            raise Refused(404, "there is no such study")
        self.jobs.stop(id, who)
        return {"id": id}

    def listed(self, who: Client) -> list[dict[str, Any]]:
        """The studies there are, the newest first."""
        found = []
        files = sorted(self.folder.glob("*/asked.json"), key=lambda file: -file.stat().st_mtime)
        for file in files[:MOST]:
            with suppress(OSError, ValueError, KeyError, TypeError, LudusError):
                asked = json.loads(file.read_text())
                job = self.jobs.get(file.parent.name)
                results = (
                    self._league(file.parent, asked) if asked["kind"] == "league" else self._profile(file.parent, asked)
                )
                asked.pop("strings")
                found.append(
                    asked
                    | {"id": file.parent.name, "running": bool(job and job.running)}
                    | {"problem": job.problem() if job else "", "stoppable": self.jobs.may_stop(file.parent.name, who)}
                    | results
                )
        return found

    def _league(self, folder: Path, asked: dict[str, Any]) -> dict[str, Any]:
        file, all_pairs = folder / "league" / "results.csv", len(asked["players"]) * (len(asked["players"]) - 1) // 2
        results = read_results(file) if file.exists() else []
        titles = dict(zip(asked["strings"], asked["titles"], strict=True))
        payload: dict[str, Any] = {"done": len(results) / all_pairs, "ratings": [], "los": []}
        with suppress(LudusError):  # as long as not all have met
            rated = rate(
                [Result(titles[each.a], titles[each.b], each.wins, each.draws, each.losses) for each in results]
            )
            payload["ratings"] = [each._asdict() for each in rated.ratings]
            names = [each.name for each in rated.ratings]
            payload["los"] = [[rated.los[row].get(column) for column in names] for row in names]
        return payload

    def _profile(self, folder: Path, asked: dict[str, Any]) -> dict[str, Any]:
        with suppress(OSError, ValueError, KeyError):
            found = json.loads((folder / "profile.json").read_text())["profiles"]
            curves = [
                {"title": title, "rows": found[text]}
                for title, text in zip(asked["titles"], asked["strings"], strict=True)
            ]
            return {"done": 1.0, "profiles": curves}
        return {"done": 0.0, "profiles": []}


class Reports:
    """The reports on papers in some folders: what there is, and the files that may be sent."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders

    def listed(self) -> list[dict[str, Any]]:
        """Every report with how many claims got which verdict."""
        found = []
        for key, folder in sorted(self._reports().items()):
            with suppress(OSError, ValueError, KeyError, TypeError):
                report = json.loads((folder / "claims.json").read_text())
                claims = [_claim(each) for each in report["claims"]]
                listed = {"key": key, "scale": str(report.get("scale", "")), "partial": bool(report.get("partial"))}
                verdicts = Counter(each["verdict"] for each in claims)
                found.append(listed | _about(key) | {"verdicts": verdicts, "claims": claims})
        return found

    def file(self, key: str, name: str) -> tuple[bytes, str]:
        """The content and the type of a file of a report: one of those that are there, never a path."""
        folder = self._reports().get(key)
        files = {file.name: file for file in folder.iterdir() if file.suffix in REPORT_FILES} if folder else {}
        if name not in files or not files[name].is_file():
            raise Refused(404, "there is no such report")
        return files[name].read_bytes(), REPORT_FILES[files[name].suffix]

    def _reports(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for folder in self._folders:
            if folder.is_dir():
                for page in folder.glob("*/index.html"):
                    if (page.parent / "claims.json").exists():
                        found.setdefault(page.parent.name, page.parent)
        return found


def _about(key: str) -> dict[str, Any]:
    """What is known of a paper beside its report."""
    paper = papers().get(key)
    names: tuple[tuple[str, Any], ...] = (("title", ""), ("authors", ""), ("year", None))
    doi = getattr(paper, "doi", "")
    return {name: getattr(paper, name, missing) for name, missing in names} | {
        "source": f"https://doi.org/{doi}" if doi else ""
    }


def _claim(claim: dict[str, Any]) -> dict[str, Any]:
    """A claim at a glance."""
    told = {name: str(claim[name]) for name in ("id", "description", "verdict")}
    return told | {"paper": _figure(claim["paper"]), "ours": _figure(claim["ours"])}


def _figure(value: Any) -> str | None:
    """A figure as people read it; None if there is none."""
    return value if value is None or isinstance(value, str) else number(float(value))
