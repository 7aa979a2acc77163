"""The course as its notebooks describe it, and what the repository keeps of it. make contents calls it.

    course.py -thumbnail COMMAND     writes notebooks/README.md, notebooks/thumbnails and the links between neighbours
    course.py                        only says what is not as it should be; the exit status is then 1

COMMAND makes a picture on its standard input small.
"""

import argparse
import base64
import pathlib
import re
import subprocess
import sys

import nbformat

HERE = pathlib.Path(__file__).parent
NOTEBOOKS = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
import execute  # noqa: E402

# The tag of the cell whose figure stands for its notebook; without it the first figure does.
TAG = "thumbnail"
# The largest size of a thumbnail in bytes, because they are kept in the repository.
LARGEST = 20 << 10
# The notebook whose figure stands in the README of the repository, in full size.
FRONT, FRONT_PICTURE = "01_stress_days", NOTEBOOKS / "thumbnails" / "front.png"

# The parts of the course: name, what it is for, and the last number of its notebooks.
PARTS = [
    ("Ten lessons", "One idea each, in an order in which nothing is used before it is explained.", 10),
    ("Handbook", "To look things up in: files, models, speed, figures, and what to do when something refuses.", 19),
    ("Companion to the paper", "Every statement, proof and experiment that the lessons leave out, with the paper's value beside ours.", 99),
]
# Reading paths: name, reason, and the numbers of their notebooks.
PLANS = [
    ("An afternoon", "The idea whole, with pictures: three hours, the first exercise of each included.", "01 02 03 05 06"),
    ("A lecture", "Six sessions of 90 minutes, planned in TEACHING: 1 and 2, then 3, 4, 5, then 6 and 7, then 8 and 9; the tenth "
     "is for those who want more.", "01 02 03 04 05 06 07 08 09 10"),
    ("A practitioner", "From one's own table to a decision with a certificate and a radius, and what to do when something refuses.",
     "01 02 03 04 05 18 11 12 07 09 10 13 16 17 15 14"),
    ("The paper", "Its statements in their order, then its experiments, repeated over many seeds, and its errors.",
     "20 03 21 22 23 26 06 24 07 25 08 27 28 29 36 37 38 39"),
]

CONTENTS = """# The course

<!-- Written by make contents from the notebooks; change those, or notebooks/tools/book, and run it again. -->

![Ten years of the thirty Dow Jones stocks; four days decide the safest portfolio](thumbnails/front.png)

Which of these 2,528 days must the safest portfolio know? Four, and the others are proven to change nothing
([01_stress_days](01_stress_days.ipynb)). Thousands of directions, the few that matter, and a proof: that is the course.

Each notebook opens with what it teaches, shows every claim in a picture or a checked cell, and closes with pitfalls and
exercises. `make notebooks NOTEBOOK=02_few_directions` runs one, `make lab` opens them in JupyterLab, and
`make book` turns all of them into pages that any browser shows without a network, `build/book/index.html`.
Symbols and terms: [GLOSSARY](GLOSSARY.md). For lecturers: [TEACHING](TEACHING.md).

## Where to begin

{paths}{parts}The tables that the experiments show are in [results](results), computed by `make studies`.
"""


class Lesson:
    """A notebook of the course, as its own first cell describes it."""

    def __init__(self, name, notebook, solutions=None):
        self.name, self.notebook, self.solutions = name, notebook, solutions
        first = notebook.cells[0].source if notebook.cells else ""
        heading, _, rest = first.partition("\n")
        self.titled, self.title = first.startswith("# "), heading.removeprefix("# ").strip()
        self.learn = re.findall(r"^- (.*?)[;. ]*$", rest, re.M)
        fields = dict(re.findall(r"^\*\*(Paper|Running time)\*\*: (.*?)\.?\s*$", rest, re.M))
        self.paper = fields.get("Paper", "").replace("`", "")
        self.time = fields.get("Running time", "").partition(". ")[0].replace("`", "")
        number = name.partition("_")[0]
        self.number = number if number.isdigit() else ""
        self.previous = self.next = None

    def short(self):
        """The title without what stands behind its colon or its question."""
        return re.split(r"(?<=\?) |: ", self.title)[0]

    def named(self):
        return f"[{self.short()}]({self.name}.ipynb)"

    def link(self):
        return f"[{self.name}]({self.name}.ipynb)"

    def figure(self):
        """The PNG that stands for the notebook, of the tagged cell or else the first; None where there is none."""
        cells = sorted(execute.code_cells(self.notebook), key=lambda cell: TAG not in cell.metadata.get("tags", ()))
        pictures = (output.data["image/png"] for cell in cells for output in cell.outputs if "image/png" in output.get("data", {}))
        return next(map(base64.b64decode, pictures), None)

    def last_prose(self):
        return [cell for cell in self.notebook.cells if cell.cell_type == "markdown" and cell.source.strip()][-1]

    def closing(self):
        """The last cell of prose with the right links to the neighbours; words behind a link stay as they are."""
        neighbours, found = {"previous": self.previous, "next": self.next}, []

        def step(part):
            direction = part[1]
            neighbour = neighbours[direction.lower()]
            if neighbour is None:
                return part[0]
            found.append(direction.lower())
            return part[0] if f"({neighbour.name}.ipynb)" in part[0] else f"{direction}: {neighbour.link()}"

        text = re.sub(r"(previous|next): \[[^\]]*\]\([^)]*\)", step, self.last_prose().source, flags=re.I)
        for direction, neighbour in neighbours.items():
            if neighbour and direction not in found:
                separator = "\n\n" if not found else " " if text.endswith(".") else ". "
                text += f"{separator}{direction.capitalize()}: {neighbour.link()}."
                found.append(direction)
        return text


