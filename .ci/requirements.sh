# shellcheck shell=bash disable=SC2034
# What the project needs from the machine: how each requirement is checked, why it is needed, what mends it.
# To be sourced after base.sh and highs.sh. One line of requirement_state is "state|detail".

# What the user's system must supply; the order is the order of doctor's table.
readonly SYSTEM_REQUIREMENTS="go compiler pkg-config highs cmake ninja xz python"

requirement_why() {
  case $1 in
    go) echo "the language of the project ($GO_MINIMUM or newer)" ;;
    compiler) echo "a C++ compiler, because Go links the solver HiGHS" ;;
    pkg-config) echo "tells Go where HiGHS is" ;;
    highs) echo "the LP/QP/MILP solver, $HIGHS_FIRST or newer below $HIGHS_BELOW" ;;
    cmake | ninja) echo "builds HiGHS from source, once" ;;
    xz) echo "unpacks the source of HiGHS" ;;
    python) echo "nbclient and nbconvert execute the notebooks without a browser" ;;
    tools) echo "the kernel gonb with goimports and gopls, and staticcheck; versions pinned in .ci/tools" ;;
    kernel) echo "tells Jupyter of the kernel, for this checkout only" ;;
    jupyterlab) echo "only for make lab" ;;
  esac
}

# requirement_state NAME: "found|detail", "missing|", "wrong version|detail" or "not needed|why".
requirement_state() {
  case $1 in
    go) go_state ;;
    compiler) command_state c++ -dumpfullversion ;;
    pkg-config) command_state pkg-config --version ;;
    highs) highs_state ;;
    cmake | ninja | xz) build_state "$1" ;;
    python) python_state ;;
    tools) if tools_complete; then echo "found|$(tools_dir)"; else echo "missing|"; fi ;;
    kernel) if [ -f "$KERNELSPEC/kernel.json" ]; then echo "found|$KERNELSPEC"; else echo "missing|"; fi ;;
    jupyterlab) if find_lab >/dev/null; then echo "found|$(find_lab)"; else echo "missing|"; fi ;;
  esac
}

command_state() {
  if have "$1"; then echo "found|$1 $("$@" 2>/dev/null | head -n 1 | sed 's/^[^0-9]*//')"; else echo "missing|"; fi
}

go_state() {
  local version
  version=$(go_version)
  if [ -z "$version" ]; then echo "missing|"
  elif version_below "$version" "$GO_MINIMUM"; then echo "wrong version|go $version, needed is $GO_MINIMUM"
  else echo "found|go $version"; fi
}

highs_state() {
  local folder version
  if folder=$(highs_folder); then
    echo "found|HiGHS $(highs_version "$folder")${folder:+, $folder}"
  elif version=$(highs_version "") && ! { version_below "$version" "$HIGHS_BELOW" && ! version_below "$version" "$HIGHS_FIRST"; }; then
    echo "wrong version|HiGHS $version"
  else echo "missing|"; fi
}

# build_state COMMAND: what is needed only to build HiGHS.
build_state() {
  if have "$1"; then command_state "$1" --version
  elif highs_folder >/dev/null; then echo "not needed|HiGHS is there"
  elif highs_packaged; then echo "not needed|HiGHS comes as a package"
  else echo "missing|"; fi
}

# highs_packaged: has this system a package of a fitting HiGHS?
highs_packaged() { [ "$(system)" = debian ] && [ "$(system_version)" = 13 ]; }

python_state() {
  local python
  if python=$(find_python); then
    echo "found|$("$python" -c 'import sys, nbclient, nbconvert
print(sys.executable, "nbclient", nbclient.__version__, "nbconvert", nbconvert.__version__)' 2>/dev/null)"
  else echo "missing|"; fi
}

# find_lab: JupyterLab of PATH, or the one in the Python of our own.
find_lab() {
  local lab
  for lab in jupyter-lab "$CACHE/python/bin/jupyter-lab"; do
    if have "$lab"; then command -v "$lab"; return 0; fi
  done
  return 1
}

