"""The command sparsero from Python: NumPy arrays in, arrays and, where pandas is installed, frames out.

SPARSERO names the command (default: sparsero, as "go install ./sparsero/cmd/sparsero" leaves it on the path).
Run as a program it chooses atoms and designs a decision on drawn data, and checks what comes back.
"""

import json
import math
import os
import pathlib
import shlex
import subprocess
import tempfile

import numpy as np

try:
    import pandas
except ImportError:
    pandas = None

COMMAND = shlex.split(os.environ.get("SPARSERO", "sparsero"))


def sparsero(*arguments, accept=(0,)):
    """Runs the command and returns what it printed as JSON; another exit code is a RuntimeError with its message."""
    done = subprocess.run([*COMMAND, *map(str, arguments), "-json"], capture_output=True, text=True)
    if done.returncode not in accept:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def save(path, rows):
    """Writes rows of numbers as the command reads them: float64, row by row."""
    np.save(path, np.ascontiguousarray(rows, dtype=float))


def without_infinities(value):
    """The value with None, which is no bound, in the place of infinite numbers, and with Python's numbers for NumPy's."""
    if isinstance(value, dict):
        return {key: without_infinities(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [without_infinities(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and math.isinf(value) else value


def select(atoms, probes, budget, rule="greedy"):
    """Chooses rows of atoms (N x p) that cover the rows of probes (M x p): their indices, and a frame or a dict of lists."""
    with tempfile.TemporaryDirectory() as folder:
        save(folder + "/atoms.npy", atoms)
        save(folder + "/probes.npy", probes)
        found = sparsero("select", folder + "/atoms.npy", folder + "/probes.npy", "-budget", budget, "-rule", rule)
    steps = {name: found[name] for name in ("Atoms", "Gains", "Coverage", "Bounds")}
    return np.array(found["Atoms"]), pandas.DataFrame(steps) if pandas else steps


def design(model, atoms, gap=0.01, violations=0.0, file="design.json"):
    """Solves min b(x) + max <d_i, x> for a model (a dict, the JSON of solver.Model) and writes a design file.

    Returns the decision, the chosen atoms, and everything else that the command says; "met" tells whether the
    demands are. With violations above 0 the atoms have to be independent draws. The file is checked with "sparsero verify" or with verify.py, which needs nothing but Python.
    """
    file = os.path.abspath(file)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "model.json").write_text(json.dumps(without_infinities(model), allow_nan=False))
        save(folder + "/atoms.npy", atoms)
        arguments = ["-model", folder + "/model.json", "-gap", gap, "-violations", violations, "-o", file]
        found = sparsero("design", folder + "/atoms.npy", *arguments, accept=(0, 3))
    return np.array(found["decision"]), np.array(found["atoms"]), found


def main():
    random = np.random.default_rng(7)
    atoms, probes = (np.asfortranarray(random.standard_normal((rows, 4))) for rows in (600, 60))
    chosen, steps = select(atoms, probes, 5)
    covered = np.maximum(0, (probes @ atoms[chosen].T).max(axis=1)).mean()
    assert np.isclose(covered, list(steps["Coverage"])[-1]), "the coverage is not what NumPy says"
    print("atoms", chosen, "cover", round(covered, 6))
    print(steps)

    columns = [{"name": "x%d" % j, "lower": 0, "upper": math.inf, "cost": cost, "integer": False} for j, cost in enumerate([-1, -2, -3, -4])]
    model = {"name": "from Python", "columns": columns, "rows": [{"lower": 1, "upper": 1, "columns": [0, 1, 2, 3], "values": [1, 1, 1, 1]}]}
    with tempfile.TemporaryDirectory() as folder:
        decision, used, found = design(model, atoms, gap=0.01, violations=0.05, file=folder + "/design.json")
        checked = sparsero("verify", folder + "/design.json")
    value = np.dot([-1, -2, -3, -4], decision) + found["radius"] * max(0, (atoms @ decision).max())
    assert np.isclose(value, found["value"]), "the value is not what NumPy says"
    assert checked["valid"]
    print("decision", decision.round(6), "by atoms", used, "at radius", round(found["radius"], 6), "value", round(value, 6))
    print("\n".join(checked["statements"]))


if __name__ == "__main__":
    main()
