"""Any game by its name, those of other packages too, as long as a move puts a piece on a square or passes."""

from ludus.errors import WrongGame
from ludus.games.game import Position
from ludus.games.names import game as find
from ludus.interfaces.pettingzoo.environment import Actions, Environment, wrapped


class SquareActions(Actions):
    """Squares, then the pass, whatever numbers the game itself has for its moves."""

    def legal(self, position: Position, begun: int) -> dict[int, int | None]:
        return {self._square(move): move for move in position.legal.values()}

    def _square(self, move: int) -> int:
        path = self.game.type.path(self.game.rules, move)
        if len(path) > 1:
            raise WrongGame(f"moves of {self.game.name} go from square to square; here a move must be on one square")
        return path[0] if path else self.game.squares


def raw_env(game: str = "othello8", render_mode: str | None = None) -> Environment:
    variant = find(game)
    actions = SquareActions(variant)
    actions.legal(variant.start(), 0)  # raises now if its moves go from square to square
    return Environment(f"{variant.board}_v0", variant, actions, render_mode)


env = wrapped(raw_env)
