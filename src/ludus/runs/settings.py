"""What is asked of a run as a file that people write: learner, game, seed and settings, in TOML.

    learner = "tdl"
    game = "othello8"
    seed = 1

    [settings]
    games = 20000
    alpha = 0.05

All but the learner may be missing. The same can be read from a run's folder, and from a player file, which says how it
was trained; so the players that come with Ludus are presets by name, such as `ntuples:othello8`.
"""

import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludus.errors import DamagedFile, InvalidSetting, StorageError, UnknownName
from ludus.learners.names import learner as find_learner
from ludus.players.files import read_header
from ludus.players.shipped import shipped
from ludus.registry import player_kinds
from ludus.runs.spec import RunSpec
from ludus.runs.store import ASKED, read_run
from ludus.storage import present, why, write_whole

MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Preset:
    """Settings of a learner, and the game and seed if they are said."""

    learner: str
    game: str | None = None
    seed: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


def read_settings(text: str) -> Preset:
    """What a settings file, a run's folder, a player file or the name of a shipped player asks for."""
    path = Path(text)
    if present(path) and path.is_dir():
        spec = read_run(path).spec
        return Preset(spec.learner, spec.game, spec.seed, spec.settings)
    if present(path) and path.suffix == ".safetensors":
        return _of_player(path)
    if present(path):
        return _read_toml(path)
    if file := presets().get(text):
        return _of_player(file)
    raise UnknownName(
        f"there are no settings {text!r}; name a file such as my.toml, a run's folder, a player file, or a player that "
        f"comes with Ludus: {', '.join(presets())}"
    )


def presets() -> dict[str, Path]:
    """The files of the players that come with Ludus, by name."""
    return {f"{kind}:{name}": file for kind in player_kinds() for name, file in shipped(kind).items()}


def write_settings(path: Path, spec: RunSpec) -> None:
    """Write a settings file, with the meaning of each setting beside it."""
    write_whole(path, settings_text(spec).encode())


def settings_text(spec: RunSpec) -> str:
    """A settings file; what reads it asks for the same run."""
    fields = find_learner(spec.learner).settings.model_fields
    lines = [
        "# for `ludus train --settings FILE`",
        f"learner = {_toml(spec.learner)}",
        f"game = {_toml(spec.game)}",
        f"seed = {spec.seed}",
        "",
        "[settings]",
    ]
    for name, value in spec.settings.items():
        meaning = fields[name].description if name in fields else ""
        lines.append(f"{name} = {_toml(value)}" + (f"  # {meaning}" if meaning else ""))
    return "\n".join(lines) + "\n"


def _of_player(path: Path) -> Preset:
    asked = read_header(path).provenance
    if not all(isinstance(asked.get(name), kind) for name, kind in ASKED.items()):
        raise InvalidSetting(f"{path} does not say how it was trained; name a settings file or a run's folder")
    return Preset(asked["learner"], asked["game"], asked["seed"], asked["settings"])


def _read_toml(path: Path) -> Preset:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise DamagedFile(f"{path} is too large for settings; name a file such as my.toml")
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise StorageError(f"{path} can't be read ({why(problem)}); name a settings file") from problem
    except (ValueError, RecursionError) as problem:
        raise DamagedFile(f"{path} is no settings file: {problem}") from problem
    known = {"learner": str, "game": str, "seed": int, "settings": dict}
    for name, value in content.items():
        if name not in known:
            raise InvalidSetting(f"{path}: unknown entry {name!r}; known entries: {', '.join(known)}")
        if not isinstance(value, known[name]) or isinstance(value, bool):
            raise InvalidSetting(f"{path}: invalid {name}={value}: must be a {_WORDS[known[name]]}")
    if "learner" not in content:
        raise InvalidSetting(f'{path} names no learner; write learner = "tdl"')
    if content.get("seed", 0) < 0:
        raise InvalidSetting(f"{path}: invalid seed={content['seed']}: must be 0 or more")
    return Preset(content["learner"], content.get("game"), content.get("seed"), content.get("settings", {}))


_WORDS = {str: "text", int: "whole number", dict: "table of settings"}


def _toml(value: Any) -> str:
    """A plain value as TOML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # JSON's escapes are TOML's, but for those of what lies beyond 16 bits, and for one that JSON lets stand
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
