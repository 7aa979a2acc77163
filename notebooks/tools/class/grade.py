"""Grades notebooks that a class handed in, in containers, and writes a table. make grade FOLDER=folder calls it.

    grade.py [-output marks.csv] [-class FOLDER] [-limit 60] [-jobs 2] FOLDER

FOLDER holds a folder for each student with notebooks in it, at any depth: nbgrader's folder submitted, for example. -class
names the folder of the instructor that make class wrote; without it the notebooks of this checkout are the measure.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time

import exercises as kit
import programs
import sandbox
import student

HERE = pathlib.Path(__file__).resolve().parent
LARGEST = 32 << 20  # of a notebook, in bytes
BUILD_LIMIT = 900  # a bound for the compiler on a machine that is busy, in seconds
MODULE = "github.com/sparsero/directions"
# Each function or test in a process of its own, one after the other, each within the limit: what fails costs its own answer.
RUN_ALL = r'''
limit=$1 program=$2 complaint=$3; shift 3
cat >/tmp/input
for name in "$@"; do
  timeout -k 1 "$limit" "$program" "$name" </tmp/input 2>/tmp/errors; status=$?
  printf '\n#ended %s %s ' "$name" "$status"
  grep -aE -m 1 "$complaint" /tmp/errors | head -c 300 | tr '\n' ' '
  echo
done
'''


class Notebook:
    """A notebook of the course, as the instructor has it, and the program that tests answers to it."""

    def __init__(self, folder, name):
        self.name, self.tutorial = name, kit.read(folder / f"{name}.ipynb")
        self.solutions = kit.read(folder / "solutions" / f"{name}_solutions.ipynb")
        self.exercises = kit.exercises_of(self.tutorial)
        self.home = None

    def build(self, scratch, tools):
        """Makes the program that tests data, if there are any."""
        self.home = new_folder(scratch)
        if not any(e.data for e in self.exercises):
            return
        result = build(self.home, tools, [programs.final(self.name, self.tutorial, self.solutions, package())])
        reports = built(self.home)
        if not reports or reports["final"]["Problem"] or reports["final"]["Dropped"]:
            raise SystemExit(f"error: the tests of {self.name} do not compile: {reports or result.reason or result.errors}")


def package():
    """An import path that code of a submission cannot know."""
    return f"{MODULE}/notebooks/graded/verdict{secrets.token_hex(8)}"


def new_folder(scratch):
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    folder.chmod(0o777)  # the container's user is another one
    return folder


def share(folder):
    """Lets the container's user read what is in a folder."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o777 if path.is_dir() or not path.suffix else 0o644)


def build(folder, tools, jobs):
    """Builds programs in a container, in which nothing of a submission runs."""
    (folder / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
    shutil.copy(tools / "builder", folder / "builder")
    shutil.copy(HERE / "verdict" / "verdict.go", folder)
    share(folder)
    result = sandbox.run(folder, ["/job/builder", "/job"], "", BUILD_LIMIT, writable=True)
    return result


def built(folder):
    """What the builder reports of its jobs; nothing where it did not end."""
    try:
        return json.loads((folder / "built.json").read_text())
    except (OSError, ValueError):
        return None


def build_tools(scratch):
    """The builder, compiled in the image, so that this machine needs no Go."""
    folder = new_folder(scratch)
    for path in (HERE / "builder").glob("*.go"):
        if not path.name.endswith("_test.go"):
            shutil.copy(path, folder)
    share(folder)
    command = "cd /job && GO111MODULE=off CGO_ENABLED=0 GOFLAGS= go build -o builder *.go"
    result = sandbox.run(folder, ["sh", "-c", command], "", BUILD_LIMIT, writable=True)
    if result.status:
        raise SystemExit(f"error: the builder cannot be compiled in {sandbox.IMAGE}: {result.reason} {result.errors}")
    return folder


# The line in which a program or a test complains.
COMPLAINT = r"^(panic|fatal error): |^ +[a-z_]+[0-9]*(\.go)?:[0-9]+: "


def plain(complaint):
    """A complaint without its place in a file that nobody has."""
    return re.sub(r"^ *[a-z_]+\d*(\.go)?:\d+: ", "", complaint).strip()[:300]


def lines(result, secret):
    """What programs said with the secret, by name, and how each ended: status and the first words of its complaint."""
    said, ended = {}, {}
    for line in result.output.split("\n"):
        if match := re.match(r"#ended (\w+) (\d+) ?(.*)", line):
            ended[match[1]] = int(match[2]), plain(match[3])
        elif line.startswith("{"):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict) and value.get("Secret") == secret + "\n" and isinstance(value.get("Name"), str):
                said.setdefault(value["Name"], value)
    return said, ended


