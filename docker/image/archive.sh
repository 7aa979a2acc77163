# shellcheck shell=sh
# Part of the build steps that install packages into debian:trixie-slim: where they come from. To be sourced.

die() { echo "error: $*" >&2; exit 1; }

# site RELEASE: the archive from which the base image takes a release.
# shellcheck disable=SC2016 # apt's own variables
site() { apt-get indextargets --no-release-info --format '$(RELEASE) $(SITE)' | awk -v release="$1" '$1 == release { print $2; exit }'; }

# open_archive MIRROR CERTIFICATES: reads the lists of trixie and its backports from MIRROR, or from the archive that the base
# image names if that is empty; apt trusts the file CERTIFICATES until close_archive.
open_archive() {
  export DEBIAN_FRONTEND=noninteractive
  mirror=${1:-$(site trixie)}
  [ -n "$mirror" ] || die "the base image names no archive for trixie; give one: --build-arg DEBIAN_MIRROR=<URL>"
  if [ -s "$2" ]; then echo "Acquire::https::CaInfo \"$2\";" >/etc/apt/apt.conf.d/90extra-certificates; fi
  if [ -n "$1" ]; then
    rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
    echo 'Acquire::Check-Valid-Until "false";' >/etc/apt/apt.conf.d/90archive # an archive of one day expires
    echo "deb $mirror trixie main" >/etc/apt/sources.list
  fi
  echo "deb $mirror trixie-backports main" >/etc/apt/sources.list.d/backports.list
  echo 'Acquire::Retries "5";' >/etc/apt/apt.conf.d/90retries
  cp "$(dirname "$0")/dpkg.cfg" /etc/dpkg/dpkg.cfg.d/directions
  apt-get -qq update || die "no package lists from $mirror. Behind a proxy: --build-arg http_proxy=...; behind one that
inspects TLS: put its certificate (NAME.crt) into docker/certificates"
}

# install_packages PACKAGE...: installs packages; what apt says is shown if it fails.
install_packages() {
  apt-get -qq install -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" >/tmp/apt.log 2>&1 ||
    { tail -n 30 /tmp/apt.log >&2; die "packages cannot be installed; the versions of docker/packages.txt may have left the suite"; }
}

# close_archive: removes what apt leaves behind.
close_archive() {
  rm -rf /tmp/apt.log /var/lib/apt/lists/* /var/cache/apt/* /var/log/* /etc/apt/apt.conf.d/90extra-certificates
}
