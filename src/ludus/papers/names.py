"""Papers by key."""

from ludus.errors import UnknownName
from ludus.papers.base import Paper
from ludus.registry import papers


def paper(key: str) -> Paper:
    """The paper of that key."""
    if key not in papers():
        raise UnknownName(f"unknown paper {key!r}; known papers: {', '.join(papers())}")
    return papers()[key]
