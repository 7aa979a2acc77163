#!/bin/sh
# Build step: installs the packages of packages.txt into debian:trixie-slim. The certificates beside that file are trusted by
# apt, here alone. DEBIAN_MIRROR replaces the archive that the base image names.
set -eu
packages=$1
certificates=$(dirname "$packages")/certificates

die() { echo "error: $*" >&2; exit 1; }

# site RELEASE: the archive from which the base image takes a release.
# shellcheck disable=SC2016 # apt's own variables
site() { apt-get indextargets --no-release-info --format '$(RELEASE) $(SITE)' | awk -v release="$1" '$1 == release { print $2; exit }'; }

export DEBIAN_FRONTEND=noninteractive
if [ -n "$(find "$certificates" -name '*.crt')" ]; then
  find "$certificates" -name '*.crt' -exec cat {} + >/tmp/extra.crt
  echo 'Acquire::https::CaInfo "/tmp/extra.crt";' >/etc/apt/apt.conf.d/90extra-certificates
fi
mirror=${DEBIAN_MIRROR:-$(site trixie)}
[ -n "$mirror" ] || die "the base image names no archive for trixie; give one: --build-arg DEBIAN_MIRROR=<URL>"
if [ -n "${DEBIAN_MIRROR:-}" ]; then
  rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
  echo 'Acquire::Check-Valid-Until "false";' >/etc/apt/apt.conf.d/90archive # an archive of one day expires
  echo "deb $mirror trixie main" >/etc/apt/sources.list
fi
echo "deb $mirror trixie-backports main" >/etc/apt/sources.list.d/backports.list
echo 'Acquire::Retries "5";' >/etc/apt/apt.conf.d/90retries
apt-get -qq update || die "no package lists from $mirror. Behind a proxy: --build-arg http_proxy=...; behind one that
inspects TLS: put its certificate (NAME.crt) into docker/certificates"

apt-cache show libhighs-dev >/dev/null 2>&1 ||
  die "Debian has no HiGHS package for the architecture $(dpkg --print-architecture); build for another one
(docker build --platform linux/amd64 ...) or run the notebooks without Docker: make lab builds HiGHS from source"

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

cp "$(dirname "$packages")/dpkg.cfg" /etc/dpkg/dpkg.cfg.d/directions
# shellcheck disable=SC2046 # packages are words
apt-get -qq install -y --no-install-recommends -o Dpkg::Use-Pty=0 /tmp/standin.deb $(sed 's/#.*//' "$packages") >/tmp/apt.log 2>&1 ||
  { tail -n 30 /tmp/apt.log >&2; die "the packages of docker/packages.txt cannot be installed; their versions may have left the suite"; }

# JupyterLab 4.0 asks for headings of a notebook that it has not listed yet: an error on the browser's console.
sed -i -E 's/(\.getCellHeadings\(\w\))\.forEach\(/\1.filter(Boolean).forEach(/' /usr/share/jupyter/lab/static/packages_notebook_lib_index_js.*.js

"$(dirname "$packages")/install-scripts.sh"

rm -rf "$standin" /tmp/standin.deb /tmp/apt.log /tmp/extra.crt /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
  /etc/apt/apt.conf.d/90extra-certificates