def run_all(folder, program, names, stdin, limit):
    """Runs a program once for each name, and returns what it said, how it ended, and what stopped all of it."""
    secret = secrets.token_hex(16)
    command = ["sh", "-c", RUN_ALL, "sh", str(limit), f"/job/{program}", COMPLAINT, *names]
    result = sandbox.run(folder, command, f"{secret}\n{stdin}", limit * len(names) + 30)
    return *lines(result, secret), result


def run_alone(folder, program, name, limit):
    """Runs a program as the only process of a container, so that its secret is in no file, and returns what run_all does."""
    secret = secrets.token_hex(16)
    result = sandbox.run(folder, [f"/job/{program}", name], secret + "\n", limit)
    said, _ = lines(result, secret)
    complaint = re.search(COMPLAINT + ".*", result.errors, re.M)
    return said, {name: (result.status, plain(complaint[0]) if complaint else "")}, result


def why(name, ended, result, limit):
    """Why a program said nothing."""
    status, words = ended.get(name, (None, ""))
    if status == 124:
        return f"stopped after {limit} s"
    if status == 137 and not result.reason:
        return f"stopped: more than {sandbox.MEMORY} of memory"
    return words or result.reason or ("ends without an answer" if status in (0, None) else f"ends with status {status}")


def grade_data(notebook, folder, report, limit):
    """The marks of the exercises whose answers are data: a reason for each that earns none, by name of its test."""
    tested = [e for e in notebook.exercises if e.data]
    if not tested:
        return {}
    names = [f.name for e in tested for f in e.data if f.name not in (report["Missing"] or [])]
    if report["Problem"]:
        return {programs.test_name(e): report["Problem"] for e in tested}
    said, ended, result = run_all(folder, "answers", names, "", limit)
    answers, reasons = {}, {}
    for exercise in tested:
        for function in exercise.data:
            line = said.get(function.name)
            if function.name in (report["Missing"] or []):
                reasons[programs.test_name(exercise)] = missing(function, report)
            elif line is None:
                reasons[programs.test_name(exercise)] = f"{function.name}: {why(function.name, ended, result, limit)}"
            elif line.get("Problem"):
                reasons[programs.test_name(exercise)] = f"{function.name}: {line['Problem']}"
            else:
                answers[function.name] = line.get("Answer")
    left = [programs.test_name(e) for e in tested if programs.test_name(e) not in reasons]
    if left:
        said, ended, result = run_all(notebook.home, "final", left, json.dumps(answers), limit)
        for name in left:
            reasons[name] = verdict(said.get(name), name, ended, result, limit)
    return reasons


def missing(function, report):
    dropped = "; ".join(f"cell {int(cell) + 1}: {words}" for cell, words in report["Dropped"].items())
    return f"func {function.name} is missing or takes or returns something else" + (f" ({dropped})" if dropped else "")


def verdict(line, name, ended, result, limit):
    """Why a test earns no marks; nothing where it passed."""
    if line is None:
        return why(name, ended, result, limit)
    if line.get("Skipped"):
        return "not answered"
    return "" if line.get("Passed") is True else ended.get(name, (0, ""))[1] or "the test fails"


def grade_built(exercise, folder, report, limit):
    """The mark of an exercise that is tested in the program of its answer."""
    name = programs.test_name(exercise)
    if report["Problem"] or report["Dropped"] and not (folder / f"test{exercise.number}").exists():
        return report["Problem"] or str(report["Dropped"])
    said, ended, result = run_alone(folder, f"test{exercise.number}", name, limit)
    reason = verdict(said.get(name), name, ended, result, limit)
    if reason == "not answered" and report["Dropped"]:
        reason += " (" + "; ".join(report["Dropped"].values()) + ")"
    return reason


def grade(notebook, path, scratch, tools, limit):
    """A reason for each exercise of a submission that earns no marks, by name of its test; nothing where it earns all."""
    everything = [programs.test_name(e) for e in notebook.exercises]
    try:
        if path.is_symlink() or path.stat().st_size > LARGEST:
            raise ValueError(f"a link, or larger than {LARGEST >> 20} MB")
        submission = kit.read(path)
        programs.code(submission)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        return dict.fromkeys(everything, f"no notebook: {problem}")
    folder = new_folder(scratch)
    constructed = [e for e in notebook.exercises if e.built]
    jobs = [programs.collecting(notebook.name, notebook.tutorial, submission, package())]
    jobs += [programs.testing(notebook.name, e, notebook.tutorial, submission, package()) for e in constructed]
    result = build(folder, tools, jobs)
    shutil.copytree(kit.NOTEBOOKS / "results", folder / "results", ignore=shutil.ignore_patterns(*student.WITHHELD))
    reports = built(folder)
    if not reports:
        return dict.fromkeys(everything, f"cannot be compiled: {result.reason or result.errors.strip()[-300:]}")
    for name in ("jobs.json", "built.json"):
        (folder / name).unlink()
    reasons = grade_data(notebook, folder, reports["answers"], limit)
    for exercise in constructed:
        name = programs.test_name(exercise)
        reasons[name] = reasons.get(name) or grade_built(exercise, folder, reports[f"test{exercise.number}"], limit)
    shutil.rmtree(folder, ignore_errors=True)
    return reasons


