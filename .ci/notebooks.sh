#!/usr/bin/env bash
# Executes notebooks: all of notebooks/, or the ones named as arguments.
# SAVE=1 writes the outputs back; LIMIT=20m allows each notebook more time than ten minutes; OUTPUT names another folder
# for the executed copies than build/notebooks; JOBS is how many run at a time: one for each processor, up to four.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

"$ROOT/.ci/setup.sh"
python=$(find_python) || die "no Python with nbclient and nbconvert; run: make doctor"

# The kernel is looked up in our folder only.
export JUPYTER_PATH=$BUILD/jupyter JUPYTER_DATA_DIR=$BUILD/jupyter JUPYTER_CONFIG_DIR=$BUILD/jupyter/config
export JUPYTER_RUNTIME_DIR=$BUILD/jupyter/runtime
modules_of_setup
flags=(-root "$ROOT/notebooks" -output "${OUTPUT:-$BUILD/notebooks}")
[ -z "${LIMIT:-}" ] || flags+=(-limit "$LIMIT")
[ -z "${SAVE:-}" ] || flags+=(-save)
[ -z "${JOBS:-}" ] || flags+=(-jobs "$JOBS")
[ -z "${SUMMARY:-}" ] || flags+=(-summary "$SUMMARY")
exec "$python" "$ROOT/notebooks/tools/execute.py" "${flags[@]}" "$@"
