"""The reference as Markdown, made from the code: games, players, learners, commands, papers, files, Python.

Whatever is installed is in it, other people's games and learners too. It depends on nothing else: neither on the
machine nor on the width of a terminal.
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
from ludus.games.game import Family, Option
from ludus.learners.learner import Learner
from ludus.learners.names import learners
from ludus.papers.names import papers
from ludus.papers.paper import Paper
from ludus.players.evaluators import EvaluatorKind, evaluators
from ludus.players.player import PlayerKind
from ludus.players.shipped import shipped
from ludus.players.strings import kinds
from ludus.registry import families

PYTHON = (
    "ludus", "ludus.games.game", "ludus.registry", "ludus.players.strings", "ludus.players.player",
    "ludus.players.files", "ludus.players.explanations", "ludus.measures.matches", "ludus.measures.leagues",
    "ludus.measures.ratings", "ludus.measures.performance", "ludus.measures.profiles", "ludus.measures.behaviour",
    "ludus.measures.strategies", "ludus.measures.figures", "ludus.learners.learner", "ludus.learners.names",
    "ludus.lab.tasks", "ludus.lab.runs", "ludus.lab.many", "ludus.lab.shelf", "ludus.lab.conformance",
    "ludus.papers.paper", "ludus.records.record", "ludus.records.files", "ludus.batch",
    "ludus.pettingzoo.environment", "ludus.pettingzoo.against", "ludus.players.openspiel", "ludus.vocabulary",
    "ludus.dice", "ludus.kernels",
)  # fmt: skip
"""The modules that people use from Python, in the order of the page."""

FILES = {
    "Runs": "ludus.lab.runs",
    "Players": "ludus.players.files",
    "Leagues": "ludus.measures.leagues",
    "Reports on papers": "ludus.papers.report",
    "Game records": "ludus.records.record",
    "SGF": "ludus.records.sgf",
    "PDN": "ludus.records.pdn",
    "GGF": "ludus.records.ggf",
    "WTHOR": "ludus.records.wthor",
}
"""Kinds of files, and the modules that tell about them."""

INTRODUCTION = """# Reference

Made from the code by `ludus reference`, which writes the same pages with everything that is installed on your machine,
other people's games and learners included.

