"""Did you mean: the known name that a mistaken one is nearest to."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """To follow an unknown name in a sentence.

    >>> did_you_mean("heuristc", ["random", "heuristic"])
    ' (did you mean heuristic?)'
    >>> did_you_mean("chess", ["othello8", "go9"])
    ''
    """
    spelled = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), spelled, n=1, cutoff=0.65)
    return f" (did you mean {spelled[near[0]]}?)" if near else ""
