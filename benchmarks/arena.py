"""The arena under load: many games at once, a move each second, for a minute.

    python benchmarks/arena.py [--games 50] [--seconds 60] [--player alphabeta:depth=2]

Starts a server of its own on 127.0.0.1, kills it in the middle, starts it again, and plays on. Tells the 50th and 99th
percentile of a reply beyond the player's own thinking time, and whether a game was lost or crossed with another.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

import numpy as np

import ludus
from ludus.games.game import Game, Position

MOST_GAMES, MOST_SECONDS = 200, 3600


@dataclass
class Person:
    """Somebody who plays one game after another, a move each second."""

    game: Game
    player: str
    port: int
    number: int
    cookie: str = ""
    moves: list[str] = field(default_factory=list)
    position: Position = field(init=False)
    table: str = ""
    beyond: list[float] = field(default_factory=list)
    """Seconds of each reply beyond the thinking."""
    wrong: list[str] = field(default_factory=list)
    away: int = 0
    """Requests that nobody answered, while the server was down."""
    finished: int = 0

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, dict]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            content = b"" if body is None else json.dumps(body).encode()
            head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\nCookie: {self.cookie}\r\n\r\n"
            writer.write(head.encode() + content)
            answer = await asyncio.wait_for(reader.read(), 60)
        finally:
            writer.close()
        top, _, told = answer.partition(b"\r\n\r\n")
        if not told:
            raise ConnectionError("no answer")
        for line in top.decode().split("\r\n"):
            if line.lower().startswith("set-cookie:"):
                self.cookie = line.partition(":")[2].partition(";")[0].strip()
        return int(top.split()[1]), json.loads(told)

    async def play(self, until: float) -> None:
        await asyncio.sleep(self.number * 0.02)
        while time.monotonic() < until:
            begin = time.monotonic()
            try:
                await self.turn()
            except (ConnectionError, OSError, asyncio.IncompleteReadError):
                self.away += 1
            await asyncio.sleep(max(0.0, 1.0 - (time.monotonic() - begin)))

    async def turn(self) -> None:
        """A move of the person and the reply to it; then both are compared with the rules and with the server."""
        if not self.table:
            asked = {"game": self.game.name, "black": "person", "white": self.player}
            status, told = await self.ask("POST", "/api/tables", asked)
            if status != 201:
                self.wrong.append(f"{status} {told}")
                return
            self.table, self.moves, self.position = told["id"], [], self.game.start()
        status, told = await self.ask("GET", f"/api/tables/{self.table}")
        seen = [frame["move"] for frame in told["frames"][1:]]
        if status != 200 or seen[: len(self.moves)] != self.moves or len(seen) > len(self.moves) + 2:
            self.wrong.append(f"{self.table} has {seen}, not {self.moves}")
        for move in seen[len(self.moves) :]:
            self.made(move)
        if not self.position.over and self.position.current_player == 0:
            legal = self.position.legal_moves
            await self.step("move", {"ply": len(self.moves), "move": legal[self.number % len(legal)]})
        if not self.position.over and self.position.current_player == 1:
            await self.step("reply", {"ply": len(self.moves)})
        if self.position.over:
            self.finished, self.table = self.finished + 1, ""

    async def step(self, action: str, body: dict) -> None:
        begin = time.perf_counter()
        status, told = await self.ask("POST", f"/api/tables/{self.table}/{action}", body)
        taken = time.perf_counter() - begin
        if status != 200 or told["id"] != self.table or len(told["frames"]) != 1:
            self.wrong.append(f"{status} {told.get('error', told)}")
            return
        frame = told["frames"][0]
        if frame["ply"] != len(self.moves) + 1:
            self.wrong.append(f"ply {frame['ply']} after {len(self.moves)} moves")
        self.beyond.append(taken - (frame["seconds"] if action == "reply" else 0.0))
        self.made(frame["move"])

    def made(self, move: str) -> None:
        """A move that the server tells of; raises LudusError if it breaks the rules."""
        self.moves.append(move)
        self.position = self.position.play(move)


def served(port: int, data: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "ludus", "serve", "--port", str(port), "--data", data, "--runs", f"{data}/runs"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout
    print(server.stdout.readline().strip(), flush=True)
    return server


async def load(people: list[Person], seconds: float, data: str) -> None:
    server = served(people[0].port, data)
    try:
        await people[0].turn()  # kernels are compiled before anything is timed
        people[0].beyond.clear()
        until = time.monotonic() + seconds
        playing = [asyncio.create_task(person.play(until)) for person in people]
        await asyncio.sleep(seconds / 2)
        server.kill()
        server.wait()
        print("killed; starting again", flush=True)
        server = await asyncio.to_thread(served, people[0].port, data)
        await asyncio.gather(*playing)
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--player", default="alphabeta:depth=2")
    parser.add_argument("--game", default="othello8")
    parser.add_argument("--port", type=int, default=8655)
    asked = parser.parse_args()
    count, seconds = min(asked.games, MOST_GAMES), min(asked.seconds, MOST_SECONDS)
    game = ludus.game(asked.game)
    game.start().play(game.start().legal_moves[0])  # our own kernels
    people = [Person(game, asked.player, asked.port, number) for number in range(count)]
    with tempfile.TemporaryDirectory() as data:
        asyncio.run(load(people, seconds, data))
    beyond = np.array([each for person in people for each in person.beyond])
    wrong = [each for person in people for each in person.wrong]
    half, most = np.percentile(beyond, [50, 99])
    print(f"{count} games at once for {seconds:g} s against {asked.player} on {game.name}")
    print(f"{len(beyond)} moves and replies, {sum(person.finished for person in people)} games finished")
    shares = f"50% within {1000 * half:.0f} ms, 99% within {1000 * most:.0f} ms, all within {beyond.max():.2f} s"
    print(f"beyond thinking: {shares}")
    print(f"{sum(person.away for person in people)} requests met no server while it was down")
    print(f"{len(wrong)} lost or crossed" + "".join(f"\n  {each}" for each in wrong[:10]))


if __name__ == "__main__":
    main()
