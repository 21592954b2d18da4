"""Reports on papers: claims.json, and index.html beside its figures, written when the experiments are done.

The page needs nothing but its folder: no scripts, no fonts, nothing from elsewhere. The same findings give the same
bytes.
"""

import inspect
import json
import os
import platform
import re
import subprocess
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from importlib.metadata import version
from pathlib import Path

from ludus import __version__
from ludus.errors import InvalidSetting, StorageError
from ludus.papers.base import Claim, Figure, Paper, Reading, Report, Section, Workspace
from ludus.papers.terms import terms_in
from ludus.papers.verdicts import VERDICTS
from ludus.storage import locked, write_whole

_SIGNS = {"reproduced": "✓", "not settled": "≈", "partly": "½", "not reproduced": "✕", "not run": "–"}


def versions() -> dict[str, str]:
    """What the figures depend on, besides the seed."""
    return {
        "ludus": __version__,
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
    }


def today() -> str:
    """The day in universal time."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def commit() -> str:
    """The commit that Ludus runs from, with a + if files were changed since; nothing if it is installed otherwise."""
    file = Path(__file__)
    # a package installed inside another repository is not of its commits
    ours = ["ls-files", "--error-unmatch", file.name]
    describe = ["describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"]
    with suppress(OSError, subprocess.SubprocessError):
        for command in (ours, describe):
            found = subprocess.run(
                ["git", "-C", str(file.parent), *command], capture_output=True, text=True, timeout=10, check=True
            )
        return found.stdout.strip()
    return ""


def machine() -> str:
    """The kind of machine, not which one."""
    return f"{platform.system()}, {platform.machine()}, {os.cpu_count()} cores"


@dataclass(frozen=True)
class Making:
    """How a report was made."""

    scale: str
    seed: int
    seconds: float
    """Spent so far, interrupted attempts included."""
    versions: dict[str, str] = field(default_factory=versions)
    date: str = field(default_factory=today)
    commit: str = field(default_factory=commit)
    machine: str = field(default_factory=machine)
    partial: bool = False
    """Whether runs that were not finished were left out."""


def reproduce(paper: Paper, scale: str, workspace: Workspace) -> Report:
    """Do the experiments of a paper, or what is left of them, and write the report."""
    if scale not in paper.scales:
        raise InvalidSetting(f"invalid scale {scale!r} for {paper.key}: must be {' or '.join(paper.scales)}")
    try:
        workspace.report.mkdir(parents=True, exist_ok=True)  # now, rather than fail when all the work is done
    except OSError as problem:
        raise StorageError(f"{workspace.report} can't be made ({problem.strerror}); name another place") from problem
    with locked(workspace.runs):
        begin = time.perf_counter()
        try:
            report = paper.run(scale, workspace)
        finally:
            seconds = _spend(workspace.runs / "seconds.json", time.perf_counter() - begin)
        write_report(paper, report, Making(scale, workspace.seed, seconds, partial=workspace.partial), workspace.report)
    return report


def write_report(paper: Paper, report: Report, making: Making, folder: Path) -> None:
    """Write claims.json and index.html into the folder, where the figures are already."""
    _check(paper, report, folder)
    made = {"date": making.date, "commit": making.commit, "machine": making.machine}
    header = {
        "paper": paper.key,
        "scale": making.scale,
        "seed": making.seed,
        "partial": making.partial,
        "versions": making.versions,
        "made": made,
    }
    claims = {**header, "claims": [claim.to_json() for claim in report.claims]}
    write_whole(folder / "claims.json", (json.dumps(claims, indent=2, ensure_ascii=False) + "\n").encode())
    write_whole(folder / "index.html", page(paper, report, making).encode())


def tally(claims: Sequence[Claim]) -> str:
    """How many claims got which verdict, in words."""
    return ", ".join(f"{count} {verdict}" for verdict, count in _counts(claims).items())


def _counts(claims: Sequence[Claim]) -> dict[str, int]:
    counts = {verdict: sum(claim.verdict == verdict for claim in claims) for verdict in VERDICTS}
    return {verdict: count for verdict, count in counts.items() if count}


def page(paper: Paper, report: Report, making: Making) -> str:
    """The whole page."""
    contents = [
        _header(paper, report, making),
        _claims(report),
        figures_shown(report.figures),
        *(section_shown(section) for section in report.sections),
        _making(paper, report, making),
    ]
    contents.insert(-1, _words(" ".join(contents)))
    return document(f"{paper.title}: a reproduction", contents)


def document(title: str, contents: Iterable[str]) -> str:
    """A page with these contents in our style."""
    style = Path(__file__).with_name("page.css").read_text()
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">',
            f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>",
            *filter(None, contents),
            "</main>\n</body>\n</html>\n",
        ]
    )


def prose(text: str) -> str:
    """Plain text as HTML: paragraphs, lists and tables, as `Section` says; nothing else in it has a meaning."""
    return "\n".join(_block(block) for block in re.split(r"\n\s*\n", inspect.cleandoc(text)) if block.strip())


def _block(block: str) -> str:
    if block.startswith("- "):
        items = ("\n" + block).split("\n- ")[1:]
        return "<ul>\n" + "\n".join(f"<li>{inline(item)}</li>" for item in items) + "\n</ul>"
    if block.startswith("|"):
        head, *rows = ([cell.strip() for cell in line.strip().strip("|").split("|")] for line in block.splitlines())
        return table(head, rows)
    return f"<p>{inline(block)}</p>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as HTML; the first cell of a row is its header."""
    first, *others = (f'<th scope="col">{inline(cell)}</th>' for cell in head)
    lines = [f"<tr>{first}{''.join(others)}</tr>"]
    for name, *cells in rows:
        values = "".join(f"<td>{inline(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{inline(name)}</th>{values}</tr>')
    return '<table class="plain">\n' + "\n".join(lines) + "\n</table>"


def inline(text: str) -> str:
    """Text within a line, with code in backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text.strip()))


def _number(text: str) -> str:
    """A figure with minus signs in place of hyphens before digits, and not broken at ±."""
    return re.sub(r"(?<![\w-])-(?=[\d.])", "−", escape(text)).replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}")


def _badge(verdict: str, count: str = "") -> str:
    """A verdict, or a number of claims that got it."""
    shown = "consistent, not settled" if verdict == "not settled" else verdict
    sign = f'<span aria-hidden="true">{_SIGNS[verdict]}</span>'
    return f'<span class="badge {verdict.replace(" ", "-")}">{sign} {count}{shown}</span>'


def _header(paper: Paper, report: Report, making: Making) -> str:
    left_out = " Not all of these runs are finished; claims are judged by those that are."
    scale = paper.scales[making.scale] + (left_out if making.partial else "")
    claims = len(report.claims)
    badges = " ".join(_badge(verdict, f"{count} ") for verdict, count in _counts(report.claims).items())
    return f"""<header>
<p class="kicker">Ludus · a paper reproduced</p>
<h1>{inline(paper.title)}</h1>
<p class="byline">{inline(paper.authors)}, {paper.year}{_doi(paper)}</p>
<div class="summary">
<section aria-labelledby="claimed">
<h2 id="claimed">What was claimed</h2>
{prose(paper.summary)}
</section>
<section aria-labelledby="found">
<h2 id="found">What we found</h2>
<p class="tally">Of <a href="#claims">{claims} {"claim" if claims == 1 else "claims"}</a>: {badges}</p>
{prose(report.summary)}
</section>
</div>
<p class="scale"><strong>Scale {escape(making.scale)}:</strong> {inline(scale)}</p>
</header>"""


def _doi(paper: Paper) -> str:
    return f' · <a href="https://doi.org/{escape(paper.doi)}">doi:{escape(paper.doi)}</a>' if paper.doi else ""


def _claims(report: Report) -> str:
    numbers = {figure.stem: number for number, figure in enumerate(report.figures, 1)}
    bodies = "\n".join(_claim(claim, numbers) for claim in report.claims)
    return f"""<section aria-labelledby="claims">
<h2 id="claims">Claims</h2>
<p class="legend">Small figures are 95% intervals. <i>Reproduced</i> means that our whole interval agrees with the paper
by the rule that stands under each claim; <i>not reproduced</i>, that none of it does. If a part of it agrees, ours is
<i>consistent, not settled</i>: more runs would have to tell. A pattern may also hold <i>partly</i>. Terms of
the field are explained <a href="#words">below</a>.</p>
<table class="claims">
<thead>
<tr><th scope="col">What is claimed</th><th scope="col">Paper</th><th scope="col">Ours</th>\
<th scope="col">Runs</th><th scope="col">Verdict</th></tr>
</thead>
{bodies}
</table>
</section>"""


def _claim(claim: Claim, numbers: dict[str, int]) -> str:
    shown = f' · <a href="#figure-{claim.figure}">Figure {numbers[claim.figure]}</a>' if claim.figure else ""
    parts = [
        _rule(claim),
        f'<p class="reading"><b>Read as:</b> {inline(claim.reading.rstrip("."))}.</p>' if claim.reading else "",
        _readings(claim),
        prose(claim.note),
        f'<p class="id"><code>{claim.id}</code>{shown}</p>',
    ]
    return f"""<tbody id="claim-{claim.id}">
<tr><th scope="row">{inline(claim.description)}</th>\
<td class="figure" data-label="Paper">{_number(claim.paper_shown)}</td>\
<td class="figure" data-label="Ours">{_ours(claim, claim)}</td>\
<td class="figure" data-label="Runs">{_runs(claim)} <small>{claim.scale}</small></td>\
<td data-label="Verdict">{_badge(claim.verdict)}</td></tr>
<tr class="note"><td colspan="5">{"".join(parts)}</td></tr>
</tbody>"""


def _rule(claim: Claim) -> str:
    """What makes the claim reproduced, and if it is not settled, what would."""
    if not claim.rule:
        return ""
    settled = ""
    if claim.verdict == "not settled":
        by = claim.settled_by
        settled = f" {by.capitalize()} would settle it." if by else " Too close to tell how many runs would settle it."
    return f'<p class="rule"><b>Reproduced if</b> {inline(claim.rule)}.{settled}</p>'


def _readings(claim: Claim) -> str:
    """Our figures under other readings, in the units of the claim."""
    if not claim.readings:
        return ""
    rows = "\n".join(
        f'<tr><th scope="row">{inline(each.name)}</th><td class="figure">{_ours(claim, each)}</td>'
        f'<td class="figure" data-unit="runs">{_runs(each)}</td><td>{_badge(each.verdict)}</td></tr>'
        for each in claim.readings
    )
    return f"""<table class="readings">
<thead>
<tr><th scope="col">Other readings</th><th scope="col">Ours</th>\
<th scope="col">Runs</th><th scope="col">Verdict</th></tr>
</thead>
<tbody>
{rows}
</tbody>
</table>"""


def _ours(claim: Claim, found: Claim | Reading) -> str:
    """A figure of ours with its interval, as exact as the paper's."""
    if found.ours is None:
        return '<span class="none">not run</span>'
    interval = " to ".join(map(claim.shown, found.interval or ()))
    small = f" <small>{_number(interval)}</small>" if interval else ""
    return f"<b>{_number(claim.shown(found.ours))}</b>{small}"


def _runs(found: Claim | Reading) -> str:
    return f"{found.runs:,}" if found.runs else "–"


def figures_shown(figures: Sequence[Figure]) -> str:
    """The figures with their captions, numbered."""
    if not figures:
        return ""
    shown = "\n".join(
        f"""<figure id="figure-{figure.stem}">
<a href="{figure.stem}.svg"><img src="{figure.stem}.svg" alt="{escape(figure.alt or figure.title)}"></a>
<figcaption><b>Figure {number}. {inline(figure.title)}.</b> {inline(figure.caption)} \
(<a href="{figure.stem}.png" aria-label="Figure {number} as PNG">PNG</a>)</figcaption>
</figure>"""
        for number, figure in enumerate(figures, 1)
    )
    return f'<section aria-labelledby="figures">\n<h2 id="figures">Figures</h2>\n{shown}\n</section>'


def section_shown(section: Section) -> str:
    """A heading and text."""
    return f'<section class="text">\n<h2>{inline(section.heading)}</h2>\n{prose(section.text)}\n</section>'


def _words(text: str) -> str:
    """The terms that the page uses, each in a sentence."""
    listed = "\n".join(f"<dt>{escape(term)}</dt><dd>{inline(words)}</dd>" for term, words in terms_in(text).items())
    heading = '<section class="text" aria-labelledby="words">\n<h2 id="words">Words</h2>'
    return f"{heading}\n<dl>\n{listed}\n</dl>\n</section>"


def _making(paper: Paper, report: Report, making: Making) -> str:
    command = paper.command(making.scale, making.seed) + " --partial" * making.partial
    facts = {
        "Command": f"`{command}`",
        "Date": making.date,
        "Time": duration(making.seconds),
        "Seeds of the runs": seeds_shown(report.seeds),
        "Versions": ", ".join(f"{name} {number}" for name, number in making.versions.items()),
        "Commit": f"`{making.commit}`" if making.commit else "",
        "Machine": making.machine,
    }
    listed = "\n".join(f"<dt>{name}</dt><dd>{inline(text)}</dd>" for name, text in facts.items() if text)
    settings = table(["Setting", "Value"], [(name, _value(value)) for name, value in report.settings.items()])
    return f"""<section class="text" aria-labelledby="making">
<h2 id="making">How it was made</h2>
<dl>
{listed}
</dl>
{settings if report.settings else ""}
<p>The claims are also in <a href="claims.json">claims.json</a>, for programs.</p>
</section>"""


def _value(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) and value >= 10_000 else str(value)


def duration(seconds: float) -> str:
    """A time in words."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def seeds_shown(seeds: Sequence[int]) -> str:
    """Seeds in a few words."""
    if len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1)):
        return f"{seeds[0]} to {seeds[-1]}"
    return ", ".join(map(str, seeds))


def _check(paper: Paper, report: Report, folder: Path) -> None:
    """A report whose parts don't fit is refused before anything is written."""
    stems = [figure.stem for figure in report.figures]
    for claim in report.claims:
        if claim.figure and claim.figure not in stems:
            raise InvalidSetting(
                f"{paper.key}: claim {claim.id} names the figure {claim.figure}, which is not in the report"
            )
    for name in (names := [claim.id for claim in report.claims] + stems):
        if names.count(name) > 1:
            raise InvalidSetting(f"{paper.key}: the name {name} is given twice")
    for stem in stems:
        for suffix in ("svg", "png"):
            if not (folder / f"{stem}.{suffix}").is_file():
                raise InvalidSetting(f"{paper.key}: the figure {stem}.{suffix} was not drawn (ludus.measures.figures)")


def _spend(file: Path, seconds: float) -> float:
    """Add to the time that was spent before, and return the sum."""
    with suppress(OSError, ValueError, TypeError):
        seconds += json.loads(file.read_text())
    write_whole(file, json.dumps(seconds).encode())
    return seconds
