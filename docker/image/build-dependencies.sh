#!/bin/sh
# Build step: the kernel, goimports and gopls at the versions of .ci/tools, and the modules that go.mod requires.
set -eu

# Neither the cache nor the modules of the tools are needed later.
cd /opt/build
GOMODCACHE=/tmp/modules GOCACHE=/tmp/cache CGO_ENABLED=0 go build -modcacherw -trimpath -ldflags=-s -o /opt/directions/bin/ \
  github.com/janpfeifer/gonb golang.org/x/tools/cmd/goimports golang.org/x/tools/gopls
rm -rf /opt/build /tmp/*

cd /opt/directions/module
go mod download -modcacherw

# Go reads unpacked modules: archives and tests are ballast.
cd "$GOMODCACHE"
find cache/download -name '*.zip' -delete
find . -path ./cache -prune -o -type f \( -name '*_test.go' -o -path '*/testdata/*' -o -path '*/docs/*' -o -path '*/examples/*' \) -print0 |
  xargs -0 rm -f
rm -rf cache/vcs cache/download/sumdb
