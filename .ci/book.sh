#!/usr/bin/env bash
# Makes the book: all notebooks with the outputs that are saved in them, as one static site in build/book (or OUTPUT)
# that needs no network and no server. `book.sh scripts` only sees to the scripts that its pages run and prints their
# folder; with `book.sh scripts cached` it fails where they would have to be fetched. `book.sh live FOLDER` only makes the
# library that its panels call. `book.sh contents` writes what the repository keeps of the course: notebooks/README.md, its
# thumbnails and the links between notebooks. With PDF=1 the book is printed as well, by Chromium.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
# shellcheck source=.ci/debian.sh
. "$ROOT/.ci/debian.sh"
# shellcheck source=.ci/browser.sh
. "$ROOT/.ci/browser.sh"

# Debian 13's packages, with their SHA-256: Vega draws the charts, Vega-Lite compiles their specifications, KaTeX sets
# the formulas. BSD-3-Clause and MIT; the licences go into the site.
PACKAGES="libjs-vega_5.28.0+ds+~cs5.3.0-1_all.deb da26b1b6be9f902ec386d988cc807611f3b7eed8a53b16d888a525e4fbf37234
node-vega-lite_5.18.1+~4.0.0-2_all.deb b922b543cbfeaa8d31cfe2a18fa80766daaf529a82304800dcc481cf3318947e
libjs-katex_0.16.10+~cs6.1.0-2_all.deb b44f67be7da6d00f209f2856ec5bff926d4a5b083fa4c22668eb75bdf3acb7b9
fonts-katex_0.16.10+~cs6.1.0-2_all.deb 5e743eddcc7895070de480895bbbe7f7a0478ceeb152e4e18b5fed3372bd795a"
SCRIPTS=$CACHE/book-$(cksum <<<"$PACKAGES" | cut -d' ' -f1)

# fetch FOLDER: the packages, from BOOK_PACKAGES (a folder that holds them) or from the Debian mirror of this machine.
fetch() {
  local file wanted
  if [ -n "${BOOK_PACKAGES:-}" ]; then
    # shellcheck disable=SC2046 # names are words
    (cd "$BOOK_PACKAGES" && cp $(cut -d' ' -f1 <<<"$PACKAGES") "$1/") || die "BOOK_PACKAGES=$BOOK_PACKAGES does not hold all of:
$PACKAGES"
  elif [ "$(system)" = debian ] && have apt-get; then
    step "fetching Vega, Vega-Lite and KaTeX (4 MB) from Debian 13's packages, once"
    # shellcheck disable=SC2046 # names are words
    debian_13 deb "$1" download $(cut -d_ -f1 <<<"$PACKAGES") || die "apt did not give the packages; put them into a folder and name it in BOOK_PACKAGES:
$PACKAGES"
  else die "the book needs four packages of Debian 13; put them into a folder and name it in BOOK_PACKAGES:
$PACKAGES"; fi
  while read -r file wanted; do
    [ -f "$1/$file" ] || die "$file is not there; it has been given: $(cd "$1" && echo *.deb)"
    [ "$(checksum "$1/$file")" = "$wanted" ] || die "$file has another SHA-256 than $wanted"
  done <<<"$PACKAGES"
}

