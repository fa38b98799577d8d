# Sourced by ./run and ./test: makes .venv and installs biela into it, or does nothing if that is done.
#
#   prepare run            biela itself
#   prepare test           biela with what the tests and the documentation need
#
# The stamp .venv/biela-NAME holds the folder it was made for; it is out of date when pyproject.toml is newer
# or the folder has moved. PYTHON chooses the interpreter a new environment is made with.

prepare() {
    local name=$1 target=. stamp
    [ "$name" = test ] && target='.[test,docs]'
    venv="$root/.venv"
    for stamp in "$venv/biela-$name" "$venv/biela-test"; do # whoever can test can also run
        if [ -x "$venv/bin/python" ] && [ "$stamp" -nt "$root/pyproject.toml" ] && [ "$(cat "$stamp")" = "$root" ]; then
            return 0
        fi
    done

    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        local python=${PYTHON:-}
        if [ -z "$python" ]; then
            python=python3
            command -v python3.11 >/dev/null 2>&1 && python3.11 -c '' 2>/dev/null && python=python3.11
        fi
        if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
            echo "biela needs Python 3.11 or newer, and '$python' is not. Try: PYTHON=/path/to/python3.11 $0" >&2
            exit 1
        fi
        echo "== making .venv with $("$python" --version)"
        "$python" -m venv "$venv"
    fi
    echo "== installing biela ($target) into .venv"
    (cd "$root" && "$venv/bin/python" -m pip install -qq --disable-pip-version-check --editable "$target")
    echo "$root" >"$venv/biela-$name"
}
