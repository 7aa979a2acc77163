#!/usr/bin/env bash
# Changes one operator, constant or branch of a package at a time and runs its tests: mutants.sh PACKAGE [COUNT [SEED [PLACE]]].
# PLACE tries of the drawn mutants only those whose file:line contains it.
# Mutants that behave like the original stand in tests/mutants/equivalent.txt, with reasons.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

[ -n "${1:-}" ] || die "no package; give one, for instance make mutants PACKAGE=./sparsero/calibration"
cd "$ROOT"
.ci/setup.sh solver
use_highs
# The cases that make test draws.
export RAPID_SEED=${RAPID_SEED:-20260105}
exec go test -v -count=1 -timeout 12h -run '^TestMutants$' ./tests/mutants -mutants.package="$1" -mutants.count="${2:-100}" -mutants.seed="${3:-1}" -mutants.place="${4:-}"
