"""Robust decisions from few directions: arrays in, arrays and, where pandas is installed, frames out.

The command sparsero does the work; README.md shows the way, and PROBLEM.md of the command lists what a problem may hold.
"""

import json
import math
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import types
import warnings

import numpy as np

try:
    import pandas
except ImportError:
    pandas = None

LARGE = 1000  # numbers of an array that is written as a file beside the document
TEXTS = {"name", "labels"}
INFINITE = {"lower": -math.inf, "upper": math.inf, "norm": math.inf}  # what None stands for at keys where it is not what is left out
FILES = {"model", "dictionary", "samples", "values", "matrix", "covariance", "polyhedron"}  # keys whose text is a path


class Error(RuntimeError):
    """What the command says, and its exit code."""

    def __init__(self, text, code=2):
        super().__init__(text)
        self.code = code


def command():
    """The words that start the command: those of SPARSERO, or the program on the path or where "go install" puts it."""
    if os.environ.get("SPARSERO"):
        return shlex.split(os.environ["SPARSERO"])
    installed = os.environ.get("GOBIN") or os.path.join(os.environ.get("GOPATH") or os.path.expanduser("~/go"), "bin")
    found = shutil.which("sparsero") or shutil.which("sparsero", path=installed)
    if not found:
        raise Error('there is no command sparsero on the path; "go install ./sparsero/cmd/sparsero" brings it, or SPARSERO names it')
    return [found]


def run(*arguments, accept=(0,)):
    """Runs the command and returns what it prints as JSON; another exit code than those to accept is an Error with its text."""
    try:
        done = subprocess.run([*command(), *map(str, arguments), "-json"], capture_output=True, encoding="utf-8")
    except OSError as reason:
        raise Error(f"the command does not start ({reason}); SPARSERO names it, or go install ./sparsero/cmd/sparsero brings it") from reason
    lines = done.stderr.splitlines()
    for line in lines:
        if line.startswith("warning: "):
            warnings.warn(line[len("warning: "):], stacklevel=3)
    if done.returncode not in accept:
        begins = [k for k, line in enumerate(lines) if line.startswith("sparsero ")]
        raise Error("\n".join(lines[begins[-1]:] if begins else lines), done.returncode)
    return json.loads(done.stdout)


def is_pandas(value):
    return pandas is not None and isinstance(value, (pandas.DataFrame, pandas.Series))


def named(index):
    """Whether an index of pandas holds names, and not places."""
    return not isinstance(index, pandas.RangeIndex)


def numbers(value, name):
    """A dense array of float64, or of whole numbers that are given as one; a number that is masked or missing is NaN."""
    if type(value) is np.ndarray and value.dtype.kind in "iu":
        return value
    if hasattr(value, "toarray"):  # a sparse matrix of SciPy
        value = value.toarray()
    if isinstance(value, np.ma.MaskedArray):
        value = value.astype(float).filled(math.nan)
    try:
        value = value if is_pandas(value) else np.asarray(value)
        kinds = [of.kind for of in np.atleast_1d(value.dtypes if is_pandas(value) else value.dtype)]
        if any(kind in "cmM" for kind in kinds):
            raise TypeError("dates, times and complex numbers are none")
        return value.to_numpy(dtype=float, na_value=math.nan) if is_pandas(value) else value.astype(float)
    except (TypeError, ValueError) as reason:
        raise ValueError(f"{name} holds what is no number ({reason}); let labels be the index of a frame") from reason


def in_order(value, names, what):
    """An array by the names of the columns, where a Series (or the columns of a frame) has names, else by position."""
    index = getattr(value, "columns", getattr(value, "index", None)) if is_pandas(value) else None
    if index is None or not named(index):
        return numbers(value, what)
    if sorted(map(str, index)) != sorted(names) or len(set(names)) < len(names):
        raise ValueError(f"{what} is named {list(map(str, index))[:5]} ..., and not {list(names)[:5]} ... as it should be; give each of them once, or an array")
    return numbers(value, what)[..., [list(map(str, index)).index(name) for name in names]]


