#!/usr/bin/env bash
# Sets up what is missing: system packages, HiGHS, the pinned tools, the kernel. Everything is checked before anything
# is installed. Usage: setup.sh [solver | lint]: solver leaves out what only notebooks and lint need, lint what only
# notebooks need.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
# shellcheck source=.ci/highs.sh
. "$ROOT/.ci/highs.sh"
# shellcheck source=.ci/requirements.sh
. "$ROOT/.ci/requirements.sh"

# may_install: can this script install packages itself? Only Debian's apt, as root or through sudo.
may_install() {
  [ "$(system)" = debian ] && have apt-get || return 1
  [ "$(id -u)" = 0 ] || { have sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# missing_requirements SCOPE: the names of the system requirements that are not met.
missing_requirements() {
  local name
  for name in $SYSTEM_REQUIREMENTS; do
    if [ "$name" = python ] && [ "$1" != all ]; then continue; fi
    case $(requirement_state "$name") in
      found* | "not needed"*) ;;
      *) echo "$name" ;;
    esac
  done
}

# check_possible NAME...: stops with the commands to run when something missing cannot be installed from here: what is
# no package (Go, on most systems) and, where this script may not install, the packages.
check_possible() {
  local name remedies=() list=()
  for name in "$@"; do
    if [ "$name" != go ] && [ -n "$(packages "$(system)" "$name")" ]; then
      # shellcheck disable=SC2207 # packages are words
      list+=($(packages "$(system)" "$name"))
    elif [ "$name" != highs ] || ! highs_can_fetch; then
      remedies+=("$(remedy "$name")")
    fi
  done
  if [ ${#list[@]} -gt 0 ] && { ! may_install || [ ${#remedies[@]} -gt 0 ]; }; then
    remedies+=("$(install_command "$(system)" "${list[@]}")")
  fi
  [ ${#remedies[@]} -gt 0 ] || return 0
  {
    say "error: this machine lacks what the project needs, and nothing has been installed. Missing:"
    for name in "$@"; do say "  $name: $(requirement_why "$name")"; done
    say "Run, then try again:"
    printf '  %s\n' "${remedies[@]}"
  } >&2
  exit 1
}

# install_packages NAME...: says what and why, then asks apt.
install_packages() {
  local name wanted list=()
  for name in "$@"; do
    wanted=$(packages debian "$name")
    [ -n "$wanted" ] || continue
    # shellcheck disable=SC2206 # packages are words
    list+=($wanted)
    say "    $wanted: $(requirement_why "$name")"
  done
  [ ${#list[@]} -gt 0 ] || return 0
  step "installing Debian packages: ${list[*]} (and what they depend on)"
  mkdir -p "$BUILD"
  if ! { as_root apt-get -q update >"$BUILD/apt.log" 2>&1 </dev/null &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 install -y \
      --no-install-recommends "${list[@]}" </dev/null >>"$BUILD/apt.log" 2>&1; }; then
    tail -n 20 "$BUILD/apt.log" >&2
    die "apt-get failed (whole log: $BUILD/apt.log)"
  fi
}

set_up_highs() {
  highs_folder >/dev/null && return 0
  highs_build
  highs_folder >/dev/null || die "HiGHS was built in $(highs_home) but does not link"
}

# download_modules: what go.mod requires, all of it, because notebooks run without the network.
download_modules() {
  cd "$ROOT"
  GOPROXY=off go mod download >/dev/null 2>&1 && return 0
  step "downloading the Go modules that go.mod requires"
  go mod download || die "Go modules cannot be downloaded; see GOPROXY in: go env"
}

# set_up_tools: gonb, goimports, gopls and staticcheck at the versions of .ci/tools/go.mod.
set_up_tools() {
  tools_complete && return 0
  local home scratch
  home=$(tools_dir)
  step "building gonb, goimports, gopls and staticcheck into $home ($(requirement_why tools))"
  scratch=$(new_building)
  chmod 755 "$scratch"
  (cd "$ROOT/.ci/tools" && GOWORK=off GOFLAGS=-buildvcs=false CGO_ENABLED=0 go build -o "$scratch/" tool)
  rm -rf "$home"
  mv "$scratch" "$home"
}

# kernel_spec FOLDER FLAGS LINKING: a kernelspec whose cells find HiGHS by pkg-config in FOLDER and are built with GOFLAGS=FLAGS.
kernel_spec() {
  local home
  home=$(tools_dir)
  cat <<JSON
{
  "argv": ["$home/gonb", "--kernel", "{connection_file}", "--go_work=$ROOT"],
  "display_name": "Go (gonb)",
  "language": "go",
  "interrupt_mode": "message",
  "env": {
    "PATH": "$KERNELSPEC/bin:$home:$(dirname "$(command -v go)"):\${PATH}",
    "PKG_CONFIG_PATH": "$(highs_path "$1")",
    "CGO_ENABLED": "1",
    "CGO_LDFLAGS": "$3",
    "GOFLAGS": "$2",
    "GOWORK": ""
  }
}
JSON
}

# links_inside FOLDER FLAGS LINKING: does Go's own linker make a program with HiGHS that runs?
links_inside() (
  cd "$ROOT"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  PKG_CONFIG_PATH=$(highs_path "$1") CGO_ENABLED=1 CGO_LDFLAGS=$3 GOFLAGS=$2 go build -o "$scratch/" ./sparsero/cmd/sparsero >/dev/null 2>&1 &&
    "$scratch/sparsero" -help >/dev/null 2>&1
)

# set_up_kernel: a kernelspec named gonb inside the build folder; only what runs through make looks there. Cells are
# linked by Go itself where that works, else by gcc, and without libc's resolver of names, whose objects plotting would
# drag into each, and without what debuggers read, a sixth of the linker's work. Go's build cache does not know what
# pkg-config said: CGO_LDFLAGS, which it does know, keeps the shared HiGHS of cells apart from the static one.
set_up_kernel() {
  local folder shared new=$KERNELSPEC/kernel.json.new inside pure="-tags=netgo,osusergo -gcflags=all=-dwarf=false"
  folder=$(highs_folder)
  mkdir -p "$KERNELSPEC/bin"
  cp "$ROOT/docker/image/root/opt/directions/bin/go" "$KERNELSPEC/bin/"
  kernel_spec "$folder" "$pure -ldflags=-s" "" >"$new"
  if shared=$(highs_shared "$folder"); then
    inside="-s -linkmode=internal${shared:+ -r $shared}"
    set -- "$shared" "$pure '-ldflags=$inside'" "${shared:+-Wl,-rpath,$shared}"
    kernel_spec "$@" >"$KERNELSPEC/inside"
    if cmp -s "$KERNELSPEC/inside" "$KERNELSPEC/kernel.json" || links_inside "$@"; then mv "$KERNELSPEC/inside" "$new"; fi
    rm -f "$KERNELSPEC/inside"
  fi
  if cmp -s "$new" "$KERNELSPEC/kernel.json"; then rm "$new"; return 0; fi
  step "kernel gonb: $KERNELSPEC ($(requirement_why kernel))"
  mv "$new" "$KERNELSPEC/kernel.json"
}

main() {
  local scope=${1:-all} missing
  missing=$(missing_requirements "$scope")
  # shellcheck disable=SC2086 # names are words
  if [ -n "$missing" ]; then check_possible $missing; fi
  lock_cache
  # shellcheck disable=SC2086
  if [ -n "$missing" ]; then install_packages $missing; fi
  set_up_highs
  download_modules
  if [ "$scope" = solver ]; then return 0; fi
  set_up_tools
  if [ "$scope" = lint ]; then return 0; fi
  set_up_kernel
}

main "$@"
