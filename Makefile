# The commands of the project. `make test` needs nothing but Python and make: it makes its own environment.
PYTHON ?= python3
VENV ?= .venv
RUN := $(VENV)/bin/python

.PHONY: run test lint types pytest conformance fuzz fuzz-crash bench pages tables clean

run:
	$(PYTHON) -m stagehooks run examples/planner

test: lint types conformance pytest

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet --group dev
	touch $@

lint: $(VENV)/ready
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

types: $(VENV)/ready
	$(RUN) -m mypy

pytest: $(VENV)/ready
	$(RUN) -m pytest

# Against the real engine where cargo works, else against its recorded answers; the compiled tier against those.
conformance: $(VENV)/ready
	@if cargo --version >/dev/null 2>&1; then $(RUN) -m conformance --live; else $(RUN) -m conformance; fi
	$(RUN) -m conformance --tier compiled

# Random programs for rhaipy and for the real engine, which is built with cargo first: docs/fuzzing.md.
SECONDS ?= 60
SEED ?= 1
fuzz: $(VENV)/ready
	$(RUN) -m conformance.fuzz --seconds $(SECONDS) --seed $(SEED)

# Anything at all for everything that reads: nothing but our own errors may come out. With atheris where it can be installed (in an
# environment of its own), else with a mutator of random bytes: docs/fuzzing.md.
CRASH := $(VENV)-crash
fuzz-crash: $(VENV)/ready
	@test -d $(CRASH) || $(PYTHON) -m venv $(CRASH)
	@$(CRASH)/bin/python -c "import atheris" 2>/dev/null || $(CRASH)/bin/python -m pip install --quiet atheris || true
	$(CRASH)/bin/python -m tests.attacks.crash --seconds $(SECONDS) --seed $(SEED)

# Builds the real engine and installs the peers where that can be done, measures everything, writes docs/performance.md.
bench: $(VENV)/ready
	$(RUN) -m bench --write

# Write the generated pages anew: docs/stdlib.md, docs/conformance.md and the table in docs/sandbox.md.
pages: $(VENV)/ready
	$(RUN) -m conformance.stdlib
	$(RUN) -m conformance.page
	$(RUN) -m bench.charges

tables: $(VENV)/ready
	$(RUN) -m grammar.build

clean:
	rm -rf $(VENV) $(CRASH) .mypy_cache .pytest_cache .ruff_cache .hypothesis
