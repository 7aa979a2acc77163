"""Check a design file of sparsero, without rounding and without any other software:

    python3 verify.py design.json [dictionary.npy or dictionary.csv]

It needs Python 3.9 and nothing but its standard library. Exit code 0: every claim is true. 1: a
claim is false, and the output says which. 2: the file cannot be checked. FORMAT.md says what the
keys mean.

Read it from top to bottom: what is claimed, the order of the checks, then each check. A number of
a file stands for the nearest float64, which is a fraction. Every sum here is one of fractions or of
whole numbers, so that no error adds up. The claims `full`, `restricted` and `missed` are about the
decision x alone and are computed. The claim `lower` is about all decisions. It is proven by weak
duality, which is `least_between`, with multipliers that anybody may have found."""
import hashlib
import json
import math
import operator
import os
import re
import struct
import sys
from array import array
from fractions import Fraction

WORDS = {
    "full": "the decision costs at most this, against {all} at radius {radius}",
    "restricted": "the decision costs at most this, against the {chosen} chosen atoms",
    "missed": "the decision misses bounds, rows and robust constraints by at most this",
    "lower": "no feasible decision costs less than this, against {all}",
    "regret": "the decision costs at most this more than the best feasible one",
    "gap": "the value gap between the chosen atoms and {all} is at most this{moved}",
}

MOST_BYTES, MOST_TEXT, MOST_TABLE = 256 << 20, 1_200_000_000, 8193 << 20  # design, CSV, NPY
MOST_VALUES, MOST_OBJECTS, MOST_BRANCHES, MOST_ROWS = 8_000_000, 1_000_000, 2_000, 10_000_000
MOST_DIGITS, MOST_LENGTH = 100_000, 100_000_000  # of a whole number, and of what is kept of a leaf
ONE, INFINITY = Fraction(1), math.inf


class Fault(Exception):
    """The exit code of a file, false (1) or not checkable (2), and why."""


def need(holds, message):
    """What the format demands; a file that breaks it is not checkable."""
    if not holds:
        raise Fault(2, message)


def ensure(holds, claim, message):
    """What a file claims; a file that breaks it is false."""
    if not holds:
        raise Fault(1, f"{claim} {message}")


def check(data, handed=None):
    """The file, all claims of which are true. A Fault says what is not."""
    file, seal = decode(data), seal_of(data)
    problem, proof, claims = file["problem"], file["proof"], file["claims"]
    atoms, p, sha256, _, _, inside = problem["dictionary"].values()
    tables = [array("d", (v for atom in inside for v in atom))] if inside else []
    if handed is not None:
        tables.append(read_table(handed, atoms, p))
    same = [len(table) == atoms * p and hash_of(table, p) == sha256 for table in tables]
    need(handed is None or same[-1], "the atoms handed over are not those of the design")
    need(tables, "its dictionary is not in it; hand over its NPY or CSV file; the SHA-256 of its "
         f"numbers, which is not that of the file, is {sha256}")

    ensure(seal == file["seal"], "seal", "is not that of the bytes, which have changed")
    ensure(same[0], "dictionary", "has another hash than the file says")
    design = Design(problem, file["decision"], tables[-1])
    for v, column in zip(design.x, problem["model"]["columns"]):
        whole = v.denominator == 1 or not column["integer"]
        ensure(whole, "decision", "has a fraction in an integer column")
    for i in design.chosen if design.set else ():
        ensure(design.set.contains(design.atom(i)), "set", f"does not hold the chosen atom {i}")
    if proof and proof["curvature"]:
        convex = is_convex(proof["curvature"], design.quadratic)
        ensure(convex, "quadratic", "is not convex by the squares of the proof")

    values = dict.fromkeys(claims)  # without rounding; None where nothing is proven
    values["full"], values["restricted"] = design.cost(), design.cost(design.chosen)
    position = design.position()
    values["missed"] = max(max(max(low, v) - v, v - min(high, v))
                           for v, (low, high) in zip(position, design.bounds))
    if proof:
        # The proof leans on chosen atoms alone: its bound is one of the restricted problem, too.
        # If x misses bounds, the value gap is that of the problem with these moved to x.
        lower = bound = lower_bound(design, proof, design.bounds)
        if values["missed"]:
            moved = [(min(low, v), max(high, v)) for v, (low, high) in zip(position, design.bounds)]
            bound = lower_bound(design, proof, moved)
        values["lower"] = lower
        values["regret"] = None if lower is None else values["full"] - lower
        values["gap"] = None if bound is None else values["full"] - bound
    for name, claim in claims.items():
        if claim is not None:
            judge(name, Fraction(claim), values[name])
    return file


