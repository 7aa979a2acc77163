#!/usr/bin/env bash
# Starts the container of compose.yaml after checking what could go wrong on this machine; arguments go to compose up.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)

die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# The versions that know a compose file without a version line.
readonly COMPOSE_MINIMUM=1.27

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

# port_taken PORT: does somebody listen there? Asked by connecting, because that needs no tool.
port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# check_work FOLDER: makes the work folder and starts the container as its owner.
check_work() {
  mkdir -p "$1" || die "the work folder $1 cannot be made; name another one in DIRECTIONS_WORK"
  DIRECTIONS_WORK=$(cd "$1" && pwd -P)
  : "${DIRECTIONS_USER:=$(stat -c %u "$DIRECTIONS_WORK" 2>/dev/null || stat -f %u "$DIRECTIONS_WORK")}"
  if [ "$DIRECTIONS_USER" = 0 ]; then
    die "the work folder $DIRECTIONS_WORK belongs to root, who is not to run JupyterLab: chown it to a user, or set DIRECTIONS_USER"
  fi
  export DIRECTIONS_WORK DIRECTIONS_USER
}

command -v docker >/dev/null || die "Docker is missing: install Docker Engine or Docker Desktop; without it, make lab uses a local JupyterLab"
docker version >/dev/null 2>&1 ||
  die "no Docker Engine answers: start it (Docker Desktop, or: systemctl start docker), and be root or in the group docker.
Docker says: $(docker version 2>&1 >/dev/null | tail -n 1)"
command=$(compose)
port=${DIRECTIONS_PORT:-8888}
case $port in *[!0-9]* | "") die "DIRECTIONS_PORT is \"$port\", which is no number" ;; esac
if port_taken "$port"; then
  die "port $port of this machine is taken, perhaps by another JupyterLab; choose another one: DIRECTIONS_PORT=$((port + 1)) $0"
fi
if [ -n "${DIRECTIONS_WORK:-}" ]; then check_work "$DIRECTIONS_WORK"; fi
# shellcheck disable=SC2086 # docker compose is two words
exec $command -f "$folder/compose.yaml" up "$@"
