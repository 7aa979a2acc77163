"""Tests of what make class writes; go test runs them."""

import functools
import pathlib
import re
import tempfile
import unittest

import exercises as kit
import material
import nbgrader_rules
import nbgrader_tree
import student

# A number of this many digits in a student's notebook that is an answer is there because it is the answer.
TELLING = 4


def texts(folder):
    """Each file of a folder as text, pictures aside."""
    return {path: path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file() and path.suffix != ".png"}


def secrets():
    """Salt and hash of every key of the notebooks."""
    return {part for path in kit.tutorials() for secret in kit.SECRET.findall(path.read_text(encoding="utf-8")) for part in secret.split(":")}


@functools.cache
def asked():
    """The lines of all tutorials."""
    return {line.strip() for path in kit.tutorials() for cell in kit.read(path)["cells"] for line in kit.source(cell).split("\n")}


def answer_lines(path):
    """The lines of a solution's answers that are long enough to be nobody else's, without those of the tutorials."""
    solved = kit.read(kit.solutions_of(path))
    lines = {line.strip() for e in kit.exercises_of(kit.read(path)) for f in e.functions for line in nbgrader_tree.solved(solved, f.name).split("\n")}
    return {line for line in lines if len(line) > 25 and not line.startswith("func ") and line not in asked()}


def telling_answers(path):
    """The right numbers of a notebook that have many digits, as the solutions' tests print them and as people write them."""
    for cell in filter(kit.is_test, kit.read(kit.solutions_of(path))["cells"]):
        for output in cell["outputs"]:
            for right in re.findall(r"right: (-?[\d.]+)$", "".join(output.get("text", "")), re.M):
                plain = right.rstrip("0").rstrip(".") if "." in right else right
                if len(plain.lstrip("-0.").replace(".", "")) >= TELLING and float(right) % 1000:
                    yield from {plain, f"{float(plain):,.0f}"} if float(plain).is_integer() else {plain}


class Tree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.out = pathlib.Path(cls.scratch.name)
        student.write_tree(cls.out / "student")
        nbgrader_tree.write_tree(cls.out / "nbgrader")
        cls.files = texts(cls.out / "student")

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_files(self):
        allowed = {path.name for path in kit.tutorials()} | {"README.md", "GLOSSARY.md", "results", "thumbnails"}
        self.assertEqual({path.name for path in (self.out / "student").iterdir()}, allowed)

    def test_no_key(self):
        found = secrets()
        self.assertGreater(len(found), 100)
        for path, text in self.files.items():
            self.assertFalse([secret for secret in found if secret in text], path)
            self.assertIsNone(kit.SECRET.search(text), path)

    def test_no_solution(self):
        for path in kit.tutorials():
            lines = answer_lines(path)
            for file, text in self.files.items():
                if file.suffix == ".ipynb":
                    found = [line for cell in kit.read(file)["cells"] for line in kit.source(cell).split("\n") if line.strip() in lines]
                    self.assertFalse(found, file)
                self.assertNotIn("solutions/", text, file)
                self.assertNotIn(path.stem + "_solutions", text, file)

    def test_no_answer_as_a_number(self):
        count = 0
        for path in kit.tutorials():
            text = "\n".join(kit.source(cell) for cell in kit.read(self.out / "student" / path.name)["cells"])
            for answer in telling_answers(path):
                count += 1
                self.assertIsNone(re.search(rf"(?<![\d.,]){re.escape(answer)}(?![\d])", text), f"{path.name}: {answer}")
        self.assertGreater(count, 10)

    def test_notebooks(self):
        for path in kit.tutorials():
            original, given = kit.read(path), kit.read(self.out / "student" / path.name)
            self.assertEqual([cell["id"] for cell in original["cells"]], [cell["id"] for cell in given["cells"]])
            self.assertFalse([cell["id"] for cell in given["cells"] if cell.get("outputs")], path.name)
            for exercise in kit.exercises_of(given):
                self.assertTrue(exercise.functions, path.name)
                self.assertIn("exercise.", kit.source(exercise.test))

    def test_nbgrader(self):
        found = secrets()
        for path in (self.out / "nbgrader" / "source").rglob("*.ipynb"):
            original = kit.exercises_of(kit.read(kit.NOTEBOOKS / path.name))
            notebook, lines = kit.read(path), answer_lines(kit.NOTEBOOKS / path.name)
            details = [cell["metadata"]["nbgrader"] for cell in notebook["cells"] if "nbgrader" in cell["metadata"]]
            identities = [detail["grade_id"] for detail in details]
            self.assertEqual(len(identities), len(set(identities)), path)
            self.assertEqual([d["points"] for d in details if d["grade"]], [e.points for e in original], path)
            self.assertEqual(sum(d["solution"] for d in details), len(original) + 1, path)
            released = nbgrader_rules.release(notebook)
            text = "\n".join(kit.source(cell) for cell in released["cells"])
            self.assertFalse([secret for secret in found if secret in text], path)
            self.assertFalse([line for line in text.split("\n") if line.strip() in lines], path)
            for exercise in original:  # what is left is open and asks for the answer
                self.assertIn(f"func TestHandedIn{exercise.number}(", text)
                for function in exercise.functions:
                    self.assertRegex(text, rf"(?m)^func (\([^)]*\) )?{function.name}\(")
            self.assertNotIn("solutions/", text, path)


class Rules(unittest.TestCase):
    def test_cleared(self):
        lines = ["func f() {", "    // BEGIN SOLUTION", "    return 1", "    // END SOLUTION", "    return 0", "}"]
        self.assertEqual(nbgrader_rules.cleared(lines, "BEGIN SOLUTION", "END SOLUTION", ["// your answer"]),
                         ["func f() {", "    // your answer", "    return 0", "}"])
        for broken in (lines[:3], lines[:2] + lines):
            self.assertRaises(ValueError, nbgrader_rules.cleared, broken, "BEGIN SOLUTION", "END SOLUTION", [])


class Parts(unittest.TestCase):
    def test_helpers_of_another_signature(self):
        def notebook(*sources):
            return {"cells": [{"cell_type": "code", "source": source} for source in sources]}
        tutorial = notebook("func line() int { return 1 }", "func same() int { return 1 }")
        solutions = notebook("func line(shift int) int { return shift }\n\nfunc same() int { return 2 }", "func f() int { return line(same()) + p.line(3) }")
        texts = [kit.source(cell) for cell in nbgrader_tree.renamed(tutorial, solutions)["cells"]]
        self.assertEqual(texts, ["func lineOfSolution(shift int) int { return shift }\n\nfunc same() int { return 2 }",
                                 "func f() int { return lineOfSolution(same()) + p.line(3) }"])

    def test_links(self):
        self.assertEqual(student.without_links("Solutions: [a](solutions/a.ipynb). Next: [b](b.ipynb)."), "Next: [b](b.ipynb).")
        self.assertRaises(ValueError, student.without_links, "see [a](solutions/a.ipynb)")

    def test_strangers_stay(self):
        with tempfile.TemporaryDirectory() as scratch:
            (pathlib.Path(scratch) / "thesis").write_text("a year of work")
            self.assertRaises(SystemExit, material.prepare, pathlib.Path(scratch))
            self.assertTrue((pathlib.Path(scratch) / "thesis").exists())


if __name__ == "__main__":
    unittest.main()
