# shellcheck shell=bash
# The programs that only tests need, Chromium among them. To be sourced after base.sh and debian.sh.

# need COMMAND PACKAGE: installs a Debian package where its command is missing.
need() { have "$1" || install_for_tests "$2"; }

# find_peers: what tests compare with and hand files to: a Python, GLPK, and a reader of PDF.
find_peers() {
  { /usr/bin/python3 -c 'import scipy, pandas' 2>/dev/null && have glpsol && have pdftotext; } ||
    install_for_tests python3-scipy python3-pandas glpk-utils poppler-utils
}

# install_for_tests PACKAGE...: installs Debian packages where apt may be used without asking.
install_for_tests() {
  [ "$(system)" = debian ] && [ "$(id -u)" = 0 ] && have apt-get || return 1
  step "installing for tests: $*"
  mkdir -p "$BUILD"
  { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 install -y \
    --no-install-recommends "$@"; } >>"$BUILD/apt.log" 2>&1 </dev/null || { tail -n 20 "$BUILD/apt.log" >&2; return 1; }
}

# find_browser: a Chromium that chromedp finds by itself.
find_browser() { have chromium || have chromium-browser || have google-chrome || need chromium chromium; }

# Debian 13's package of the script that puts charts into a page, with its SHA-256.
readonly VEGA_EMBED="node-vega-embed_6.23.0-1_all.deb adfcaf9735239e323a7a90baa9980fed87f890d24ff3814f383e618298b9d205"

# chart_scripts: prints a folder in which the tests of plotting find Vega and Vega-Lite, which the book uses too, and
# vega-embed.
chart_scripts() {
  local folder=$CACHE/chart-scripts-6.23.0 book scratch name file=${VEGA_EMBED% *}
  if [ ! -d "$folder" ]; then
    book=$("$ROOT/.ci/book.sh" scripts) || return 1
    scratch=$(new_building)
    debian_13 deb "$scratch" download node-vega-embed || return 1
    [ "$(checksum "$scratch/$file")" = "${VEGA_EMBED#* }" ] || { say "$file has another SHA-256 than ${VEGA_EMBED#* }" >&2; return 1; }
    dpkg-deb -x "$scratch/$file" "$scratch/root"
    for name in vega vega-lite; do
      mkdir -p "$scratch/scripts/$name/build"
      cp "$book/$name.min.js" "$scratch/scripts/$name/build/"
    done
    cp -r "$scratch/root/usr/share/nodejs/vega-embed" "$scratch/scripts/"
    mv "$scratch/scripts" "$folder"
    rm -rf "$scratch"
  fi
  echo "$folder"
}
