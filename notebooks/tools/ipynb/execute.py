"""Executes one notebook, or exports one to HTML, and reports in lines of JSON on standard output.

    execute.py run SOURCE TARGET KERNEL SECONDS    executes SOURCE in its own folder, writes the executed copy to TARGET
    execute.py html SOURCE TARGET                  writes SOURCE as an HTML page

Events of run: {"event": "start", "cells": n}, then for each code cell {"event": "cell", "index": i, "seconds": s,
"error": text or absent}, and {"event": "failure", "error": text} when the kernel itself fails or time is up.
The copy is written in every case, with whatever outputs there are. The exit status is 0 unless the notebook cannot
be read or written.
"""

import json
import os
import re
import signal
import sys
import time

import nbformat


def report(**event):
    print(json.dumps(event), flush=True)


def run(source, target, kernel, seconds):
    notebook = nbformat.read(source, as_version=4)
    code = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and cell.source.strip()]
    report(event="start", cells=len(code))
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    try:
        execute(notebook, code, source, kernel, time.monotonic() + seconds)
    except Exception as failure:  # whatever goes wrong around the cells is a result to report, not a stack trace
        report(event="failure", error=f"{type(failure).__name__}: {failure}")
    finally:
        nbformat.write(notebook, target)


def execute(notebook, code, source, kernel, deadline):
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    client = NotebookClient(
        notebook,
        kernel_name=kernel,
        timeout_func=lambda cell: max(1, int(deadline - time.monotonic())),
        startup_timeout=120,
        record_timing=False,
        resources={"metadata": {"path": os.path.dirname(os.path.abspath(source))}},
    )
    with client.setup_kernel():
        for index in code:
            begin = time.monotonic()
            try:
                client.execute_cell(notebook.cells[index], index)
            except CellExecutionError as failure:
                report(event="cell", index=index, seconds=time.monotonic() - begin, error=str(failure))
                return
            report(event="cell", index=index, seconds=time.monotonic() - begin)


# Formulas are set by MathJax, from the machine that exports or from the network: a reader without either is told so.
NOTE = """<p id="formulas" style="padding: 1em" hidden>MathJax could not be loaded, so the formulas on this page are shown as
TeX. Pages that need no network and nothing installed: <code>make book</code>, build/book/index.html.</p>
<script>addEventListener("load", () => { document.getElementById("formulas").hidden = Boolean(window.MathJax); });</script>"""


def html(source, target):
    from nbconvert import HTMLExporter

    page, _ = HTMLExporter().from_filename(source)
    page = re.sub(r"<body[^>]*>", lambda body: body[0] + NOTE, page, count=1)
    with open(target, "w", encoding="utf-8") as file:
        file.write(page)


def main(arguments):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the kernel is shut down, too
    if arguments[0] == "run":
        run(arguments[1], arguments[2], arguments[3], float(arguments[4]))
    else:
        html(arguments[1], arguments[2])


main(sys.argv[1:])
