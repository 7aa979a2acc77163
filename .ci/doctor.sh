#!/usr/bin/env bash
# Lists each requirement with what was found and the command that mends it. Exit status 1 when something is missing.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
# shellcheck source=.ci/highs.sh
. "$ROOT/.ci/highs.sh"
# shellcheck source=.ci/requirements.sh
. "$ROOT/.ci/requirements.sh"

# examine NAME: one line of the table; with the command that mends it below, where something is to be mended.
examine() {
  local answer state detail
  answer=$(requirement_state "$1")
  state=${answer%%|*} detail=${answer#*|}
  printf '%-11s %-14s %s\n' "$1" "$state" "${detail:-$(requirement_why "$1")}"
  case $state in
    found | "not needed") return 0 ;;
  esac
  printf '%-11s   mend with: %s\n' "" "$(remedy "$1")"
  [ "$1" = jupyterlab ] || missing=1
}

missing=0
say "system: $(system) $(system_version), $(uname -m); cache: $CACHE"
printf '%-11s %-14s %s\n' requirement state detail
for name in $SYSTEM_REQUIREMENTS tools kernel jupyterlab; do examine "$name"; done
if [ $missing = 0 ]; then say "nothing is missing"; else say "make setup mends what it can itself (on Debian as root or with sudo: all but go)"; fi
exit $missing
