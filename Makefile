# Two commands do everything on a machine that has Python 3.11 or later:
#   make run    the casino floor, in a browser
#   make test   everything that CI runs

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -q -c constraints.txt
POSTGRES := $(BIN)/python -m tests.floor.postgres
BROWSER := command -v chromium || command -v chromium-browser || command -v google-chrome
PAGE := $(shell find web -type f -not -path '*/node_modules/*' -not -path '*/__pycache__/*')
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo -n)

.PHONY: run test check page types screenshots bench agreement torture docs golden proofs clean

run: $(VENV)/.run
	@mkdir -p build
	@$(BIN)/croupier serve --open --db sqlite:///build/floor.db

test: check $(VENV)/.postgres $(VENV)/.chromium
	$(BIN)/python -m pytest -n 2

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python web/build.py run --silent lint
	$(BIN)/python web/build.py run --silent check
	$(BIN)/python web/build.py run --silent test

# The page is built when the package is; this builds it anew after a change.
page: $(VENV)/.dev
	$(BIN)/python web/build.py

# What the page knows of the API, out of the server's own schema.
types: $(VENV)/.dev
	$(BIN)/python -m tests.server.schema
	$(BIN)/python web/build.py run --silent types src/lib/api.d.ts

# A picture of every game's table, wide and narrow, into build/screenshots.
screenshots: $(VENV)/.dev $(VENV)/.chromium
	$(BIN)/python -m tests.server.screenshots

bench: $(VENV)/.bench $(VENV)/.postgres
	$(BIN)/python bench/bench.py

# Every wager of every game, simulated on 100 million rounds, against the exact analysis.
agreement: $(VENV)/.dev
	$(BIN)/python bench/agreement.py

# Whole floors in one process, each out of one seed, with faults; what is violated is told.
torture: $(VENV)/.dev
	$(BIN)/python -m tests.glass --seed $(or $(SEED),1) --steps $(or $(STEPS),300) \
		--seeds $(or $(SEEDS),20)

docs: $(VENV)/.dev
	$(BIN)/python docs/generate.py
	$(BIN)/mkdocs build --strict

# After a change of behavior that is meant: look at the difference, then commit it.
golden: $(VENV)/.dev
	$(BIN)/python -m tests.golden

proofs: $(VENV)/.dev
	$(BIN)/python -m croupier.regulation tests

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Croupier needs Python 3.11 or later: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Setting up $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml constraints.txt $(PAGE) | $(BIN)/python
	@$(PIP) -e .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt $(PAGE) | $(BIN)/python
	$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/.run

$(VENV)/.bench: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[bench]'
	@touch $@

# The tests of the floor start a PostgreSQL of their own; where it is missing, Debian brings it.
$(VENV)/.postgres: | $(BIN)/python
	@$(POSTGRES) >/dev/null 2>&1 || ! command -v apt-get >/dev/null \
		|| { echo "Installing PostgreSQL …"; $(SUDO) apt-get update -qq \
		; $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		--no-install-recommends postgresql >/dev/null; } || true
	@$(POSTGRES)
	@touch $@

# The tests of the page drive a real browser.
$(VENV)/.chromium: | $(BIN)/python
	@{ $(BROWSER); } >/dev/null || ! command -v apt-get >/dev/null \
		|| { echo "Installing Chromium …"; $(SUDO) apt-get update -qq \
		; $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
		--no-install-recommends chromium fonts-dejavu-core >/dev/null; } || true
	@{ $(BROWSER); } >/dev/null \
		|| { echo "The tests need a browser: install the package chromium"; exit 1; }
	@touch $@

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		web/node_modules src/croupier/server/page