tools_complete() {
  local tool
  have go || return 1
  for tool in gonb goimports gopls staticcheck; do [ -x "$(tools_dir)/$tool" ] || return 1; done
}

# packages SYSTEM NAME: the packages of a requirement, as this system's package manager calls them.
packages() {
  case $1:$2 in
    debian:compiler | ubuntu:compiler) echo g++ ;;
    fedora:compiler) echo gcc-c++ ;;
    debian:pkg-config | ubuntu:pkg-config) echo pkg-config ;;
    fedora:pkg-config) echo pkgconf-pkg-config ;;
    macos:pkg-config) echo pkgconf ;;
    debian:highs) if highs_packaged; then echo libhighs-dev; fi ;;
    *:cmake) echo cmake ;;
    macos:ninja) echo ninja ;;
    *:ninja) echo ninja-build ;;
    debian:xz | ubuntu:xz) echo xz-utils ;;
    *:xz) echo xz ;;
    debian:python | ubuntu:python | fedora:python) echo python3-nbclient python3-nbconvert ;;
  esac
}

# install_command SYSTEM PACKAGE...: the command that the user runs.
install_command() {
  local system=$1
  shift
  case $system in
    debian | ubuntu) root_command "apt-get update && apt-get install -y --no-install-recommends $*" ;;
    fedora) root_command "dnf install -y $*" ;;
    macos) echo "brew install $*" ;;
    *) echo "install with your package manager: $*" ;;
  esac
}

# root_command COMMAND: how this user runs a command as root.
root_command() {
  if [ "$(id -u)" = 0 ]; then echo "$1"
  elif have sudo; then echo "sudo sh -c '$1'"
  else echo "su -c '$1'"; fi
}

# remedy NAME: the command that mends a requirement.
remedy() {
  local system list
  system=$(system)
  case $1 in
    go) go_remedy "$system"; return ;;
    tools | kernel) echo "make setup"; return ;;
    jupyterlab) lab_remedy "$system"; return ;;
    compiler) [ "$system" = macos ] && { echo "xcode-select --install"; return; } ;;
  esac
  list=$(packages "$system" "$1")
  if [ -n "$list" ]; then install_command "$system" "$list"
  elif [ "$1" = highs ]; then highs_remedy
  elif [ "$1" = python ]; then venv_command nbclient nbconvert
  else install_command "$system" "$1"; fi
}

# venv_command PACKAGE...: a Python of the project's own, where the system has no packages.
venv_command() { echo "python3 -m venv '$CACHE/python' && '$CACHE/python/bin/pip' install $*"; }

go_remedy() {
  case $1:$(system_version) in
    debian:13) echo "$(install_command debian golang-1.26-go) (from trixie-backports), then put /usr/lib/go-1.26/bin on PATH" ;;
    fedora:*) install_command fedora golang ;;
    macos:*) install_command macos go ;;
    *) echo "install Go $GO_MINIMUM or newer from https://go.dev/dl and put its bin folder on PATH" ;;
  esac
}

highs_remedy() {
  if highs_can_fetch; then echo "make setup (builds it from source, 2 to 3 minutes)"; return; fi
  echo "install HiGHS $HIGHS_FIRST or 1.11 with its headers so that pkg-config finds it, or give the file (or URL) of" \
    "$HIGHS_TARBALL, Debian 13's source of it: make setup HIGHS_SOURCE=<file or URL>"
}

lab_remedy() {
  case $1:$(system_version) in
    debian:12 | ubuntu:*) echo "$(install_command debian python3-venv) && $(venv_command jupyterlab nbclient nbconvert)" ;;
    other:*) venv_command jupyterlab nbclient nbconvert ;;
    debian:*) install_command debian jupyterlab ;;
    fedora:*) install_command fedora jupyterlab ;;
    macos:*) install_command macos jupyterlab ;;
  esac
}
