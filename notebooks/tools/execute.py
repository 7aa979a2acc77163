"""Executes notebooks with the GoNB kernel through nbclient and exports those named through nbconvert. make notebooks calls it.

    execute.py [-root notebooks] [-output build/notebooks] [-limit 10m] [-save] [-jobs 2] [-summary FILE] [NOTEBOOK ...]

A notebook is named by its path, or by its name below the root, with or without extension; none named means all. Each
runs in its own folder. The cleaned copy and the kernel's log go to the output folder, and the HTML page of a notebook
that was named (make book makes those of all); -save writes the outputs back where all cells succeeded. The exit status
is 1 when a notebook failed and 2 when the request makes no sense.
"""

import argparse
import base64
import html
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time

import nbformat

KERNEL = "gonb"
VEGA_LITE = "application/vnd.vegalite."
# The start of a specification that the kernel had to send as a string: its pipe carries flat data only.
PACKED = "data:application/json;base64,"
# What a notebook gets to end its kernel after its time is up, in seconds.
SHUTDOWN = 30


def find(root):
    """The notebooks below a folder, without Jupyter's own copies and those that only tests execute."""
    return sorted(p for p in pathlib.Path(root).rglob("*.ipynb") if not {".ipynb_checkpoints", "testdata"} & set(p.relative_to(root).parts))


def name_of(root, path):
    """The path relative to the root without extension; elsewhere the base name."""
    full, base = pathlib.Path(path).resolve().with_suffix(""), pathlib.Path(root).resolve()
    return full.relative_to(base).as_posix() if full.is_relative_to(base) else full.name


def select(root, names):
    """The paths of the notebooks that the user named, of all if none is named."""
    found = find(root)
    if not names:
        return found
    chosen = []
    for name in names:
        paths = [p for p in (pathlib.Path(name), pathlib.Path(name + ".ipynb")) if p.is_file()]
        wanted = name.removesuffix(".ipynb")
        paths += [p for p in found if wanted in (name_of(root, p), p.stem)]
        if not paths:
            known = ", ".join(name_of(root, p) for p in found)
            raise LookupError(f"there is no notebook {name!r} below {root} and no such file; there are: {known}")
        chosen.append(paths[0])
    return chosen


def code_cells(notebook):
    """The cells that are executed; reports count them from 1, as JupyterLab numbers a notebook that ran from the top."""
    return [c for c in notebook.cells if c.cell_type == "code" and c.source.strip()]


def without_completion(client, tools):
    """Lets GoNB find a gopls that ends at once. The real one completes code, which nobody asks for here, and reads all
    packages before, which takes longer than a cell."""
    pathlib.Path(tools, "gopls").symlink_to(shutil.which("true"))
    environment = client.create_kernel_manager().kernel_spec.env
    environment["PATH"] = tools + os.pathsep + environment.get("PATH", "${PATH}")
    return client


def execute(notebook, folder, limit, tell):
    """Runs the cells until one fails or time is up."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    deadline, cells = time.monotonic() + limit, code_cells(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    client = NotebookClient(notebook, kernel_name=KERNEL, timeout_func=lambda cell: max(1, int(deadline - time.monotonic())),
                            startup_timeout=120, record_timing=False, resources={"metadata": {"path": str(folder)}})
    with tempfile.TemporaryDirectory() as tools, without_completion(client, tools).setup_kernel():
        for number, cell in enumerate(cells, start=1):
            begin, status = time.monotonic(), "ok"
            try:
                client.execute_cell(cell, notebook.cells.index(cell))
            except CellExecutionError:
                status = "ERROR"
            tell(f"    cell {number:2} of {len(cells)}  {time.monotonic() - begin:7.2f} s  {status}")
            if status != "ok":
                return


def clean(notebook):
    """Brings an executed notebook into the form that is kept: specifications are JSON objects, pieces of one stream are
    joined, and what differs from run to run without saying anything is gone. Twice changes nothing more."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        joined = []
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:  # what a screen reader says in JupyterLab and in an export
                output.metadata["image/png"] = {"alt": data.get("text/plain", "a figure").strip()}
            for kind, value in data.items():
                if kind.startswith(VEGA_LITE) and isinstance(value, str) and value.startswith(PACKED):
                    data[kind] = json.loads(base64.b64decode(value.removeprefix(PACKED)))
            last = joined[-1] if joined else {}
            if output.output_type == "stream" and last.get("output_type") == "stream" and last["name"] == output.name:
                last["text"] += output.text  # where a kernel cuts its output depends on timing
            else:
                joined.append(output)
        if cell.cell_type == "code":
            cell.outputs = joined
    notebook.metadata["kernelspec"] = {"display_name": "Go (gonb)", "language": "go", "name": KERNEL}
    notebook.metadata["language_info"] = {"file_extension": ".go", "mimetype": "text/x-go", "name": "go"}


