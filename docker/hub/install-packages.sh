#!/bin/sh
# Build step: installs JupyterHub, its proxy and the library that speaks with Docker's engine. Certificates of
# /usr/local/share/ca-certificates are trusted from the first download on; DEBIAN_MIRROR replaces the archive that the
# base image names.
set -eu

die() { echo "error: $*" >&2; exit 1; }

export DEBIAN_FRONTEND=noninteractive
if [ -n "$(find /usr/local/share/ca-certificates -name '*.crt')" ]; then
  find /usr/local/share/ca-certificates -name '*.crt' -exec cat {} + >/tmp/extra.crt
  echo 'Acquire::https::CaInfo "/tmp/extra.crt";' >/etc/apt/apt.conf.d/90extra-certificates
fi
if [ -n "${DEBIAN_MIRROR:-}" ]; then
  rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
  echo 'Acquire::Check-Valid-Until "false";' >/etc/apt/apt.conf.d/90archive # an archive of one day expires
  echo "deb $DEBIAN_MIRROR trixie main" >/etc/apt/sources.list
fi
echo 'Acquire::Retries "5";' >/etc/apt/apt.conf.d/90retries
apt-get -qq update || die "no package lists. Behind a proxy: --build-arg http_proxy=...; behind one that inspects TLS: put its
certificate (NAME.crt) into docker/certificates"

# The hub asks for a notebook server because it could also start one beside itself; here servers run in other containers.
# An empty package stands in for it and spares a hundred others.
standin=$(mktemp -d)
mkdir "$standin/DEBIAN"
cat >"$standin/DEBIAN/control" <<CONTROL
Package: no-notebook-beside-the-hub
Version: 1
Architecture: all
Maintainer: directions <https://github.com/sparsero/directions>
Provides: python3-notebook (= 99)
Description: stands in for a notebook server that the hub does not start
CONTROL
dpkg-deb --build "$standin" /tmp/standin.deb >/dev/null
chmod 644 /tmp/standin.deb
printf 'path-exclude=/usr/share/%s/*\n' doc man info locale lintian >/etc/dpkg/dpkg.cfg.d/hub
echo force-unsafe-io >>/etc/dpkg/dpkg.cfg.d/hub # nobody needs an image that survives a power cut in the middle of its build

apt-get -qq install -y --no-install-recommends -o Dpkg::Use-Pty=0 /tmp/standin.deb \
  jupyterhub='5.2.*' node-configurable-http-proxy='4.5.*' python3-docker='7.1.*' >/tmp/apt.log 2>&1 ||
  { tail -n 30 /tmp/apt.log >&2; die "the packages cannot be installed; their versions may have left the suite"; }
rm -rf "$standin" /tmp/standin.deb /tmp/apt.log /tmp/extra.crt /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
  /etc/apt/apt.conf.d/90extra-certificates
