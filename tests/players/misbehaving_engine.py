"""A GTP engine that behaves, but for one trouble: `misbehaving_engine.py TROUBLE FILE`.

It puts stones on the first points that nobody has played on; its second move brings the trouble. Into FILE go the
numbers of its process and of the child that it may have, so that a test can see whether they have ended.
"""

import os
import signal
import sys
import time
from pathlib import Path

TROUBLES = (
    "none",
    "no handshake",
    "hang",
    "late",
    "illegal",
    "occupied",
    "crash",
    "garbage",
    "half line",
    "half line, then exit",
    "flood",
    "flood of lines",
    "flood on stderr",
    "wrong id",
    "twice",
    "failure",
    "resigns",
    "ignores quit",
    "deaf",
    "child",
    "child, then crash",
    "exits after its move",
)
POINTS = [column + row for row in "12345" for column in "ABCDE"]
MEGABYTE = b"x" * (1 << 20)


def write(data: bytes, to: int = 1) -> None:
    while data:
        data = data[os.write(to, data) :]


def sleep_forever() -> None:
    while True:
        time.sleep(60)


def make_trouble(trouble: str, number: str, move: str) -> None:
    """What happens instead of an answer, or before it."""
    match trouble:
        case "hang":
            sleep_forever()
        case "late":
            time.sleep(3)
        case "crash" | "child, then crash":
            os.abort()
        case "garbage":
            write(bytes(range(128, 256)) + b"\n\n")
        case "half line":
            write(f"={number} {move[0]}".encode())
            sleep_forever()
        case "half line, then exit":
            write(f"={number} {move[0]}".encode())
            sys.exit()
        case "flood":
            write(b"=" + number.encode() + b" ")
            for _ in range(100):
                write(MEGABYTE)
        case "flood of lines":
            write(b"=" + number.encode() + b" ")
            for _ in range(100):
                write(b"=1 A1\n" * 100_000)
        case "flood on stderr":
            for _ in range(10):
                write(MEGABYTE, to=2)
        case "wrong id":
            write(f"={int(number) + 1} {move}\n\n".encode())
        case "twice":
            write(f"={number} {move}\n\n".encode())
        case "failure":
            write(f"?{number} cannot move\n\n".encode())
        case "deaf":
            write(f"={number} {move}\n\n".encode())
            sleep_forever()


def answer(command: list[str], played: list[str], trouble: str, number: str) -> str:
    match command:
        case ["protocol_version"]:
            return "2"
        case ["name"]:
            return f"Misbehaving {os.getpid()}"
        case ["clear_board"]:
            played.clear()
        case ["play", _, move]:
            played.append(move)
        case ["genmove", _]:
            move = next(point for point in POINTS if point not in played)
            played.append(move)
            if len(played) > 2:
                make_trouble(trouble, number, move)
                move = {"illegal": "Z9", "occupied": played[0], "resigns": "resign"}.get(trouble, move)
            return move
    return ""


def main(trouble: str, file: str) -> None:
    assert trouble in TROUBLES
    pids = Path(file)
    pids.write_text(f"{os.getpid()}\n")
    if trouble.startswith("child"):
        child = os.fork()
        if not child:
            sleep_forever()
        with pids.open("a") as lines:
            lines.write(f"{child}\n")
    if trouble == "no handshake":
        sleep_forever()
    if trouble == "ignores quit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    played: list[str] = []
    for line in sys.stdin:
        number, *command = line.split()
        if number == "quit":
            break
        said = answer(command, played, trouble, number)
        write(f"={number} {said}\r\n\r\n\n\n".encode())  # more line ends than needed, as some engines have
        if trouble == "exits after its move" and len(played) > 2:
            break
    if trouble == "ignores quit":
        sleep_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
