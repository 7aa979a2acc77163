#!/bin/sh
# Part of install-packages.sh: the scripts that exported pages carry, taken from their packages without what those ask for.
# Vega and Vega-Lite draw the charts, KaTeX sets the formulas; its fonts go into its style sheet.
set -eu
target=/usr/local/share/jupyter/nbconvert/templates/directions/scripts
scratch=$(mktemp -d)
chmod 755 "$scratch"
cd "$scratch"
apt-get -qq download libjs-vega node-vega-lite libjs-katex fonts-katex
for package in *.deb; do dpkg-deb -x "$package" root; done
share=$scratch/root/usr/share
mkdir -p "$target"
cp "$share/javascript/vega/vega.min.js" "$share/nodejs/vega-lite/build/vega-lite.min.js" "$share/javascript/katex/katex.js" \
  "$share/javascript/katex/contrib/auto-render.js" "$target"
for package in libjs-vega node-vega-lite libjs-katex; do
  mkdir -p "/usr/share/doc/$package"
  cp "$share/doc/$package/copyright" "/usr/share/doc/$package/"
done
python3 - "$share" "$target/katex.css" <<'PYTHON'
import base64, pathlib, re, sys

share = pathlib.Path(sys.argv[1])
fonts = share / "fonts/truetype/katex"


def inside(source):
    content = base64.b64encode((fonts / (source[1] + ".woff2")).read_bytes()).decode()
    return f'src:url(data:font/woff2;base64,{content}) format("woff2")'


style = (share / "javascript/katex/katex.min.css").read_text()
style, number = re.subn(r"src:url\(fonts/([\w-]+)\.woff2\)[^;}]*", inside, style)
assert number > 10 and "url(fonts" not in style, "the style sheet of KaTeX names its fonts in another way"
pathlib.Path(sys.argv[2]).write_text(style)
PYTHON
rm -rf "$scratch"