def submissions(folder, known):
    """The notebooks of each student, and what else is to be said: (student, notebook, path, note)."""
    found = {}
    for path in sorted(p for p in folder.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts and p.stem in known):
        name = path.relative_to(folder).parts[0]
        if name != path.name:
            found.setdefault((name, path.stem), []).append(path)
    for (name, notebook), paths in sorted(found.items()):
        newest = max(paths, key=lambda p: p.lstat().st_mtime)
        yield name, notebook, newest, f"the newest of {len(paths)} files: {newest.relative_to(folder)}" if len(paths) > 1 else ""


def absent(folder, given):
    """Students with a folder who did not hand in a notebook that others did."""
    for name in sorted(p.name for p in folder.iterdir() if p.is_dir() and not p.name.startswith(".")):
        for notebook in sorted({n for _, n in given}):
            if (name, notebook) not in given:
                yield name, notebook


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-output", default="marks.csv", type=pathlib.Path, help="the table that is written")
    parser.add_argument("-class", dest="instructor", type=pathlib.Path, default=kit.NOTEBOOKS, help="folder instructor of make class")
    parser.add_argument("-limit", type=int, default=60, help="longest time for an answer or a test, in seconds")
    parser.add_argument("-jobs", type=int, default=min(os.cpu_count() or 1, 4), help="submissions at a time")
    parser.add_argument("folder", type=pathlib.Path)
    return parser.parse_args()


def main():
    chosen = options()
    if not chosen.folder.is_dir():
        raise SystemExit(f"error: there is no folder {chosen.folder}; name the one with the submissions: make grade FOLDER=folder")
    if problem := sandbox.available():
        raise SystemExit(f"error: {problem}")
    begin, known = time.monotonic(), {path.stem for path in kit.tutorials(chosen.instructor)}
    handed = list(submissions(chosen.folder, known))
    if not handed:
        raise SystemExit(f"error: no notebook of the course is below {chosen.folder}/STUDENT/")
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(max(1, chosen.jobs)) as pool:
        os.chmod(scratch, 0o755)
        tools = build_tools(scratch)
        notebooks = {name: Notebook(chosen.instructor, name) for name in sorted({entry[1] for entry in handed})}
        list(pool.map(lambda notebook: notebook.build(scratch, tools), notebooks.values()))

        def mark(entry):
            reasons = grade(notebooks[entry[1]], entry[2], scratch, tools, chosen.limit)
            right = sum(not reason for reason in reasons.values())
            print(f"{entry[0]}  {entry[1]}  {right} of {len(reasons)} right", flush=True)
            return reasons
        rows = write(chosen.output, handed, list(pool.map(mark, handed)), notebooks, chosen.folder)
    print(f"{len(handed)} notebooks in {time.monotonic() - begin:.0f} s; {rows} rows in {chosen.output}")


def write(path, handed, marks, notebooks, folder):
    """The table: a row for each exercise of each student."""
    rows = []
    for (name, notebook, _, note), reasons in zip(handed, marks):
        for exercise in notebooks[notebook].exercises:
            reason = reasons[programs.test_name(exercise)]
            rows.append([name, notebook, exercise.number, 0 if reason else exercise.points, exercise.points, "; ".join(filter(None, (reason, note)))])
    for name, notebook in absent(folder, {(entry[0], entry[1]) for entry in handed}):
        rows += [[name, notebook, e.number, 0, e.points, "not handed in"] for e in notebooks[notebook].exercises]
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["student", "notebook", "exercise", "points", "of", "reason"])
        table.writerows([safe(value) for value in row] for row in sorted(rows))
    return len(rows)


def safe(value):
    """A text that no spreadsheet takes for a formula, in one line."""
    if not isinstance(value, str):
        return value
    value = re.sub(r"\s+", " ", value)
    return "'" + value if value[:1] in "=+-@" and value else value


if __name__ == "__main__":
    main()
