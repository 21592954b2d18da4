"""The reference as Markdown, generated from the code: games, players, learners, commands, papers, files, Python.

It covers everything that is installed, other people's games and learners included, and depends on nothing else: neither
on the machine nor on the width of a terminal.
"""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer

import ludus
from ludus.evaluators.base import EvaluatorKind
from ludus.games.game import GameType, Option
from ludus.games.names import variants
from ludus.learners.base import Learner
from ludus.papers.base import Paper
from ludus.players.base import PlayerKind
from ludus.players.shipped import shipped
from ludus.registry import evaluators, game_types, learners, papers, player_kinds

PYTHON = (
    "ludus",
    "ludus.api", "ludus.api.playing", "ludus.api.training", "ludus.api.measuring", "ludus.api.experiments",
    "ludus.api.records", "ludus.api.explaining",
    "ludus.errors",
    "ludus.games.game", "ludus.games.protocol", "ludus.games.style", "ludus.games.names", "ludus.games.perft",
    "ludus.records.record", "ludus.records.files",
    "ludus.evaluators.base", "ludus.evaluators.protocol", "ludus.evaluators.pictures",
    "ludus.players.base", "ludus.players.protocol", "ludus.players.names", "ludus.players.files",
    "ludus.players.explanations", "ludus.players.engines.openspiel",
    "ludus.play.matches", "ludus.play.intervals",
    "ludus.learners.base", "ludus.learners.names",
    "ludus.measures.performance", "ludus.measures.profiles", "ludus.measures.leagues", "ludus.measures.ratings",
    "ludus.measures.behaviour", "ludus.measures.dependence", "ludus.measures.strategies",
    "ludus.measures.review", "ludus.measures.adaptation", "ludus.measures.comparison",
    "ludus.measures.comparison_statistics", "ludus.measures.figures",
    "ludus.runs.spec", "ludus.runs.run", "ludus.runs.store", "ludus.runs.pool", "ludus.runs.settings",
    "ludus.runs.trackers", "ludus.runs.groups", "ludus.runs.scores", "ludus.runs.tuning", "ludus.runs.exchange",
    "ludus.papers.base", "ludus.papers.study", "ludus.papers.verdicts", "ludus.papers.report",
    "ludus.papers.comparison",
    "ludus.testing",
    "ludus.interfaces.batch", "ludus.interfaces.pettingzoo.environment", "ludus.interfaces.gymnasium",
    "ludus.compile.jit", "ludus.compile.generic", "ludus.compile.rng", "ludus.compile.bitboards",
)  # fmt: skip
"""The modules that people use from Python: the front door first, then in dependency order."""

FILES = {
    "Runs": "ludus.runs.run",
    "Settings": "ludus.runs.settings",
    "Players": "ludus.players.files",
    "Exported runs": "ludus.runs.exchange",
    "Comparisons": "ludus.papers.comparison_report",
    "Leagues": "ludus.measures.leagues",
    "Reports on papers": "ludus.papers.report",
    "Game records": "ludus.records.record",
    "SGF": "ludus.records.sgf",
    "PDN": "ludus.records.pdn",
    "GGF": "ludus.records.ggf",
    "WTHOR": "ludus.records.wthor",
}
"""Kinds of files, and the modules that describe them."""

VARIABLES = (
    (
        "LUDUS_DATA",
        "the folder for games and studies of the arena",
        "`$XDG_DATA_HOME/ludus`, or `~/.local/share/ludus`",
    ),
    (
        "LUDUS_CACHE",
        "the folder for what can be made again: machine code, endgame tables, opponents of profiles",
        "`$XDG_CACHE_HOME/ludus`, or `~/.cache/ludus`",
    ),
    ("LUDUS_WORKERS", "how many threads a learner may use; runs that are trained at once share the cores", "all cores"),
    ("LUDUS_CHECKPOINT_SECONDS", "how many seconds of work a killed run may lose: how often it is saved", "`2`"),
    (
        "LUDUS_TOKEN",
        "the token that visitors of `ludus serve` need, unseen in the list of processes",
        "made up if needed",
    ),
    ("MLFLOW_TRACKING_URI", "where `ludus train --log mlflow` reports", "`sqlite:///mlflow.db`"),
    ("NUMBA_DISABLE_JIT", "`1` runs kernels as plain Python, for debuggers", ""),
)
"""Environment variables that Ludus reads, their meanings, and what holds without them."""

