"""With the compiler off, kernels are the Python that they are written in, and give the same bits."""

import json
import os
import subprocess
import sys

from ludus.compile.jit import INTERPRETED
from tests.interpreted import CASES, QUICK


def test_machine_code_does_what_python_says() -> None:
    """With the compiler on, a few games; with it off (`make interpreted`), every kind of player and learner too."""
    names = list(CASES) if INTERPRETED else QUICK
    switched = os.environ | {"NUMBA_DISABLE_JIT": "0" if INTERPRETED else "1"}
    arguments = [sys.executable, "-W", "error", "-m", "tests.interpreted", *names]
    done = subprocess.run(arguments, env=switched, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {name: CASES[name]() for name in names}
