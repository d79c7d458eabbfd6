# Everything goes through .venv, which scripts/setup.sh makes from requirements.lock. PYTHON=python3.12 after any target
# makes it anew with that interpreter, if it has another version.
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup run tour quick test soak check lint audit bench docs site lock clean chromium kernels bytecode

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

setup: ## make .venv with the croupier command (instant when up to date)
	@scripts/setup.sh

run: setup ## start the server with a demo room, and print where it is (PORT=8701 for another port)
	@$(BIN)/croupier serve --demo $(if $(PORT),--port $(PORT))

tour: setup ## take the guided tour of the games
	@$(BIN)/croupier tour

# Three tiers of tests: quick while one works, test before a commit (continuous integration runs it), soak before a
# release. Quick has no server, no PostgreSQL and no browser.
QUICK := tests/cards tests/games tests/ledger tests/store tests/floor tests/compliance

quick: export PYTHONDONTWRITEBYTECODE :=
quick: setup ## the rules, cards, ledger and floor: no server, no browser (under a minute on two cores)
	@$(BIN)/python -m pytest -q -n logical --dist worksteal -m "not postgres" $(QUICK)

# Types are checked from the beginning, while everything else runs, and told at the end: alone they would take one core
# for a minute. One worker more than there are cores, because many tests wait for a server, a store or a browser and
# leave the processors idle; with two more, what counts at low priority beside a server starves. Bytecode is kept,
# whatever the environment says, because the tests start hundreds of processes; it is made once beforehand, because each
# worker would make all of it for itself. What cannot be collected is told by the workers.
test: export PYTHONDONTWRITEBYTECODE :=
test: setup ## all that CI asks: lint, types and every test, some in Chromium (about twenty minutes on two cores)
	@said=$$(mktemp); $(BIN)/mypy >"$$said" 2>&1 & types=$$!; trap 'kill $$types' INT TERM; \
	  $(MAKE) --no-print-directory --output-sync -j lint chromium kernels bytecode || { kill $$types; rm -f "$$said"; exit 1; }; \
	  workers=$$($(BIN)/python -c 'import os; print((os.cpu_count() or 1) + 1)'); \
	  $(BIN)/python -m pytest -n "$$workers" --dist worksteal; tests=$$?; \
	  wait $$types; types=$$?; echo "$(BIN)/mypy"; cat "$$said"; rm -f "$$said"; exit $$((tests ? tests : types))

soak: setup ## a million rounds of blackjack and of each title of its family, a thousand kills, a month of the ledger, a long day of the demo (two hours), a night of seeds
	$(BIN)/python -m tests.games.blackjack.soak
	$(BIN)/python -m tests.analysis.par.soak_workbook # needs LibreOffice
	$(BIN)/python -m tests.soak_wheel # installs packages
	$(BIN)/python -m tests.games.blackjack.soak 1000000 0 free-bet
	$(BIN)/python -m tests.games.blackjack.soak 1000000 0 zappit
	$(BIN)/python -m tests.games.blackjack.soak 1000000 0 switch
	$(BIN)/python -m tests.games.blackjack.soak 1000000 0 super-fun
	CROUPIER_KILLS=1000 $(BIN)/python -m pytest -n0 tests/faults
	CROUPIER_ROUNDS=720000 $(BIN)/python -m pytest -n0 tests/demo/test_month.py
	CROUPIER_SERVER_KILLS=100 $(BIN)/python -m pytest -n0 tests/web/cluster/test_kill_server.py
	CROUPIER_POWER_CUTS=60 $(BIN)/python -m pytest -n0 --timeout 3600 tests/web/cluster/test_power_cut.py # needs root
	CROUPIER_DEMO_ROUNDS=50000 $(BIN)/python -m pytest -n0 tests/demo/test_room.py
	$(BIN)/python -m tests.simulation --hours 8

check: lint ## lint, format, types and import directions
	$(BIN)/mypy

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

audit: setup ## hold the locked packages against known weaknesses (UPDATE=1 stores the answers, OFFLINE=1 asks nobody)
	@$(BIN)/python -m scripts.audit $(if $(UPDATE),--update) $(if $(OFFLINE),--offline) \
	  $(if $(ADVISORIES),--advisories $(ADVISORIES)) || [ $$? -eq 3 ]  # 3: nothing found, and some could not be asked about

bench: setup ## run the benchmarks (needs a C compiler)
	@command -v cc >/dev/null || { \
	  if [ "$$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y gcc libc6-dev; \
	  else \
	    echo "bench: the benchmarks need a C compiler: please install gcc (cc)." >&2; exit 1; \
	  fi; }
	$(BIN)/python -m benchmarks

chromium:
	@scripts/chromium.sh

kernels: setup
	@scripts/kernels.sh

bytecode: setup
	@$(BIN)/python -m pytest -q --collect-only -n0 --no-header --no-summary >/dev/null || true

docs: setup ## write docs/reference and the pictures from the program
	$(BIN)/python scripts/reference.py

site: setup ## build the documentation as a site, in build/site; a broken link is an error
	@$(BIN)/sphinx-build -q -W --keep-going -b html -d build/site-doctrees docs build/site
	@echo "The site is in build/site: open build/site/index.html."

lock: ## bring requirements.lock and the bill of materials up to date with pyproject.toml (UPGRADE=1: newer versions)
	@test -x $(BIN)/uv || scripts/setup.sh
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --no-annotate --group dev pyproject.toml -o requirements.lock $(if $(UPGRADE),--upgrade)
	@scripts/setup.sh
	$(BIN)/python -m scripts.materials

clean: ## remove .venv, caches and build output
	rm -rf .venv dist build test-artefacts .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests benchmarks scripts support -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
