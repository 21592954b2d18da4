"""How hard the tests try: `LUDUS_EFFORT=100` multiplies the number of random games and inputs by a hundred."""

import os
from typing import TypeVar

EFFORT = int(os.environ.get("LUDUS_EFFORT", "1"))

Value = TypeVar("Value")


def nightly(*values: Value) -> tuple[Value, ...]:
    """Values that only the nightly effort tries: those that take long to compile and protect little more."""
    return values if EFFORT > 1 else ()
