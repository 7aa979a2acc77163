#!/usr/bin/env bash
# Builds the container image and tests it: from outside, and the tutorials in a headless browser. Where no Docker Engine
# answers, the tests of the page run on a local JupyterLab, and where there is none either, a line says so.
# ALL=1 runs every tutorial, and not only some; IMAGE=name tests an image that exists already; KEEP=1 leaves the image that
# was built here.
# Screenshots and logs land in build/docker, the counts in build/test/summary.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
# shellcheck source=.ci/highs.sh
. "$ROOT/.ci/highs.sh"
# shellcheck source=.ci/requirements.sh
. "$ROOT/.ci/requirements.sh"
# shellcheck source=.ci/debian.sh
. "$ROOT/.ci/debian.sh"
# shellcheck source=.ci/browser.sh
. "$ROOT/.ci/browser.sh"

# Debian 13's packages of Docker's plugins, with their SHA-256.
readonly PLUGINS="docker-compose_2.26.1-4_amd64.deb 47681197cb2b1ab88206b42a1a92fc75f50d9530a6322d03494a473eed0408ea
docker-buildx_0.13.1+ds1-3_amd64.deb fcf8c48204d1603c8f209451d7827eb91bf30759578baf7704e9e1a87e5f1d7f"
readonly RESULTS=$BUILD/docker
readonly GO_FOR_BROWSER=1.25
readonly BASE=debian:trixie-slim
RUN=directions-test-$$-$(date +%s)
readonly RUN
# Several times what a busy machine of two cores needs; one that needs more is stuck.
readonly BASE_LIMIT=10m BUILD_LIMIT=30m TEST_LIMIT=${ALL:+1}30m

leave_out() {
  say "docker-test: left out, because $*"
  exit 0
}

# clean_up: nothing of this run stays: containers, volumes, networks, what was built and the extra certificates. Docker's
# build cache is emptied if it was empty before; otherwise Docker itself keeps it small.
clean_up() {
  local status=$? label
  trap - EXIT INT TERM
  set +e
  if have docker; then
    for label in "org.sparsero.directions.test=$RUN" "com.docker.compose.project=$RUN"{,-older,-online}; do
      docker container ls -aq --filter "label=$label" | xargs -r docker rm -fv
      docker volume ls -q --filter "label=$label" | xargs -r docker volume rm -f
      docker network ls -q --filter "label=$label" | xargs -r docker network rm
    done
    if [ -z "${KEEP:-}" ] && [ -f "$RESULTS/images-before" ]; then
      docker images -q "$RUN" | xargs -r docker rmi -f
      docker images -q --no-trunc --filter dangling=true | sort -u | comm -23 - "$RESULTS/images-before" | xargs -r docker rmi -f
      if [ -f "$RESULTS/base-made" ]; then docker rmi -f "$BASE"; fi
      if [ -f "$RESULTS/cache-empty" ]; then docker builder prune -af; fi
    fi
  fi >/dev/null 2>&1
  rm -f "$ROOT"/docker/certificates/directions-test*.crt
  exit $status
}

# base_image: Debian's own image where it is there or can be pulled, else one of that name, made here for this run.
base_image() {
  docker image inspect "$BASE" >/dev/null 2>&1 && return 0
  timeout 1m docker pull -q "$BASE" >/dev/null 2>&1 && return 0
  need debootstrap debootstrap || return 1
  step "$BASE cannot be pulled; one is made with debootstrap"
  touch "$RESULTS/base-made"
  timeout "$BASE_LIMIT" "$ROOT/docker/base-image.sh" "$BASE"
}

# plugins: for this run alone, Compose as a plugin and the newer builder, on a machine that has neither and no settings of
# Docker. Where they cannot be had, the older forms are tested alone.
plugins() {
  local folder=$CACHE/docker-plugins scratch file wanted
  ! docker compose version >/dev/null 2>&1 && ! docker buildx version >/dev/null 2>&1 || return 0
  [ ! -e "${DOCKER_CONFIG:-$HOME/.docker}" ] && [ "$(uname -m)" = x86_64 ] && have apt-get || return 0
  if [ ! -d "$folder" ]; then
    step "fetching Docker's plugins compose and buildx (26 MB) from Debian 13's packages, once"
    mkdir -p "$CACHE"
    scratch=$(new_building)
    # shellcheck disable=SC2046 # names are words
    debian_13 deb "$scratch" download $(cut -d_ -f1 <<<"$PLUGINS") 2>>"$BUILD/apt.log" || return 0
    while read -r file wanted; do
      [ "$(checksum "$scratch/$file")" = "$wanted" ] || { say "left out: $file has another SHA-256 than $wanted"; return 0; }
      dpkg-deb -x "$scratch/$file" "$scratch/root"
    done <<<"$PLUGINS"
    mv "$scratch/root/usr/libexec/docker" "$folder"
    rm -rf "$scratch"
  fi
  export DOCKER_CONFIG=$folder # Docker looks for cli-plugins there
}