def judge(name, claim, value):
    """A claim is on the safe side of the exact value: lower not above it, all others not below."""
    shown = f"is {float(claim)} by the file, but"
    ensure(value is not None, name, f"{shown} nothing is proven")
    near = float(value) if abs(value) < 1e308 else "beyond float64"
    safe = claim <= value if name == "lower" else claim >= value
    ensure(safe, name, f"{shown} {near} without rounding")


# --- The format: what each key holds --------------------------------------------------------------


class Parallel(dict):
    """The kinds of an object, all lists of which have the same length."""


def table(n, rows, limits, atoms, p, q, set_rows):
    """The kinds of all keys, as `read` takes them, of a file with so many columns, rows, robust
    constraints, atoms, coordinates of atoms and of q, and rows of the set."""
    column, atom, whole = range(n), range(atoms), range(-2**53, 2**53 + 1)
    sides = {"lower": maybe(Fraction, -INFINITY), "upper": maybe(Fraction, INFINITY)}

    def row_over(size, **others):
        return Parallel(columns={range(size)}, values=[Fraction], **others)

    def multipliers_of(indices):
        return Parallel(of=[indices], values=[long_number])

    affine = {"matrix": [row_over(n)], "constant": [Fraction], "first": maybe(range(q))}
    return {
        "format": str, "version": float, "seal": str,
        "claims": {
            "full": float, "restricted": float, "missed": float,
            "lower": maybe(float), "regret": maybe(float), "gap": maybe(float)},
        "decision": {"x": [Fraction, n], "atoms": {atom}},
        "problem": {
            "dictionary": {
                "atoms": range(1, 2**31), "dimension": range(1, 2**31), "sha256": str,
                "labels": [str, 0, atoms], "columns": [str, 0, p],
                "values": [[float, p], 0, atoms]},
            "model": {
                "name": str, "offset": Fraction,
                "columns": [{"name": str, "cost": Fraction, "integer": bool, **sides}],
                "rows": [row_over(n, name=str, group=str, **sides)],
                "quadratic": Parallel(i=[column], j=[column], values=[Fraction])},
            "objective": maybe(affine),
            "constraints": [
                {"name": str, "nominal": [Fraction, 0, n], "map": affine, "limit": Fraction}],
            "radius": Fraction,
            "set": maybe({
                "map": [row_over(p)], "lower": [Fraction, 0, p], "upper": [Fraction, 0, p],
                "rows": [row_over(p, name=str, group=str, **sides)],
                "support": [[Fraction, set_rows], 0, 1 + limits]})},
        "proof": maybe({
            "implied": [(range(rows), column, range(-1, 2))],
            "curvature": maybe({
                "columns": {column}, "slack": [Fraction],
                "squares": [{"divisor": long_number, "values": [long_number]}]}),
            "branches": [(column, whole, whole, whole)],
            "leaves": [{
                "scale": long_number, "tangent": [long_number, 0, n], "empty": bool,
                "rows": multipliers_of(range(rows)), "objective": multipliers_of(atom),
                "constraints": [multipliers_of(range(-1, atoms)), 0, limits]}]}),
        "provenance": {
            "software": str, "promises": [str], "hypotheses": [str], "seeds": [(str, str)],
            "note": str}}