- [Games](games.md): names, sizes, options
- [Players](players.md): the strings that name them, and their options
- [Learners](learners.md): every setting, and how each method works
- [Commands](commands.md): every option
- [Papers](papers.md): what can be reproduced
- [Files](files.md): what is written, and in which form
- [Python](python.md): modules, functions and classes
"""


def pages(ours: bool = False) -> dict[str, str]:
    """The pages by file name; with `ours`, only what comes with Ludus."""
    texts = {
        "README.md": INTRODUCTION,
        "games.md": _page("Games", map(_game, _chosen(families().values(), ours))),
        "players.md": _page(
            "Players", _players(list(_chosen(kinds().values(), ours)), _chosen(evaluators().values(), ours))
        ),
        "learners.md": _page("Learners", _learners(list(_chosen(learners().values(), ours)))),
        "commands.md": _page("Commands", _commands()),
        "papers.md": _page("Papers", map(_paper, _chosen(papers().values(), ours))),
        "files.md": _page("Files", (f"## {title}\n\n{_docstring(module)}" for title, module in FILES.items())),
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

    rows = [(_code(each.name), _code(each.default), values(each), each.says) for each in options]
    return _table(("option", "default", "values", "meaning"), rows)


def _game(family: Family) -> str:
    names = [f"`{family.name}{size}`" for size in family.sizes] or [f"`{family.name}`"]
    told = [
        f"Names: {', '.join(names)}. {family.sides[0]} moves first, then {family.sides[1]}. A move looks like "
        f"{family.move_example}. The rules are at version {family.version}.",
        _options(family.options),
    ]
    counts = [(_code(name), ", ".join(f"{count:,}" for count in known)) for name, known in family.perft.items()]
    if counts:
        told += ["Published numbers of sequences of 1, 2, 3, ... moves, which `ludus perft` compares with:"]
        told += [_table(("game", "sequences"), counts)]
    return "\n\n".join([f"## {family.title}", *told])


def _players(found: list[PlayerKind], judges: Iterable[EvaluatorKind]) -> Iterator[str]:
    yield (
        "A player string is the name of a kind, perhaps with a colon and more, as in `alphabeta:depth=4`; or the path "
        "of a player file or of a finished run."
    )
    yield _table(("kind", "what it does", "example"), [(_code(k.name), k.says, _code(k.example)) for k in found])
    for kind in found:
        names = [f"`{kind.name}:{name}`" for name in shipped(kind.name)]
        told = [
            _options(kind.options),
            f"With the package come {', '.join(names)}." if names else "",
            "Player files can hold this kind." if kind.load else "",
        ]
        if any(told):
            yield "\n\n".join([f"## {kind.name}", *filter(None, told)])
    rows = [(_code(judge.name), judge.says, ", ".join(judge.makes), ", ".join(judge.usual)) for judge in judges]
    yield "## Evaluators\n\nWhat `value=NAME` can name. `usual` is what a game has for it, or the lead."
    yield _table(("value", "what it looks for", "games", "usual in"), rows)


# learners


def _learners(found: list[Learner[Any, Any]]) -> Iterator[str]:
    yield "`ludus train LEARNER --set NAME=VALUE` trains a player. Brackets tell where a default comes from."
    yield _table(("learner", "what it does"), [(f"[{each.name}](#{each.name})", each.says) for each in found])
    told = set[str]()
    for each in found:
        rows = [
            (_code(name), _code(field.default), _values(field.annotation, field.metadata), field.description or "")
            for name, field in each.settings.model_fields.items()
        ]
        table = _table(("setting", "default", "values", "meaning"), rows)
        home = type(each).__module__
        yield "\n\n".join([f"## {each.name}", table, *([] if home in told else [_docstring(home)])])
        told.add(home)


def _values(kind: Any, limits: Sequence[Any]) -> str:
    """What a setting can be."""
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
    yield "Each takes `--help` too."
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
    said, _, example = text.partition("Example: ")
    return f"{_plain_paragraphs(said)}\n\nExample: `{' '.join(example.split())}`"


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
    scales = [(f"`ludus paper {paper.key} --scale {name}`", says) for name, says in paper.scales.items()]
    title = f"{paper.authors} ({paper.year}), *{_plain(paper.title)}*."
    return "\n\n".join(
        [f"## {paper.key}", title, _plain_paragraphs(paper.summary), _table(("command", "what"), scales)]
    )


def _docstring(module: str) -> str:
    """What a module says about itself."""
    return _described(import_module(module).__doc__)


# Python, from the sources: as it was written, and nothing need be imported for it


def _module(name: str) -> str:
    place = Path(ludus.__file__).parents[1].joinpath(*name.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    told = [f"## {name}", _described(ast.get_docstring(tree))]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _public(node):
            told += [f"### {node.name}", f"```text\n{_signature(node)}\n```", _described(ast.get_docstring(node))]
        elif isinstance(node, ast.ClassDef) and _public(node):
            told += [f"### {node.name}", _described(ast.get_docstring(node)), *_members(node)]
    return "\n\n".join(filter(None, told))


def _public(node: ast.FunctionDef | ast.ClassDef) -> bool:
    return not node.name.startswith("_")


def _signature(node: ast.FunctionDef) -> str:
    """How it is called; what a method is a method of goes without saying."""
    node.args.args = [each for each in node.args.args if each.arg != "self"]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returns}"


def _members(node: ast.ClassDef) -> Iterator[str]:
    """The fields and the methods of a class."""
    fields, methods = [], []
    for each, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id[0] != "_":
            said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and str(after.value.value)
            default = f" = {ast.unparse(each.value)}" if each.value else ""
            fields.append((f"`{each.target.id}: {ast.unparse(each.annotation)}{default}`", said or ""))
        elif isinstance(each, ast.FunctionDef) and _public(each):
            asked = any(ast.unparse(decorator).endswith("property") for decorator in each.decorator_list)
            shown = each.name if asked else _signature(each)
            methods.append((f"`{shown}`", (ast.get_docstring(each) or "").partition("\n\n")[0]))
    yield _table(("field", "meaning"), fields)
    yield _table(("method", "meaning"), methods)


def _described(docstring: str | None) -> str:
    """A docstring as Markdown, what it shows of Python set as code."""
    parts = re.split(r"\n\s*\n", inspect.cleandoc(docstring or ""))
    return "\n\n".join(f"```python\n{part}\n```" if part.startswith(">>> ") else part for part in parts)
