"""Makes the book: every notebook with the outputs that are saved in it, as one static site that needs no network.

    book.py -scripts FOLDER [-live FOLDER] [-browser COMMAND] [-root .] [-output build/book]

nbconvert's filters turn Markdown and Go into HTML, assets/page.html is the Jinja template of a page, and FOLDER holds
Vega, Vega-Lite and KaTeX, as .ci/book.sh scripts prints it. The folder of -live holds the library for the panels of
panels.py, as .ci/book.sh live makes it; without it the book has no panels and no playground. It ends with an error when a notebook holds a failed cell
or a link leads nowhere.
"""

import argparse
import base64
import html
import html.parser
import json
import pathlib
import posixpath
import re
import shutil
import struct
import sys

import jinja2
import nbformat
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown import markdown2html
from nbconvert.filters.ansi import strip_ansi
from pygments.formatters import HtmlFormatter

import pdf
from course import parts, read_course
from panels import PANELS, PLAYGROUND, SHARED

HERE = pathlib.Path(__file__).parent
# The Markdown files that become pages, and the names of their pages.
DOCUMENTS = {"notebooks/GLOSSARY.md": "glossary", "sparsero/MIGRATION.md": "migration"}
VEGA_LITE = "application/vnd.vegalite."
# How much finer the pictures in the notebooks are than a screen of the usual kind.
FINER = 2
DECLARED = re.compile(r"^(?:func (?:\([^)]*\) )?|type )(\w+)", re.M)
SCRIPT = re.compile(r"<script[^>]*>.*?</script>", re.S)
# A link to a file of the repository: no protocol, no anchor alone.
LINK = re.compile(r'href="([^":#]+?)(#[^"]*)?"')
# A link or source relative to its page.
RELATIVE = re.compile(r'\b(href|src)="(?![a-z]+:|#)')
NAMED = re.compile(r'">(\d\d_\w+)</a>')
QUESTION = re.compile(r"^\| (\d\d) \| ([^|]+) \| ([^|]+) \| [^|]+ \|$", re.M)
SECTION = re.compile(r"^## (?:(\w+)\.)?", re.M)
SOLUTIONS = re.compile(r'<a [^>]*href="(?:[^"#]*/)?([^"#/]*_solutions\.html)[^"]*"[^>]*>(.*?)</a>')

highlight = Highlight2HTML(pygments_lexer="go")