def read(kind, value):
    """A value of a kind. Kinds are: a type, Fraction for a number; a range, for a whole number in
    it; [kind, lengths], a list of one of these lengths if there are any; {kind}, a list without
    repetition; (kind, kind), a list of these; {key: kind}, an object; otherwise a function."""
    if kind is Fraction:
        return Fraction(read(float, value))
    if isinstance(kind, type):
        need(isinstance(value, kind), f"a value is no {kind.__name__}")
        return value
    if isinstance(kind, range):
        fits = read(float, value).is_integer() and int(value) in kind
        need(fits, f"{value} is no whole number from {kind.start} to {kind.stop - 1}")
        return int(value)
    if isinstance(kind, dict):
        fits = isinstance(value, dict) and set(value) == set(kind)
        need(fits, f"an object does not have the keys {', '.join(kind)}")
        result = {key: read(kind[key], value[key]) for key in kind}
        lengths = {len(part) for part in result.values() if isinstance(part, list)}
        need(len(lengths) == 1 or not isinstance(kind, Parallel), "two lists differ in length")
        return result
    if not isinstance(kind, (list, set, tuple)):
        return kind(value)
    value = [] if value is None else value
    need(isinstance(value, list), "a value is no list")
    if isinstance(kind, tuple):
        need(len(value) == len(kind), f"an entry does not have {len(kind)} parts")
        return [read(*pair) for pair in zip(kind, value)]
    item, *lengths = kind
    need(not lengths or len(value) in lengths, f"a list does not have {lengths} entries")
    result = [read(item, part) for part in value]
    need(isinstance(kind, list) or len(set(result)) == len(result), "an index stands twice")
    return result


def maybe(kind, missing=None):
    return lambda value: missing if value is None else read(kind, value)


def long_number(value):
    """A float64, or a whole number in hexadecimal digits where a float64 has too few."""
    if isinstance(value, str) and re.fullmatch("-?[0-9a-f]+", value) and len(value) <= MOST_DIGITS:
        return Fraction(int(value, 16))
    return read(Fraction, value)


def float64(digits):
    """The float64 that is nearest to a decimal number of up to 5,000 characters. -0 counts as 0."""
    value = INFINITY if digits[5_000:] or digits.strip("0123456789+-.eE") else float(digits)
    if abs(value) == INFINITY:
        raise Fault(2, f"{digits[:40]!r} is no number, or beyond float64")
    return value + 0.0


def unique(pairs):
    """An object of JSON that names no key twice."""
    need(len(dict(pairs)) == len(pairs), "an object has a key twice")
    return dict(pairs)


def decode(data):
    """A file whose parts are of the right kinds and fit together."""
    commas, lists, objects = (data.count(sign) for sign in (b",", b"[", b"{"))
    need(commas + lists + objects <= MOST_VALUES and objects <= MOST_OBJECTS, "it is too long")
    root = json.loads(data.decode("utf-8"), parse_float=float64, parse_int=float64,
                      parse_constant=float64, object_pairs_hook=unique)
    need(root["format"] == "sparsero design",
         f"format is {root['format']!r:.40}, not 'sparsero design'; hand over a design file")
    need(root["version"] == 2, f"version is {root['version']!r:.40}, and this program knows "
         "version 2; take the verify.py of a newer release")
    problem, model = root["problem"], root["problem"]["model"]
    convex = problem.setdefault("set", None) or {}
    for affine in [problem["objective"] or {}] + [c["map"] for c in problem["constraints"] or []]:
        affine.setdefault("first", None)
    atoms, p = (read(range(1, 2**31), problem["dictionary"][key]) for key in ("atoms", "dimension"))
    n, rows, limits, q, set_rows = (len(part or []) for part in (
        model["columns"], model["rows"], problem["constraints"], convex.get("map"),
        convex.get("rows")))
    file = read(table(n, rows, limits, atoms, p, q or p, set_rows), root)

    problem, model, convex = file["problem"], file["problem"]["model"], file["problem"]["set"]
    need(n > 0 and problem["radius"] >= 0, "it has no columns, or its radius is negative")
    parts = [problem["objective"], *(c["map"] for c in problem["constraints"])]
    maps = [part for part in parts if part]
    all_rows = all(affine["first"] is None for affine in maps)
    need(all_rows or (1 + limits) * (q or p) <= MOST_ROWS, "its maps stand for too many rows")
    for affine in maps:
        complete(affine, q or p)
    whole = [side for c in model["columns"] if c["integer"] for side in (c["lower"], c["upper"])]
    need(all(abs(side) == INFINITY or side.denominator == 1 for side in whole),
         "an integer column has a bound that is not whole")
    if convex:
        need(len(convex["lower"]) == len(convex["upper"]) >= bool(convex["rows"]),
             "the set has rows or bounds without other bounds")
        sides = [row["upper" if y > 0 else "lower"] for multipliers in convex["support"]
                 for y, row in zip(multipliers, convex["rows"]) if y]
        need(all(abs(side) < INFINITY for side in sides), "the support of the set needs a bound")
    need(all(claim is None or float(f"{claim:.12g}") == claim for claim in file["claims"].values()),
         "a claim has more than 12 significant digits")
    if file["proof"]:
        check_proof(file["proof"], model)
        check_lengths(root["proof"], n + p)
    return file


