#!/usr/bin/env bash
# Writes the folders of a class into the folder that is named: student, instructor and nbgrader
# (notebooks/tools/class/README.md).
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

[ -n "${1:-}" ] || die "name a folder: make class OUT=folder"
have python3 || die "no Python; run: make setup"
exec python3 -B "$ROOT/notebooks/tools/class/material.py" "$1"