# extra_certificates: those that this machine trusts, because the build may pass a proxy that inspects TLS, and one that
# the tests look for; it is made once, so that builds can share what they have in common.
extra_certificates() {
  local bundle=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt} own=$RESULTS/directions-test-own.crt
  if [ -f "$bundle" ]; then cp "$bundle" "$ROOT/docker/certificates/directions-test.crt"; fi
  [ -f "$own" ] || openssl req -x509 -newkey rsa:2048 -nodes -keyout /dev/null -subj "/CN=directions-test" -days 3650 \
    -out "$own" 2>/dev/null
  cp "$own" "$ROOT/docker/certificates/"
}

# build_image: builds the image as it would be built anywhere, with this machine's Go proxy. DOCKER_BUILDKIT=0 chooses the
# older builder.
build_image() {
  local begin=$SECONDS builder=BuildKit
  docker buildx version >/dev/null 2>&1 || export DOCKER_BUILDKIT=0
  [ "${DOCKER_BUILDKIT:=1}" != 0 ] || builder="the older builder"
  export DOCKER_BUILDKIT
  step "building the image with $builder (log: build/docker/build.log)"
  if ! timeout "$BUILD_LIMIT" docker build -f "$ROOT/docker/Dockerfile" -t "$RUN" --label org.opencontainers.image.version=test \
    --build-arg "GOPROXY=$(go env GOPROXY)" --build-arg "GOSUMDB=$(go env GOSUMDB)" \
    --build-arg http_proxy --build-arg https_proxy --build-arg no_proxy "$ROOT" >"$RESULTS/build.log" 2>&1; then
    tail -n 30 "$RESULTS/build.log" >&2
    die "the image cannot be built (whole log: $RESULTS/build.log)"
  fi
  say "    built in $((SECONDS - begin)) s"
}

# run_tests NAME: go test in tests/browser, with a line per package, the output of failures and counts.
run_tests() {
  local begin=$SECONDS status=0
  step "$1"
  (cd "$ROOT/tests/browser" && DIRECTIONS_RESULTS=$RESULTS DIRECTIONS_ALL=${ALL:-} GOWORK=off GOFLAGS=-buildvcs=false \
    go_test docker "$BUILD/test/summary" -count=1 -timeout "$TEST_LIMIT" .) || status=1
  say "    tested in $((SECONDS - begin)) s"
  return $status
}

test_local_lab() {
  local lab
  lab=$(find_lab) || leave_out "no Docker Engine answers, and there is no JupyterLab ($(remedy jupyterlab))"
  find_browser || leave_out "no Docker Engine answers, and there is no Chromium"
  say "no Docker Engine answers: the page is tested on the JupyterLab of this machine"
  "$ROOT/.ci/setup.sh"
  (cd "$ROOT/tests/browser" && GOWORK=off go mod download)
  export DIRECTIONS_LAB=$lab JUPYTER_PATH=$BUILD/jupyter
  modules_of_setup
  run_tests "the tutorials in a local JupyterLab"
}

main() {
  mkdir -p "$RESULTS" "$BUILD/test" "$BUILD/bin"
  rm -f "$RESULTS"/*.png "$RESULTS"/*.log "$RESULTS/base-made" "$RESULTS/cache-empty" "$BUILD/test/summary"
  if version_below "$(go_version)" "$GO_FOR_BROWSER"; then
    leave_out "chromedp, which drives the browser, asks for Go $GO_FOR_BROWSER, and this is $(go_version)"
  fi
  if ! have docker || ! timeout 1m docker version >/dev/null 2>&1; then
    test_local_lab
    return
  fi
  find_browser || leave_out "there is no Chromium, and it cannot be installed here"
  plugins
  docker compose version >/dev/null 2>&1 || need docker-compose docker-compose || leave_out "there is no Docker Compose, and it cannot be installed here"
  trap clean_up EXIT
  trap 'exit 130' INT TERM
  docker images -q --no-trunc --filter dangling=true | sort -u >"$RESULTS/images-before"
  if docker system df --format '{{.Type}}={{.TotalCount}}' | grep -qx 'Build Cache=0'; then touch "$RESULTS/cache-empty"; fi
  if [ -z "${IMAGE:-}" ]; then
    base_image || die "no base image $BASE: it can neither be pulled nor made with debootstrap"
    extra_certificates
    export DIRECTIONS_CERTIFICATE=directions-test
    build_image
  fi
  export DIRECTIONS_IMAGE=${IMAGE:-$RUN} DIRECTIONS_LABEL=org.sparsero.directions.test=$RUN
  run_tests "the image and its page"
}

main