def complete(affine, coordinates):
    """Give a map the rows that are left out before and behind those that it has."""
    size, before = len(affine["matrix"]), affine["first"] or 0
    behind = coordinates - before - size
    fits = behind == 0 if affine["first"] is None else size and behind >= 0
    need(fits and len(affine["constant"]) in (0, size), "a map has not a row for each coordinate")
    for key, zero in ("matrix", {"columns": [], "values": []}), ("constant", 0):
        affine[key] = before * [zero] + (affine[key] or size * [zero]) + behind * [zero]


def check_proof(proof, model):
    """The branches make a tree, and implied bounds, leaves and curvature fit the model."""
    for i, j, side in proof["implied"]:
        need(side and dict(entries(model["rows"][i])).get(j), "a row implies a bound of no column")
    depth = {0: 0}
    for node, (column, _, *parts) in enumerate(proof["branches"]):
        need(model["columns"][column]["integer"], "a branch splits no integer column")
        for part in parts:
            own = node < part <= 2 * len(proof["branches"]) and part not in depth
            need(own, "a part of a branch is not its own")
            depth[part] = depth.get(node, 0) + 1
            need(depth[part] <= MOST_BRANCHES, "there are too many branches above a leaf")
    need(len(proof["leaves"]) == len(proof["branches"]) + 1, "branches and leaves make no tree")
    need(all(leaf["scale"] > 0 for leaf in proof["leaves"]), "the scale of a leaf is not above 0")
    if proof["curvature"]:
        columns, slack, squares = proof["curvature"].values()
        quadratic = {*model["quadratic"]["i"], *model["quadratic"]["j"]}
        need(quadratic <= set(columns), "the curvature leaves a column out")
        need(len(slack) == len(columns) and min(slack, default=0) >= 0, "a slack is below 0")
        for square in squares:
            fits = square["divisor"] > 0 and len(square["values"]) <= len(columns)
            need(fits, "a square has a divisor that is not above 0, or too many values")


def check_lengths(proof, factors):
    """No whole number, which is a text, is so long that sums of such would fill the memory."""
    longest = max(max(lengths_in(leaf), default=0) for leaf in proof["leaves"])
    curvature = proof["curvature"] or {"columns": []}
    total = sum(lengths_in(curvature)) * len(curvature["columns"] or [])
    need(max(longest * factors, total) <= MOST_LENGTH, "whole numbers of the proof are too long")


def lengths_in(value):
    """The lengths of all texts in a value of JSON."""
    if isinstance(value, str):
        return [len(value)]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [length for part in parts for length in lengths_in(part)]


# --- Seal and dictionary --------------------------------------------------------------------------


def seal_of(data):
    """The SHA-256 of all that stands before the key seal, which is the last one."""
    end, space = max(0, data.rfind(b'"seal"')), rb"[ \t\r\n]*"
    last_key = space.join([rb'"seal"', b":", rb'"[0-9a-f]{64}"', b"}", b""])
    need(re.fullmatch(last_key, data[end:]), "its last key is not seal; it may be cut off")
    return hashlib.sha256(data[:end]).hexdigest()


