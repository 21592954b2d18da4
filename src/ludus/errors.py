"""The one error that Ludus raises for input that cannot be right."""


class LudusError(ValueError):
    """Input that Ludus refuses: its message names what is wrong and what would be right.

    Everything a caller can get wrong (an unknown game, an illegal move, a malformed position) raises this
    and nothing else. The command line prints the message and exits with code 2.
    """
