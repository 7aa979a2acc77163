"""The book as one PDF: a title page, contents with page numbers, all tutorials, their solutions, and the glossary.

book.py -browser COMMAND calls it. Chromium prints one page that holds the whole book, twice: before the first time nobody
knows on which page a chapter begins.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jinja2

HERE = pathlib.Path(__file__).parent
NAMES = re.compile(r'\bid="([^"]+)"')
TARGETS = re.compile(r'\bhref="(?:(?:\.\./)*(?:solutions/)?([\w.-]+)\.html)?(?:#([^"]*))?"')
CHART = re.compile(r'<div class="chart"></div>\s*<script type="application/json">.*?</script>', re.S)
OPEN_EXERCISE = "<pre>=== RUN"
# What Chromium may take for one printing.
PATIENCE = 3600


class Chapter:
    """A tutorial, its solutions or a document, as it stands in the printed book."""

    def __init__(self, name, title, blocks, number=""):
        self.name, self.title, self.number, self.page = name, title, number, "000"
        self.blocks = [self.printed(block) for block in blocks if "kind" not in block]

    def printed(self, block):
        outputs = [self.text(output) for output in block.get("outputs", ()) if not output.startswith(OPEN_EXERCISE)]
        return {**block, "prose": self.text(block.get("prose", "")), "outputs": outputs}

    def text(self, html):
        """HTML of a page with names that are its own in the whole book, links inside the book, and pictures that stand still."""
        html = NAMES.sub(lambda found: f'id="{self.name}--{found[1]}"', CHART.sub("", html).replace("figure interactive", "figure"))
        return TARGETS.sub(self.link, html).replace('src="../', 'src="')

    def link(self, found):
        page, anchor = found[1] or self.name, found[2]
        if page == "index":
            return 'href="#contents"'
        return f'href="#{page}--{anchor}"' if anchor else f'href="#{page}"'


def chapters(site):
    """The chapters of the site in reading order, solutions after all tutorials."""
    tutorials = [Chapter(lesson.name, lesson.title, site.blocks[lesson.name + ".html"], lesson.number) for lesson in site.course]
    solutions = [Chapter(lesson.solutions.stem, "Solutions: " + lesson.title, site.blocks[f"solutions/{lesson.solutions.stem}.html"])
                 for lesson in site.course if lesson.solutions]
    documents = [Chapter(name, site.titles[name + ".html"], site.blocks[name + ".html"]) for name in site.documents]
    return tutorials + solutions + documents


def print_page(browser, page, pdf):
    """Lets Chromium print a page, with an outline of its headings."""
    rights = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        done = subprocess.run([browser, "--headless", *rights, "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
                               "--host-resolver-rules=MAP * ~NOTFOUND", "--no-pdf-header-footer", "--generate-pdf-document-outline",
                               "--virtual-time-budget=60000", f"--print-to-pdf={pdf}", page.resolve().as_uri()],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
    if done.returncode or not pdf.exists():
        sys.exit(f"pdf: {browser} did not print {page}:\n{done.stderr}")


def pages_of(pdf, names):
    """The number of pages of a PDF of Chromium, and the page on which each name stands."""
    content = pdf.read_bytes().decode("latin-1")
    objects = dict(re.findall(r"\n(\d+) 0 obj\n(.*?)\nendobj", content, re.S))
    order = leaves(objects, root_of(objects))
    place = {number: position for position, number in enumerate(order, 1)}
    found = {}
    for name in names:
        target = re.search(r"/" + re.escape(name) + r"\s*\[(\d+) 0 R", content) or re.search(r"\(" + re.escape(name) + r"\)\s*\[(\d+) 0 R", content)
        if not target:
            sys.exit(f"pdf: {pdf} does not say on which page {name} stands")
        found[name] = place[target[1]]
    return len(order), found


def root_of(objects):
    catalog = next(text for text in objects.values() if re.search(r"/Type\s*/Catalog", text))
    return re.search(r"/Pages (\d+) 0 R", catalog)[1]


def leaves(objects, number):
    """The pages below a node of the tree of pages, in order."""
    kids = re.search(r"/Kids\s*\[(.*?)\]", objects[number], re.S)
    if not kids:
        return [number]
    return [leaf for kid in re.findall(r"(\d+) 0 R", kids[1]) for leaf in leaves(objects, kid)]


def make(site, browser):
    """Prints the book into book.pdf of the site; the second printing has the page numbers of the first."""
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string((HERE / "assets" / "print.html").read_text())
    (site.output / "print.css").write_text((HERE / "assets" / "print.css").read_text())
    page, pdf, parts = site.output / "print.html", site.output / "book.pdf", chapters(site)
    count = 0
    for _ in range(2):
        page.write_text(template.render(chapters=parts))
        print_page(browser, page, pdf)
        count, found = pages_of(pdf, [part.name for part in parts])
        moved = [part.name for part in parts if part.page != found[part.name]]
        for part in parts:
            part.page = found[part.name]
    if moved:
        sys.exit(f"pdf: the pages of {', '.join(moved)} moved between two printings; the contents would be wrong")
    page.unlink()
    return pdf, count