class Site:
    """The book under construction."""

    def __init__(self, root, output, live=None):
        self.root, self.output, self.live = root, output, live
        self.pages, self.blocks, self.titles = {}, {}, {}  # by the path of a page
        self.documents = list(DOCUMENTS.values())
        self.course = read_course(root / "notebooks")
        for lesson in self.course:
            lesson.illustrated = (root / "notebooks" / "thumbnails" / (lesson.name + ".png")).exists()
        environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
        self.template = environment.from_string((HERE / "assets" / "page.html").read_text())
        self.slides = environment.from_string((HERE / "assets" / "slides.html").read_text())
        self.figure = environment.from_string((HERE / "assets" / "figure.html").read_text())
        self.shown_as = {lesson.name: html.escape(lesson.short()) for lesson in self.course}
        # The questions of TEACHING: number of a tutorial, title of a figure, question.
        plan = root / "notebooks" / "TEACHING.md"
        self.questions = QUESTION.findall(plan.read_text()) if plan.exists() else []
        self.solved = {lesson.solutions.stem + ".html" for lesson in self.course if lesson.solutions}

    def build(self, scripts):
        for folder in ("solutions", "figures", "slides"):
            (self.output / folder).mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self.output / "scripts", ignore_errors=True)
        shutil.copytree(scripts, self.output / "scripts")
        for name in ("book.js", "slides.js", "slides.css"):
            shutil.copy(HERE / "assets" / name, self.output)
        style = "".join((HERE / "assets" / name).read_text() for name in ("book.css", "live/live.css")) + HtmlFormatter().get_style_defs(".highlight")
        (self.output / "book.css").write_text(style)
        if self.live:
            self.add_library()
        contents = (self.root / "notebooks" / "README.md").read_text()
        begin = re.search(r"^## Where to begin$(.*?)^## ", contents, re.M | re.S)
        shutil.copy(self.root / "notebooks" / "thumbnails" / "front.png", self.output / "figures")
        self.write("index.html", title="Which directions matter?", paths=self.prose(begin[1]) if begin else "")
        for lesson in self.course:
            if lesson.illustrated:
                shutil.copy(self.root / "notebooks" / "thumbnails" / (lesson.name + ".png"), self.output / "figures")
            blocks = self.cells(lesson.name, "", lesson.notebook)
            self.write(lesson.name + ".html", title=lesson.title, lesson=lesson, blocks=self.with_panels(lesson.name, blocks))
            self.write_slides(lesson, blocks)
            if lesson.solutions:
                blocks = self.cells(lesson.solutions.stem, "../", nbformat.read(lesson.solutions, 4))
                self.write(f"solutions/{lesson.solutions.stem}.html", title="Solutions: " + lesson.title, home=lesson, blocks=blocks)
        for path, name in DOCUMENTS.items():
            text = (self.root / path).read_text()
            self.write(name + ".html", title=text.partition("\n")[0].removeprefix("# "), blocks=[{"prose": self.prose(text)}])

    def add_library(self):
        """The library, the scripts of the panels, and the page that is a panel alone."""
        shutil.rmtree(self.output / "live", ignore_errors=True)
        shutil.copytree(self.live, self.output / "live")
        for script in (HERE / "assets" / "live").glob("*.js"):
            shutil.copy(script, self.output / "live")
        about = (HERE / "assets" / "playground.md").read_text()
        self.write("playground.html", title="The playground", blocks=[{"prose": self.prose(about)}, panel(*PLAYGROUND)])

    def with_panels(self, name, blocks):
        """The blocks of a page with each panel at the end of its section."""
        wanted = {number: panel(*what) for (page, number), what in PANELS.items() if page == name} if self.live else {}
        placed, section = [], None
        for block in [*blocks, {"prose": "", "sections": ["end"]}]:
            for following in block.get("sections", ()):
                if section in wanted:
                    placed.append(wanted.pop(section))
                section = following
            placed.append(block)
        if wanted:
            sys.exit(f"book: {name} has no section {', '.join(wanted)} for the panel that panels.py puts there")
        return placed[:-1]

    def write(self, path, title, lesson=None, home=None, paths="", blocks=()):
        base = "../" * path.count("/")
        self.blocks[path], self.titles[path] = blocks, title
        kinds = {block["kind"] for block in blocks if "kind" in block}
        self.pages[path] = self.template.render(title=title, lesson=lesson, home=home, paths=paths, blocks=blocks, base=base,
                                                parts=list(parts(self.course)), live=self.live, private=path == "playground.html", panels=SHARED + sorted(kinds) if kinds else [])
        (self.output / path).write_text(self.pages[path])

    def write_slides(self, lesson, blocks):
        """The slides of a notebook, from the blocks of its page; slides.js chooses what they show."""
        path = f"slides/{lesson.name}.html"
        asked = json.dumps([row[1:] for row in self.questions if row[0] == lesson.number], ensure_ascii=False).replace("<", "\\u003c")
        text = self.slides.render(title=lesson.title, lesson=lesson, blocks=[moved(block) for block in blocks], base="../", questions=asked)
        self.pages[path] = text
        (self.output / path).write_text(text)

    def cells(self, name, base, notebook):
        """The cells of a notebook as blocks of a page; its pictures become files beside the pages."""
        blocks, figures = [], 0
        for cell in notebook.cells:
            if not cell.source.strip():
                continue
            if cell.cell_type == "markdown":
                blocks.append({"prose": self.prose(cell.source), "sections": SECTION.findall(cell.source)})
                continue
            outputs = []
            for output in cell.get("outputs", ()):
                if output.output_type == "error":
                    sys.exit(f"book: a cell of {name} failed: {output.evalue}")
                figures += "image/png" in output.get("data", {})
                outputs.append(self.shown(output, base, f"figures/{name}-{figures}.png"))
            blocks.append({"code": highlight(cell.source), "folded": summary(cell), "outputs": list(filter(None, outputs))})
        return blocks

    def prose(self, source):
        """Markdown as HTML, with links that lead to pages."""
        text = LINK.sub(lambda link: f'href="{page_of(link[1])}{link[2] or ""}"', str(markdown2html(source)))
        # A link that shows the name of a notebook shows its title.
        text = NAMED.sub(lambda link: f'">{self.shown_as.get(link[1], link[1])}</a>', text)
        text = re.sub(r"(?<=\d) %(?!\w)", "\N{NO-BREAK SPACE}%", text)
        # Of a link to solutions that are not in the book its words stay: a teacher may have taken them away.
        return SOLUTIONS.sub(lambda link: link[0] if link[1] in self.solved else link[2], text)

    def shown(self, output, base, picture):
        """An output of a cell as HTML; its picture is written to a file of the site."""
        data = output.get("data", {})
        if "image/png" in data:
            content = base64.b64decode(data["image/png"])
            (self.output / picture).write_bytes(content)
            width, height = struct.unpack(">II", content[16:24])
            chart = next((value for kind, value in data.items() if kind.startswith(VEGA_LITE) and isinstance(value, dict)), None)
            # No text in a specification may end its script.
            chart = json.dumps(chart, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026") if chart else ""
            return self.figure.render(source=base + picture, width=width // FINER, height=height // FINER, alt=data.get("text/plain", "").strip(), chart=chart)
        if "text/html" in data:
            # Tables sort themselves, but the widgets of a kernel would look for one.
            kept = SCRIPT.sub(lambda script: "" if "WebSocket" in script[0] else script[0], data["text/html"])
            return f'<div class="html">{kept}</div>' if kept.strip() else ""
        said = strip_ansi(output.get("text", "") or data.get("text/plain", "")).rstrip("\n")
        return f"<pre>{html.escape(said, quote=False)}</pre>" if said.strip() else ""


def summary(cell):
    """The words that stand for a cell which JupyterLab opens folded; nothing for one that it shows."""
    if not cell.metadata.get("jupyter", {}).get("source_hidden"):
        return ""
    declared = ", ".join(DECLARED.findall(cell.source))
    return "imports" if cell.source.startswith("import") else f"code: {declared}" if declared else "code of the picture"


def moved(block):
    """The block of a page for a page that lies one folder deeper."""
    def deeper(text):
        return RELATIVE.sub(r'\1="../', text)
    return {**block, "prose": deeper(block.get("prose", "")), "outputs": [deeper(output) for output in block.get("outputs", ())]}


def panel(kind, title, text, settings):
    """A panel as a block of a page."""
    return {"kind": kind, "title": title, "text": text, "settings": json.dumps(settings, ensure_ascii=True).replace("<", "\\u003c")}


def page_of(target):
    """The page of a notebook or document of the repository."""
    target = re.sub(r"^(?:\.\./)+notebooks/", "", target)  # from a document elsewhere: its page is beside those of notebooks
    name = target.rpartition("/")[2]
    for path, page in DOCUMENTS.items():
        if path.endswith("/" + name):
            return page + ".html"
    if name == "README.md":
        return target.removesuffix(name) + "index.html"
    return re.sub(r"^\.\./notebooks/|\.ipynb$", lambda found: "" if found[0].endswith("/") else ".html", target)


class References(html.parser.HTMLParser):
    """The anchors of a page, and what it refers to."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.targets.append((name, value or ""))


def broken_links(site):
    """Links and sources that lead nowhere, and what a page would load from elsewhere; other sites are not followed."""
    read = {path: References(text) for path, text in site.pages.items()}
    for path, page in read.items():
        for kind, reference in page.targets:
            target, _, fragment = reference.partition("#")
            if target.startswith("data:") or "://" in target and kind == "href":
                continue
            place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            if not (site.output / place).exists() or fragment and place in read and fragment not in read[place].anchors:
                yield f"{path}: {reference}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-scripts", required=True, type=pathlib.Path, help="folder with Vega, Vega-Lite and KaTeX")
    parser.add_argument("-live", type=pathlib.Path, help="folder with the library for panels")
    parser.add_argument("-root", default=HERE.parents[2], type=pathlib.Path, help="folder of the repository")
    parser.add_argument("-output", default="build/book", type=pathlib.Path, help="folder of the site")
    parser.add_argument("-browser", help="command of Chromium, which then prints the book as well")
    arguments = parser.parse_args()
    site = Site(arguments.root, arguments.output, arguments.live)
    site.build(arguments.scripts)
    broken = list(broken_links(site))
    if broken:
        sys.exit(f"book: {len(broken)} links lead nowhere:\n  " + "\n  ".join(broken))
    print(f"{len(site.pages)} pages; open {arguments.output / 'index.html'}")
    if arguments.browser:
        paper, count = pdf.make(site, arguments.browser)
        print(f"{count} pages on paper; open {paper}")


if __name__ == "__main__":
    main()