def text_of(notebook):
    """The notebook in Jupyter's own form, but each specification on one line: indented, a chart takes a line per number."""
    held = {}
    copy = nbformat.from_dict(notebook)
    for cell in copy.cells:
        for output in cell.get("outputs", []):
            for kind, value in output.get("data", {}).items():
                if kind.startswith(VEGA_LITE) and isinstance(value, dict):
                    place = f"specification {len(held)} is held back"
                    compact = json.dumps(value, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
                    held[place] = re.sub("[<>&\u2028\u2029]", lambda sign: f"\\u{ord(sign[0]):04x}", compact)
                    output["data"][kind] = place
    text = nbformat.writes(copy)
    for place, compact in held.items():
        text = text.replace(f'+json": "{place}"', f'+json": {compact}', 1)
    return text if text.endswith("\n") else text + "\n"


def first_line(source):
    """The first line that tells a cell from others: not blank, and not GoNB's %%."""
    line = next((line.strip() for line in source.split("\n") if line.strip() not in ("", "%%")), source.strip())
    return line if len(line) <= 60 else line[:60] + "…"


def failures(notebook):
    """What went wrong: cells with an error, and cells that were not executed."""
    found, pending = [], []
    for number, cell in enumerate(code_cells(notebook), start=1):
        errors = [o.evalue for o in cell.outputs if o.output_type == "error"]
        if errors:
            found.append(f"cell {number} failed: {errors[0]}; it begins with: {first_line(cell.source)}")
        elif cell.execution_count is None:
            pending.append(str(number))
    return found + (["not executed: cell " + ", ".join(pending)] if pending else [])


def said(cell):
    """What the outputs of a cell say to a reader without a browser."""
    for output in cell.outputs:
        data = output.get("data", {})
        if output.output_type == "stream":
            yield output.text
        elif output.output_type == "error":
            yield output.evalue
        elif "text/plain" in data:
            yield data["text/plain"]
        elif "text/html" in data:
            plain = html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"(?s)<style>.*?</style>", "", data["text/html"])))
            yield re.sub(r"\n\s*\n+", "\n", plain)


def indent(text):
    return "    | " + text.strip().replace("\n", "\n    | ")


# Formulas are set by MathJax, from the machine that exports or from the network: a reader without either is told so.
NOTE = """<p id="formulas" style="padding: 1em" hidden>MathJax could not be loaded, so the formulas on this page are shown as
TeX. Pages that need no network and nothing installed: <code>make book</code>, build/book/index.html.</p>
<script>addEventListener("load", () => { document.getElementById("formulas").hidden = Boolean(window.MathJax); });</script>"""


def page_of(notebook):
    from nbconvert import HTMLExporter

    page, _ = HTMLExporter().from_notebook_node(notebook)
    return re.sub(r"<body[^>]*>", lambda body: body[0] + NOTE, page, count=1)


