#!/usr/bin/env bash
# Prints the environment in which Go finds HiGHS, for eval: eval "$(make -s env)"; go test ./solver/highs
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
# shellcheck source=.ci/highs.sh
. "$ROOT/.ci/highs.sh"

folder=$(highs_folder) || die "no usable HiGHS yet; run: make setup"
echo "export CGO_ENABLED=1"
if [ -n "$folder" ]; then
  printf 'export PKG_CONFIG_PATH=%q\n' "$(highs_path "$folder")"
fi