INTRODUCTION = """# Reference

Generated from the code by `ludus reference`, which writes the same pages for everything that is installed on your
machine, other people's games and learners included.

- [Games](games.md): names, rules, sizes, options
- [Players](players.md): the strings that name them, their options, and evaluators
- [Learners](learners.md): every setting, and how each method works
- [Commands](commands.md): every option
- [Papers](papers.md): what can be reproduced
- [Files](files.md): what is written, and in which format; environment variables
- [Python](python.md): modules, functions and classes
"""


def pages(ours: bool = False) -> dict[str, str]:
    """The pages by file name; with `ours`, only what comes with Ludus."""
    texts = {
        "README.md": INTRODUCTION,
        "games.md": _page("Games", map(_game, _chosen(game_types().values(), ours))),
        "players.md": _page(
            "Players", _players(list(_chosen(player_kinds().values(), ours)), _chosen(evaluators().values(), ours))
        ),
        "learners.md": _page("Learners", _learners(list(_chosen(learners().values(), ours)))),
        "commands.md": _page("Commands", _commands()),
        "papers.md": _page("Papers", map(_paper, _chosen(papers().values(), ours))),
        "files.md": _page("Files", _files()),
        "python.md": _page("Python", map(_module, PYTHON)),
    }
    return {name: re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n" for name, text in texts.items()}


def _page(title: str, sections: Iterable[str]) -> str:
    return "\n\n".join([f"# {title}", *sections])


def _chosen(things: Iterable[Any], ours: bool) -> Iterator[Any]:
    for thing in things:
        makers = {PlayerKind: lambda kind: kind.make, EvaluatorKind: lambda kind: next(iter(kind.makes.values()))}
        home = makers.get(type(thing), type)(thing)
        if not ours or home.__module__.startswith("ludus."):
            yield thing


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, or nothing if it would have no rows."""
    lines = ["| " + " | ".join(_plain(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(head) + " |", "| --- " * len(head) + "|", *lines]) if lines else ""


def _plain(text: str) -> str:
    """Text in which Markdown finds nothing but code in backticks."""
    parts = re.split(r"(`[^`]+`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else re.sub(r"([*<])", r"\\\1", part) for part in parts)


def _code(value: object) -> str:
    return "" if value is None or value in ("", []) else f"`{value}`"


# games and players


def _options(options: Sequence[Option]) -> str:
    def values(option: Option) -> str:
        if option.choices:
            return ", ".join(map(_code, option.choices))
        return "" if isinstance(option.default, str) else f"{option.low:,} to {option.high:,}"

    rows = [(_code(each.name), _code(each.default), values(each), each.description) for each in options]
    return _table(("option", "default", "values", "meaning"), rows)


def _game(game_type: GameType) -> str:
    names = [f"`{game_type.name}{size}`" for size in game_type.sizes] or [f"`{game_type.name}`"]
    paragraphs = [
        f"Names: {', '.join(names)}. {game_type.sides[0]} moves first, then {game_type.sides[1]}. A move looks like "
        f"{game_type.move_example}. Version of the rules: {game_type.version}.",
        game_type.rules_summary,
        _options(game_type.options),
    ]
    counts = [(_code(name), ", ".join(f"{count:,}" for count in known)) for name, known in game_type.perft.items()]
    if counts:
        paragraphs += ["Published numbers of sequences of 1, 2, 3, ... moves, which `ludus perft` compares with:"]
        paragraphs += [_table(("game", "sequences"), counts)]
    return "\n\n".join([f"## {game_type.title}", *paragraphs])


def _players(found: list[PlayerKind], evaluator_kinds: Iterable[EvaluatorKind]) -> Iterator[str]:
    yield (
        "A player string is the name of a kind, with options after a colon as in `alphabeta:depth=4`; or the path of a "
        "player file or a finished run."
    )
    yield _table(("kind", "what it does", "example"), [(_code(k.name), k.description, _code(k.example)) for k in found])
    for kind in found:
        names = [f"`{kind.name}:{name}`" for name in shipped(kind.name)]
        paragraphs = [
            _options(kind.options),
            f"Shipped with the package: {', '.join(names)}." if names else "",
            "Player files can hold this kind." if kind.load else "",
        ]
        if any(paragraphs):
            yield "\n\n".join([f"## {kind.name}", *filter(None, paragraphs)])
    usual = {each.name: each.defaults.evaluator for each in variants()}
    rows = [
        (
            _code(kind.name),
            kind.description,
            ", ".join(kind.makes),
            ", ".join(name for name, default in usual.items() if default == kind.name),
        )
        for kind in evaluator_kinds
    ]
    yield "## Evaluators\n\nThe values of `value=NAME`. `usual` is the game's own default."
    yield _table(("value", "what it looks for", "games", "default in"), rows)


# learners


def _learners(found: list[Learner[Any, Any]]) -> Iterator[str]:
    yield (
        "`ludus train LEARNER --set NAME=VALUE` trains a player. Brackets say where a default comes from: a section of "
        "the learner's paper, or another work by its key, such as `szubert2013` (docs/references.md)."
    )
    yield _table(
        ("learner", "usual game", "what it does"),
        [(f"[{each.name}](#{each.name})", _code(each.usual_game), each.description) for each in found],
    )
    described = set[str]()
    for each in found:
        rows = [
            (_code(name), _code(field.default), _values(field.annotation, field.metadata), field.description or "")
            for name, field in each.settings.model_fields.items()
        ]
        table = _table(("setting", "default", "values", "meaning"), rows)
        home = type(each).__module__
        yield "\n\n".join([f"## {each.name}", table, *([] if home in described else [_docstring(home)])])
        described.add(home)


def _values(kind: Any, limits: Sequence[Any]) -> str:
    """The values that a setting can have."""
    if get_origin(kind) is Literal:
        return ", ".join(map(_code, get_args(kind)))
    if kind is bool:
        return "`True`, `False`"
    found = {name: getattr(limit, name) for limit in limits for name in ("gt", "ge", "le") if hasattr(limit, name)}
    low = f"above {found['gt']:,}" if "gt" in found else f"{found['ge']:,}" if "ge" in found else ""
    high = f"to {found['le']:,}" if "le" in found else ""
    return " ".join(filter(None, (low, high)))


# commands


def _commands() -> Iterator[str]:
    from ludus.interfaces.cli.app import app  # which has the command that calls this module

    group: Any = typer.main.get_command(app)
    yield "Every command also takes `--help`."
    yield _table(
        ("command", "what it does"),
        [(f"[{name}](#ludus-{name})", _summary(command.help)) for name, command in sorted(group.commands.items())],
    )
    for name, command in sorted(group.commands.items()):
        yield "\n\n".join([f"## ludus {name}", _help(command.help), _table(*_arguments(command))])


def _summary(text: str) -> str:
    """The first sentence."""
    return re.split(r"(?<=\.)\s", text.strip())[0]


def _help(text: str) -> str:
    """The help of a command, its example set as code."""
    description, _, example = text.partition("Example: ")
    return f"{_plain_paragraphs(description)}\n\nExample: `{' '.join(example.split())}`"


def _plain_paragraphs(text: str) -> str:
    return "\n\n".join(_plain(part) for part in re.split(r"\n\s*\n", text) if part.strip())


def _arguments(command: Any) -> tuple[Sequence[str], list[Sequence[str]]]:
    rows = list[Sequence[str]]()
    for each in command.params:
        flag = getattr(each, "is_flag", False)
        name = each.opts[0] if each.opts[0].startswith("-") else each.metavar
        shown = f"{name} {each.metavar}" if each.metavar and name != each.metavar else name
        default = (
            each.show_default
            if isinstance(each.show_default, str)
            else _code("" if each.default == [] else each.default)
        )
        bounds = [f"from {each.min:,}" if each.min is not None else "", f"to {each.max:,}" if each.max else ""]
        rows.append((_code(shown), "" if flag else default, " ".join(filter(None, bounds)), each.help or ""))
    return ("argument", "default", "values", "meaning"), rows


# papers and files


def _paper(paper: Paper) -> str:
    scales = [(f"`ludus paper {paper.key} --scale {name}`", description) for name, description in paper.scales.items()]
    title = f"{paper.authors} ({paper.year}), *{_plain(paper.title)}*."
    return "\n\n".join(
        [f"## {paper.key}", title, _plain_paragraphs(paper.summary), _table(("command", "what"), scales)]
    )


def _files() -> Iterator[str]:
    for title, module in FILES.items():
        yield f"## {title}\n\n{_docstring(module)}"
    rows = [(_code(name), meaning, default) for name, meaning, default in VARIABLES]
    yield "## Environment variables"
    yield _table(("variable", "what it sets", "without it"), rows)


def _docstring(module: str) -> str:
    """The docstring of a module."""
    return _described(import_module(module).__doc__)


# Python, from the sources, so that annotations show as they were written and nothing has to be imported


def _module(name: str) -> str:
    place = Path(ludus.__file__).parents[1].joinpath(*name.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    parts = [f"## {name}", _described(ast.get_docstring(tree))]
    offered = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and _public(node)]
    for node in offered:
        description = _described(ast.get_docstring(node))
        if isinstance(node, ast.FunctionDef):
            parts += [f"### {node.name}", f"```text\n{_signature(node)}\n```", description]
        else:
            parts += [f"### {node.name}", description, *_members(node)]
    names = [node.name for node in offered]
    return "\n\n".join(_with_imports(part, name, names) for part in parts if part)


def _with_imports(text: str, module: str, names: Sequence[str]) -> str:
    """The text, whose sessions first import those of the module's own names that they use."""

    def with_import(session: re.Match[str]) -> str:
        used = [name for name in names if re.search(rf"(?<![\w.\"]){name}\(", session[0])]
        line = f">>> from {module} import {', '.join(used)}\n" if used else ""
        return f"```python\n{line}{session[1]}```"

    return re.sub(r"```python\n(.*?)```", with_import, text, flags=re.DOTALL)


def _public(node: ast.FunctionDef | ast.ClassDef) -> bool:
    decorators = [ast.unparse(each) for each in node.decorator_list]
    return not node.name.startswith("_") and "overload" not in decorators


def _signature(node: ast.FunctionDef) -> str:
    """The signature without `self`, and without quotes around annotations."""
    node.args.args = [each for each in node.args.args if each.arg != "self"]
    for each in [*node.args.args, *node.args.kwonlyargs]:
        each.annotation = _unquoted(each.annotation)
    returns = f" -> {ast.unparse(_unquoted(node.returns))}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returns}"


def _unquoted(annotation: Any) -> Any:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode="eval").body
    return annotation


