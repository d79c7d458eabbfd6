#!/usr/bin/env bash
# Makes .venv with everything in requirements.lock and the `croupier` command; does nothing when it is up to date.
# PYTHON=python3.12 in the environment asks for an interpreter: a .venv of another version is made anew with it.
# Without it, the .venv that is there stays, and a new one is made with the first interpreter that will do.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv=.venv
stamp=$venv/.stamp
oldest="(3, 11)"

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# What .venv depends on. Its place counts too: a virtual environment does not survive being copied or moved.
fingerprint() { pwd -P; cksum requirements.lock pyproject.toml scripts/setup.sh; }

recent_enough() { "$1" -c "import sys; sys.exit(sys.version_info < $oldest)" 2>/dev/null; }

can_make_venv() { "$1" -c 'import venv, ensurepip' 2>/dev/null; }

# The system's own comes first: distributions build it with profile-guided optimization, and the server does a third
# more with it than with one that was compiled at home.
candidates=${PYTHON:-/usr/bin/python3 python3 python3.13 python3.12 python3.11}

find_python() {
    local candidate ready
    for ready in can_make_venv true; do
        for candidate in $candidates; do
            if recent_enough "$candidate" && $ready "$candidate"; then
                echo "$candidate"
                return
            fi
        done
    done
    fail "Croupier needs Python 3.11 or newer, and ${PYTHON:-python3} is missing or older: please install one."
}

version() { "$1" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null; }

# Whether PYTHON asks for another version than .venv has; one that is missing or too old is refused.
another_asked() {
    local asked
    [ -n "${PYTHON:-}" ] || return 1
    asked=$(find_python) || exit 1
    [ "$(version "$asked")" != "$(version "$venv/bin/python")" ]
}

# Debian and Ubuntu ship Python without the parts that make a virtual environment.
ensure_venv_module() {
    local python=$1 package
    can_make_venv "$python" && return
    package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        say "installing $package"
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y "$package"; } >&2 ||
            fail "apt-get could not install $package: please install it and run this again."
    else
        fail "this Python cannot make virtual environments: please install $package (or python3-venv)."
    fi
}

make_venv() {
    local python
    python=$(find_python)
    ensure_venv_module "$python"
    say "making $venv with $("$python" --version)"
    "$python" -m venv --clear "$venv"
}

pip() { "$venv/bin/python" -m pip --disable-pip-version-check "$@"; }

# uv itself comes from the lock, hashes and all.
install_uv() {
    local uv_lock=$venv/uv.lock.txt
    awk '/^[^ ]/ { wanted = /^uv==/ } wanted' requirements.lock >"$uv_lock"
    pip install --quiet --require-hashes --no-deps -r "$uv_lock"
}

# A setting of pip's, from the environment or any of its files (`pip config get` would read only one of them).
pip_setting() {
    local settings section
    settings=$(pip config list 2>/dev/null) || return 0
    for section in ':env:' install global; do
        sed -n "s/^$section\\.$1='\\(.*\\)'\$/\\1/p" <<<"$settings"
    done | head -n 1
}

# uv does not read pip's settings: hand it the same registry and certificates.
share_pip_settings() {
    local index cert
    index=$(pip_setting index-url)
    if [ -n "$index" ] && [ -z "${UV_DEFAULT_INDEX:-}${UV_INDEX_URL:-}" ]; then
        export UV_DEFAULT_INDEX=$index
    fi
    cert=$(pip_setting cert)
    if [ -n "$cert" ] && [ -z "${SSL_CERT_FILE:-}" ]; then
        export SSL_CERT_FILE=$cert
    fi
    export UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-1}
}

uv() { VIRTUAL_ENV=$PWD/$venv "$venv/bin/uv" --quiet "$@"; }

install_with_uv() {
    install_uv && share_pip_settings &&
        uv pip sync --require-hashes requirements.lock &&
        uv pip install --no-deps --no-build-isolation -e . &&
        compile_bytecode
}

# Without what nobody loads from its source, which is a third of the work: the packages' own tests, the installers, and
# mypy, which is compiled already. Some packages have files that are no modules: what cannot be compiled is compiled by
# nobody.
compile_bytecode() {
    local unused='site-packages/((.*/)?tests|pip|setuptools|pkg_resources|mypy|mypyc)/'
    "$venv/bin/python" -m compileall -q -j 0 -x "$unused" "$venv"/lib/python3*/site-packages >/dev/null 2>&1 || true
}

install_with_pip() {
    pip install --quiet --require-hashes -r requirements.lock &&
        pip install --quiet --no-deps --no-build-isolation -e .
}

if another_asked; then
    rm -f "$stamp"
fi

if [ -x "$venv/bin/python" ] && [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint)" ]; then
    exit 0
fi

if ! recent_enough "$venv/bin/python" || ! [ -e "$stamp" ] || [ "$(head -n 1 "$stamp")" != "$(pwd -P)" ]; then
    make_venv
fi
rm -f "$stamp"

say "installing what requirements.lock names"
if ! install_with_uv; then
    say "uv did not succeed; trying pip, which takes a minute or two longer"
    install_with_pip || fail "the packages in requirements.lock could not be installed: see the message above."
fi

fingerprint >"$stamp"
say "done: $venv/bin/croupier"
