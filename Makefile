# Everything goes through .venv, which scripts/setup.sh makes from requirements.lock.
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup run tour test soak check bench docs lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

setup: ## make .venv with the croupier command (instant when up to date)
	@scripts/setup.sh

run: setup ## start the server with a demo room, and print where it is
	@$(BIN)/croupier serve --demo

tour: setup ## take the guided tour of the games
	@$(BIN)/croupier tour

test: check ## check, then run the tests on all cores
	$(BIN)/python -m pytest -n auto

soak: setup ## a million rounds of blackjack, a thousand kills of a writing ledger, a whole month of it (an hour)
	$(BIN)/python -m tests.games.blackjack.soak
	CROUPIER_KILLS=1000 $(BIN)/python -m pytest -n0 tests/faults
	CROUPIER_ROUNDS=720000 $(BIN)/python -m pytest -n0 tests/progressive/test_month.py
	CROUPIER_DEMO_ROUNDS=50000 $(BIN)/python -m pytest -n0 tests/web/test_demo.py

check: setup ## lint, format, types and import directions
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup ## run the benchmarks (needs a C compiler)
	@command -v cc >/dev/null || { \
	  if [ "$$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y gcc libc6-dev; \
	  else \
	    echo "bench: the benchmarks need a C compiler: please install gcc (cc)." >&2; exit 1; \
	  fi; }
	$(BIN)/python -m benchmarks

docs: setup ## write docs/reference and the pictures from the program
	$(BIN)/python scripts/reference.py

lock: ## bring requirements.lock up to date with pyproject.toml (UPGRADE=1 takes newer versions)
	@test -x $(BIN)/uv || scripts/setup.sh
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --no-annotate --group dev pyproject.toml -o requirements.lock $(if $(UPGRADE),--upgrade)

clean: ## remove .venv, caches and build output
	rm -rf .venv dist build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
