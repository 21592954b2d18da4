"""`ludus games`."""

from typing import TYPE_CHECKING, Any

from rich.table import Table

from ludus.interfaces.cli.app import app, columns, console, print_json
from ludus.interfaces.cli.arguments import AsJson

if TYPE_CHECKING:
    from ludus.games.game import GameType


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games, their sizes and their options.

    Example: ludus games
    """
    from ludus.registry import game_types

    if as_json:
        print_json({"games": [_described(game_type) for game_type in game_types().values()]})
        return
    names = columns("game", "name", "sizes", "a move", "option", "meaning (default)")
    table = Table(*names, box=None, pad_edge=False)
    for game_type in game_types().values():
        sizes = (
            f"{game_type.sizes[0]} to {game_type.sizes[-1]}"
            if len(game_type.sizes) > 3
            else ", ".join(map(str, game_type.sizes))
        )
        options = [(option.name, f"{option.description} ({option.default})") for option in game_type.options] or [
            ("", "")
        ]
        shown = f"{game_type.name}{game_type.default_size or ''}"
        table.add_row(game_type.title, shown, sizes or "one", game_type.move_example, *options[0])
        for option in options[1:]:
            table.add_row("", "", "", "", *option)
    console().print(table)


def _described(game_type: "GameType") -> dict[str, Any]:
    return {
        "name": game_type.name,
        "title": game_type.title,
        "version": game_type.version,
        "sizes": list(game_type.sizes),
        "default_size": game_type.default_size or None,
        "options": [
            {"name": option.name, "default": option.default, "description": option.description}
            for option in game_type.options
        ],
    }
