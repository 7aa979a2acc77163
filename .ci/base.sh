# shellcheck shell=bash disable=SC2034 # what is defined here is used by the scripts that source it
# What every script of this folder shares: pinned versions, places, messages, the user's system.
# To be sourced. Kept to bash 3.2, so that it stops politely on macOS too.

# The language version of go.mod and the HiGHS versions that github.com/lanl/highs compiles and links against.
readonly GO_MINIMUM=1.26.0
readonly HIGHS_VERSION=1.10.0
readonly HIGHS_FIRST=1.10
readonly HIGHS_BELOW=1.12
# The source tarball of Debian 13's package highs 1.10.0.
readonly HIGHS_TARBALL=highs_1.10.0+ds.orig.tar.xz
readonly HIGHS_TARBALL_SHA256=5964fc1ca4f0b23dd45987bbed1838f2e570e96aa624635ac63d277152b6c94a

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
CACHE=${XDG_CACHE_HOME:-${HOME:?HOME must be set: the tools are kept below it}/.cache}/sparsero
BUILD=$ROOT/build
KERNELSPEC=$BUILD/jupyter/kernels/gonb
readonly ROOT CACHE BUILD KERNELSPEC

say()  { printf '%s\n' "$*"; }
step() { printf '==> %s\n' "$*"; }
die()  { printf 'error: %s\n' "$*" >&2; exit 1; }

have() { command -v "$1" >/dev/null 2>&1; }

# version_below A B: is the dotted version A smaller than B?
version_below() {
  awk -v a="$1" -v b="$2" 'BEGIN {
    n = split(a, x, "."); m = split(b, y, "."); if (m > n) n = m
    for (i = 1; i <= n; i++) { if (x[i]+0 < y[i]+0) exit 0; if (x[i]+0 > y[i]+0) exit 1 }
    exit 1 }'
}

# checksum FILE: its SHA-256.
checksum() {
  if have sha256sum; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d' ' -f1
}

# system: debian, ubuntu, fedora, macos or other; system_version: its release number.
system() {
  if [ "$(uname -s)" = Darwin ]; then echo macos; return; fi
  local id=other
  # shellcheck disable=SC1091
  if [ -r /etc/os-release ]; then id=$(. /etc/os-release && echo "${ID:-other}"); fi
  case $id in debian | ubuntu | fedora) echo "$id" ;; *) echo other ;; esac
}

system_version() {
  # shellcheck disable=SC1091
  if [ -r /etc/os-release ]; then (. /etc/os-release && echo "${VERSION_ID:-0}"); else echo 0; fi
}

# go_version: 1.26.8, or nothing where there is no go command.
go_version() { (cd "$ROOT" && go env GOVERSION 2>/dev/null) | sed 's/^go//; s/[^0-9.].*//'; }

# find_python: an interpreter that can execute notebooks. The python3 of PATH may be one that lacks the distribution's
# packages (pyenv, conda), so /usr/bin/python3 is asked as well; the last place is the one that doctor proposes.
find_python() {
  local python
  for python in "${SPARSERO_PYTHON:-}" python3 /usr/bin/python3 "$CACHE/python/bin/python3"; do
    if [ -n "$python" ] && "$python" -c 'import nbformat, nbclient, nbconvert' >/dev/null 2>&1; then echo "$python"; return 0; fi
  done
  return 1
}

# go_packages: the packages of the module, without what somebody keeps in the build folder.
go_packages() { go list ./... | grep -v '/directions/build\(/\|$\)'; }

# go_test NAME SUMMARY ARGUMENT...: go test with a line per package, the output of what failed, the reasons of what was
# skipped, and a line for SUMMARY with the counts of tests and examples: name, passed, failed, skipped. To test nothing
# is a failure.
go_test() {
  local name=$1 summary=$2 events=$BUILD/test/events.json status=0 counts
  shift 2
  mkdir -p "$BUILD/test" "$BUILD/bin"
  [ -x "$BUILD/bin/gotestsum" ] ||
    (cd "$ROOT/.ci/tools" && GOWORK=off CGO_ENABLED=0 go build -o "$BUILD/bin/gotestsum" gotest.tools/gotestsum)
  "$BUILD/bin/gotestsum" --format pkgname --no-color --jsonfile "$events" -- "$@" || status=1
  counts=$(sed -nE 's/.*"Action":"(pass|fail|skip)","Package":"[^"]*","Test":"[^"/]*".*/\1/p' "$events" | awk -v OFS='\t' \
    '{ n[$1]++ } END { print n["pass"] + 0, n["fail"] + 0, n["skip"] + 0 }')
  printf '%s\t%s\n' "$name" "$counts" >>"$summary"
  [ "${counts%%$'\t'*}" != 0 ] || status=1
  return $status
}

# BLOCKS: the module for dictionaries past one machine, on Apache Beam. Nothing else needs its dependencies, and set-up does not bring them.
readonly BLOCKS=$ROOT/sparsero/blocks

# blocks_missing: why that module cannot be built here, or nothing. It fetches what the module requires.
blocks_missing() {
  local wanted
  wanted=$(sed -n 's/^go //p' "$BLOCKS/go.mod")
  if version_below "$(go_version)" "$wanted"; then echo "Go $(go_version) is older than the $wanted that Apache Beam wants"
  elif ! (cd "$BLOCKS" && GOWORK=off go list -deps -test ./... >/dev/null 2>&1); then
    echo "Apache Beam's modules cannot be fetched here (GOPROXY in: go env)"
  fi
}

# use_highs: the environment in which Go finds HiGHS; stops where there is none.
use_highs() {
  local exports
  exports=$("$ROOT/.ci/env.sh") || exit 1
  eval "$exports"
}

# modules_of_setup: from here on Go takes modules from its cache alone, where set-up has put and verified all that
# go.mod requires. The kernel runs go get before each cell; this keeps it from asking the network, and cells from using
# what nobody pinned. The checksum database is left out for the same reason: nothing new can come in.
modules_of_setup() { export GOPROXY=off GOSUMDB=off; }

# tools_dir: where the pinned tools of .ci/tools live; another pin or another Go gives another folder.
tools_dir() {
  local key
  key=$(cat "$ROOT/.ci/tools/go.mod" "$ROOT/.ci/tools/go.sum" <(go_version) <(uname -sm) | cksum | cut -d' ' -f1)
  echo "$CACHE/tools-$key"
}

# lock_cache: one set-up at a time per cache; released when the script ends. Where flock is missing (macOS) the
# renaming of finished folders alone keeps the cache whole.
lock_cache() {
  mkdir -p "$CACHE"
  have flock || return 0
  exec 9>"$CACHE/lock"
  if ! flock --nonblock 9; then
    say "waiting for another set-up on $CACHE to end"
    flock 9
  fi
  # Whoever holds the lock is alone, so these were left by a build that was killed.
  rm -rf "$CACHE"/building.*
}

# new_building: a folder of the cache for something unfinished. What is built there is moved to its place at the end, so
# that an interrupted build leaves nothing that looks finished.
new_building() { mktemp -d "$CACHE/building.XXXXXX"; }
