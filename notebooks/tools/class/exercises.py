"""The exercises of a notebook: question, answer, test, and what the test asks for."""

import dataclasses
import json
import pathlib
import re

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2]
# The salt and the hash of a key of notebooks/exercise; what stands before them are the decimals that count.
SECRET = re.compile(r"\b[0-9a-f]{8}:[0-9a-f]{12}\b")
TEST = re.compile(r"^func (TestExercise(\d+))\(t \*testing\.T\)", re.M)
FUNCTION = re.compile(r"^func (?:\((?P<receiver>[^)]*)\) )?(?P<name>\w+)\((?P<arguments>[^)]*)\) (?P<results>\([^)]*\)|[^({]+) \{", re.M)
OPEN = re.compile(r'\breturn (nil|""|exercise\.Open)')
# What exercise.Answered can look at: whether it is there.
VALUES = {"float64", "[]float64", "[]int", "string", "[]string", "[]byte", "*mat.Dense"}


@dataclasses.dataclass
class Function:
    """A function that a reader completes. It gives a value where it takes nothing and returns a number, a text, a list or a matrix."""

    name: str
    value: bool


@dataclasses.dataclass
class Exercise:
    number: int
    question: dict
    answer: dict
    test: dict
    functions: list

    @property
    def points(self):
        """A point for each star of the question."""
        return max(1, source(self.question).partition("\n")[0].count("★"))


def source(cell):
    """The text of a cell, which Jupyter stores as a string or as a list of lines."""
    return "".join(cell["source"])


def is_code(cell):
    return cell["cell_type"] == "code"


def is_test(cell):
    return is_code(cell) and source(cell).startswith("%test")


def read(path):
    """A notebook of format 4 as Python objects."""
    notebook = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    if not isinstance(notebook, dict) or notebook.get("nbformat") != 4 or not isinstance(notebook.get("cells"), list):
        raise ValueError(f"{path} is no notebook of format 4")
    return notebook


def write(path, notebook):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def tutorials(folder=NOTEBOOKS):
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def solutions_of(path):
    return path.parent / "solutions" / (path.stem + "_solutions.ipynb")


def functions_of(answer):
    """The functions of an answer cell."""
    found = []
    for match in FUNCTION.finditer(source(answer)):
        value = not match["receiver"] and not match["arguments"] and match["results"] in VALUES
        found.append(Function(match["name"], value))
    return found


def exercises_of(notebook):
    """The exercises with a test, in their order. The answer is the open cell before the test."""
    found, question, answer = [], None, None
    for cell in notebook["cells"]:
        text = source(cell)
        if cell["cell_type"] == "markdown" and re.match(r"\*\*\d+\.\*\* ★", text):
            question, answer = cell, None
        elif is_test(cell) and (match := TEST.search(text)):
            if question is None or answer is None:
                raise ValueError(f"{match[1]} has no question or no open answer before it")
            found.append(Exercise(int(match[2]), question, answer, cell, functions_of(answer)))
        elif is_code(cell) and answer is None and OPEN.search(text):
            answer = cell
    return found
