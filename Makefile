# Two commands do everything: `make run` and `make test`. Each sets up what it needs by itself.

SETUP := sh packaging/setup/setup.sh
BIN := .venv/bin

export PYTHON

.PHONY: help run test setup setup-dev lint format lock screens translations wheel clean

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: setup  ## Set up, then open the console on a simulated inspection line
	@sh packaging/setup/run.sh $(ARGS)

test: setup-dev lint  ## Set up, then run every check and test
	@$(BIN)/anchorline models fetch tiny
	@$(BIN)/python -m pytest $(ARGS)

setup:  ## Environment, dependencies and the anchorline command
	@$(SETUP)

setup-dev:  ## The same, with what tests and checks need
	@$(SETUP) --dev

lint: setup-dev  ## Formatting, lint, types, direction of imports
	@$(BIN)/ruff format --check --quiet . || { echo "lint: run 'make format'." >&2; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

format: setup-dev  ## Format the code and sort its imports
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format .

lock: setup-dev  ## Write packaging/locks/*.lock from the bounds in pyproject.toml
	@sh packaging/setup/lock.sh $(ARGS)

screens: setup-dev  ## Make the screenshots of the README again
	@$(BIN)/anchorline models fetch tiny
	@mkdir -p docs/screens
	@ANCHORLINE_SCREENS=$(CURDIR)/docs/screens $(BIN)/python -m pytest -m display $(ARGS)

translations: setup-dev  ## Collect the texts an operator may see; compile the translations
	@$(BIN)/python packaging/translations/update.py

wheel: setup-dev  ## Build the program's own wheel into dist/
	@$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

clean:  ## Remove the environment and caches; models and history stay
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache build dist
