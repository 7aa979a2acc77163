"""Checks all exercises: open and wrong answers earn nothing, right ones all points. make class-test calls it.

    whole.py [-jobs 2] grade|nbgrader [NOTEBOOK ...]

grade marks three submissions of each notebook in containers, as make grade does. nbgrader runs the assignments with the
kernel gonb, as nbgrader autograde does, and marks what the cells left by nbgrader's rule.
"""

import argparse
import concurrent.futures
import copy
import os
import pathlib
import re
import sys
import tempfile

import exercises as kit
import nbgrader_rules
import nbgrader_tree
import programs

# Wrong answers: for each kind of result, and for answers that are no data.
WRONG = {"float64": "123456.5", "[]float64": "[]float64{9, 9}", "[]int": "[]int{0, 0}", "string": '"neither"', "[]string": '[]string{"1", "1", "1", "1"}',
         "[]byte": '[]byte("{}")', "*mat.Dense": "mat.NewDense(1, 1, []float64{1})", "*selection.Selection": "&selection.Selection{}",
         "*chart.Points": "&chart.Points{}", "*chart.Line": "&chart.Line{}", "*solver.Model": 'solver.NewModel("empty")', "*shard.Local": "&shard.Local{}",
         "*robust.Solution": "&robust.Solution{}", "*shard.Answer": "nil", "error": "nil",
         "*sparsero.AtomicSet": "Must(sparsero.NewAtomicSet(Must(sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1}), nil)), []int{0}, 1))",
         "*robust.Problem": "Must(robust.NewProblem(Must(sparsero.NewDictionary(mat.NewDense(2, 1, []float64{1, 2}), nil)), segment(), sparsero.Identity(1)))"}
SEGMENT = '''
func segment() *solver.Model {
    region := solver.NewModel("segment")
    region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
    return region
}
'''
IMPORTS = ["gonum.org/v1/gonum/mat", *("github.com/sparsero/directions/" + p for p in (
    "solver", "sparsero", "sparsero/robust", "sparsero/selection", "sparsero/selection/shard", "plotting/chart"))]
# An exercise for which the wrong answer of the table would be right.
PARTICULAR = {("00_quickstart", "aimedProbe"): "[]float64{0, 1}"}


def wrong_answer(notebook, exercise):
    """A cell with wrong answers to an exercise, and the types that its answer cell declares."""
    text = "import (\n" + "".join(f'"{path}"\n' for path in IMPORTS) + ")\n" + SEGMENT
    for match in kit.FUNCTION.finditer(kit.source(exercise.answer)):
        particular = PARTICULAR.get((notebook, match["name"]))
        values = particular or ", ".join(WRONG[kind] for kind in kit.result_types(match["results"]))
        text += f"\n{match[0]} return {values} }}\n"
    return text + "\n".join(d for d in nbgrader_tree.declarations(kit.source(exercise.answer)) if not d.startswith("func"))


def variants(name):
    """The notebook open, with wrong answers and with right ones, as students would hand it in."""
    path = kit.NOTEBOOKS / f"{name}.ipynb"
    tutorial = kit.read(path)
    wrong, right = copy.deepcopy(tutorial), nbgrader_tree.assignment(tutorial, kit.read(kit.solutions_of(path)))
    for exercise in kit.exercises_of(wrong):
        exercise.answer["source"] = wrong_answer(name, exercise)
    return {"open": tutorial, "wrong": wrong, "right": right}


def expected(variant, exercise):
    return exercise.points if variant == "right" else 0


def check_grade(names, jobs):
    """What make grade says of the variants that it should not say."""
    import grade

    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        os.chmod(scratch, 0o755)
        tools = grade.build_tools(scratch)

        def check(name):
            notebook, problems = grade.Notebook(kit.NOTEBOOKS, name), []
            notebook.build(scratch, tools)
            for variant, submission in variants(name).items():
                path = pathlib.Path(scratch, f"{name}-{variant}.ipynb")
                kit.write(path, submission)
                reasons = grade.grade(notebook, path, scratch, tools, 300)
                for exercise in notebook.exercises:
                    reason = reasons[programs.test_name(exercise)]
                    points = 0 if reason else exercise.points
                    line = f"{name} {exercise.number} {variant}: {points} of {exercise.points} {reason}"
                    print(line, flush=True)
                    if points != expected(variant, exercise) or variant == "open" and not reason.startswith("not answered"):
                        problems.append(line)
            return problems
        return [problem for found in pool.map(check, names) for problem in found]


def runs(cell, name):
    """What of a cell is run: what it declares; what it does only where later cells need the files that it writes."""
    text = kit.source(cell)
    return text if cell.get("id") == programs.BEFORE.get(name) or text.startswith("%test") else re.split(r"^%%", text, maxsplit=1, flags=re.M)[0]


def check_nbgrader(name):
    """Marks the assignment of a notebook three times with the kernel, by nbgrader's rule."""
    import nbformat
    from nbclient import NotebookClient

    source, exercises = variants(name)["right"], kit.exercises_of(kit.read(kit.NOTEBOOKS / f"{name}.ipynb"))
    answers = {"open": {e.number: kit.source(e.answer) for e in exercises}, "wrong": {e.number: wrong_answer(name, e) for e in exercises}}
    notebook = nbformat.from_dict({"metadata": source["metadata"], "nbformat": 4, "nbformat_minor": 5, "cells": []})
    client = NotebookClient(notebook, kernel_name="gonb", timeout=600, allow_errors=True, startup_timeout=120,
                            resources={"metadata": {"path": str(kit.NOTEBOOKS)}})

    def execute(text, metadata):
        cell = nbformat.v4.new_code_cell(text, metadata=metadata)
        notebook.cells.append(cell)
        client.execute_cell(cell, len(notebook.cells) - 1)
        return cell

    problems = []
    with client.setup_kernel():
        answer, number = None, 0
        for cell in filter(kit.is_code, source["cells"]):
            details = cell["metadata"].get("nbgrader", {})
            if not details.get("grade"):
                if details.get("solution") and details["grade_id"] != "helpers":
                    answer, number = kit.source(cell), number + 1
                elif runs(cell, name).strip():
                    execute(runs(cell, name), {})
                continue
            number = int(re.search(r"\d+", details["grade_id"])[0])
            for variant, text in (("open", answers["open"][number]), ("wrong", answers["wrong"][number]), ("right", answer)):
                execute(text, {})
                marked = execute(kit.source(cell), cell["metadata"])
                points, most = nbgrader_rules.determine_grade(marked)
                line = f"{name} {number} {variant}: {points:g} of {most:g}"
                print(line, flush=True)
                if points != (most if variant == "right" else 0):
                    problems.append(line + " " + str(marked.outputs)[-600:])
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-jobs", type=int, default=min(os.cpu_count() or 1, 4))
    parser.add_argument("way", choices=("grade", "nbgrader"))
    parser.add_argument("notebooks", nargs="*")
    options = parser.parse_args()
    names = options.notebooks or [path.stem for path in kit.tutorials()]
    if options.way == "grade":
        problems = check_grade(names, options.jobs)
    else:
        os.environ["DIRECTIONS_GRADING"] = "1"
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            problems = [problem for found in pool.map(check_nbgrader, names) for problem in found]
    count = 3 * sum(len(kit.exercises_of(kit.read(kit.NOTEBOOKS / f"{name}.ipynb"))) for name in names)
    print(f"\n{count - len(problems)} of {count} answers marked rightly by {options.way}")
    sys.exit("\n".join(problems) if problems else 0)


if __name__ == "__main__":
    main()
