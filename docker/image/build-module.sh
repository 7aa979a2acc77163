#!/bin/sh
# Build step, the last: the settings and commands of root, the tutorials, and a build cache with what cells link.
set -eu
cd /opt/directions/module
mv notebooks/tools/book/assets/book.js docker/ # exported pages carry it

# All of the notebooks' folder but its programs, which stay here with the files that they embed.
find notebooks -path notebooks/tools -prune -o -type f ! -name '*.go' -print |
  while read -r file; do install -D -m 444 "$file" "/opt/directions/tutorials/${file#notebooks/}"; done
find notebooks -mindepth 1 -maxdepth 1 ! -name exercise ! -name lesson ! -name studies -exec rm -r {} +
cp -r docker/image/root/. /
cp docker/book.js /usr/local/share/jupyter/nbconvert/templates/directions/scripts/
mkdir /opt/build && cp docker/image/fill-gopls.py /opt/build/
rm -rf docker .devcontainer .ci

# What the module is made of, the kernel's helper, and the standard library for what users write.
export PYTHONDONTWRITEBYTECODE=1 GOPROXY=off GOSUMDB=off GOFLAGS='-tags=netgo,osusergo -gcflags=all=-dwarf=false -ldflags=-s'
go build ./... github.com/janpfeifer/gonb/gonbui std

# A tutorial runs: a kernel that cannot compile offline fails here and not in class.
mkdir /tmp/work
cp /opt/directions/tutorials/02_few_directions.ipynb /tmp/work
HOME=/tmp/work jupyter nbconvert --to notebook --execute --inplace /tmp/work/02_few_directions.ipynb
# What gopls keeps names files by their paths, so that the build cache stands where bin/start puts it for a read-only root.
mkdir -p "$HOME/.cache" && cp -rs "$GOCACHE" "$HOME/.cache/go-build"
(cd /tmp/work && GOCACHE="$HOME/.cache/go-build" python3 /opt/build/fill-gopls.py)
rm -r /opt/build
find /tmp "$HOME" -mindepth 1 -delete
chmod -R a+rwX "$GOPLSCACHE"

# Any user's cells add to the build cache, hence the modes. Go renews the date of an entry that it uses, which would
# copy the file into the container, and removes old entries: a date in the far future prevents both.
cd "$GOCACHE"
rm -f trim.txt
find . -type f -exec chmod 444 {} + -exec touch -d 2099-01-01 {} +
find . -type d -exec chmod 777 {} +
