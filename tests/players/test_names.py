"""Every NamedTuple has a name of its own: numba tells them apart by name, so namesakes would share machine code."""

import ast
from collections import defaultdict
from pathlib import Path

import ludus


def test_no_two_named_tuples_have_one_name() -> None:
    package = Path(ludus.__file__).parent
    places = defaultdict(list)
    for file in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base).endswith("NamedTuple") for base in node.bases):
                places[node.name].append(str(file.relative_to(package)))
    assert len(places) > 30
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