def _members(node: ast.ClassDef) -> Iterator[str]:
    """The fields and the methods of a class."""
    fields, methods = [], []
    for each, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id[0] != "_":
            docstring = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and str(after.value.value)
            default = f" = {ast.unparse(each.value)}" if each.value else ""
            fields.append((f"`{each.target.id}: {ast.unparse(each.annotation)}{default}`", docstring or ""))
        elif isinstance(each, ast.FunctionDef) and _public(each):
            is_property = any(ast.unparse(decorator).endswith("property") for decorator in each.decorator_list)
            shown = each.name if is_property else _signature(each)
            methods.append((f"`{shown}`", (ast.get_docstring(each) or "").partition("\n\n")[0]))
    yield _table(("field", "meaning"), fields)
    yield _table(("method", "meaning"), methods)


def _described(docstring: str | None) -> str:
    """A docstring as Markdown, with doctests set as code and columns as they stand."""
    return "\n\n".join(map(_paragraph, re.split(r"\n\s*\n", inspect.cleandoc(docstring or ""))))


def _paragraph(text: str) -> str:
    if text.startswith(">>> "):
        return f"```python\n{text}\n```"
    if re.match(r"\S.*\S {2,}\S", text):  # shapes of arrays and the like, in columns
        return f"```text\n{text}\n```"
    return text