def read_table(data, atoms, p):
    """The numbers of an NPY file of float64 or float32, or the last p cells of the lines of a CSV
    file, row by row."""
    numbers = array("d")
    if data.startswith(b"\x93NUMPY"):
        shape = rb"(?:[^\n]*'shape': *\(\d+, *(\d{1,9})\))?"
        header = re.match(rb"[^\n]*'descr': *'<f([48])'[^\n]*'fortran_order': *False" + shape
                          + rb"[^\n]*\n", data)
        need(header and header.end() <= 1 << 16,
             "the NPY file is not a matrix of float64 or float32 in C order")
        need(header[2] is None or int(header[2]) == p, f"the NPY file has not {p} columns; "
             "dictionaries of constraints are blocks of one matrix")
        code = f"<{p}" + {b"4": "f", b"8": "d"}[header[1]]
        for row in struct.iter_unpack(code, memoryview(data)[header.end():]):
            need(math.isfinite(sum(row)) or all(map(math.isfinite, row)), "a number is not finite")
            numbers.extend(row if all(row) else [v + 0.0 for v in row])  # -0 counts as 0
        return numbers
    lines = data[:MOST_TEXT].decode("latin-1").removesuffix("\n").split("\n")
    need(0 < len(data) <= MOST_TEXT and len(lines) in (atoms, atoms + 1),
         f"the CSV file has {len(lines)} lines for {atoms} atoms")
    for line in lines[len(lines) > atoms:]:
        cells = line.split(",")[-p:]
        need(len(cells) == p, "a line of the CSV file has too few cells between commas")
        numbers.extend(float64(cell.strip(" \t\r")) for cell in cells)
    return numbers