def read_course(folder):
    """The lessons in reading order, which is that of their names; a notebook without a title is nobody's."""
    course = []
    for path in sorted(folder.glob("*.ipynb")):
        solutions = folder / "solutions" / (path.stem + "_solutions.ipynb")
        lesson = Lesson(path.stem, nbformat.read(path, 4), solutions if solutions.exists() else None)
        if lesson.titled:
            course.append(lesson)
    for lesson, after in zip(course, course[1:]):
        lesson.next, after.previous = after, lesson
    return course


def path_lessons(plan, course):
    """The lessons of a reading path, in its order."""
    numbered = {lesson.number: lesson for lesson in course}
    return [numbered[number] for number in plan.split() if number in numbered]


def parts(course):
    """The parts that have lessons: name, purpose, lessons. A lesson without a number belongs to the last."""
    first = 0
    for name, purpose, last in PARTS:
        if found := [lesson for lesson in course if first <= int(lesson.number or PARTS[-1][2]) <= last]:
            yield name, purpose, found
        first = last + 1


def contents(course):
    """The text of notebooks/README.md."""
    paths = ""
    for name, reason, plan in PLANS:
        if lessons := path_lessons(plan, course):
            paths += f"**{name}.** {reason} {' → '.join(lesson.named() for lesson in lessons)}\n\n"
    tables = ""
    for name, purpose, lessons in parts(course):
        rows = "\n".join(map(row, lessons))
        tables += f"## {name}\n\n{purpose}\n\n| | notebook | in the paper | runs |\n|---|---|---|---|\n{rows}\n\n"
    return CONTENTS.format(paths=paths, parts=tables)


def row(lesson):
    """A line of the table of notebooks."""
    picture = f"![{lesson.name}](thumbnails/{lesson.name}.png)" if lesson.figure() else ""
    solutions = f" ([solutions](solutions/{lesson.name}_solutions.ipynb))" if lesson.solutions else ""
    title = f"{lesson.number} {lesson.title}".strip()
    return f"| {picture} | [{title}]({lesson.name}.ipynb){solutions} | {lesson.paper} | {lesson.time} |"


def write(course, thumbnail):
    (NOTEBOOKS / "thumbnails").mkdir(exist_ok=True)
    for lesson in course:
        if picture := lesson.figure():
            small = subprocess.run(thumbnail, input=picture, stdout=subprocess.PIPE, check=True).stdout
            (NOTEBOOKS / "thumbnails" / (lesson.name + ".png")).write_bytes(small)
            if lesson.name == FRONT:
                FRONT_PICTURE.write_bytes(picture)
        if (closing := lesson.closing()) != lesson.last_prose().source:
            lesson.last_prose().source = closing
            (NOTEBOOKS / (lesson.name + ".ipynb")).write_text(execute.text_of(lesson.notebook))
    (NOTEBOOKS / "README.md").write_text(contents(course))


def problems(course):
    """What the repository keeps that is not what the notebooks say."""
    if (NOTEBOOKS / "README.md").read_text() != contents(course):
        yield "notebooks/README.md is not what the notebooks say; run make contents"
    for lesson in course:
        if lesson.figure():
            picture = NOTEBOOKS / "thumbnails" / (lesson.name + ".png")
            content = picture.read_bytes() if picture.exists() else b""
            if not content.startswith(b"\x89PNG") or len(content) > LARGEST:
                yield f"{picture.name} is missing, no PNG, or larger than {LARGEST} bytes; run make contents"
        if lesson.name == FRONT and not (FRONT_PICTURE.exists() and FRONT_PICTURE.read_bytes() == lesson.figure()):
            yield f"{FRONT_PICTURE.name} is not the figure of {FRONT}; run make contents"
        if (closing := lesson.closing()) != lesson.last_prose().source:
            yield f"{lesson.name} does not lead to its neighbours; run make contents, or end it with: {closing.splitlines()[-1]}"
        if not (lesson.learn and lesson.paper and lesson.time):
            yield f"{lesson.name}: the first cell lacks points to learn, the paper's section or the running time"
        if any("## Exercises" in cell.source for cell in lesson.notebook.cells) != bool(lesson.solutions):
            yield f"{lesson.name}: exercises need solutions, and solutions exercises"
    numbers = {lesson.number for lesson in course}
    for name, _, plan in PLANS:
        for wanted in plan.split():
            if wanted not in numbers:
                yield f"the path {name!r} names {wanted}, which is not there"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-thumbnail", help="command that makes a picture small")
    arguments = parser.parse_args()
    course = read_course(NOTEBOOKS)
    if arguments.thumbnail:
        write(course, arguments.thumbnail)
    elif found := list(problems(course)):
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
