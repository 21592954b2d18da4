"""Every paper there is, found from the files in this folder."""

from functools import cache

from ludus import papers as folder
from ludus.discovery import offered
from ludus.errors import LudusError
from ludus.papers.paper import Paper


@cache
def papers() -> dict[str, Paper]:
    """Every paper by key."""
    return {paper.key: paper for paper in offered(folder, "PAPER", Paper)}  # type: ignore[type-abstract]


def paper(key: str) -> Paper:
    """The paper of that key."""
    if key not in papers():
        raise LudusError(f"there is no paper {key!r}; there is {', '.join(papers()) or 'none yet'}")
    return papers()[key]
