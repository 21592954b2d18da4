"""The arena under load: many people at once, who think about their moves, and a server that is killed in between.

    python benchmarks/arena.py [--games 200] [--seconds 120] [--player alphabeta:depth=2]

Starts a server of its own on 127.0.0.1, kills it in the middle, starts it again, and plays on. A person pauses for 2 to
10 seconds, moves, waits for the reply and looks at the reasons for it, as the page does. Tells the 50th and 99th
percentile of an answer beyond the player's own thinking, whether a game was lost or crossed with another, and how much
memory the server had at the beginning and at the end of its two lives. `--seconds 600` is the full test.
"""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

import numpy as np
import psutil

import ludus
from ludus.games.game import Game, Position

MOST_GAMES, MOST_SECONDS = 200, 3600
PAUSE_SECONDS = (2.0, 10.0)
SETTLED_SECONDS = 20.0
"""After so long a server has loaded what it needs."""
LOOKS = 0.1
"""How often a person reloads the page."""


@dataclass
class Person:
    """Somebody who plays one game after another."""

    game: Game
    player: str
    port: int
    number: int
    cookie: str = ""
    moves: list[str] = field(default_factory=list)
    position: Position = field(init=False)
    table: str = ""
    beyond: list[float] = field(default_factory=list)
    """Seconds of each answer beyond the thinking."""
    wrong: list[str] = field(default_factory=list)
    away: int = 0
    """Requests that nobody answered, while the server was down."""
    finished: int = 0
    connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
    unsure: bool = True
    """Whether the game may have gone on without us."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.number)

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, dict]:
        if self.connection is None:
            self.connection = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.connection
        try:
            content = b"" if body is None else json.dumps(body).encode()
            head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self.cookie}\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
            writer.write(head.encode() + content)
            top = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)).decode()
            headers = dict(line.lower().split(": ", 1) for line in top.split("\r\n")[1:] if line)
            told = await asyncio.wait_for(reader.readexactly(int(headers["content-length"])), 60)
        except BaseException:
            writer.close()
            self.connection = None
            raise
        for line in top.split("\r\n"):
            if line.lower().startswith("set-cookie:"):
                self.cookie = line.partition(":")[2].partition(";")[0].strip()
        return int(top.split()[1]), json.loads(told)

    async def play(self, until: float) -> None:
        await asyncio.sleep(self.chance.uniform(0, PAUSE_SECONDS[1]))
        while time.monotonic() < until:
            try:
                await self.turn()
            except (OSError, asyncio.IncompleteReadError):
                self.away, self.unsure = self.away + 1, True
            await asyncio.sleep(self.chance.uniform(*PAUSE_SECONDS))
        if self.connection:
            self.connection[1].close()

    async def turn(self) -> None:
        """A move of the person and the reply to it; then both are compared with the rules and with the server."""
        if not self.cookie:
            await self.ask("GET", "/api/games")
        if not self.table:
            asked = {"game": self.game.name, "black": "person", "white": self.player}
            status, told = await self.ask("POST", "/api/tables", asked)
            if status != 201:
                self.wrong.append(f"{status} {told}")
                return
            self.table, self.moves, self.position = told["id"], [], self.game.start()
        if self.unsure or self.chance.random() < LOOKS:
            status, told = await self.ask("GET", f"/api/tables/{self.table}")
            seen = [frame["move"] for frame in told["frames"][1:]]
            if status != 200 or seen[: len(self.moves)] != self.moves or len(seen) > len(self.moves) + 2:
                self.wrong.append(f"{self.table} has {seen}, not {self.moves}")
            for move in seen[len(self.moves) :]:
                self.made(move)
            self.unsure = False
        if not self.position.over and self.position.current_player == 0:
            legal = self.position.legal_moves
            await self.step("move", {"ply": len(self.moves), "move": self.chance.choice(legal)})
        if not self.position.over and self.position.current_player == 1:
            await self.step("reply", {"ply": len(self.moves)})
            status, told = await self.ask("GET", f"/api/tables/{self.table}/why/{len(self.moves) - 1}")
            if status != 200 or told["move"] != self.moves[-1]:
                self.wrong.append(f"{status} {told.get('error', 'the reasons for another move')}")
        if self.position.over:
            self.finished, self.table = self.finished + 1, ""

    async def step(self, action: str, body: dict) -> None:
        begin = time.perf_counter()
        status, told = await self.ask("POST", f"/api/tables/{self.table}/{action}", body)
        taken = time.perf_counter() - begin
        if status != 200 or told["id"] != self.table or len(told["frames"]) != 1:
            self.wrong.append(f"{status} {told.get('error', told)}")
            self.unsure = True
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


class Served:
    """A server, and how much memory it has had."""

    def __init__(self, port: int, data: str) -> None:
        command = [sys.executable, "-m", "ludus", "serve", "--port", str(port), "--data", data]
        self.process = subprocess.Popen([*command, "--runs", f"{data}/runs"], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        print(self.process.stdout.readline().strip(), flush=True)
        self.begun, self.memory = time.monotonic(), list[tuple[float, float]]()

    async def watch(self) -> None:
        while True:
            used = psutil.Process(self.process.pid).memory_info().rss / 2**20
            self.memory.append((time.monotonic() - self.begun, used))
            await asyncio.sleep(1.0)

    def ended(self) -> str:
        """What its memory was once it had settled, and at the end."""
        settled = next((used for age, used in self.memory if age > SETTLED_SECONDS), self.memory[0][1])
        return f"{settled:.0f} MB {SETTLED_SECONDS:g} s after its start, {self.memory[-1][1]:.0f} MB at its end"


async def load(people: list[Person], seconds: float, data: str) -> list[str]:
    """What the memory of both servers was."""
    server, memory = Served(people[0].port, data), list[str]()
    try:
        await people[0].turn()  # kernels are compiled before anything is timed
        people[0].beyond.clear()
        until = time.monotonic() + seconds
        playing = [asyncio.create_task(person.play(until)) for person in people]
        watching = asyncio.create_task(server.watch())
        await asyncio.sleep(seconds / 2)
        watching.cancel()
        memory.append(server.ended())
        server.process.kill()
        server.process.wait()
        print("killed; starting again", flush=True)
        server = await asyncio.to_thread(Served, people[0].port, data)
        watching = asyncio.create_task(server.watch())
        await asyncio.gather(*playing)
        watching.cancel()
        memory.append(server.ended())
    finally:
        server.process.terminate()
        server.process.wait()
    return memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--player", default="alphabeta:depth=2")
    parser.add_argument("--game", default="othello8")
    parser.add_argument("--port", type=int, default=8655)
    asked = parser.parse_args()
    count, seconds = min(asked.games, MOST_GAMES), min(asked.seconds, MOST_SECONDS)
    game = ludus.game(asked.game)
    game.start().play(game.start().legal_moves[0])  # our own kernels
    people = [Person(game, asked.player, asked.port, number) for number in range(count)]
    with tempfile.TemporaryDirectory() as data:
        memory = asyncio.run(load(people, seconds, data))
    beyond = np.array([each for person in people for each in person.beyond])
    wrong = [each for person in people for each in person.wrong]
    half, most = np.percentile(beyond, [50, 99])
    print(f"{count} games at once for {seconds:g} s against {asked.player} on {game.name}")
    print(f"{len(beyond)} moves and replies, {sum(person.finished for person in people)} games finished")
    shares = f"50% within {1000 * half:.0f} ms, 99% within {1000 * most:.0f} ms, all within {beyond.max():.2f} s"
    print(f"beyond thinking: {shares}")
    print(f"{sum(person.away for person in people)} requests met no server while it was down")
    print("memory of the servers: " + "; ".join(memory))
    print(f"{len(wrong)} lost or crossed" + "".join(f"\n  {each}" for each in wrong[:10]))


if __name__ == "__main__":
    main()
