# `make run` and `make test` do all the set-up that they need: a virtual environment in .venv, with pinned versions.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.PHONY: help env run serve test quick whole release bench lint format types clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Whole-release tests are CPU-bound and independent of one another.
WORKERS ?= $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
RELEASE ?= 0.5.18
ROUNDS ?= 3

help: ## Show what there is
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

env: $(STAMP) ## Make the environment

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with make PYTHON=..." >&2; exit 1; }
	@command -v git >/dev/null || { echo "git is needed" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

run: $(STAMP) ## Scan a released version into output/dataset, build its site in output/site
	$(BIN)/extractor run --pypi $(RELEASE)
	$(BIN)/extractor site

serve: run ## The same, and serve the site on 127.0.0.1:8000 for a look
	$(BIN)/extractor site --serve

test: lint types whole release ## Every check

quick: $(STAMP) ## The tests that take less than a minute together
	$(BIN)/python -m pytest -m 'not release and not slow' --numprocesses=$(WORKERS)

whole: $(STAMP) ## These, and those that start browsers, servers and many processes
	$(BIN)/python -m pytest -m 'not release' --numprocesses=$(WORKERS)

release: $(STAMP) ## The oracles over whole releases: minutes, and a package index
	$(BIN)/python -m pytest -m release --numprocesses=$(WORKERS)

bench: $(STAMP) ## Measure against the limits and other tools
	$(BIN)/python -m tests.bench --release $(RELEASE) --rounds $(ROUNDS)

lint: $(STAMP) ## Style
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(STAMP) ## Put the style right
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(STAMP) ## Static types
	$(BIN)/mypy

clean: ## Remove what make made
	rm -rf $(VENV) build .mypy_cache .pytest_cache .ruff_cache .hypothesis *.egg-info
