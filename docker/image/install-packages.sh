#!/bin/sh
# Build step: installs the packages of packages.txt into debian:trixie-slim, and makes the user and the folders. Beside that file
# stand what the first stage handed over: "mirror", an archive in place of the one that the base image names, and "extra.crt", what
# apt is to trust, here alone.
set -eu
packages=$1
cd "$(dirname "$packages")"
# shellcheck source=docker/image/archive.sh
. ./archive.sh

mirror=
if [ -s mirror ]; then mirror=$(cat mirror); fi
open_archive "$mirror" "$PWD/extra.crt"

apt-cache show libhighs-dev >/dev/null 2>&1 ||
  die "Debian has no HiGHS package for the architecture $(dpkg --print-architecture); build for another one
(docker build --platform linux/amd64 ...) or run the notebooks without Docker: make lab builds HiGHS from source"

# Any user may run it, so what is to be written is open to all.
useradd --uid 1000 --gid 0 --home-dir /home/student --no-create-home --shell /bin/bash student
mkdir -m 1777 /home/student
chmod 2777 /work

# JupyterLab's page comes ready-made in its package; Node.js and 600 modules are asked for only to build it anew, and the
# Python kernel only to be there. A package of that promise stands in for them.
missing=$(apt-cache show jupyterlab | sed -n 's/^Depends: //p' | head -n 1 | tr ',' '\n' | sed 's/|.*//; s/(.*//; s/:any//; s/ //g' |
  grep -Ev '^python3(-|$)')
standin=$(mktemp -d)
mkdir "$standin/DEBIAN"
cat >"$standin/DEBIAN/control" <<CONTROL
Package: jupyterlab-ready-made
Version: 1
Architecture: all
Maintainer: directions <https://github.com/sparsero/directions>
Provides: python3-ipykernel (= 99), $(echo "$missing" | sed 's/$/ (= 99)/' | paste -s -d ',')
Description: stands in for what only a new build of JupyterLab's page needs
CONTROL
dpkg-deb --build "$standin" /tmp/standin.deb >/dev/null
chmod 644 /tmp/standin.deb

# shellcheck disable=SC2046 # packages are words
install_packages /tmp/standin.deb $(sed 's/#.*//' "$packages")
./install-scripts.sh
./edit-files.py
rm -r "$standin" /tmp/standin.deb
close_archive
