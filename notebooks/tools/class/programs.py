"""The programs that grade a submission, as jobs for the builder (builder/main.go)."""

import re

import exercises as kit
import nbgrader_tree

# Cells of a tutorial that have to run before answers and tests: they write the files that these read.
BEFORE = {"23_answers_that_travel": "e61345e3"}
ALIAS = "graderVerdict"


def test_name(exercise):
    return f"TestExercise{exercise.number}"


def code(notebook):
    """The code cells of a notebook that are no test."""
    return [kit.source(cell) for cell in notebook["cells"] if kit.is_code(cell) and not kit.is_test(cell)]


def cells(sources, guest=False):
    return [{"Source": source, "Guest": guest} for source in sources]


def before(name, notebook):
    """The part of a cell that runs, as a function that Go calls at the start of the program."""
    if name not in BEFORE:
        return []
    text = next(kit.source(cell) for cell in notebook["cells"] if cell.get("id") == BEFORE[name])
    return cells(["func init() {\n" + text.partition("%%\n")[2] + "\n}"])


def collecting(name, tutorial, submission, package):
    """The program that hands out the answers of a submission that are data. It holds the submission alone: nothing is secret."""
    wanted = [{"Name": f.name, "Results": len(f.results)} for e in kit.exercises_of(tutorial) for f in e.data]
    return {"Output": "answers", "Package": package, "Cells": cells(code(submission)) + before(name, tutorial), "Collect": wanted}


def replaceable(exercise):
    """The names that an answer may bring: its functions and types."""
    names = re.findall(r"^type (\w+)", kit.source(exercise.answer), re.M)
    for match in kit.FUNCTION.finditer(kit.source(exercise.answer)):
        receiver = (match["receiver"] or "").split(" ")[-1].lstrip("*")
        names.append(f"{receiver}.{match['name']}" if receiver else match["name"])
    return names


def testing(name, exercise, tutorial, submission, package):
    """The program that tests an answer which is no data: the cells of the tutorial, the answer, and the test without its keys."""
    test = kit.SECRET.sub("", kit.source(exercise.test))
    return {"Output": f"test{exercise.number}", "Package": package, "Replace": replaceable(exercise), "Tests": [test_name(exercise)],
            "Cells": cells(code(tutorial)) + cells(code(submission), guest=True) + before(name, tutorial) + cells([test])}


def filled(function):
    """A function that returns the answer of a submission, which the grader passes on."""
    results = ", ".join(f"r{k} {kind}" for k, kind in enumerate(function.results))
    pointers = "".join(f", &r{k}" for k in range(len(function.results)))
    return f'func {function.name}() ({results}) {{ {ALIAS}.Fill("{function.name}"{pointers}); return }}'


def final(name, tutorial, solutions, package):
    """The program that tests data with the keys. Code of submissions is not in it."""
    extra, tests = [], []
    for exercise in kit.exercises_of(tutorial):
        if not exercise.data:
            continue
        tests.append(test_name(exercise))
        extra.append(kit.source(exercise.test))
        for function in exercise.functions:
            extra.append(filled(function) if function.data else nbgrader_tree.solved(solutions, function.name))
    return {"Output": "final", "Package": package, "Tests": tests, "Cells": cells(code(tutorial) + extra) + before(name, tutorial)}