# unpack FOLDER: the files of the packages, below FOLDER/root.
unpack() {
  local file
  mkdir -p "$1/root"
  for file in "$1"/*.deb; do
    if have dpkg-deb; then dpkg-deb -x "$file" "$1/root"; else ar p "$file" data.tar.xz | tar -xJ -C "$1/root"; fi
  done
}

# set_up_scripts: what the pages load, in the cache.
set_up_scripts() {
  [ ! -d "$SCRIPTS" ] || return 0
  [ "${1:-}" != cached ] || return 1
  local scratch share name
  lock_cache
  scratch=$(new_building)
  # shellcheck disable=SC2064 # the folder of now is meant
  trap "rm -rf '$scratch'" EXIT
  fetch "$scratch"
  unpack "$scratch"
  share=$scratch/root/usr/share
  mkdir -p "$scratch/scripts/fonts" "$scratch/scripts/licences"
  cp "$share/javascript/vega/vega.min.js" "$share/nodejs/vega-lite/build/vega-lite.min.js" \
    "$share/javascript/katex/katex.js" "$share/javascript/katex/katex.min.css" \
    "$share/javascript/katex/contrib/auto-render.js" "$scratch/scripts/"
  cp "$share"/fonts/truetype/katex/*.woff2 "$scratch/scripts/fonts/"
  for name in libjs-vega node-vega-lite libjs-katex; do cp "$share/doc/$name/copyright" "$scratch/scripts/licences/$name.txt"; done
  chmod -R a+rX "$scratch/scripts"
  mv "$scratch/scripts" "$SCRIPTS"
}

# make_live FOLDER: the library compiled for browsers, compressed, and what runs it, of the Go distribution. Both stand as texts
# in one script, because a page that was opened from a file may fetch nothing. And the licences of all that is in it.
make_live() {
  local goroot module folder
  goroot=$(go env GOROOT)
  mkdir -p "$1/licences"
  cd "$ROOT"
  CGO_ENABLED=0 GOOS=js GOARCH=wasm go build -trimpath -ldflags "-s -w" -o "$1/library.wasm" ./notebooks/live/wasm
  { printf 'globalThis.sparseroLibrary = "'; gzip -9nc "$1/library.wasm" | base64 | tr -d '\n'; printf '";\n'
    printf 'globalThis.sparseroRunner = "'; base64 <"$goroot/lib/wasm/wasm_exec.js" | tr -d '\n'; printf '";\n'; } >"$1/library.js"
  rm "$1/library.wasm"
  cp LICENSE "$1/licences/sparsero.txt"
  for folder in "$goroot" /usr/share/doc/golang-*-src; do
    for module in LICENSE copyright; do [ ! -f "$folder/$module" ] || cp "$folder/$module" "$1/licences/go.txt"; done
  done
  [ -f "$1/licences/go.txt" ] || die "the Go distribution in $goroot has no file LICENSE, which the book has to carry"
  CGO_ENABLED=0 GOOS=js GOARCH=wasm go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./notebooks/live/wasm |
    sort -u | while read -r module folder; do
    [ -z "$module" ] || cp "$(find "$folder" -maxdepth 1 -iname 'LICEN[SC]E*' | head -1)" "$1/licences/$(tr / - <<<"$module").txt"
  done
  chmod -R u+w "$1"
}

if [ "${1:-}" = live ]; then
  make_live "${2:?book.sh live needs a folder}"
  exit 0
fi
if [ "${1:-}" = scripts ]; then
  set_up_scripts "${2:-}" >&2
  echo "$SCRIPTS"
  exit 0
fi
python=$(find_python) || die "no Python with nbconvert; run: make setup"
if [ "${1:-}" = contents ]; then
  (cd "$ROOT" && CGO_ENABLED=0 go build -o "$BUILD/bin/thumbnail" ./plotting/internal/thumbnail)
  exec "$python" "$ROOT/notebooks/tools/book/course.py" -thumbnail "$BUILD/bin/thumbnail"
fi
set_up_scripts
make_live "$BUILD/live"
cd "$ROOT"
arguments=(-scripts "$SCRIPTS" -live "$BUILD/live" -output "${OUTPUT:-$BUILD/book}")
if [ -n "${PDF:-}" ]; then
  find_browser || die "PDF=1 needs Chromium; install it (Debian: apt-get install chromium) and run: make book PDF=1"
  arguments+=(-browser "$(command -v chromium || command -v chromium-browser || command -v google-chrome)")
fi
exec "$python" "$ROOT/notebooks/tools/book/book.py" "${arguments[@]}"
