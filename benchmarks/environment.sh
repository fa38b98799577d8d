# Sourced by benchmarks/run and benchmarks/profile: the environment .venv-bench with biela and the peers.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1 MPLBACKEND=Agg
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv="$root/.venv-bench"

prepare_bench() {
    local stamp="$venv/biela-bench" python=${PYTHON:-}
    if [ -x "$venv/bin/python" ] && [ "$stamp" -nt "$root/pyproject.toml" ] && [ "$(cat "$stamp")" = "$root" ]; then
        return 0
    fi
    if [ ! -x "$venv/bin/python" ]; then
        if [ -z "$python" ]; then
            python=python3
            command -v python3.11 >/dev/null 2>&1 && python3.11 -c '' 2>/dev/null && python=python3.11
        fi
        echo "== making .venv-bench with $("$python" --version)"
        "$python" -m venv "$venv"
    fi
    local pip=("$venv/bin/python" -m pip install -qq --disable-pip-version-check)
    echo "== installing biela and its peers into .venv-bench"
    if ! (cd "$root" && "${pip[@]}" --editable '.[bench]'); then
        # one by one, so that a peer without a wheel for this platform does not keep the others out
        (cd "$root" && "${pip[@]}" --editable .)
        for peer in exudyn mujoco pin casadi drake opensim; do
            "${pip[@]}" "$peer" || echo "== no $peer for this platform: left out"
        done
    fi
    echo "$root" >"$stamp"
}
