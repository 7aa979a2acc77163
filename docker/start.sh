#!/usr/bin/env bash
# Starts the container of compose.yaml after checking what could go wrong on this machine. The project of Compose, and with
# it the container and the volume, belong to this user and this clone (COMPOSE_PROJECT_NAME names another one).
#   start.sh [OPTION...]            docker compose up OPTION...
#   start.sh COMMAND [OPTION...]    another command of Compose for the same project: logs, stop, down, build, ps, exec
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# The versions that know a compose file without a version line.
readonly COMPOSE_MINIMUM=1.27 BASE=debian:trixie-slim

# compose: the command for Compose; the plugin first.
compose() {
  if docker compose version >/dev/null 2>&1; then echo docker compose; return; fi
  local version
  version=$(docker-compose version --short 2>/dev/null) ||
    die "Docker Compose is missing: install the package docker-compose-plugin (or docker-compose)"
  [ "$(printf '%s\n' "$COMPOSE_MINIMUM" "${version#v}" | sort -V | head -n 1)" = "$COMPOSE_MINIMUM" ] ||
    die "docker-compose $version is too old: install $COMPOSE_MINIMUM or newer, or the package docker-compose-plugin"
  echo docker-compose
}

# become_compose ARGUMENT...: runs Compose in place of this script.
# shellcheck disable=SC2086 # docker compose is two words
become_compose() { exec $command -f "$folder/compose.yaml" "$@"; }

# project: a name for Compose that no other user and no other clone has.
project() {
  local user sum
  user=$(id -un 2>/dev/null || id -u)
  sum=$(printf '%s' "$folder" | cksum)
  printf 'directions-%s-%s' "$(printf '%s' "$user" | tr '[:upper:]' '[:lower:]' | tr -c 'a-z0-9_' '-')" "${sum%% *}"
}

# running: the container of this project's lab, nothing where none runs.
running() {
  docker ps -q --filter "label=com.docker.compose.project=$COMPOSE_PROJECT_NAME" --filter label=com.docker.compose.service=lab
}

# The variables that count when a container is started.
readonly AT_START="DIRECTIONS_PORT DIRECTIONS_WORK DIRECTIONS_USER DIRECTIONS_IMAGE DIRECTIONS_MEMORY DIRECTIONS_CPUS DIRECTIONS_IDLE
DIRECTIONS_PRICES DIRECTIONS_ONLINE JUPYTER_TOKEN"

# show_link CONTAINER: what the lab that runs already has printed, and which variables it cannot heed any more.
show_link() {
  local name ignored=()
  for name in $AT_START; do
    if [ -n "${!name:-}" ]; then ignored+=("$name"); fi
  done
  printf 'This lab runs already; open this link in a browser on this machine:\n\n%s\n\nTo stop it: %s stop\n' \
    "$(docker logs "$1" 2>&1 | grep -E '^ +http://127\.0\.0\.1:' | tail -n 1)" "$0"
  [ ${#ignored[@]} = 0 ] || printf '\nIgnored, because it runs already: %s. Stop it first, then start it with them.\n' "${ignored[*]}" >&2
}

# port_taken PORT: does somebody listen there? Asked by connecting, because that needs no tool.
port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# check_work FOLDER: makes the work folder and starts the container as its owner.
check_work() {
  mkdir -p "$1" || die "the work folder $1 cannot be made; name another one in DIRECTIONS_WORK"
  DIRECTIONS_WORK=$(cd "$1" && pwd -P)
  : "${DIRECTIONS_USER:=$(stat -c %u "$DIRECTIONS_WORK" 2>/dev/null || stat -f %u "$DIRECTIONS_WORK")}"
  if [ "$DIRECTIONS_USER" = 0 ]; then
    die "the work folder $DIRECTIONS_WORK belongs to root, who is not to run JupyterLab; give it to a user, for example:
  chown -R 1000 $DIRECTIONS_WORK"
  fi
  export DIRECTIONS_WORK DIRECTIONS_USER
}

# check_base: can the image be built where it is not there yet?
check_base() {
  docker image inspect "${DIRECTIONS_IMAGE:-sparsero/directions:latest}" >/dev/null 2>&1 && return
  docker image inspect "$BASE" >/dev/null 2>&1 && return
  docker pull -q "$BASE" >/dev/null 2>&1 ||
    die "there is no image yet, and what it is built on, $BASE, cannot be pulled. One of these helps:
  docker load < directions.tar.gz      the image from a machine that has it (docker/README.md, For a class)
  docker/base-image.sh                 makes $BASE from this machine's Debian archive
Docker says: $(docker pull -q "$BASE" 2>&1 >/dev/null | tail -n 1)"
}

command -v docker >/dev/null || die "Docker is missing: install Docker Engine or Docker Desktop; without it, make lab uses a local JupyterLab"
docker version >/dev/null 2>&1 ||
  die "no Docker Engine answers: start it (Docker Desktop, or: systemctl start docker), and be root or in the group docker.
Docker says: $(docker version 2>&1 >/dev/null | tail -n 1)"
command=$(compose)
: "${COMPOSE_PROJECT_NAME:=$(project)}"
export COMPOSE_PROJECT_NAME
case ${1:-} in
  "" | -*) ;;
  *) become_compose "$@" ;;
esac
container=$(running)
if [ -n "$container" ]; then
  case "$*" in "" | -d | --detach) show_link "$container"; exit 0 ;; esac
else
  port=${DIRECTIONS_PORT:-8888}
  case $port in *[!0-9]* | "") die "DIRECTIONS_PORT is \"$port\", which is no number" ;; esac
  if port_taken "$port"; then
    die "port $port of this machine is taken by another program, perhaps somebody else's JupyterLab; choose another one: DIRECTIONS_PORT=$((port + 1)) $0"
  fi
fi
if [ -n "${DIRECTIONS_WORK:-}" ]; then check_work "$DIRECTIONS_WORK"; fi
check_base
# Older Compose would mount what the last container had at /work, whatever DIRECTIONS_WORK says now.
become_compose up --renew-anon-volumes "$@"
