#!/bin/sh
# Build step, the first: the kernel, goimports and gopls at the versions of .ci/tools, and the modules that go.mod requires.
# It needs Go alone, so that a Go proxy that does not answer is known before the many packages of the image are installed.
set -eu
cd "$(dirname "$0")"
# shellcheck source=docker/image/archive.sh
. ./archive.sh

# explain: why a download may have failed.
explain() {
  die "Go modules cannot be downloaded or built. Behind a proxy: --build-arg GOPROXY=... or http_proxy=...; behind one that
inspects TLS (x509: certificate signed by unknown authority): put its certificate (NAME.crt) into docker/certificates"
}

find . -name '*.crt' -exec cat {} + >/tmp/extra.crt
open_archive "$DEBIAN_MIRROR" /tmp/extra.crt
mkdir /opt/handed
if [ -n "$DEBIAN_MIRROR" ]; then echo "$DEBIAN_MIRROR" >/opt/handed/mirror; fi
case $mirror in https:*) cp /tmp/extra.crt /opt/handed/ ;; esac
install_packages ca-certificates golang-1.26-go
find . -name '*.crt' -exec cp {} /usr/local/share/ca-certificates/ \;
update-ca-certificates >/dev/null

# Neither the cache nor the modules of the tools are needed later.
export PATH="/usr/lib/go-1.26/bin:$PATH" GOTOOLCHAIN=local HOME=/tmp
GOMODCACHE=/tmp/modules GOCACHE=/tmp/cache CGO_ENABLED=0 go build -modcacherw -trimpath -ldflags=-s -o /opt/directions/bin/ \
  github.com/janpfeifer/gonb golang.org/x/tools/cmd/goimports golang.org/x/tools/gopls ||
  explain
mkdir -p /opt/directions/lib
mv /opt/directions/bin/gopls /opt/directions/lib/ # bin/gopls bounds its memory

export GOMODCACHE=/opt/directions/cache/modules
cd /opt/directions/module
go mod download -modcacherw || explain
rm -r /opt/directions/module /tmp/*

# Go reads unpacked modules: archives and tests are ballast.
cd "$GOMODCACHE"
find cache/download -name '*.zip' -delete
find . -path ./cache -prune -o -type f \( -name '*_test.go' -o -path '*/testdata/*' -o -path '*/docs/*' -o -path '*/examples/*' \) -print0 |
  xargs -0 rm -f
rm -rf cache/vcs cache/download/sumdb
