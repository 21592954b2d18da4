"""Results as small HTML tables, which is how notebooks show them."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with one line of headers; every cell is shown as text, whatever it holds.

    >>> html_table(["player", "score"], [["<me>", 0.5]])
    '<table><thead><tr><th>player</th><th>score</th></tr></thead><tbody><tr><td>&lt;me&gt;</td><td>0.5</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(each)}</th>" for each in headers)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
