#!/usr/bin/env bash
# gofmt, go mod tidy, go vet and staticcheck (pinned in .ci/tools, its checks in .staticcheck); shellcheck where it is installed.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

failed=0

# check NAME COMMAND...: a check fails when its command fails or prints something.
check() {
  local name=$1 output status=0
  shift
  output=$("$@" 2>&1) || status=$?
  if [ $status = 0 ] && [ -z "$output" ]; then say "$name: ok"; return; fi
  say "$name: FAILED"
  say "$output"
  failed=1
}

checks() { sed 's/#.*//' "$ROOT/.staticcheck" | paste -s -d , - | tr -d ' \n' | sed 's/,,*/,/g; s/^,//; s/,$//'; }
tracked() { git -C "$ROOT" ls-files --cached --others --exclude-standard --deduplicate "$@"; }
existing() { tracked "$@" | while read -r file; do [ ! -f "$file" ] || echo "$file"; done; }
scripts() { existing .ci docker .devcontainer | xargs grep -lE '^#!.*(bash|/sh)$|^# shellcheck shell'; }
# shellcheck disable=SC2317 # called through check
blocks_vet() { (cd "$BLOCKS" && GOWORK=off go vet ./...); }

# tidy: nothing where go mod tidy would change nothing; Go tells of its downloads on standard error.
# shellcheck disable=SC2317
tidy() { (cd "$1" && GOWORK=off go mod tidy -diff 2>&1 | grep -v "^go: downloading ") || true; }

cd "$ROOT"
.ci/setup.sh lint
use_highs
packages=$(go_packages)
# shellcheck disable=SC2046 # names of files and packages are words
check gofmt gofmt -l $(existing '*.go')
# shellcheck disable=SC2086
check "go mod tidy" tidy "$ROOT"
# shellcheck disable=SC2086
check "go vet" go vet $packages
# shellcheck disable=SC2086
check staticcheck "$(tools_dir)/staticcheck" -checks "$(checks)" $packages
missing=$(blocks_missing)
if [ -z "$missing" ]; then
  check "blocks: go mod tidy" tidy "$BLOCKS"
  check "blocks: go vet" blocks_vet # staticcheck would read all of Beam
else say "blocks: not checked, because $missing"; fi
# shellcheck disable=SC2046
if have shellcheck; then check shellcheck shellcheck -x -P "$ROOT" $(scripts)
else say "shellcheck: not installed, scripts not checked"; fi
exit $failed
