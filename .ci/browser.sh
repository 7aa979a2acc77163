# shellcheck shell=bash
# The programs that only tests need, Chromium among them. To be sourced after base.sh.

# need COMMAND PACKAGE: installs a Debian package where its command is missing and apt may be used without asking.
need() {
  have "$1" && return 0
  [ "$(system)" = debian ] && [ "$(id -u)" = 0 ] && have apt-get || return 1
  step "installing the Debian package $2"
  mkdir -p "$BUILD"
  { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 install -y \
    --no-install-recommends "$2"; } >>"$BUILD/apt.log" 2>&1 </dev/null || { tail -n 20 "$BUILD/apt.log" >&2; return 1; }
}

# find_browser: a Chromium that chromedp finds by itself.
find_browser() { have chromium || have chromium-browser || have google-chrome || need chromium chromium; }
