#!/usr/bin/env bash
# Changes one operator, constant or branch at a time and runs the tests of its package and, where they notice nothing, those
# of bad input, of the attack and of the rooms that claim the most: mutants.sh PACKAGES [COUNT [SEED [PLACE]]].
# PACKAGES are, if they are "", all that make, carry or round a claim but for solver/proof. PLACE tries of the drawn mutants
# only those whose file:line contains it. GOFLAGS=-short runs the short tests alone, PATIENCE=3s those that take no longer
# by themselves, TESTS=PATTERN those of such a name.
# Mutants that behave like the original stand in tests/mutants/equivalent.txt, with reasons.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

cd "$ROOT"
.ci/setup.sh solver
use_highs
packages=${1:-$(go list ./sparsero/... ./solver ./solver/highs ./datasets/... | grep -v /cmd/ | tr '\n' ' ')}
# The cases that make test draws.
export RAPID_SEED=${RAPID_SEED:-20260105}
exec go test -v -count=1 -timeout 12h -run '^TestMutants$' ./tests/mutants -mutants.package="$packages" -mutants.count="${2:-100}" -mutants.seed="${3:-1}" -mutants.place="${4:-}" \
	-mutants.patience="${PATIENCE:-10m}" -mutants.tests="${TESTS:-.}" \
	-mutants.last="./tests/badinput ./tests/attack ./tests/published ./sparsero/robust ./sparsero/designfile ./sparsero/cmd/sparsero"
