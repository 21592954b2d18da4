"""How hard the tests try: `LUDUS_EFFORT=100` multiplies the number of random games and inputs by a hundred."""

import os

EFFORT = int(os.environ.get("LUDUS_EFFORT", "1"))
