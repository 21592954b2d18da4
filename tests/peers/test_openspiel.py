"""The compiled games against OpenSpiel's, an independent engine: hundreds of random games each, ply by ply."""

import random

import pytest

import ludus
from tests.effort import EFFORT

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

GAMES = 300 * EFFORT


def test_othello() -> None:
    game, theirs = ludus.game("othello8"), pyspiel.load_game("othello")
    choice = random.Random(1)
    for _ in range(GAMES):
        ours, state = game.start(), theirs.new_initial_state()
        while not state.is_terminal():
            assert ours.current_player == state.current_player()
            assert sorted(ours.legal.values()) == sorted(state.legal_actions()), ours.text  # a pass is 64 for both
            move = choice.choice(state.legal_actions())
            ours = ours.play(move)
            state.apply_action(move)
        assert ours.over
        assert ours.outcome == (1 + state.returns()[0]) / 2


def checkers_routes(state: "pyspiel.State") -> dict[str, "pyspiel.State"]:
    """Every complete move: OpenSpiel makes one hop at a time, and the same side moves on until it is done."""
    player, found = state.current_player(), {}

    def follow(here: "pyspiel.State", route: list[int]) -> None:
        for action in here.legal_actions():
            start, end = here.action_to_string(player, action)[:2], here.action_to_string(player, action)[2:4]
            squares = [_square(start), _square(end)]
            jump = abs(int(start[1]) - int(end[1])) == 2
            if route and squares[0] != route[-1]:
                continue
            after = here.child(action)
            whole = [*(route or squares[:1]), squares[1]]
            if jump and not after.is_terminal() and after.current_player() == player:
                follow(after, whole)
            else:
                found[("x" if jump else "-").join(map(str, whole))] = after

    follow(state, [])
    return found


def _square(name: str) -> int:
    """OpenSpiel's a1 is bottom-left as White sees it; its first player, at the bottom, moves up."""
    column, row = ord(name[0]) - ord("a"), int(name[1]) - 1
    return 4 * row + (7 - column) // 2 + 1


def test_checkers() -> None:
    # OpenSpiel has a draw rule of its own: after 40 moves without a capture or a man's move
    game, theirs = ludus.game("checkers:moves=1000"), pyspiel.load_game("checkers")
    choice = random.Random(2)
    for _ in range(GAMES):
        ours, state = game.start(), theirs.new_initial_state()
        while not state.is_terminal():
            assert ours.current_player == state.current_player()
            routes = checkers_routes(state)
            assert sorted(ours.legal_moves) == sorted(routes), (ours.text, str(state))
            move = choice.choice(ours.legal_moves)
            ours, state = ours.play(move), routes[move]
        if state.returns()[0]:
            assert ours.over
            assert ours.outcome == (1 + state.returns()[0]) / 2


def test_go() -> None:
    """OpenSpiel bars only simple ko and ends the game when a position comes back: just those plays superko bars."""
    choice = random.Random(3)
    barred = 0
    for index in range(GAMES):
        size = (3, 5, 7, 9)[index % 4]
        theirs = pyspiel.load_game(f"go(board_size={size})")
        ours, simple = (ludus.game(f"go{size}:plies={2 * size * size}{ko}").start() for ko in ("", ",ko=simple"))
        state = theirs.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            assert sorted(simple.legal.values()) == actions, simple.text
            suspects = set(actions) - set(ours.legal.values())
            assert set(ours.legal.values()) <= set(actions)
            for action in suspects:  # a repetition ends OpenSpiel's game without a winner
                assert state.child(action).is_terminal(), (ours.text, action)
                assert state.child(action).returns() == [0.0, 0.0]
            barred += len(suspects)
            move = choice.choice([a for a in ours.legal.values() if a < size * size] or [size * size])
            assert move not in suspects
            ours, simple = ours.play(move), simple.play(move)
            state.apply_action(move)
        assert ours.over
        assert ours.outcome == (1 + state.returns()[0]) / 2
    assert barred > GAMES / 20