def run(job):
    """Executes one notebook in a process of its own and returns what became of it."""
    options, path = job
    name, begin = name_of(options.root, path), time.time()
    label = name if options.jobs > 1 else ""

    def tell(text):
        sys.stdout.write("".join(f"{label}{line}\n" for line in text.split("\n")))
        sys.stdout.flush()

    def stop(*_):
        sys.exit(1)  # so that the kernel is shut down, too

    def late(*_):
        raise TimeoutError(f"the notebook did not end within {options.limit + SHUTDOWN:.0f} s")

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGALRM, late)
    signal.alarm(int(options.limit) + SHUTDOWN)
    sys.stdout.write(f"==> {name}\n")
    copy = pathlib.Path(options.output, name + ".ipynb")
    problems, cells = [], []
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.unlink(missing_ok=True)
        with open(copy.with_suffix(".log"), "w", encoding="utf-8") as log:
            os.dup2(log.fileno(), 2)  # the kernel writes there
        notebook = nbformat.read(path, as_version=4)
        cells = code_cells(notebook)
        try:
            execute(notebook, path.resolve().parent, options.limit, tell)
        except Exception as failure:  # whatever goes wrong around the cells is a result to report
            problems.append(f"{type(failure).__name__}: {failure}")
        clean(notebook)
        copy.write_text(text_of(notebook), encoding="utf-8")
        for number, cell in enumerate(cells, start=1):
            if any(o.output_type == "error" for o in cell.outputs):
                tell(f"    --- cell {number} ---\n{indent(cell.source)}\n    --- its output ---\n{indent(chr(10).join(said(cell)))}")
        problems += failures(notebook)
        if options.notebooks:  # to make a page takes longer than a cell
            copy.with_suffix(".html").write_text(page_of(notebook), encoding="utf-8")
        if options.save and not problems:
            path.write_text(text_of(notebook), encoding="utf-8")
    except Exception as failure:
        problems.append(f"{type(failure).__name__}: {failure}")
    signal.alarm(0)
    for problem in problems:
        tell(f"    FAILED {problem}")
    executed = sum(c.execution_count is not None and not any(o.output_type == "error" for o in c.outputs) for c in cells)
    return {"name": name, "cells": f"{executed}/{len(cells)}", "begin": begin, "end": time.time(), "ok": not problems}


def table(results):
    """A line per notebook, and the time of all tutorials and of all solutions, from the first start to the last end."""
    width = max(len(r["name"]) for r in results)
    lines = [f"{'notebook':<{width}}    cells  seconds  status"]
    for r in results:
        lines.append(f"{r['name']:<{width}}  {r['cells']:>7}  {r['end'] - r['begin']:7.1f}  {'ok' if r['ok'] else 'FAILED'}")
    lines.append("")
    for kind, some in (("tutorials", [r for r in results if not r["name"].endswith("_solutions")]),
                       ("solutions", [r for r in results if r["name"].endswith("_solutions")])):
        if some:
            lines.append(f"{kind}: {len(some)} in {max(r['end'] for r in some) - min(r['begin'] for r in some):.0f} s")
    return "\n".join(lines)


def seconds(text):
    """A time such as 90s, 20m or 1h in seconds."""
    return float(text.rstrip("smh")) * {"m": 60, "h": 3600}.get(text[-1:], 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-root", default="notebooks", help="folder of the notebooks")
    parser.add_argument("-output", default="build/notebooks", help="folder for executed copies, logs, and pages of named notebooks")
    parser.add_argument("-limit", type=seconds, default=600, help="longest time for one notebook: 90s, 20m, 1h")
    parser.add_argument("-save", action="store_true", help="write the outputs back into the notebooks")
    parser.add_argument("-jobs", type=int, default=0, help="notebooks at a time; 0: one per processor, up to four, but one with -save, whose outputs show times")
    parser.add_argument("-summary", help="file to append the counts to: name, passed, failed, skipped, separated by tabs")
    parser.add_argument("notebooks", nargs="*")
    options = parser.parse_args()
    try:
        paths = select(options.root, options.notebooks)
    except LookupError as unknown:
        parser.error(str(unknown.args[0]))
    if not paths:
        parser.error(f"there is no notebook below {options.root}")
    if options.jobs < 1:
        options.jobs = 1 if options.save else min(os.cpu_count() or 1, 4)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Processes of their own, never forked from this one: its threads may hold locks that a fork would inherit for ever.
    fresh = multiprocessing.get_context("spawn")
    with fresh.Pool(options.jobs) as pool:  # leaving it ends the workers, and they their kernels
        results = pool.map(run, [(options, path) for path in paths], chunksize=1)
    failed = sum(not r["ok"] for r in results)
    print(f"\n{table(results)}\n\n{len(results) - failed} of {len(results)} notebooks ok; copies are in {options.output}")
    if options.summary:
        with open(options.summary, "a", encoding="utf-8") as file:
            file.write(f"notebooks\t{len(results) - failed}\t{failed}\t0\n")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
