#!/usr/bin/env bash
# Marks the notebooks that a class handed in (notebooks/tools/class/README.md): grade.sh FOLDER. OUTPUT names the table, LIMIT
# the seconds of an answer, JOBS how many submissions run at a time, CLASS the folder that make class wrote,
# DIRECTIONS_IMAGE another image.
# grade.sh test checks the marking itself: every exercise open, wrong and right, and hostile submissions.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

readonly TOOLS=$ROOT/notebooks/tools/class

# test_marking: all exercises by nbgrader's rule, with the kernel of this checkout, then in containers, then attacks.
test_marking() {
  local python failed=0
  "$ROOT/.ci/setup.sh"
  python=$(find_python) || die "no Python with nbclient; run: make doctor"
  export JUPYTER_PATH=$BUILD/jupyter
  modules_of_setup
  step "all exercises, by nbgrader's rule"
  "$python" -B "$TOOLS/whole.py" nbgrader || failed=1
  step "all exercises, in containers"
  "$python" -B "$TOOLS/whole.py" grade || failed=1
  step "hostile submissions"
  "$python" -B "$TOOLS/attacks.py" || failed=1
  return $failed
}

[ -n "${1:-}" ] || die "name the folder with the submissions: make grade FOLDER=folder"
have python3 || die "no Python; run: make setup"
if [ "$1" = test ]; then test_marking; exit; fi
flags=(-output "${OUTPUT:-marks.csv}" -limit "${LIMIT:-60}")
[ -z "${JOBS:-}" ] || flags+=(-jobs "$JOBS")
[ -z "${CLASS:-}" ] || flags+=(-class "$CLASS/instructor")
exec python3 -B "$TOOLS/grade.py" "${flags[@]}" "$1"
