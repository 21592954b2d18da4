# `make demo` and `make test` set everything up by themselves, in .venv, the first time.

PYTHON ?= python3
BIN := .venv/bin

# the tests of a file need much the same kernels, so they run in one process; the order is that of tests/conftest.py
PYTEST := $(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: demo test check format docs interpreted nightly bench dist release clean

demo: .venv/ready
	$(BIN)/ludus demo

test: .venv/ready-to-develop
	$(PYTEST)

check: .venv/ready-to-develop
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST)

format: .venv/ready-to-develop
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

# what in docs is made from the code and from our reports
docs: .venv/ready
	$(BIN)/ludus reference --ours --out docs/reference
	$(BIN)/python docs/claims.py

# with the compiler off, kernels run as the Python that they are written in, to the same bits
interpreted: .venv/ready-to-develop
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/test_interpreted.py tests/compile/test_rng.py tests/compile/test_generic.py \
		tests/games/test_othello.py tests/games/test_checkers.py tests/games/test_go.py tests/games/test_protocol.py \
		tests/interfaces/test_arena_play.py \
		--deselect 'tests/games/test_go.py::test_number_of_legal_positions[4-24318165]'

# the same tests with a hundred times the games, once with every array index checked, and once with the compiler off
nightly: .venv/ready-to-develop interpreted
	LUDUS_EFFORT=100 $(PYTEST)
	NUMBA_BOUNDSCHECK=1 $(PYTEST)

bench: .venv/ready-to-develop
	$(BIN)/ludus bench
	$(BIN)/python benchmarks/training.py
	$(BIN)/python benchmarks/batches.py
	$(BIN)/python benchmarks/trees.py

# a wheel and a source archive
dist: .venv/ready-to-develop
	rm -rf dist
	$(BIN)/python -m hatchling build

# the same, once everything is checked and the changelog tells of this version
release: .venv/ready-to-develop
	@version=$$($(BIN)/ludus --version | cut -d ' ' -f 2); grep -q "^## $$version " CHANGELOG.md || \
		{ echo "CHANGELOG.md has no section '## $$version DATE'"; exit 1; }
	$(MAKE) check dist

clean:
	rm -rf .venv

# Debian keeps what `python3 -m venv` needs in a package of its own
.venv/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ludus needs Python 3.11 or newer; name one with PYTHON=...")'
	$(PYTHON) -m venv .venv || { $$([ "$$(id -u)" = 0 ] || echo sudo) sh -c 'apt-get update && apt-get install -y python3-venv' && $(PYTHON) -m venv --clear .venv; }
	touch $@

.venv/ready: .venv/created pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	$(BIN)/python -m compileall -q src
	touch $@

.venv/ready-to-develop: .venv/ready
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@
