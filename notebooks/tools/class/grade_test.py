"""Tests of make grade that need no container; go test runs them. attacks.py holds those that do."""

import csv
import os
import pathlib
import tempfile
import types
import unittest

import exercises as kit
import grade
import programs
import sandbox


class Lines(unittest.TestCase):
    def test_signed(self):
        output = ('{"Secret":"right\\n","Name":"a","Passed":true}\n{"Secret":"wrong\\n","Name":"b","Passed":true}\n'
                  '{"Secret":"right\\n","Name":"a","Passed":false}\n{broken\n#ended c 124 \n#ended d 1     cell_7:3: 9 is not the answer\n')
        said, ended = grade.lines(sandbox.Result(output, "", 0, ""), "right")
        self.assertEqual((list(said), said["a"]["Passed"]), (["a"], True))
        self.assertEqual(ended, {"c": (124, ""), "d": (1, "9 is not the answer")})

    def test_verdict(self):
        result, ended = sandbox.Result("", "", 0, ""), {"T": (0, "")}
        for line, want in [({"Passed": True, "Skipped": False}, ""), ({"Passed": True, "Skipped": True}, "not answered"), ({"Passed": False}, "the test fails"),
                           ({"Passed": "yes"}, "the test fails"), (None, "ends without an answer")]:
            self.assertEqual(grade.verdict(line, "T", ended, result, 5), want)
        self.assertEqual(grade.why("T", {"T": (124, "")}, result, 5), "stopped after 5 s")


class Folder(unittest.TestCase):
    def test_submissions(self):
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            for name, age in (("ann/03/03_a.ipynb", 0), ("ann/03_a.ipynb", 9), ("bob/04_b.ipynb", 0), ("bob/.ipynb_checkpoints/03_a.ipynb", 0),
                              ("bob/other.ipynb", 0), ("03_a.ipynb", 0)):
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("")
                os.utime(path, (1e9 - age, 1e9 - age))
            found = list(grade.submissions(root, {"03_a", "04_b"}))
            self.assertEqual([(s, n, p.relative_to(root).as_posix()) for s, n, p, _ in found], [("ann", "03_a", "ann/03/03_a.ipynb"), ("bob", "04_b", "bob/04_b.ipynb")])
            self.assertIn("newest of 2", found[0][3])
            self.assertEqual(list(grade.absent(root, {(s, n) for s, n, _, _ in found})), [("ann", "04_b"), ("bob", "03_a")])

    def test_table(self):
        with tempfile.TemporaryDirectory() as scratch:
            root = pathlib.Path(scratch)
            exercises = [types.SimpleNamespace(number=number, points=number) for number in (1, 2)]
            for name in ("=ann", "bob"):
                (root / "in" / name).mkdir(parents=True)
            grade.write(root / "marks.csv", [("=ann", "03_a", None, "a note")], [{"TestExercise1": "", "TestExercise2": "no\nway"}],
                        {"03_a": types.SimpleNamespace(exercises=exercises)}, root / "in")
            with open(root / "marks.csv", encoding="utf-8") as table:
                rows = list(csv.reader(table))
        self.assertEqual(rows[1:], [["'=ann", "03_a", "1", "1", "1", "a note"], ["'=ann", "03_a", "2", "0", "2", "no way; a note"],
                                    ["bob", "03_a", "1", "0", "1", "not handed in"], ["bob", "03_a", "2", "0", "2", "not handed in"]])


class Programs(unittest.TestCase):
    def test_no_key_in_a_students_program(self):
        count = 0
        for path in kit.tutorials():
            tutorial = kit.read(path)
            jobs = [programs.collecting(path.stem, tutorial, tutorial, "p")]
            jobs += [programs.testing(path.stem, e, tutorial, tutorial, "p") for e in kit.exercises_of(tutorial) if e.built]
            self.assertIsNone(kit.SECRET.search(str(jobs)), path.name)
            count += len(kit.SECRET.findall(str(programs.final(path.stem, tutorial, kit.read(kit.solutions_of(path)), "p"))))
        self.assertEqual(count, sum(len(kit.SECRET.findall(kit.source(e.test))) for path in kit.tutorials() for e in kit.exercises_of(kit.read(path))))

    def test_cells_that_run_before(self):
        for name in programs.BEFORE:
            self.assertIn("Save(", programs.before(name, kit.read(kit.NOTEBOOKS / f"{name}.ipynb"))[0]["Source"])

    def test_filled(self):
        function = kit.Function("pair", ["[]int", "float64"], True)
        self.assertEqual(programs.filled(function), 'func pair() (r0 []int, r1 float64) { graderVerdict.Fill("pair", &r0, &r1); return }')


if __name__ == "__main__":
    unittest.main()
