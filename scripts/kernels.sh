#!/usr/bin/env bash
# Compiles the kernels of simulation and planning, unless they are: once, before several test workers each would.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
stamp=.venv/.kernels
export CROUPIER_CACHE_DIR=  # tables of the rules are for the tests to make

fingerprint() { find src/croupier/analysis -name '*.py' -print0 | sort -z | xargs -0 cksum | cksum; }

quietly() {
    local said
    said=$(.venv/bin/croupier "$@" 2>&1) || { echo "kernels: croupier $*: $said" >&2; return 1; }
}

[ "$(cat "$stamp" 2>/dev/null)" = "$(fingerprint)" ] && exit
# Two at a time.
(quietly plan blazing-7s-dealer --histories 100 && quietly session triple-shot-rummy --rounds 200 --bankroll 200 --goal 400 &&
    quietly odds blackjack bet-the-bust --players 2 --decks 1) &
planning=$!
# A title of each way to deal and to count: what is missing here, several workers compile at once.
for game in blackjack triple-shot-rummy supreme-99 mississippi-stud caribbean-stud casino-war; do
    quietly simulate "$game" --rounds 1e4
done
quietly odds blackjack bet --decks 1
quietly odds mississippi-stud
wait "$planning"
fingerprint >"$stamp"
