# shellcheck shell=bash
# Finding and building HiGHS, the LP/QP/MILP solver. To be sourced after base.sh.

# shellcheck source=.ci/debian.sh
. "$ROOT/.ci/debian.sh"

# Folders of ours may already be on the path, from make env; whether the system's own HiGHS is good is asked without.
PKG_CONFIG_PATH=$(printf %s "${PKG_CONFIG_PATH:-}" | tr ':' '\n' | grep -v "^$CACHE/" | paste -s -d : - || true)
export PKG_CONFIG_PATH

# highs_path FOLDER: PKG_CONFIG_PATH with FOLDER first.
highs_path() { if [ -n "$1" ] && [ -n "$PKG_CONFIG_PATH" ]; then echo "$1:$PKG_CONFIG_PATH"; else echo "$1$PKG_CONFIG_PATH"; fi; }

# highs_home: where a static library built here lives. The compiler is part of the name, because a library built with
# a newer g++ does not link with an older one.
highs_home() {
  local compiler
  compiler=$(c++ -dumpversion 2>/dev/null | cut -d. -f1)
  echo "$CACHE/highs-$HIGHS_VERSION-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)-gcc${compiler:-none}"
}

# highs_links [FOLDER]: does pkg-config, asked with FOLDER first, give a HiGHS of a good version that compiles and links?
highs_links() (
  PKG_CONFIG_PATH=$(highs_path "${1:-}")
  pkg-config --exists "highs >= $HIGHS_FIRST" "highs < $HIGHS_BELOW" 2>/dev/null || exit 1
  scratch=$(mktemp -d) status=0
  cat >"$scratch/probe.c" <<'C'
#include "util/HighsInt.h"
#include <stdint.h>
void *Highs_create(void);
void Highs_destroy(void *);
int main(void) { Highs_destroy(Highs_create()); return 0; }
C
  # shellcheck disable=SC2046 # the flags are words
  $(go env CC) "$scratch/probe.c" -o "$scratch/probe" $(pkg-config --cflags --libs highs) >/dev/null 2>&1 &&
    "$scratch/probe" >/dev/null 2>&1 || status=1
  rm -rf "$scratch"
  exit $status
)

# highs_folder: prints the folder that must come first on PKG_CONFIG_PATH: empty when pkg-config needs no help, ours
# for Debian's package, or the one of the library built here. Fails when there is no usable HiGHS.
highs_folder() {
  have pkg-config && have go || return 1
  if highs_links; then return 0; fi
  highs_correct_system
  local folder
  for folder in "$CACHE/highs-system/pkgconfig" "$(highs_home)/lib/pkgconfig"; do
    if [ -d "$folder" ] && highs_links "$folder"; then echo "$folder"; return 0; fi
  done
  return 1
}

# highs_version FOLDER: the version that pkg-config reports.
highs_version() {
  PKG_CONFIG_PATH=$(highs_path "$1") pkg-config --modversion highs 2>/dev/null
}

# highs_correct_system: Debian 13's highs.pc lacks /highs at the end of its include path and names a library folder of
# the packager's machine; a corrected one goes into the cache. Nothing happens where the package is absent.
highs_correct_system() {
  local version folder=$CACHE/highs-system/pkgconfig
  version=$(pkg-config --modversion highs 2>/dev/null) || return 0
  [ -d /usr/include/highs ] || return 0
  mkdir -p "$folder"
  cat >"$folder/highs.pc.$$" <<PC
Name: HiGHS
Description: linear optimization software (the system's library, paths corrected)
Version: $version
Libs: -lhighs
Cflags: -I/usr/include/highs
PC
  mv "$folder/highs.pc.$$" "$folder/highs.pc"
}

# highs_can_fetch: is it known where the source would come from?
highs_can_fetch() { [ -n "${HIGHS_SOURCE:-}" ] || { [ "$(system)" = debian ] && have apt-get; }; }

# highs_fetch FILE: the source tarball, checksum verified, from HIGHS_SOURCE (a file or a URL) or from the Debian
# mirror that this machine already uses.
highs_fetch() {
  local wanted=${HIGHS_SHA256:-$HIGHS_TARBALL_SHA256} found
  case ${HIGHS_SOURCE:-} in
    "") highs_fetch_from_debian "$1" ;;
    http://* | https://*)
      if have curl; then curl --fail --location --silent --show-error --output "$1" "$HIGHS_SOURCE"
      else wget --quiet --output-document="$1" "$HIGHS_SOURCE"; fi ||
        die "HIGHS_SOURCE=$HIGHS_SOURCE cannot be downloaded; give a file or another URL" ;;
    *) cp "$HIGHS_SOURCE" "$1" || die "HIGHS_SOURCE=$HIGHS_SOURCE is not a readable file" ;;
  esac
  found=$(checksum "$1")
  [ "$found" = "$wanted" ] || die "the HiGHS source has SHA-256 $found, expected $wanted
  HIGHS_SOURCE must name $HIGHS_TARBALL (the source of Debian 13's package highs);
  for another archive of HiGHS $HIGHS_VERSION give its checksum in HIGHS_SHA256"
}

