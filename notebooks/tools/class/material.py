"""Writes what a class needs from the notebooks. make class OUT=folder calls it.

    material.py FOLDER    makes FOLDER/student, FOLDER/instructor and FOLDER/nbgrader

FOLDER must be new or hold such folders only, which are replaced. README.md beside this file describes all three.
"""

import pathlib
import re
import shutil
import sys

import exercises as kit
import nbgrader_tree
import student

FOLDERS = ("student", "instructor", "nbgrader")


def answer_sheet(path):
    """The exercises of a notebook with points, question, what the test of the solution printed, and the code of the answer."""
    solved = kit.read(kit.solutions_of(path))
    outputs = {}
    for cell in filter(kit.is_test, solved["cells"]):
        said = "".join("".join(output.get("text", "")) for output in cell["outputs"])
        outputs[kit.TEST.search(kit.source(cell))[2]] = re.findall(r"right: (.*)", said)
    text = f"\n## {path.stem}\n"
    for exercise in kit.exercises_of(kit.read(path)):
        right = outputs.get(str(exercise.number))
        code = "\n\n".join(nbgrader_tree.solved(solved, f.name) for f in exercise.functions)
        text += f"\n{kit.source(exercise.question).strip()}\n\nPoints: {exercise.points}."
        text += f" Right: {', '.join(right)}." if right else " Any answer that passes the test is right."
        text += f"\n\n```go\n{code}\n```\n"
    return text


def write_instructor(folder):
    """The notebooks with their keys and tests, the solutions, and the answers on one sheet."""
    folder.mkdir(parents=True)
    for path in kit.tutorials():
        shutil.copy(path, folder)
    for name in ("solutions", "results"):
        shutil.copytree(kit.NOTEBOOKS / name, folder / name)
    sheet = "# The answers\n\nOne point for each star of a question.\n" + "".join(answer_sheet(path) for path in kit.tutorials())
    (folder / "ANSWERS.md").write_text(sheet, encoding="utf-8")


def prepare(out):
    """The folder, empty of what an earlier run left; what it did not make is never removed."""
    strangers = [path.name for path in out.iterdir() if path.name not in FOLDERS] if out.is_dir() else []
    if strangers or out.exists() and not out.is_dir():
        raise SystemExit(f"error: OUT={out} holds {', '.join(strangers) or 'no folder'}; name a new folder")
    for name in FOLDERS:
        shutil.rmtree(out / name, ignore_errors=True)


def main():
    if len(sys.argv) != 2 or not sys.argv[1]:
        raise SystemExit("error: name a folder: make class OUT=folder")
    out = pathlib.Path(sys.argv[1]).resolve()
    prepare(out)
    student.write_tree(out / "student")
    write_instructor(out / "instructor")
    nbgrader_tree.write_tree(out / "nbgrader")
    print(f"{len(kit.tutorials())} notebooks for students in {out}/student; keep {out}/instructor and {out}/nbgrader to yourself")


if __name__ == "__main__":
    main()
