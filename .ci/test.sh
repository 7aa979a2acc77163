#!/usr/bin/env bash
# Runs all tests: with HiGHS, under the race detector, without cgo, for another architecture, and the notebooks.
# NOTEBOOKS=skip leaves the notebooks out; WITH_LONG=1 runs the statistical tests among the others; LONG=1 runs all tests
# once instead, of PACKAGE where that is given, with the statistical ones and those of many minutes among them.
# The last lines are a table of the steps and the counts; the counts are also left in build/test/summary.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

COUNTS=$BUILD/test/summary
failed=0

# Property tests draw the same cases in every run, so that a failure belongs to the change that shows it. RAPID_SEED=0
# draws new cases each time.
export RAPID_SEED=${RAPID_SEED:-20260105}

# run_step NAME COMMAND...: runs a command that leaves its counts, and adds a line for it to the summary: name, passed,
# failed, skipped, seconds, status. A command that fails without saying how many failures there were counts as one.
run_step() {
  local name=$1 begin=$SECONDS status=ok
  shift
  step "$name"
  rm -f "$COUNTS.step"
  "$@" || { status=FAILED; failed=1; }
  [ -f "$COUNTS.step" ] || printf '%s\t0\t0\t0\n' "$name" >"$COUNTS.step"
  awk -F '\t' -v OFS='\t' -v name="$name" -v seconds=$((SECONDS - begin)) -v status=$status \
    '{ if (status != "ok" && $3 == 0) $3 = 1; print name, $2, $3, $4, seconds, status }' "$COUNTS.step" >>"$COUNTS"
  rm -f "$COUNTS.step"
  say
}

pure_go_build() { CGO_ENABLED=0 go build ./...; }
pure_go_test() { CGO_ENABLED=0 go_test "without cgo" "$COUNTS.step" -short ./solver/... ./sparsero/...; }
arm64_build() { GOARCH=arm64 CGO_ENABLED=0 go build ./...; }
# emulator: the program that runs arm64 binaries here, where there is one. It is not installed by the set-up.
emulator() { command -v qemu-aarch64-static || command -v qemu-aarch64; }
arm64_test() {
  GOARCH=arm64 CGO_ENABLED=0 go_test "arm64 tests" "$COUNTS.step" -short -timeout 30m -exec "$(emulator)" \
    ./solver/proof/... ./sparsero ./sparsero/certificate ./sparsero/convex ./sparsero/internal/{kernel,lifted} ./sparsero/selection
}
blocks_test() { (cd "$BLOCKS" && GOWORK=off go_test "blocks" "$COUNTS.step" ./...); }
# kernel_test: make notebooks with the real kernel: a panic, a compile error and a cell without end must be told.
kernel_test() {
  (
    modules_of_setup
    DIRECTIONS_PYTHON=$(find_python) JUPYTER_PATH=$BUILD/jupyter go_test "kernel" "$COUNTS.step" -count=1 -run "TestKernel|TestUnknownNotebook" ./tests/notebooks
  )
}

# real_prices: the notebook on the user's own data, executed on real prices where they are at hand.
real_prices() {
  SUMMARY=$COUNTS.step DIRECTIONS_PRICES=$1 OUTPUT=$BUILD/notebooks-real-prices "$ROOT/.ci/notebooks.sh" 01_stress_days
}

notebooks() { SUMMARY=$COUNTS.step "$ROOT/.ci/notebooks.sh"; }

notebook_steps() {
  local prices=$ROOT/../shared/data/stock_prices.csv
  run_step "kernel" kernel_test
  run_step "notebooks" notebooks
  if [ -f "$prices" ]; then run_step "real prices" real_prices "$prices"
  else say "real prices: left out, because there is no ../shared/data/stock_prices.csv"; say; fi
}

print_table() {
  awk -F '\t' '
    BEGIN { printf "%-14s %7s %7s %7s %8s  %s\n", "step", "passed", "failed", "skipped", "seconds", "status" }
    { printf "%-14s %7d %7d %7d %8d  %s\n", $1, $2, $3, $4, $5, $6; passed += $2; failed += $3; skipped += $4 }
    END { printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$COUNTS"
}

main() {
  cd "$ROOT"
  mkdir -p "$BUILD/test"
  : >"$COUNTS"
  if [ "${NOTEBOOKS:-}" = skip ] || [ -n "${LONG:-}" ]; then .ci/setup.sh solver; else .ci/setup.sh; fi
  use_highs
  # With its scripts in the cache, the test of the book opens the pages of the book in Chromium; without, it says that it does not.
  [ -n "${LONG:-}" ] || .ci/book.sh scripts >/dev/null || say "the scripts of the book cannot be fetched here"
  local packages no_blocks
  packages=$(go_packages)
  # shellcheck disable=SC2086 # packages are words
  if [ -n "${LONG:-}" ]; then
    DIRECTIONS_LONG=all run_step "long tests" go_test "long tests" "$COUNTS.step" -timeout 60m ${PACKAGE:-$packages}
  else
    no_blocks=$(blocks_missing) # before the tests, one of which reads the licences of what this fetches
    DIRECTIONS_LONG=${WITH_LONG:-} run_step "tests" go_test "tests" "$COUNTS.step" -timeout 60m $packages
    run_step "race detector" go_test "race detector" "$COUNTS.step" -race -short ./sparsero/... ./solver/... ./tests/life
    run_step "without cgo" pure_go_test
    run_step "pure-Go build" pure_go_build
    run_step "arm64 build" arm64_build
    if emulator >/dev/null; then run_step "arm64 tests" arm64_test
    else say "arm64 tests: left out, because there is no qemu-aarch64 (Debian package qemu-user-static)"; say; fi
    if [ -z "$no_blocks" ]; then run_step "blocks" blocks_test
    else say "blocks: left out, because $no_blocks"; say; fi
    if [ "${NOTEBOOKS:-}" = skip ]; then say "notebooks: left out, because NOTEBOOKS=skip"; say
    else notebook_steps; fi
  fi
  print_table
  return $failed
}

main
