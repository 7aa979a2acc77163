"""The notebooks as a student gets them: no outputs, no links to solutions, no keys, and no test that tells the answer."""

import copy
import re
import shutil

import exercises as kit

# The exercises whose test says only what a right answer does, so that it may be read by those who are graded. A test that
# is not named here is withheld: some compute the answer.
SHOWN = {"02_few_directions": {2}, "03_value_gap": {2}, "21_epsilon_net": {3}, "23_ladder_in_full": {1}, "06_coverage_and_greedy": {2},
         "24_hardness": {1}, "22_average_to_worst": {2}, "08_atoms_that_decide": {1, 3}, "19_selection_rules": {2}, "39_errata": {3},
         "17_troubleshooting_models": {3}, "09_guarantee_from_few": {2}, "10_radius_under_drift": {2}, "13_answers_that_travel": {2}}
NOTE = ("\n\nIn this class the test of a number or a word says that it is handed in, and how many decimals count. "
        "It is compared with the answer when your notebook is graded.")
HANDED_IN = '    t.Log("handed in: this is tested when your notebook is graded")\n}\n'
# The ways in which the notebooks point to their solutions.
LINKS = [(re.compile(r"Solutions: \[[^\]]*\]\([^)]*\)\.[ \n]*"), ""), (re.compile(r"\[Solutions\]\([^)]*\) · "), ""),
         (re.compile(r" \(\[solutions\]\([^)]*\)\)"), ""), (re.compile(r"; the solutions answer them"), "")]


def without_links(text):
    """The text without links to solutions."""
    for pattern, instead in LINKS:
        text = pattern.sub(instead, text)
    if "solutions/" in text or "_solutions" in text:
        raise ValueError(f"this text still points to the solutions: {text[-300:]}")
    return text


def test_cell(exercise, shown):
    """The test cell of a student: without keys, and cut off after the check that there is an answer, unless all of it may be shown."""
    text = kit.SECRET.sub("", kit.source(exercise.test))
    checks_only_keys = "exercise.Answered" not in text
    if shown or checks_only_keys:
        return text
    lines = text.split("\n")
    last = max(number for number, line in enumerate(lines) if "exercise.Answered(t, " in line)
    return "\n".join(lines[:last + 1]) + "\n" + HANDED_IN.rstrip("\n")


def notebook_of(name, notebook):
    """A notebook as a student gets it: no outputs, no links to solutions, no keys."""
    student = copy.deepcopy(notebook)
    tests = {e.test["id"]: test_cell(e, e.number in SHOWN.get(name, ())) for e in kit.exercises_of(notebook)}
    for cell in student["cells"]:
        text = kit.source(cell)
        if kit.is_code(cell):
            cell["outputs"], cell["execution_count"] = [], None
            text = tests.get(cell.get("id"), text)
        else:
            text = without_links(text) + (NOTE if "## Exercises" in text else "")
        cell["source"] = text.splitlines(keepends=True)
    return student


def write_tree(folder):
    """The notebooks, the list of them, and the tables and pictures that they use."""
    for path in kit.tutorials():
        kit.write(folder / path.name, notebook_of(path.stem, kit.read(path)))
    for name in ("README.md", "GLOSSARY.md"):
        (folder / name).write_text(without_links((kit.NOTEBOOKS / name).read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copytree(kit.NOTEBOOKS / "results", folder / "results")
    shutil.copytree(kit.NOTEBOOKS / "thumbnails", folder / "thumbnails")
