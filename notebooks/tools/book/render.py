"""Turns pieces of text into HTML with nbconvert's own filters.

Reads a JSON list of [kind, text] from standard input, kind "markdown" or "go", and writes the list of their HTML to
standard output; the last element is the style sheet of the highlighted code.
"""

import json
import sys

from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown import markdown2html
from pygments.formatters import HtmlFormatter

highlight = Highlight2HTML(pygments_lexer="go")
render = {"markdown": markdown2html, "go": highlight}
pages = [str(render[kind](text)) for kind, text in json.load(sys.stdin)]
pages.append(HtmlFormatter().get_style_defs(".highlight"))
json.dump(pages, sys.stdout)
