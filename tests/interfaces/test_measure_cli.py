"""`ludus measure`, `ludus profile`, `ludus behaviour` and `ludus dependence` as a person uses them."""

import json
from pathlib import Path

import pytest

import ludus


def test_measure_tells_both_measures(say) -> None:
    code, out, _ = say("measure", "heuristic", "--games", "2000", "--seed", "3", "--workers", "2")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["generalization", "heuristic"]
    told = json.loads(say("measure", "heuristic", "--games", "2000", "--seed", "3", "--json")[1])
    asked = {name: told.pop(name) for name in ("player", "game", "games", "seed")}
    assert asked == {"player": "heuristic", "game": "othello8", "games": 2000, "seed": 3}
    assert set(told) == {"generalization", "heuristic"}
    for line, each in zip(out.splitlines(), told.values(), strict=True):
        assert f"{each['percent']:.2f}%" in line
        assert each["interval"][0] < each["percent"] < each["interval"][1]


def test_regret_is_told_in_discs(say) -> None:
    arguments = ["measure", "random", "--game", "othello4", "--regret", "--games", "8", "--empty", "6"]
    found = ludus.regret("random", "othello4", games=8, empty=6)
    code, out, _ = say(*arguments)
    assert (code, out.splitlines()[0].split(" a game")[0]) == (0, f"regret  {found.per_game.value:.2f} discs")
    assert f"{found.mistakes / found.choices:.0%} of {found.choices} choices lost a disc or more" in out
    assert "left out" not in out
    asked = {"player": "random", "game": "othello4", "seed": 1}
    assert json.loads(say(*arguments, "--json")[1]) == asked | json.loads(json.dumps(found.to_json()))
    few = ludus.regret("random", "othello4", games=8, empty=6, nodes=20).unsolved
    assert f"choices left out, since the solver was not sure of them: {few}\n" in say(*arguments, "--nodes", "20")[1]


def test_profiles_are_built_once(say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludus.measures import profiles

    monkeypatch.setattr(profiles, "cache_home", lambda: tmp_path)
    monkeypatch.setattr(profiles, "usual_games", lambda per_bin, width: 500_000)
    arguments = ["profile", "discs", "random", "--game", "othello4", "--per-bin", "2", "--bin-width", "20"]
    code, out, err = say(*arguments)
    assert (code, out) == (2, "")
    assert "--build" in err
    assert "write an even number" in say(*arguments, "--build", "--games", "3")[2]
    assert not list(tmp_path.iterdir())  # refused before anything is built
    code, out, _ = say(*arguments, "--build", "--figure", str(tmp_path / "p.svg"))
    assert code == 0
    assert "opponents of othello4" in out
    assert (tmp_path / "p.svg").exists()
    assert (tmp_path / "p.png").exists()
    told = json.loads(say(*arguments, "--json")[1])["profiles"]
    assert set(told) == {"discs", "random"}
    assert f"{told['random'][-1]['percent']:.1f}%" in out.splitlines()[-1]


def test_behaviour_by_move(say, tmp_path: Path) -> None:
    arguments = ["behaviour", "mobility", "random", "--games", "40"]
    code, out, _ = say(*arguments, "--won", "--figure", str(tmp_path / "b.png"))
    assert code == 0
    assert out.splitlines()[2].split() == ["0", out.split()[0], "2.0", "2.0", *out.splitlines()[2].split()[4:]]
    assert (tmp_path / "b.svg").exists()
    told = json.loads(say(*arguments, "--json")[1])
    assert told["games"] == told["reached"][0] == 40
    assert told["pieces"][0] == [2, 2]
    assert sum(told["pieces"][10]) == 14
    assert [(each["begin"], each["end"]) for each in told["mobility"]] == [(0, 20), (20, 40), (40, 60)]
    lines = say(*arguments, "--windows", "20-40,20-60")[1].splitlines()
    assert lines[-2] == f"  20-40: A {told['mobility'][1]['a']:.2f}, B {told['mobility'][1]['b']:.2f}, ratio " + (
        f"{told['mobility'][1]['ratio']:.2f}"
    )
    assert lines[-1].startswith("  20-60: A ")


@pytest.mark.parametrize(("name", "player"), [("othello8", "marker:mobility"), ("checkers", "pieces")])
def test_dependence_finds_a_ranking_that_plays(say, tmp_path: Path, name: str, player: str) -> None:
    arguments = ["dependence", player, "--game", name, "--games", "40"]
    file = tmp_path / "list.safetensors"
    code, out, _ = say(*arguments, "--save", str(file))
    told = json.loads(say(*arguments, "--json")[1])
    assert code == 0
    assert f"dependence {told['dependence']['percent']:.1f}" in out
    assert f"ranking by {told['rankings'][0]['by']}" in out
    assert say("match", str(file), "random", "--games", "2")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["measure", "nobody"], "unknown player 'nobody'"),
        (["measure", "alphabeta:seconds=1"], "too slow to be measured"),
        (["measure", "random", "--game", "chess"], "unknown game 'chess'"),
        (["measure", "random", "--games", "1"], "--games"),
        (["profile", "heuristic", "--figure", "p.pdf"], "ends in .svg or .png"),
        (["profile", "heuristic", "--per-bin", "0"], "--per-bin"),
        (["behaviour", "random", "random", "--opening", "queen"], "unknown openings 'queen'"),
        (["behaviour", "random", "random", "--windows", "9"], "invalid window '9'"),
        (["dependence", "alphabeta:seconds=1"], "too slow to be measured"),
        (["behaviour", "random", "random", "--figure", "b"], "ends in .svg or .png"),
    ],
)
def test_bad_input(say, arguments: list[str], sentence: str) -> None:
    code, out, err = say(*arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.startswith("ludus: ")
    assert err.count("\n") == 1


def test_strategies_groups_players_by_their_weights(say, tmp_path: Path) -> None:
    names = [f"weights:seed={seed}" for seed in (1, 2, 3, 4)]
    file, boards = tmp_path / "map.svg", tmp_path / "boards.svg"
    code, out, _ = say("strategies", *names, "--game", "othello6", "--figure", str(file), "--boards", str(boards))
    assert code == 0
    assert all(name in out for name in names)
    assert file.exists()
    assert boards.exists()
    told = json.loads(say("strategies", *names, "--json")[1])
    assert [each["player"] for each in told["players"]] == names
    code, out, err = say("strategies", "random", "random", "random")
    assert (code, out) == (2, "")
    assert "random has no weights" in err
