#!/usr/bin/python3
"""Part of install-packages.sh: changes files of the installed packages. What a change looks for must be there, in one file and as often
as it says: a package that has become another one fails the build, and loses no change in silence."""

import re
import sys
from pathlib import Path

PAGE = "usr/share/jupyter/lab/static/"
# Why, in which file, what, by what, and how often at least.
EDITS = [
    (
        "JupyterLab 4.0 asks for headings of a notebook that it has not listed yet: an error on the browser's console",
        PAGE + "packages_notebook_lib_index_js.*.js", r"(\.getCellHeadings\(\w\))\.forEach\(", r"\1.filter(Boolean).forEach(", 1,
    ),
    (
        "a click on a button of a notebook that nobody trusts ran commands of JupyterLab: the attributes that name one are not let through",
        PAGE + "packages_apputils_lib_index_js.*.js", r'"data-commandlinker-args","data-commandlinker-command",', "", 1,
    ),
    (
        "exporters that need pandoc, LaTeX, a browser, the network or another language are taken out of the menu",
        "usr/lib/python3/dist-packages/nbconvert-*/entry_points.txt",
        r"(?m)^(asciidoc|custom|latex|pdf|python|qtpdf|qtpng|rst|slides|webpdf) *=.*\n", "", 10,
    ),
]


def edit(root, why, pattern, search, replacement, least):
    """Changes the one file that fits the pattern; exits where it is not there, or holds too little of what is looked for."""
    files = list(root.glob(pattern))
    if len(files) != 1:
        sys.exit(f"error: {len(files)} files are called {pattern}, and one was expected ({why})")
    text, number = re.subn(search, replacement, files[0].read_text())
    if number < least:
        sys.exit(f"error: {files[0]} holds {search} {number} times, and at least {least} were expected ({why})")
    files[0].write_text(text)


root = Path(sys.argv[1] if len(sys.argv) > 1 else "/")
for change in EDITS:
    edit(root, *change)
