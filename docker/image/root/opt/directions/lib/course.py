"""The page that the printed link opens: README.md of the work folder, with the state of every exercise.

Usage: course.py FROM TO

FROM holds the tutorials of the image, TO is the work folder. The page is that of FROM with a column that says, for each
tutorial, which exercises are done: the last saved run of an exercise's test passed.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path

SOURCE, WORK = Path("/opt/directions/tutorials"), Path("/work")
PAGE = "README.md"
HEAD = """# The course

<!-- Written anew at each start and each save of a notebook; changes made here do not last. -->

Open a notebook by its title and run its cells with Shift+Enter. ☑ is an exercise whose test passed when its notebook was
last saved, ☒ one whose test failed, ☐ one that is open. **{done} of {all} exercises are done.**
Symbols and terms: [GLOSSARY](GLOSSARY.md).

"""
ROW = re.compile(r"^(\| !\[[^|]*\| \[[^|]*\]\((\w+)\.ipynb\)[^|]*\|)(.*)$")
LINK = re.compile(r"\]\((\w+)\.ipynb\)(?= →|$)", re.M)
SOLUTIONS = re.compile(r" \(\[solutions\]\(([^)]*)\)\)")
RESULT = re.compile(r"^--- (PASS|FAIL|SKIP): ", re.M)
MARKS = {"PASS": "☑", "FAIL": "☒"}
known = {}  # path: its date and size, and the states of its exercises


def exercises(path):
    """The states of a notebook's exercises, PASS, FAIL or SKIP, by the saved outputs of its tests."""
    try:
        status = path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        if known.get(path, (None,))[0] != stamp:
            known[path] = stamp, [state(cell) for cell in json.loads(path.read_text())["cells"] if is_test(cell)]
        return known[path][1]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []  # no notebook, or one that is being written


def is_test(cell):
    return cell["cell_type"] == "code" and "".join(cell["source"]).startswith("%test")


def state(cell):
    """PASS if all tests of a cell passed, FAIL if one failed, SKIP otherwise."""
    printed = "".join("".join(output.get("text", "")) for output in cell["outputs"])
    results = set(RESULT.findall(printed))
    return "FAIL" if "FAIL" in results else "SKIP" if "SKIP" in results or not results else "PASS"


def page(source, work):
    """The text of the page."""
    states = {path.stem: exercises(work / path.name) for path in source.glob("*.ipynb")}
    everything = [state for several in states.values() for state in several]
    lines = []
    body = (source / PAGE).read_text()
    for line in body[body.index("## Where to begin"):].splitlines():
        if row := ROW.match(line):
            marks = "".join(MARKS.get(state, "☐") for state in states.get(row[2], ()))
            title = SOLUTIONS.sub(lambda link: link[0] if (work / link[1]).exists() else "", row[1])  # a teacher may hide them
            line = f"{title} {marks} |{row[3]}"
        elif line.startswith("| | notebook |"):
            line = line.replace("| | notebook |", "| | notebook | exercises |")
        elif line.startswith("|---|---|"):
            line = "|---" + line
        elif " → " in line:
            line = LINK.sub(lambda link: link[0] + (" ☑" if set(states.get(link[1], ())) == {"PASS"} else ""), line)
        lines.append(re.sub(r", computed by `make [^`]*`", "", line))
    return HEAD.format(done=everything.count("PASS"), all=len(everything)) + "\n".join(lines) + "\n"


def write(source=SOURCE, work=WORK):
    """Writes the page, whole or not at all, if it has changed."""
    target, text = work / PAGE, page(source, work)
    if target.is_file() and target.read_text(errors="replace") == text:
        return
    handle, scratch = tempfile.mkstemp(dir=work, prefix=".course.")
    with os.fdopen(handle, "w") as file:
        file.write(text)
    os.chmod(scratch, 0o664)
    os.replace(scratch, target)


def after_save(model, contents_manager, **_):
    """What Jupyter's server calls after each save; a page that cannot be written must not spoil it."""
    if model["type"] == "notebook":
        try:
            write()
        except OSError as error:
            contents_manager.log.warning("the page of the course was not written: %s", error)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
