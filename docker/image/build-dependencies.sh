#!/bin/sh
# Build step: the kernel, goimports and gopls at the versions of .ci/tools, and the modules that go.mod requires.
set -eu

# explain: why a download may have failed.
explain() {
  echo "error: Go modules cannot be downloaded or built. Behind a proxy: --build-arg GOPROXY=... or http_proxy=...; behind one that
inspects TLS (x509: certificate signed by unknown authority): put its certificate (NAME.crt) into docker/certificates" >&2
  exit 1
}

# Neither the cache nor the modules of the tools are needed later.
cd /opt/build
GOMODCACHE=/tmp/modules GOCACHE=/tmp/cache CGO_ENABLED=0 go build -modcacherw -trimpath -ldflags=-s -o /opt/directions/bin/ \
  github.com/janpfeifer/gonb golang.org/x/tools/cmd/goimports golang.org/x/tools/gopls ||
  explain
mkdir -p /opt/directions/lib
mv /opt/directions/bin/gopls /opt/directions/lib/ # bin/gopls bounds its memory
rm -rf /opt/build /tmp/*

cd /opt/directions/module
go mod download -modcacherw || explain

# Go reads unpacked modules: archives and tests are ballast.
cd "$GOMODCACHE"
find cache/download -name '*.zip' -delete
find . -path ./cache -prune -o -type f \( -name '*_test.go' -o -path '*/testdata/*' -o -path '*/docs/*' -o -path '*/examples/*' \) -print0 |
  xargs -0 rm -f
rm -rf cache/vcs cache/download/sumdb