def coordinates(maps, columns):
    """The names of the coordinates of u in maps: those of the columns for an identity, else of the rows of a matrix; none if no map has them."""
    matrices = [part.get("matrix") for part in maps if isinstance(part, dict)]
    if any(isinstance(matrix, str) and matrix == "identity" for matrix in matrices):
        return columns
    return next((list(map(str, matrix.index)) for matrix in matrices if is_pandas(matrix) and named(matrix.index)), [])


def arranged(value, names, columns, what):
    """A Series, or the columns of a frame, by names of coordinates; their order counts where there are none that fit, as the command takes it."""
    index = list(map(str, value.columns if value.ndim == 2 else value.index))
    if not named(value.columns if value.ndim == 2 else value.index):
        return value
    if names and (value.ndim == 1 or sorted(index) == sorted(names)):
        in_order(value, names, what)
        places = [index.index(name) for name in names]
        return value.iloc[:, places] if value.ndim == 2 else value.iloc[places]
    if not names and sorted(index) == sorted(columns) and index != columns:
        raise ValueError(f"{what} is named {index[:5]} ..., the columns of the model {columns[:5]} ..., and the matrix of a map names no rows; "
                         "give it in the order of the rows, or the matrix as a frame whose index names them")
    return value


def bound(value, none):
    """A bound or bounds, with a number for None, which is none."""
    if isinstance(value, (list, tuple)):
        return [none if of is None else of for of in value]
    return none if value is None else value


def model(cost, lower=0.0, upper=math.inf, integer=False, names=None, at_most=None, at_least=None, equal=None, quadratic=None, name=""):
    """Columns and rows as arrays: minimise cost'x + x' quadratic x over lower <= x <= upper and A x <= b for at_most = (A, b).

    Bounds and integer are numbers or arrays. names are those of the columns, by default the index of a Series, and other Series and frames
    go by them.
    """
    if names is None:
        names = cost.index if is_pandas(cost) and named(cost.index) else []
    names = list(map(str, names))
    lower, upper = bound(lower, -math.inf), bound(upper, math.inf)
    cost = in_order(cost, names, "cost").astype(float)
    lower, upper, integer = (in_order(value, names, what) for value, what in ((lower, "lower"), (upper, "upper"), (integer, "integer")))
    if not np.isin(integer, (0, 1)).all():
        raise ValueError(f"integer is {integer}; give True or False, one for all columns or one for each")
    integer = integer.astype(bool)
    if cost.ndim != 1 or any(part.shape not in ((), cost.shape) for part in (lower, upper, integer)) or len(names) not in (0, len(cost)):
        raise ValueError(f"cost is of shape {cost.shape}, lower {lower.shape}, upper {upper.shape}, integer {integer.shape}, and there are {len(names)} names; "
                         "give one of each for each column")
    columns = [dict(zip(("cost", "lower", "upper", "integer"), of)) for of in zip(*map(np.ndarray.tolist, np.broadcast_arrays(cost, lower, upper, integer)))]
    for column, of in zip(columns, names):
        column["name"] = of
    rows = []
    for pair, sides in ((at_most, ("upper",)), (at_least, ("lower",)), (equal, ("lower", "upper"))):
        if pair is None:
            continue
        if len(pair) != 2:
            raise ValueError(f"rows are a pair (A, b), and there are {len(pair)} parts; give one matrix and its sides")
        matrix = np.atleast_2d(in_order(pair[0], names, "a matrix of rows"))
        if matrix.shape[1] != len(cost):
            raise ValueError(f"a matrix of rows is {matrix.shape} for {len(cost)} columns; give one number for each")
        of = list(map(str, pair[0].index)) if is_pandas(pair[0]) and named(pair[0].index) else []
        sides_given = in_order(pair[1], of, "a side of rows") if of else numbers(pair[1], "a side of rows")
        if sides_given.shape not in ((), (1,), (len(matrix),)):
            raise ValueError(f"a side of rows is of shape {sides_given.shape} for {len(matrix)} rows; give one number, or one for each")
        for values, side in zip(matrix, np.broadcast_to(sides_given, len(matrix))):
            rows.append({**{key: side for key in sides}, "columns": np.flatnonzero(values), "values": values[values != 0]})
    terms = []
    if quadratic is not None:
        square = in_order(quadratic, names, "quadratic")
        if is_pandas(quadratic):
            square = in_order(pandas.DataFrame(square.T, columns=quadratic.index), names, "quadratic")
        if square.shape != (len(cost), len(cost)):
            raise ValueError(f"quadratic is of shape {square.shape}; give a row and a column for each of the {len(cost)} columns")
        terms = [[i, j, square[i, j] + (square[j, i] if i < j else 0)] for i in range(len(square)) for j in range(i, len(square))]
    return {"name": name, "columns": columns, "rows": rows, "quadratic": [term for term in terms if term[2] != 0]}


