"""Puts the figures of our reports, docs/papers/KEY/claims.json, into the pages about the papers in docs/science.

On a page they stand between two comments: <!-- begin figures of KEY --> and <!-- end figures -->. `make docs` runs
this; a test holds the pages to the reports.
"""

import json
import re
from pathlib import Path

from ludus.papers.base import Claim
from ludus.papers.report import tally
from ludus.registry import papers

HERE = Path(__file__).parent
PAGES = sorted((HERE / "science").glob("*.md"))
TEST = re.compile(r"\((p [<=] [\d.]+)\)")
"""At the end of a rule: our p value, which is no part of what makes a claim reproduced."""
FIGURES = re.compile(r"(<!-- begin figures of (\w+) -->\n).*?(?=<!-- end figures -->)", re.DOTALL)


def filled(page: str) -> str:
    """The page with the figures that the reports have now."""
    return FIGURES.sub(lambda found: found[1] + (overview() if found[2] == "all" else figures(found[2])), page)


def figures(key: str) -> str:
    """Every claim of a paper with its figure and ours."""
    report = read(key)
    if report is None:
        return "\nThe full run is not finished.\n\n"
    claims, header = report
    rows = [
        f"| {_cell(claim.description)} | {_cell(claim.paper_shown)} | {_ours(claim)} | {claim.runs or ''} "
        f"| {_verdict(claim)} | {_cell(TEST.sub('', claim.rule).rstrip())} |"
        for claim in claims
    ]
    columns = ("claim", "paper", "ours (95% interval; p of a test)", "runs", "verdict", "reproduced if")
    head = [f"| {' | '.join(columns)} |", "| --- " * len(columns) + "|"]
    link = f"[the full report](../papers/{key}/index.html)"
    count = f"Of {len(claims)} claims: {tally(claims)}. Scale {header['scale']}, seed {header['seed']}; see {link}."
    return "\n" + "\n".join([count, "", *head, *rows]) + "\n\n"


def overview() -> str:
    """A line for each paper."""
    rows = ["| paper | | found, in our full run |", "| --- | --- | --- |"]
    for paper in sorted(papers().values(), key=lambda each: each.year):
        if (HERE / "science" / f"{paper.key}.md").exists():
            report = read(paper.key)
            found = f"{tally(report[0])}, of {len(report[0])} claims" if report else "not finished"
            rows.append(f"| [{paper.key}]({paper.key}.md) | {paper.title} | {found} |")
    return "\n" + "\n".join(rows) + "\n\n"


def read(key: str) -> tuple[list[Claim], dict[str, object]] | None:
    """The claims of a report, and how it was made; None if there is no report."""
    file = HERE / "papers" / key / "claims.json"
    if not file.exists():
        return None
    header = json.loads(file.read_text())
    return [Claim.from_json(each) for each in header.pop("claims")], header


def _ours(claim: Claim) -> str:
    beside = [claim.interval_shown, *TEST.findall(claim.rule)] if claim.interval else TEST.findall(claim.rule)
    return _cell(claim.ours_shown + (f" ({'; '.join(beside)})" if beside else ""))


def _verdict(claim: Claim) -> str:
    return claim.verdict + (f": {claim.settled_by}" if claim.settled_by else "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "\\<")


if __name__ == "__main__":
    for file in PAGES:
        file.write_text(filled(file.read_text()))
