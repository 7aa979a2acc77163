#!/usr/bin/env bash
# Writes the folders of a class into the folder that is named: student, instructor and nbgrader
# (notebooks/tools/class/README.md). IMAGE=name also builds a container image for students, which holds the notebooks as
# they are in student: the image of docker/ brings solutions and keys.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"

# context FOLDER OUT: the repository as an image for students is built from, in FOLDER.
context() {
  git -C "$ROOT" archive HEAD | tar -x -C "$1"
  cp "$ROOT"/docker/certificates/* "$1/docker/certificates/" # those of a proxy, too, which git does not know
  rm -r "$1"/notebooks/*.ipynb "$1"/notebooks/{solutions,results,thumbnails}
  cp -r "$2"/student/. "$1/notebooks/"
}

main() {
  [ -n "${1:-}" ] || die "name a folder: make class OUT=folder"
  have python3 || die "no Python; run: make setup"
  python3 -B "$ROOT/notebooks/tools/class/material.py" "$1"
  [ -n "${IMAGE:-}" ] || return 0
  have docker || die "IMAGE=$IMAGE asks for Docker, which is missing"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  context "$scratch" "$1"
  docker build -f "$scratch/docker/Dockerfile" -t "$IMAGE" --build-arg GOPROXY --build-arg GOSUMDB \
    --build-arg http_proxy --build-arg https_proxy --build-arg no_proxy "$scratch"
}

main "$@"
