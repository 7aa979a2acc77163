#!/usr/bin/env bash
# Starts the hub of compose.yaml after checking what could go wrong on this machine; builds the images that are missing.
# Arguments go to compose up.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

die() { printf 'error: %s\n' "$*" >&2; exit 1; }

docker version >/dev/null 2>&1 || die "no Docker Engine answers: install and start it, and be root or in the group docker"
if docker compose version >/dev/null 2>&1; then
  compose="docker compose"
elif command -v docker-compose >/dev/null; then
  compose=docker-compose
else
  die "Docker Compose is missing: install the package docker-compose-plugin (or docker-compose)"
fi
port=${DIRECTIONS_HUB_PORT:-8000}
case $port in *[!0-9]* | "") die "DIRECTIONS_HUB_PORT is \"$port\", which is no number" ;; esac
if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
  die "port $port of this machine is taken; choose another one: DIRECTIONS_HUB_PORT=$((port + 1)) $0"
fi
class=${DIRECTIONS_CLASS:-$folder/class}
[ -f "$class/students.txt" ] || die "there is no list of the class in $class: write students.txt there, one name per line"
DIRECTIONS_CLASS=$(cd "$class" && pwd -P)
export DIRECTIONS_CLASS
# shellcheck disable=SC2086 # docker compose is two words
docker image inspect "${DIRECTIONS_IMAGE:-sparsero/directions:latest}" >/dev/null 2>&1 || $compose -f "$folder/../compose.yaml" build
printf '\nNames and passwords of the class, when the hub is up:\n\n    %s -f %s exec hub sheet\n\n' "$compose" "$folder/compose.yaml"
# shellcheck disable=SC2086
exec $compose -f "$folder/compose.yaml" up "$@"
