"""`ludus match`."""

import time
from typing import Annotated, Any

import typer

from ludus.errors import InvalidSetting
from ludus.interfaces.cli.app import app, counted, print_json
from ludus.interfaces.cli.arguments import CORES, AsJson, Games, Opening, PlayerName, PlayersGame, Seed, Workers


@app.command()
def match(
    a: PlayerName,
    b: PlayerName,
    game: PlayersGame = "",
    games: Games = 1000,
    seed: Seed = 1,
    workers: Workers = CORES,
    opening: Opening = "usual",
    sprt: Annotated[
        str, typer.Option(metavar="LOW:HIGH", help="stop when the Elo difference is decided, as 0:20")
    ] = "",
    save: Annotated[str, typer.Option(metavar="FILE", help="keep the games: .sgf, .pdn, .ggf or .wtb")] = "",
    as_json: AsJson = False,
) -> None:
    """Play many games between two players, colours swapped over the same openings.

    Example: ludus match heuristic alphabeta:depth=2 --game othello8 --games 500
    """
    from ludus import api

    begin = time.perf_counter()
    played = api.match(
        a, b, game or None, games=games, seed=seed, workers=workers, opening=opening, sprt=_bounds(sprt), save=save,
        progress=False if as_json else "lines",
    )  # fmt: skip
    seconds = time.perf_counter() - begin
    speed = {"seconds": round(seconds, 3), "games_per_second": round(len(played.scores) / max(seconds, 1e-9), 1)}
    summary = played.to_json() | speed
    if as_json:
        print_json(summary)
    else:
        print(_in_words(summary | {"a": played.a.label, "b": played.b.label}))


def _bounds(text: str) -> tuple[float, float] | None:
    if not text:
        return None
    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError as problem:
        raise InvalidSetting(f"invalid --sprt {text}: write LOW:HIGH in Elo points, as 0:20") from problem
    return low, high


def _speed(games: int, seconds: float) -> str:
    return f"{games / max(seconds, 1e-9):,.0f} games/s" if games >= 2 * seconds else f"{seconds / games:.1f} s a game"


def _in_words(summary: dict[str, Any]) -> str:
    def signed(value: float | None, otherwise: str) -> str:
        return otherwise if value is None else f"{value:+z.0f}"

    low, high = summary["score_interval"]
    elo, (elo_low, elo_high) = summary["elo"], summary["elo_interval"]
    lines = [
        f"{summary['game']}, {summary['games']:,} game{'s' * (summary['games'] != 1)}, "
        f"openings {summary['opening']}, seed {summary['seed']}, "
        f"{summary['seconds']:.1f} s ({_speed(summary['games'], summary['seconds'])})",
        f"A {summary['a']}",
        f"B {summary['b']}",
        f"A: {counted(summary['wins'], summary['draws'], summary['losses'])}",
        f"score {summary['score']:.1%} (95% interval {low:.1%} to {high:.1%})",
        f"Elo {signed(elo, '+inf' if summary['score'] > 0.5 else '-inf')} (95% interval {signed(elo_low, '-inf')} to "
        f"{signed(elo_high, '+inf')}), likelihood that A is better {summary['los']:.1%}",
    ]
    if summary["verdict"]:
        lines.append(f"sequential test: A is {summary['verdict']}")
    if summary["forfeits"]:
        reasons = ", ".join(f"{count} {reason}" for reason, count in summary["forfeits"].items())
        by = " and ".join(f"{count} by {side.upper()}" for side, count in summary["forfeited"].items() if count)
        lines.append(f"games forfeited: {by} ({reasons})")
    return "\n".join(lines)
