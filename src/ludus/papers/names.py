"""Papers by key."""

from ludus.errors import UnknownName
from ludus.papers.base import Paper
from ludus.registry import papers
from ludus.suggestions import did_you_mean


def paper(key: str) -> Paper:
    """The paper of that key."""
    if key not in papers():
        raise UnknownName(f"unknown paper {key!r}{did_you_mean(key, papers())}; known papers: {', '.join(papers())}")
    return papers()[key]
