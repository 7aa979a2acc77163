#!/usr/bin/env bash
# Measures this module side by side with NumPy, SciPy and pandas from the system's packages, and stores the figures that the
# documents quote in notebooks/results. Five to ten minutes on two quiet cores. -quick checks the agreement alone.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

# peers_python: an interpreter with the peers. The one of the system comes first, because its packages are pinned by the
# distribution.
peers_python() {
  local python
  for python in /usr/bin/python3 python3; do
    if "$python" -c 'import numpy, pandas, scipy.optimize; scipy.optimize.milp' >/dev/null 2>&1; then echo "$python"; return 0; fi
  done
  return 1
}

set_up_peers() {
  peers_python >/dev/null && return 0
  local wanted=(python3-numpy python3-pandas python3-scipy)
  case $(system) in
    debian | ubuntu) ;;
    *) die "the peers are missing: install NumPy, pandas and SciPy (1.9 or newer) for python3, then try again" ;;
  esac
  if [ "$(id -u)" != 0 ] && ! { have sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }; then
    die "the peers are missing and this user may not install packages; run: apt-get install ${wanted[*]}"
  fi
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  step "installing Debian packages: ${wanted[*]} (the peers of make compare)"
  mkdir -p "$BUILD"
  if ! { "${as_root[@]}" apt-get -q update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${wanted[@]}"; } >"$BUILD/apt.log" 2>&1 </dev/null; then
    tail -n 20 "$BUILD/apt.log" >&2
    die "apt-get failed (whole log: $BUILD/apt.log)"
  fi
  peers_python >/dev/null || die "NumPy, pandas or SciPy does not work: /usr/bin/python3 -c 'import numpy, pandas, scipy.optimize'"
}

set_up_peers
"$ROOT/.ci/setup.sh" solver
use_highs
cd "$ROOT"
go test -c -o "$BUILD/bin/compare.test" ./notebooks/tools/compare
exec "$(peers_python)" notebooks/tools/compare/compare.py -binary "$BUILD/bin/compare.test" "$@"