def hash_of(numbers, p):
    """The fingerprint of atoms: SHA-256 of N, p and the numbers, row by row."""
    digest = hashlib.sha256(struct.pack("<QQ", len(numbers) // p, p))
    if sys.byteorder == "big":
        (numbers := numbers[:]).byteswap()
    digest.update(numbers)
    return digest.hexdigest()


# --- Sums -----------------------------------------------------------------------------------------
# A row is a list of entries (j, v). The last coordinate of a point x is 1, so that the constant of
# <a, x> + c is one more entry. Bounds are pairs (low, high), infinite where there is none: those of
# the coordinates of x, then those of rows, then those of robust constraints.


def entries(row):
    return list(zip(row["columns"], row["values"]))


def dot(row, x):
    return sum((v * x[j] for j, v in row if v), Fraction(0))


def combined(sums, factors, rows):
    """Add each row times its factor to sums."""
    for factor, row in zip(factors, rows):
        for j, v in row if factor else ():
            if v:
                sums[j] += factor * v
    return sums


def least_between(bounds, g, rows, multipliers, slack={}):
    """A number that <g, x> - sum of c_j (x_j - z_j)^2 is not below for any x between bounds;
    -INFINITY for none. slack holds (c_j, z_j) for some j.

    Weak duality: for such x each y (side - <a, x>) is at most 0, with the lower side of a row for
    y > 0 and the upper one for y < 0. Adding these makes the sum no larger. What is left is a sum
    over coordinates, and each term has its least value at one of its bounds."""
    g, least = list(g), Fraction(0)
    for i, y in multipliers:
        if y:
            side = bounds[len(g) + i][y < 0]
            ensure(abs(side) < INFINITY, "proof", f"leans on a bound that row {i} does not have")
            least += y * side
            combined(g, [-y], [rows[i]])
    for j, cost in enumerate(g):
        c, z = slack.get(j, (0, 0))
        ends = bounds[j] if c else [bounds[j][cost < 0]] if cost else []
        if any(abs(end) == INFINITY for end in ends):
            return -INFINITY
        least += min((cost * end - c * (end - z)**2 for end in ends), default=0)
    return least


# --- The decision ---------------------------------------------------------------------------------


class Design:
    """A problem with a decision x:

        b(x) + r max(0, max_i <d_i, q(x)>), to be minimised over x between bounds,
        <nominal, x> + r max(0, max_i <d_i, q_k(x)>) <= limit for each robust constraint k,

    where atoms d_i may be points of a convex set {M z : z in Z}, all of which count then."""

    def __init__(self, problem, decision, table):
        model, dictionary = problem["model"], problem["dictionary"]
        self.table, self.p, self.radius = table, dictionary["dimension"], problem["radius"]
        self.n, self.chosen = len(decision["x"]), decision["atoms"]
        self.largest = max(map(abs, table), default=0.0)
        self.x = decision["x"] + [ONE]
        self.linear = [c["cost"] for c in model["columns"]] + [model["offset"]]
        self.quadratic = list(zip(*model["quadratic"].values()))
        self.rows = [entries(row) for row in model["rows"]]
        self.objective = self.affine(problem["objective"]) if problem["objective"] else None
        self.constraints = [(list(enumerate(c["nominal"])), self.affine(c["map"]))
                            for c in problem["constraints"]]
        sides = [(part["lower"], part["upper"]) for part in model["columns"] + model["rows"]]
        limits = [(-INFINITY, c["limit"]) for c in problem["constraints"]]
        self.bounds = [*sides[:self.n], (ONE, ONE), *sides[self.n:], *limits]
        self.set = ConvexSet(problem["set"]) if problem["set"] else None

    def affine(self, q):
        """The rows of q(x), with their constants."""
        return [entries(row) + ([(self.n, c)] if c else [])
                for row, c in zip(q["matrix"], q["constant"])]

    def atom(self, i):
        """An atom; the null atom is -1."""
        return [Fraction(v) for v in self.table[i * self.p:(i + 1) * self.p]] if i >= 0 else []

    def reach(self, q, place, atoms=None):
        """r max(0, max_i <d_i, q(x)>) over some atoms, None for all, or no less than that over the
        set; the objective has the place 0. All are whole numbers over powers of two. Atoms are
        passed over that are below the largest so far in float64, by more than that can be wrong:
        m terms have 3m roundings of numbers up to m times the largest, each by 2**-53 of it."""
        s = [dot(row, self.x) for row in q]
        if self.set and self.set.map:
            s = combined([Fraction(0)] * self.p, s, self.set.map)  # M'q(x)
        if self.set and atoms is None:
            return self.radius * max(0, self.set.support(s, place))
        places = [k for k, v in enumerate(s) if v]
        if not places:
            return Fraction(0)
        first, end = places[0], places[-1] + 1  # between which an atom meets s
        common, size = max(v.denominator for v in s), max(map(abs, s))
        whole = [int(v * common) for v in s[first:end]]
        rough = [float(v / size) for v in s[first:end]]
        safe = 2.0**-900 < self.largest < 2.0**900  # no sum overflows, lost products are small
        wrong = (end - first + 2)**2 * 2.0**-52 * self.largest if safe else INFINITY
        most, bar = Fraction(0), -wrong
        for i in range(len(self.table) // self.p) if atoms is None else atoms:
            atom = self.table[i * self.p + first:i * self.p + end]
            if sum(map(operator.mul, atom, rough)) < bar:
                continue
            ratios = [v.as_integer_ratio() for v in atom]
            scale = max(below for _, below in ratios)
            aligned = sum(above * (scale // below) * v for (above, below), v in zip(ratios, whole))
            if aligned * most.denominator > most.numerator * scale * common:
                most = Fraction(aligned, scale * common)
                bar = float(most / size) - wrong if safe else bar
        return self.radius * most

    def cost(self, atoms=None):
        """b(x) + r max(0, max_i <d_i, q(x)>) over some atoms, None for all."""
        b = dot(enumerate(self.linear), self.x)
        b += sum(v * self.x[i] * self.x[j] for i, j, v in self.quadratic)
        return b if self.objective is None else b + self.reach(self.objective, 0, atoms)

    def position(self):
        """Where x is between the bounds."""
        robust = [dot(nominal, self.x) + self.reach(q, place)
                  for place, (nominal, q) in enumerate(self.constraints, 1)]
        return self.x + [dot(row, self.x) for row in self.rows] + robust


class ConvexSet:
    """{M z : z in Z}, where Z is the unit ball, if there are no bounds, or all z between bounds."""

    def __init__(self, convex):
        self.map, self.rows = ([entries(row) for row in convex[key]] for key in ("map", "rows"))
        sides = [(row["lower"], row["upper"]) for row in convex["rows"]]
        self.bounds = [*zip(convex["lower"], convex["upper"]), *sides]
        self.ball, self.multipliers = not convex["lower"], convex["support"]

    def contains(self, z):
        if self.ball:
            return sum(v * v for v in z) <= 1
        values = z + [dot(row, z) for row in self.rows]
        return all(low <= v <= high for v, (low, high) in zip(values, self.bounds))

    def support(self, t, place):
        """A number that <z, t> does not exceed over Z: a root rounded up, or by weak duality."""
        if self.ball:
            square = sum((v * v for v in t), Fraction(0))
            scaled = square.numerator * square.denominator << 256
            root = math.isqrt(scaled)
            return Fraction(root + (root * root < scaled), square.denominator << 128)
        multipliers = [-y for y in self.multipliers[place]] if self.multipliers else []
        return -least_between(self.bounds, [-v for v in t], self.rows, enumerate(multipliers))


# --- The proof ------------------------------------------------------------------------------------


def lower_bound(design, proof, bounds):
    """What no feasible decision costs less than: the least bound of the leaves; None for none."""
    bounds = list(bounds)
    for i, j, side in proof["implied"]:
        imply(bounds, design.rows[i], bounds[design.n + 1 + i], j, side)
    ensure(proof["curvature"] or not design.quadratic, "proof", "has no curvature of a quadratic b")
    branches, least = proof["branches"], INFINITY
    above = {part: node for node, (_, _, *parts) in enumerate(branches) for part in parts}
    for node, leaf in enumerate(proof["leaves"], len(branches)):
        part, narrowed = node, list(bounds)
        while part > 0:  # the branches above a leaf narrow the bounds of their columns
            column, at, below, _ = branches[above[part]]
            low, high = narrowed[column]
            narrowed[column] = (low, min(high, at)) if part == below else (max(low, at + 1), high)
            part = above[part]
        bound = bound_of_leaf(design, leaf, proof["curvature"], narrowed)
        if leaf["empty"]:  # a bound above 0 on a cost of 0 shows that no x is feasible
            bound = INFINITY if bound > 0 else -INFINITY
        least = min(least, bound)
    ensure(least < INFINITY, "proof", "has empty leaves alone, which proves no lower bound")
    return least if least > -INFINITY else None


def imply(bounds, row, sides, j, side):
    """Give column j the bound that a row implies, an upper one for side 1 and a lower one for -1: a
    side of the row less the least, or largest, values of its other columns, rounded outwards."""
    own = dict(row)[j]
    high = (side > 0) == (own > 0)
    known = [(ONE, sides[high])]
    known += [(-v, bounds[k][high != (v > 0)]) for k, v in row if v and k != j]
    rests = all(abs(bound) < INFINITY for _, bound in known)
    ensure(rests, "proof", "leans on an implied bound that rests on a missing one")
    implied = sum(factor * bound for factor, bound in known) / own
    try:
        near = float(implied)
    except OverflowError:
        return  # a bound beyond float64 is none
    if (Fraction(near) - implied) * side < 0:
        near = math.nextafter(near, side * INFINITY)
    if math.isfinite(near):
        low, high = bounds[j]
        bounds[j] = (low, Fraction(near)) if side > 0 else (Fraction(near), high)


def bound_of_leaf(design, leaf, curvature, bounds):
    """A number that no feasible x between the bounds costs less than, -INFINITY for none.

    b is not below its tangent at z less the slack c_j (x_j - z_j)^2. For a feasible x each of these
    is at most 0, and adding them to the cost makes it no larger:
        mu <d, q(x)> - mu max(0, max_i <d_i, q(x)>)   of an atom, and the sum of all mu is at most r
        nu (<nominal, x> + r <d, q_k(x)> - limit)     of an atom in robust constraint k
    The rest is `least_between`."""
    scale, slack, g = leaf["scale"], {}, [Fraction(0)] * (design.n + 1)
    if not leaf["empty"]:
        g = list(design.linear)
        z = [v / scale for v in leaf["tangent"]] or design.x
        for i, j, v in design.quadratic:
            combined(g, [v], [[(i, z[j]), (j, z[i]), (design.n, -z[i] * z[j])]])
        if curvature:
            slack = {j: (c, z[j]) for j, c in zip(curvature["columns"], curvature["slack"])}
    objective = None if leaf["empty"] else design.objective
    mu, total = mixture(design, leaf["objective"], scale)
    light = total <= (design.radius if objective else 0)
    ensure(light, "proof", "has multipliers of atoms that add up to more than the radius")
    combined(g, mu, objective or [])
    limits = bounds[design.n + 1 + len(design.rows):]
    for (nominal, q), (_, limit), part in zip(design.constraints, limits, leaf["constraints"]):
        nu, total = mixture(design, part, scale)
        combined(g, [total], [nominal + [(design.n, -limit)]])
        combined(g, [design.radius * v for v in nu], q)
    multipliers = [(i, y / scale) for i, y in zip(*leaf["rows"].values())]
    return least_between(bounds, g, design.rows, multipliers, slack)


def mixture(design, multipliers, scale):
    """The sum of atoms by their multipliers, in the coordinates of q, and the sum of these."""
    indices, factors = multipliers["of"], [v / scale for v in multipliers["values"]]
    for i, factor in zip(indices, factors):
        ensure(factor >= 0, "proof", f"has a negative multiplier of atom {i}")
        chosen = factor == 0 or i == -1 or i in design.chosen
        ensure(chosen, "proof", f"leans on atom {i}, which is not chosen")
    atoms = [enumerate(design.atom(i)) for i in indices]
    point = combined([Fraction(0)] * design.p, factors, atoms)
    if design.set and design.set.map:
        point = [dot(row, point) for row in design.set.map]
    return point, sum(factors)


def is_convex(curvature, terms):
    """Whether the quadratic part with c_j x_j^2 added is a sum of squares and of a rest R with
    r_ii >= 0 and (m-1)^2 r_ij^2 <= r_ii r_jj. Then R is convex: each column is in m-1 pairs, and
    for each of these 2 |r_ij x_i x_j| <= (r_ii x_i^2 + r_jj x_j^2) / (m-1)."""
    m, place = len(curvature["columns"]), {j: k for k, j in enumerate(curvature["columns"])}
    matrix = {(k, k): c for k, c in enumerate(curvature["slack"])}
    for i, j, v in terms:
        at = tuple(sorted((place[i], place[j])))
        matrix[at] = matrix.get(at, 0) + (v if i == j else v / 2)
    # In whole numbers, which are fast. A square is of the last so many columns: in order of length,
    # each column is in the first so many squares.
    squares = sorted(curvature["squares"], key=lambda square: -len(square["values"]))
    scales = [max((v.denominator for v in s["values"]), default=1) for s in squares]
    weights = [1 / (s["divisor"] * scale**2) for s, scale in zip(squares, scales)]
    common = math.lcm(*(v.denominator for v in [*weights, *matrix.values()]))
    columns = [[int(s["values"][k - m] * scale) for s, scale in zip(squares, scales)
                if m - k <= len(s["values"])] for k in range(m)]
    weights = [int(weight * common) for weight in weights]
    weighted = [list(map(int.__mul__, column, weights)) for column in columns]

    def rest(i, j):
        """r_ij times common."""
        squared = sum(map(int.__mul__, weighted[i], columns[j]))  # of the squares that both are in
        return int(matrix.get((i, j), 0) * common) - squared

    diagonal = [rest(k, k) for k in range(m)]
    return min(diagonal, default=0) >= 0 and all(
        (m - 1)**2 * rest(i, j)**2 <= diagonal[i] * diagonal[j] for j in range(m) for i in range(j))


# --- The files ------------------------------------------------------------------------------------


def main(paths):
    """Check the files, say what is true, and return the exit code."""
    try:
        need(len(paths) in (1, 2), "call it as verify.py design.json [dictionary file]")
        files = []
        for path, most in zip(paths, (MOST_BYTES, MOST_TABLE)):
            with open(path, "rb") as stream:
                size = os.fstat(stream.fileno()).st_size or MOST_TEXT  # 0 for a pipe
                files.append(stream.read(min(size, most) + 1))
            need(len(files[-1]) <= most, "a file is too large")
        code, file = 0, check(*files)
    except Fault as fault:
        code, message = fault.args
    except Exception as error:  # whatever else a malformed file leads to
        code, message = 2, f"{type(error).__name__}: {str(error)[:200]}"
    if code:
        said, stream = ("false", sys.stdout) if code == 1 else ("not checkable", sys.stderr)
        print(f"{said}: {message}", file=stream)
        return code
    problem, claims = file["problem"], file["claims"]
    said = {
        "all": "the whole set" if problem["set"] else f"all {problem['dictionary']['atoms']} atoms",
        "radius": float(problem["radius"]), "chosen": len(file["decision"]["atoms"]),
        "moved": ", if each limit that the decision misses is moved to the decision"
                 if claims["missed"] else ""}
    print("valid; each claim was computed again, without rounding:")
    for name, claim in claims.items():
        if claim is not None:
            print(f"  {name:10} {claim:<19.12g} {WORDS[name].format(**said)}")
    print("not checked: whether problem and dictionary are yours, guarantees about new draws, "
          "labels, names, notes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