def write(path, **problem):
    """Writes the document of a problem, whose keys are the arguments, with large arrays as files beside it; returns the path."""
    path, files = pathlib.Path(path), []
    columns = problem["model"].get("columns", []) if isinstance(problem.get("model"), dict) else []
    names = [column.get("name", "") for column in columns]
    names = names if all(names) else []
    rows = [row for row in problem.get("constraints") or [] if isinstance(row, dict)]
    shared = coordinates([problem.get("objective"), *(row.get("map") for row in rows if row.get("dictionary") is None)], names)
    atoms = problem.get("dictionary")
    atoms = atoms.get("values") if isinstance(atoms, dict) else atoms
    atoms = list(map(str, atoms.columns)) if is_pandas(atoms) and atoms.ndim == 2 and named(atoms.columns) else []
    own = {f"constraints[{k}]": coordinates([row.get("map")], names) for k, row in enumerate(rows) if row.get("dictionary") is not None}

    def by_name(value, name):
        of = own.get(name[:name.find("]") + 1], shared)
        return arranged(value, of, names, name)

    def plain(value, name):
        key = name.split(".")[-1]
        if key == "dictionary" and is_pandas(value):
            value = {"values": value}
        if isinstance(value, dict) and all(map(is_pandas, (value.get("samples"), value.get("probabilities")))) and named(value["samples"].index):
            value = {**value, "probabilities": in_order(value["probabilities"], list(map(str, value["samples"].index)), f"{name}.probabilities")}
        if isinstance(value, dict) and hasattr(value.get("values"), "columns") and is_pandas(value["values"]):
            frame = by_name(value["values"], f"{name}.values")
            value = {"labels": list(map(str, frame.index)), "columns": list(map(str, frame.columns)), **value, "values": numbers(frame, f"{name}.values")}
        if key == "covariance" and is_pandas(value) and not named(value.index) and len(value) == len(value.columns):
            value = value.set_axis(value.columns)
        if is_pandas(value) and (key in ("widths", "constant") or key in ("samples", "covariance") and name.startswith("set.")):
            value = by_name(value, name)
        if is_pandas(value) and value.ndim == 2 and named(value.index) and key in ("matrix", "covariance"):
            value = by_name(value.T, name).T
        known = [names] if key == "matrix" else [shared, atoms] if key in ("samples", "covariance") else []
        if known and is_pandas(value) and value.ndim == 2 and named(value.columns):
            fit = [of for of in known if sorted(of) == sorted(map(str, value.columns))]
            if not fit:  # the command says what is wrong with the names, or that their order counts
                files.append(path.with_name(f"{path.stem}-{len(files)}.csv"))
                pandas.DataFrame(numbers(value, name).astype(float), columns=value.columns).to_csv(files[-1], index=False)
                return files[-1].name
            value = in_order(value, fit[0], name)
        if key == "nominal" and names:
            value = in_order(value, names, name)
        if (key in TEXTS or name.endswith("dictionary.columns")) and hasattr(value, "__iter__"):
            return value if isinstance(value, str) else list(map(str, value))
        if is_pandas(value) or hasattr(value, "toarray") or isinstance(value, np.ndarray):
            value = numbers(value, name)
            if (key in FILES - {"values"} or name.endswith("dictionary.values")) and value.ndim != 2:
                raise ValueError(f"{name} is of shape {value.shape}; give rows of numbers, such as reshape(-1, 1)")
        if isinstance(value, str) and key in FILES and value != "identity":
            return os.path.abspath(value)
        if isinstance(value, np.ndarray) and value.ndim == 2 and value.size > LARGE:
            rows = np.ascontiguousarray(value, dtype=float)
            if not np.isfinite(rows).all():
                i, j = np.argwhere(~np.isfinite(rows))[0]
                raise ValueError(f"{name}[{i}][{j}] is {rows[i, j]}; give finite numbers")
            files.append(path.with_name(f"{path.stem}-{len(files)}.npy"))
            np.save(files[-1], rows)
            return files[-1].name
        if isinstance(value, dict):
            return {key: plain(part, f"{name}.{key}" if name else key) for key, part in value.items() if part is not None or key in INFINITE}
        if isinstance(value, (list, tuple, np.ndarray)):
            return [plain(part, f"{name}[{k}]") for k, part in enumerate(value)]
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, os.PathLike):
            return os.path.abspath(value)
        if isinstance(value, float) and not math.isfinite(value):
            if value != INFINITE.get(key):
                raise ValueError(f"{name} is {value}; give a finite number")
            return None
        return value

    path.write_text(json.dumps(plain(problem, ""), allow_nan=False))
    return path


