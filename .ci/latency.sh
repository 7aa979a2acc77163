#!/usr/bin/env bash
# Measures how long a warm notebook cell takes: GoNB writes, compiles, links and starts a program. COUNT=5 repeats.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

"$ROOT/.ci/setup.sh"
python=$(find_python) || die "no Python with nbclient and nbconvert; run: make doctor"
cd "$ROOT"
use_highs
modules_of_setup
export DIRECTIONS_PYTHON=$python JUPYTER_PATH=$BUILD/jupyter
exec go test -run '^$' -bench KernelCell -benchtime 1x -count "${COUNT:-1}" ./tests/notebooks
