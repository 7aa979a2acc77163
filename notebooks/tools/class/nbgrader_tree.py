"""The notebooks as nbgrader's source tree: an assignment for each, with solutions and hidden tests in regions that
nbgrader generate_assignment removes, and points for each test."""

import copy
import re
import shutil

import exercises as kit
import student

BEGIN, END = "    // BEGIN SOLUTION", "    // END SOLUTION"
TOP = re.compile(r"^(?=(?:func|type|var|const|import)\b)", re.M)
SCHEMA = 3

CONFIG = '''"""nbgrader's settings for these notebooks. The kernel gonb must be installed where nbgrader grades."""

import os

c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "directions"
c.ClearSolutions.begin_solution_delimeter = "BEGIN SOLUTION"
c.ClearSolutions.end_solution_delimeter = "END SOLUTION"
c.ClearSolutions.code_stub = {"go": "// your answer"}
c.ClearHiddenTests.begin_test_delimeter = "BEGIN HIDDEN TESTS"
c.ClearHiddenTests.end_test_delimeter = "END HIDDEN TESTS"
c.ExecutePreprocessor.timeout = 600
# An exercise that is open is skipped by its test, which nbgrader would count as full points; with this it fails.
os.environ["DIRECTIONS_GRADING"] = "1"
'''


def declarations(text):
    """The top-level declarations of a cell of ours, up to its %%, with their comments inside."""
    before = re.split(r"^%%", text, maxsplit=1, flags=re.M)[0]
    return [part.rstrip() for part in TOP.split(before) if TOP.match(part)]


def all_declarations(notebook):
    return [d for cell in notebook["cells"] if kit.is_code(cell) and not kit.is_test(cell) for d in declarations(kit.source(cell))]


def solved(notebook, name):
    """The function of that name in the solutions."""
    found = [d for d in all_declarations(notebook) if re.match(rf"func (?:\([^)]*\) )?{name}\(", d)]
    if not found:
        raise ValueError(f"the solutions declare no {name}")
    return found[-1]


def header(declaration):
    """A function's name, and all up to its body."""
    match = kit.FUNCTION.match(declaration)
    return (match["name"], " ".join(match[0].split())) if match and not match["receiver"] else (None, None)


def renamed(tutorial, solutions):
    """The solutions, with another name for each helper that the tutorial has with another signature: the kernel would
    refuse a cell that takes it away from the tutorial's other functions."""
    known = dict(header(d) for d in all_declarations(tutorial))
    answers = {f.name for e in kit.exercises_of(tutorial) for f in e.functions}
    changed = {name for name, text in map(header, all_declarations(solutions)) if name in known and known[name] != text and name not in answers}
    solutions = copy.deepcopy(solutions)
    for cell in filter(kit.is_code, solutions["cells"]):
        text = kit.source(cell)
        for name in changed - {None}:
            text = re.sub(rf"(?<![.\w]){name}\(", f"{name}OfSolution(", text)
        cell["source"] = text
    return solutions


def body(function):
    """The header of a function, up to its brace, and the lines in it. The brace that opens is the first that a result type
    does not own, which our headers do not hold."""
    head, _, rest = function.partition(" {")
    inside = rest[:rest.rindex("}")].strip("\n")
    return head + " {", inside if "\n" in rest else "    " + inside.strip()


def answer_cell(exercise, solutions):
    """The answer cell of the source tree: the solution in a region before what an open exercise returns."""
    parts = []
    for declaration in declarations(kit.source(exercise.answer)):
        match = kit.FUNCTION.match(declaration)
        if not match:
            parts.append(declaration)
            continue
        code, stub = declaration.partition(" //")[0] if "\n" not in declaration else declaration, ""
        head, inside = body(solved(solutions, match["name"]))
        _, stub = body(code if code.rstrip().endswith("}") else declaration)
        parts.append(f"{head}\n{BEGIN}\n{inside}\n{END}\n{stub}\n}}")
    return "\n\n".join(parts) + "\n"


def helper_cell(tutorial, solutions):
    """What the solutions import and declare beyond the tutorial, in a region of its own."""
    known, answers = set(all_declarations(tutorial)), {f.name for e in kit.exercises_of(tutorial) for f in e.functions}
    imports, helpers = [], []
    for declaration in all_declarations(solutions):
        match = re.match(r"func (?:\([^)]*\) )?(\w+)\(", declaration)
        if declaration in known or match and match[1] in answers or declaration.startswith("var _ ="):
            continue
        (imports if declaration.startswith("import") else helpers).append(declaration)
    inside = "\n\n".join(imports + helpers)
    return f"{BEGIN.strip()}\n{inside}\n{END.strip()}\n"


def hidden(test, number, expression):
    """A test cell: the test itself in a hidden region, and one that stays, which asks only whether there is an answer."""
    return (f"%test\n// BEGIN HIDDEN TESTS\n{test.removeprefix('%test').strip()}\n// END HIDDEN TESTS\n"
            f"func TestHandedIn{number}(t *testing.T) {{ {expression} }}\n")


def mark(cell, identity, points=None, solution=False):
    """nbgrader's metadata of a cell: a test where there are points."""
    details = {"schema_version": SCHEMA, "grade_id": identity, "grade": points is not None, "solution": solution,
               "locked": not solution, "task": False, "cell_type": "code"}
    if points is not None:
        details["points"] = points
    cell["metadata"]["nbgrader"] = details


def assignment(tutorial, solutions):
    """The source notebook of an assignment."""
    solutions = renamed(tutorial, solutions)
    notebook = copy.deepcopy(tutorial)
    exercises = kit.exercises_of(notebook)
    for cell in notebook["cells"]:
        if kit.is_code(cell):
            cell["outputs"], cell["execution_count"] = [], None
        else:
            cell["source"] = student.without_links(kit.source(cell))
    for exercise in exercises:
        handed_in = next((f"{f.name}()" for f in exercise.functions if f.value), None)
        visible = f"exercise.Answered(t, {handed_in})" if handed_in else 't.Log("tested when it is graded")'
        answer = answer_cell(exercise, solutions)
        exercise.test["source"] = hidden(kit.source(exercise.test), exercise.number, visible)
        exercise.answer["source"] = answer
        mark(exercise.answer, f"exercise-{exercise.number}-answer", solution=True)
        mark(exercise.test, f"exercise-{exercise.number}-test", exercise.points)
    helpers = {"cell_type": "code", "id": "helpers", "metadata": {}, "outputs": [], "execution_count": None,
               "source": helper_cell(tutorial, solutions)}
    mark(helpers, "helpers", solution=True)
    first = next(number for number, cell in enumerate(notebook["cells"]) if cell is exercises[0].question)
    notebook["cells"].insert(first, helpers)
    return notebook


def write_tree(folder):
    """An assignment for each notebook, of the notebook's name, with the tables that it reads, and the settings."""
    for path in kit.tutorials():
        home, text = folder / "source" / path.stem, path.read_text(encoding="utf-8")
        kit.write(home / path.name, assignment(kit.read(path), kit.read(kit.solutions_of(path))))
        if "results/" in text or "Stored(" in text:
            shutil.copytree(kit.NOTEBOOKS / "results", home / "results")
    (folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