def design(file=None, **problem):
    """Solves a problem, whose keys are the arguments, and writes the design file, if one is named.

    The answer has the decision and the atoms as arrays, constraints as a frame or a dict of lists, and what the command says: value,
    gap, met, radius, labels, columns, statement and more. met is False where the demands are not met, and unmet says what would meet
    them; note names the file with the atoms, which verify takes, too, where they are too many for the design file.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = ["-o", os.path.abspath(file or os.path.join(folder, "design.json"))]
        found = run("design", write(os.path.join(folder, "problem.json"), **problem), *out, accept=(0, 3))
    if file is None:
        found["file"] = None
    rows = {key: [row[key] for row in found["constraints"]] for key in ("name", "reaches", "limit")}
    found.update(decision=np.array(found["decision"]), atoms=np.array(found["atoms"], dtype=int), constraints=pandas.DataFrame(rows) if pandas else rows)
    return types.SimpleNamespace(**found)


def select(atoms, probes, budget, rule="greedy"):
    """Chooses rows of atoms (N x p) that cover the rows of probes (M x p): their indices, and a frame or a dict of lists."""
    if is_pandas(atoms) and is_pandas(probes) and named(atoms.columns):
        probes = in_order(probes, list(map(str, atoms.columns)), "probes")
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("atoms.npy", "probes.npy")]
        for path, rows in zip(paths, (atoms, probes)):
            np.save(path, np.ascontiguousarray(numbers(rows, os.path.basename(path)), dtype=float))
        found = run("select", *paths, "-budget", budget, "-rule", rule)
    steps = {name: found[name] for name in ("Atoms", "Gains", "Coverage", "Bounds")}
    return np.array(found["Atoms"]), pandas.DataFrame(steps) if pandas else steps


def verify(file, *dictionary):
    """Checks every claim of a design file, with the file of its atoms if they are not in it: what is proven, in words."""
    return run("verify", file, *dictionary)["statements"]
