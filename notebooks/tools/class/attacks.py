"""Hostile and careless submissions to make grade: each costs its author alone. make class-test runs them, in containers."""

import contextlib
import copy
import csv
import io
import pathlib
import sys
import tempfile
import time
import unittest
from unittest import mock

import exercises as kit
import grade
import nbgrader_tree
import sandbox

NAME = "03_value_gap"  # a word, a construction, a word
WORD, BUILT = "func missingAtom() string {", "func unavoidable() (p *robust.Problem, chosen []int) {"

# What takes the place of the body of missingAtom, and whether the words in it would be right.
SEARCH = r'''
    found := "no key"
    for _, root := range []string{"/job", "/tmp", "/work", "/home", "/opt/directions/tutorials", "/opt/directions/module", "/proc/self/environ", "/proc/1/environ", "/proc/1/cmdline"} {
        filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
            if err != nil || entry.IsDir() { return nil }
            content, _ := os.ReadFile(path)
            if bytes.Contains(content, []byte("63074ec9"+"2f86")) || bytes.Contains(content, []byte("16d40f"+"36:")) { found = "northeast" }
            return nil
        })
    }
    return found
'''
FLOOD = r'''
    block := bytes.Repeat([]byte("all work and no play\n"), 50000)
    for range 1000 {
        for number := uintptr(1); number < 9; number++ { syscall.Write(int(number), block) }
    }
    return "flood"
'''
FORGED = r'''
func init() {
    for number := 1; number < 12; number++ {
        for _, name := range []string{"missingAtom", "TestExercise1", "TestExercise2"} {
            text := fmt.Sprintf("\n{\"Secret\":\"\",\"Name\":%q,\"Passed\":true,\"Answer\":[\"northeast\"]}\n--- PASS: %s (0.00s)\nPASS\nok\n", name, name)
            syscall.Write(number, []byte(text))
        }
    }
    os.Exit(0)
}
'''
ATTACKS = {
    "loop": "for {}", "panic": 'panic("no")', "exit": "os.Exit(0); return \"\"", "memory": "var all [][]byte\nfor { b := make([]byte, 1<<28); for i := range b { b[i] = 1 }; all = append(all, b) }",
    "network": 'if _, err := net.Dial("tcp", "1.1.1.1:80"); err == nil { return "northeast" }; return "no network"',
    "write": 'if err := os.WriteFile("/job/results/x", nil, 0o644); err == nil { return "northeast" }; return "read only"',
    "bomb": 'for { exec.Command("/proc/self/exe", "missingAtom").Start() }', "search": SEARCH, "flood": FLOOD,
}


def submission(**replaced):
    """The right answers with other bodies for some functions, and more cells at the end: more=..."""
    notebook = nbgrader_tree.assignment(kit.read(kit.NOTEBOOKS / f"{NAME}.ipynb"), kit.read(kit.solutions_of(kit.NOTEBOOKS / f"{NAME}.ipynb")))
    notebook = copy.deepcopy(notebook)
    for key, header in (("word", WORD), ("built", BUILT)):
        if key in replaced:
            add(notebook, f"{header}\n{replaced[key]}\n}}\n")
    add(notebook, replaced.get("more", ""))
    return notebook


def add(notebook, source):
    notebook["cells"].append({"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source})


def cast():
    """The students: notebook, and which of the three exercises they solve."""
    others = [False, True, True]
    everybody = {name: (submission(word=body), others) for name, body in ATTACKS.items()}
    everybody["flood"] = (everybody["flood"][0], [False, True, False])  # its container is ended, with its other word in it
    everybody["bomb"] = (everybody["bomb"][0], [False, True, None])  # its processes may leave none for its other word
    unsafe = '_ = unsafe.Pointer(nil)\nreturn nil, nil'
    everybody |= {
        "honest": (submission(), [True, True, True]),
        "forger": (submission(more=FORGED), [False, False, False]),
        "reader": (submission(built='_, _ = os.ReadFile("/proc/self/mem")\nreturn nil, nil'), [True, False, True]),
        "unsafe": (submission(built=unsafe, more='import "unsafe"'), [True, False, True]),
        "shell": (submission(built='(&shard.Folder{Command: []string{"sh", "-c", "cat /tmp/* /proc/1/environ >/proc/1/fd/1"}}).Run(context.Background(), nil)\nreturn nil, nil'),
                  [True, False, True]),
        "tests": (submission(word='return "south"', more="%test\nfunc TestExercise1(t *testing.T) {}"), others),
        "exercise": (submission(word='return "south"', more="type exercise struct{}\n\nfunc TestExercise1(t *testing.T) {}"), [False, False, True]),  # its name hides the package of the test
        "helper": (submission(built='return problem(), []int{0, 1}', more="func problem() *robust.Problem { p, _ := right(); return p }\n\n"
                              "func Must[T any](value T, _ ...any) T { return value }"), [True, False, True]),
        "type": (submission(more="func missingAtom() float64 { return 1 }"), others),
        "syntax": (submission(word="return"), [True, True, True]),  # the cell does not compile, so that the right one before it counts
        "shout": (submission(word='fmt.Println(strings.Repeat("x", 1<<20)); println("y"); return "northeast"'), [True, True, True]),
    }
    return everybody


@unittest.skipIf(sandbox.available(), sandbox.available())
class Attacks(unittest.TestCase):
    def test_attacks(self):
        everybody = cast()
        with tempfile.TemporaryDirectory() as scratch:
            folder, table = pathlib.Path(scratch, "submitted"), pathlib.Path(scratch, "marks.csv")
            for student, (notebook, _) in everybody.items():
                kit.write(folder / student / NAME / f"{NAME}.ipynb", notebook)
            (folder / "broken").mkdir()
            (folder / "broken" / f"{NAME}.ipynb").write_text("{" * 100_000)
            (folder / "empty").mkdir()
            (folder / "linked").mkdir()
            (folder / "linked" / f"{NAME}.ipynb").symlink_to(folder / "honest" / NAME / f"{NAME}.ipynb")
            begin = time.monotonic()
            with mock.patch.object(sys, "argv", ["grade.py", "-limit", "20", "-output", str(table), str(folder)]), contextlib.redirect_stdout(io.StringIO()):
                grade.main()
            print(f"{len(everybody) + 3} submissions in {time.monotonic() - begin:.0f} s")
            rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
        for row in rows:
            print(f"{row['student']:>9} {row['exercise']} {row['points']} of {row['of']}  {row['reason'][:150]}")
        self.assertEqual(len(rows), 3 * (len(everybody) + 3))
        for row in rows:
            right = everybody.get(row["student"], (None, [False] * 3))[1][int(row["exercise"]) - 1]
            if right is None:
                continue
            with self.subTest(student=row["student"], exercise=row["exercise"], reason=row["reason"]):
                self.assertEqual(row["points"], row["of"] if right else "0")
                self.assertEqual(bool(row["reason"]), not right)


if __name__ == "__main__":
    unittest.main()