# highs_fetch_from_debian FILE: the tarball of Debian 13's source package.
highs_fetch_from_debian() {
  local scratch
  scratch=$(mktemp -d)
  if ! { debian_13 deb-src "$scratch" source --tar-only --download-only highs && mv "$scratch/$HIGHS_TARBALL" "$1"; }; then
    rm -rf "$scratch"
    die "apt did not give the source of HiGHS; name $HIGHS_TARBALL (a file or a URL) in HIGHS_SOURCE"
  fi
  rm -rf "$scratch"
}

# highs_build: the static library, once.
highs_build() {
  local home scratch
  home=$(highs_home)
  scratch=$(new_building)
  # shellcheck disable=SC2064 # the folder of now is meant
  trap "rm -rf '$scratch'" EXIT
  step "HiGHS $HIGHS_VERSION: fetching the source (1.5 MB), because no HiGHS $HIGHS_FIRST or newer below $HIGHS_BELOW is installed"
  highs_fetch "$scratch/source.tar"
  mkdir "$scratch/source"
  tar -xf "$scratch/source.tar" -C "$scratch/source" --strip-components=1
  step "HiGHS $HIGHS_VERSION: building a static library in $home (2 to 3 minutes on two cores, once)"
  if ! { cmake -S "$scratch/source" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$scratch/install" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DBUILD_EXAMPLES=OFF -DZLIB=OFF >"$scratch/log" 2>&1 &&
    highs_compile "$scratch" && cmake --install "$scratch/build" >>"$scratch/log" 2>&1; }; then
    tail -n 40 "$scratch/log" >&2
    die "HiGHS did not build; the lines above say why"
  fi
  cat >"$scratch/install/lib/pkgconfig/highs.pc" <<'PC'
prefix=${pcfiledir}/../..

Name: HiGHS
Description: linear optimization software (static library)
Version: 1.10.0
Libs: -L${prefix}/lib -lhighs -lstdc++ -lm -lpthread
Cflags: -I${prefix}/include/highs
PC
  rm -rf "$home" "$scratch/install/bin"
  mv "$scratch/install" "$home"
  rm -rf "$scratch"
  trap - EXIT
}

# highs_compile SCRATCH: runs the build and shows a line for every tenth of it.
# shellcheck disable=SC2016 # awk has its own fields
highs_compile() {
  set -o pipefail
  local awk=(awk)
  # mawk, Debian's awk, reads a block of lines before it shows the first, unless it is told that someone waits.
  case $(awk -W version 2>&1 </dev/null) in mawk*) awk=(awk -W interactive) ;; esac
  cmake --build "$1/build" 2>&1 | tee -a "$1/log" |
    "${awk[@]}" -F'[][/]' '/^\[[0-9]+\/[0-9]+\]/ { tenth = int(10 * $2 / $3)
      if (tenth > shown) { shown = tenth; printf "    %d of %d files\n", $2, $3; fflush() } }'
}

# highs_shared FOLDER: prints the folder of pkg-config for notebooks, where HiGHS is a shared library. A cell then links
# without gcc. It is FOLDER, or is made of the static library that was built here. Fails where neither can be.
highs_shared() {
  local home shared
  home=$(highs_home) shared=$(highs_home)/shared
  [ "$(uname -s)" = Linux ] || return 1
  if [ "$1" != "$home/lib/pkgconfig" ]; then echo "$1"; return 0; fi
  if [ ! -f "$shared/highs.pc" ]; then
    mkdir -p "$shared"
    c++ -shared -o "$shared/libhighs.so" -Wl,--whole-archive "$home/lib/libhighs.a" -Wl,--no-whole-archive -lm -lpthread || return 1
    cat >"$shared/highs.pc.new" <<'PC'
Name: HiGHS
Description: linear optimization software (shared library for notebooks)
Version: 1.10.0
Libs: -L${pcfiledir} -lhighs
Cflags: -I${pcfiledir}/../include/highs
PC
    mv "$shared/highs.pc.new" "$shared/highs.pc"
  fi
  echo "$shared"
}
