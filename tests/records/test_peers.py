"""Other people's readers understand what we write."""

import pytest

from ludus.records import pdn, sgf
from tests.records.games import random_record


@pytest.mark.parametrize("name", ["go5:komi=0.5", "go9", "go19"])
def test_sgfmill_replays_our_go(name: str) -> None:
    their_sgf, sgf_moves = pytest.importorskip("sgfmill.sgf"), pytest.importorskip("sgfmill.sgf_moves")
    for seed in range(3):
        start = ".X.O./X...O/..X../...../..... O" if name.startswith("go5") and seed else ""
        record = random_record(name, seed, start, longest=150)
        game = their_sgf.Sgf_game.from_bytes(sgf.write([record]).encode())
        board, plays = sgf_moves.get_setup_and_moves(game)
        for colour, move in plays:
            if move is not None:
                board.play(*move, colour)
        assert (game.get_size(), game.get_komi()) == (record.game.size, record.game.rules.komi)
        assert (game.get_player_name("b"), game.get_player_name("w")) == record.players
        winners: dict[float | None, str] = {1.0: "b", 0.0: "w"}
        assert game.get_winner() == winners.get(record.outcome)
        last = record.positions()[-1]
        stones = {"b": 1, "w": -1, None: 0}
        size = record.game.size
        theirs = [stones[board.get(row, column)] for row in range(size) for column in range(size)]
        assert theirs == last.cells.tolist()


def test_pydraughts_replays_our_checkers() -> None:
    draughts, reader = pytest.importorskip("draughts"), pytest.importorskip("draughts.PDN")
    records = [random_record("checkers", seed) for seed in range(4)]
    games = reader.PDNReader(pdn.write(records)).games
    assert len(games) == len(records)
    for game, record in zip(games, records, strict=True):
        assert (game.tags["Black"], game.tags["White"]) == record.players
        assert game.game_ending == {1.0: "0-1", 0.5: "1/2-1/2", 0.0: "1-0"}[record.outcome or 0.0]
        board = draughts.Board("english")
        for move in game.moves:
            board.push(draughts.Move(board, pdn_move=move))
        white, black = (part[1:].split(",") for part in board.fen.split(":")[1:3])
        cells = record.positions()[-1].cells.tolist()
        for colour, pieces in ((1, black), (-1, white)):
            ours = [f"{'K' if abs(cell) == 2 else ''}{i}" for i, cell in enumerate(cells, 1) if cell * colour > 0]
            assert sorted(filter(None, pieces)) == sorted(ours)
