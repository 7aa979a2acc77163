"""Check a design file of sparsero, without rounding and without any other software:

    python3 verify.py design.json [dictionary.npy or dictionary.csv]

It needs Python 3.9 and nothing but its standard library. Exit code 0: every claim is true. 1: a claim is false, and
the output says which. 2: the file cannot be checked. FORMAT.md, in the same folder, says what the keys mean.

Read it from the end: `main` reads files, `check` names the steps. A number of a file stands for the nearest float64,
and that is a fraction. All sums here are of fractions or of whole numbers, so that no error adds up. The claims `full`,
`restricted` and `missed` are about the decision x alone and are computed. The claim `lower` is about all decisions; it
is proven by multipliers, whoever found them: see `bound_of_leaf`."""
import hashlib
import json
import math
import re
import struct
import sys
from array import array
from fractions import Fraction

MOST_BYTES, MOST_TABLE = 256 << 20, 1_200_000_000  # of a design file and of a dictionary file
MOST_VALUES, MOST_OBJECTS, MOST_BRANCHES = 8_000_000, 1_000_000, 2_000
MOST_DIGITS, MOST_LENGTH = 100_000, 100_000_000  # of a whole number, and of what is kept of a leaf

class Fault(Exception):
    """Why a file is false (code 1) or not checkable (code 2)."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code

def need(holds, message):
    """What the format demands; a file that breaks it is not checkable."""
    if not holds:
        raise Fault(message, 2)

def ensure(holds, claim, message):
    """What a file claims; a file that breaks it is false."""
    if not holds:
        raise Fault(f"{claim} {message}", 1)

# --- The format: what each key holds --------------------------------------------------------------------------------
# A kind is a function that returns a value of it, or ends the check.

def of(kind):
    def read(value):
        need(isinstance(value, kind), f"a value is no {kind.__name__}")
        return value
    return read

number, text, flag = of(float), of(str), of(bool)

def long_number(value):
    """A float64, or a whole number in hexadecimal digits where a float64 has too few."""
    fits = isinstance(value, str) and len(value) <= MOST_DIGITS and re.fullmatch("-?[0-9a-f]+", value)
    return value if fits else number(value)

def whole(low, high):
    def read(value):
        need(number(value).is_integer() and low <= value <= high, f"{value} is no whole number from {low} to {high}")
        return int(value)
    return read

def maybe(kind):
    return lambda value: None if value is None else kind(value)

def many(kind, *lengths):
    """A list, with one of some lengths if there are any; null is an empty one."""
    def read(value):
        need(value is None or isinstance(value, list), "a value is no list")
        need(not lengths or len(value or []) in lengths, f"a list does not have {lengths} entries")
        return [kind(v) for v in value or []]
    return read

def entry(*kinds):
    """A list of so many values, each of its kind."""
    def read(value):
        need(isinstance(value, list) and len(value) == len(kinds), f"an entry does not have {len(kinds)} parts")
        return [kind(v) for kind, v in zip(kinds, value)]
    return read

def pairs(first, second, keys_of=("of", "values")):
    """Two lists of equal length, as pairs."""
    def read(value):
        parts = keys(dict(zip(keys_of, (first, second))))(value)
        need(len(set(map(len, parts.values()))) == 1, f"{' and '.join(keys_of)} differ in length")
        return list(zip(*parts.values()))
    return read

def keys(kinds, *optional):
    """An object with exactly these keys; null stands for an optional one that is missing."""
    def read(value):
        fits = isinstance(value, dict) and set(kinds) - set(optional) <= set(value) <= set(kinds)
        need(fits, f"an object does not have the keys {', '.join(kinds)}")
        return {key: kind(value.get(key)) for key, kind in kinds.items()}
    return read

def distinct(below):
    """Different indices."""
    def read(value):
        indices = many(whole(0, below - 1))(value)
        need(len(set(indices)) == len(indices), "an index stands twice in a list")
        return indices
    return read

def fraction(value):
    return Fraction(number(value))

def bound(missing):
    """A side of a column or row, infinite if it is missing."""
    return lambda value: missing if value is None else fraction(value)

SIDES = {"lower": bound(-math.inf), "upper": bound(math.inf)}

def entries(below):
    return pairs(distinct(below), many(number), ("columns", "values"))

def row_of(below):
    """A row with its entries (j, v)."""
    kinds = {"name": text, "group": text, **SIDES, "columns": lambda value: value, "values": lambda value: value}
    def read(value):
        row = keys(kinds)(value)
        return {"entries": entries(below)({key: row.pop(key) for key in ("columns", "values")}), **row}
    return read

def format_of(n, rows, constraints, atoms, p, q):
    """The format of a file with so many columns, rows, robust constraints, atoms, and coordinates of atoms and of q."""
    column, atom, affine = whole(0, n - 1), whole(0, atoms - 1), keys({"matrix": many(entries(n), q), "constant": many(number, 0, q)})
    leaf = keys({
        "scale": long_number, "rows": pairs(many(whole(0, rows - 1)), many(long_number)), "objective": pairs(many(atom), many(long_number)),
        "constraints": many(pairs(many(whole(-1, atoms - 1)), many(long_number)), 0, constraints),
        "tangent": many(long_number, 0, n), "empty": flag})
    curvature = keys({
        "columns": distinct(n), "slack": many(number), "squares": many(keys({"divisor": long_number, "values": many(long_number)}))})
    return keys({
        "format": text, "version": number, "seal": text,
        "claims": keys({"full": number, "restricted": number, "missed": number,
                        "lower": maybe(number), "regret": maybe(number), "gap": maybe(number)}),
        "decision": keys({"x": many(number, n), "atoms": distinct(atoms)}),
        "problem": keys({
            "dictionary": keys({"atoms": number, "dimension": number, "sha256": text, "labels": many(text, 0, atoms),
                                "columns": many(text, 0, p), "values": many(many(number, p), 0, atoms)}),
            "model": keys({
                "name": text, "offset": number, "quadratic": keys({"i": many(column), "j": many(column), "values": many(number)}),
                "columns": many(keys({"name": text, **SIDES, "cost": number, "integer": flag})), "rows": many(row_of(n))}),
            "objective": maybe(affine), "radius": number,
            "constraints": many(keys({"name": text, "nominal": many(number, 0, n), "map": affine, "limit": number})),
            "set": maybe(keys({"map": many(entries(p)), "lower": many(fraction, 0, p), "upper": many(fraction, 0, p), "rows": many(row_of(p)),
                               "support": many(many(fraction), 0, 1 + constraints)}))}, "set"),
        "proof": maybe(keys({
            "implied": many(entry(whole(0, rows - 1), column, whole(-1, 1))), "curvature": maybe(curvature),
            "branches": many(entry(column, *3 * [whole(-2**53, 2**53)])), "leaves": many(leaf)})),
        "provenance": keys({"software": text, "promises": many(text), "hypotheses": many(text), "seeds": many(entry(text, text)), "note": text})})

def float64(digits):
    """The float64 that is nearest to a decimal number. -0 counts as 0."""
    need(not digits.strip("0123456789+-.eE"), f"{digits[:40]!r} is no decimal number")
    need(math.isfinite(float(digits)), f"{digits[:40]} is beyond float64")
    return float(digits) + 0.0

def unique(pairs):
    """An object of JSON that names no key twice."""
    need(len(dict(pairs)) == len(pairs), "an object has a key twice")
    return dict(pairs)

def decode(data):
    """A file whose parts are of the right kinds and fit together."""
    comma, bracket, brace = (data.count(sign) for sign in (b",", b"[", b"{"))
    need(comma + bracket + brace <= MOST_VALUES and brace <= MOST_OBJECTS, "it holds too many values")
    root = json.loads(data.decode("utf-8"), parse_float=float64, parse_int=float64, parse_constant=float64, object_pairs_hook=unique)
    need(root["format"] == "sparsero design", f"format is {root['format']!r:.40}, not 'sparsero design'; hand over a design file")
    need(root["version"] == 2, f"version is {root['version']!r:.40}, and this program knows version 2; take the verify.py of a newer release")
    problem, model = root["problem"], root["problem"]["model"]
    atoms, p = (whole(1, 2**31 - 1)(problem["dictionary"][key]) for key in ("atoms", "dimension"))
    n, rows, constraints = (len(part or []) for part in (model["columns"], model["rows"], problem["constraints"]))
    file = format_of(n, rows, constraints, atoms, p, len((problem.get("set") or {}).get("map") or []) or p)(root)
    problem, model = file["problem"], file["problem"]["model"]
    need(n > 0 and problem["radius"] >= 0, "it has no columns, or its radius is negative")
    for c in model["columns"]:
        whole_sides = all(abs(side) == math.inf or side.denominator == 1 for side in (c["lower"], c["upper"]))
        need(not c["integer"] or whole_sides, "an integer column has a bound that is not whole")
    convex = problem["set"] or {"lower": [], "upper": [], "rows": [], "support": []}
    need(len(convex["lower"]) == len(convex["upper"]) >= bool(convex["rows"]), "the set has rows or bounds without other bounds")
    for multipliers in convex["support"]:
        need(len(multipliers) == len(convex["rows"]), "the support of the set has not one multiplier for each row")
        leans = all(y == 0 or abs(row[side_of(y)]) < math.inf for y, row in zip(multipliers, convex["rows"]))
        need(leans, "the support of the set leans on a bound that is missing")
    need(len(set(map(len, model["quadratic"].values()))) == 1, "the quadratic part has lists of different lengths")
    model["quadratic"] = list(zip(*model["quadratic"].values()))
    for claim in file["claims"].values():
        need(claim is None or float(f"{claim:.12g}") == claim, "a claim has more than 12 significant digits")
    if file["proof"] is not None:
        check_proof(file["proof"], model, n, p)
    return file

def side_of(y):
    """The side of a row on which a multiplier of the support leans."""
    return "upper" if y > 0 else "lower"

def check_proof(proof, model, n, p):
    """The branches make a tree, and no number is so long that sums of it would fill the memory."""
    for i, j, side in proof["implied"]:
        need(side and dict(model["rows"][i]["entries"]).get(j), "an implied bound is of no column of its row")
    depth = {0: 0}
    for node, (column, _, *parts) in enumerate(proof["branches"]):
        need(model["columns"][column]["integer"], "a branch splits no integer column")
        for part in parts:
            need(node < part <= 2 * len(proof["branches"]) and part not in depth, "a part of a branch is not its own")
            depth[part] = depth.get(node, 0) + 1
            need(depth[part] <= MOST_BRANCHES, "there are too many branches above a leaf")
    need(len(proof["leaves"]) == len(proof["branches"]) + 1, "the branches and leaves make no tree")
    for leaf in proof["leaves"]:
        multipliers = [value for part in (leaf["rows"], leaf["objective"], *leaf["constraints"]) for _, value in part]
        longest = max(map(hexadecimal, [leaf["scale"], *leaf["tangent"], *multipliers]))
        need(exact(leaf["scale"]) > 0 and longest * (n + p) <= MOST_LENGTH, "the scale of a leaf is not above 0, or its numbers are too long")
    if proof["curvature"] is not None:
        columns, slack, squares = proof["curvature"].values()
        need({j for term in model["quadratic"] for j in term[:2]} <= set(columns), "the curvature leaves a column out")
        need(len(slack) == len(columns) and all(c >= 0 for c in slack), "a slack is missing or below 0")
        need(all(exact(s["divisor"]) > 0 and len(s["values"]) <= len(columns) for s in squares), "a square does not fit")
        length = sum(hexadecimal(v) for s in squares for v in [s["divisor"], *s["values"]])
        need(length * len(columns) <= MOST_LENGTH, "the whole numbers of the curvature are too long")

def exact(value):
    """The fraction that a long number stands for."""
    return Fraction(int(value, 16)) if isinstance(value, str) else Fraction(value)

def hexadecimal(value):
    """How many digits a whole number has that no float64 holds."""
    return len(value) if isinstance(value, str) else 0

# --- Seal and dictionary --------------------------------------------------------------------------------------------

def seal_of(data):
    """The SHA-256 of all that stands before the key seal, which is the last one."""
    end = max(0, data.rfind(b'"seal"'))
    need(re.fullmatch(rb'"seal"[ \t\r\n]*:[ \t\r\n]*"[0-9a-f]{64}"[ \t\r\n]*}[ \t\r\n]*', data[end:]), "its last key is not seal; it may be cut off")
    return hashlib.sha256(data[:end]).hexdigest()

def read_table(data, atoms, p):
    """The numbers of an NPY file of float64 or float32, or the last p cells of the lines of a CSV file, row by row."""
    if data.startswith(b"\x93NUMPY"):
        header = re.match(rb"[^\n]*'descr': *'<f([48])'[^\n]*'fortran_order': *False(?:[^\n]*'shape': *\(\d+, *(\d{1,9})\))?[^\n]*\n", data)
        need(header and header.end() <= 1 << 16, "the NPY file is not a matrix of float64 or float32 in C order")
        need(header[2] is None or int(header[2]) == p, f"the NPY file has not {p} columns; dictionaries of constraints are blocks of one matrix")
        cells = struct.iter_unpack("<d" if header[1] == b"8" else "<f", memoryview(data)[header.end():])
        table = array("d", (v + 0.0 for v, in cells))
        need(len(table) % p == 0 and all(map(math.isfinite, table)), "the NPY file is cut off, or not finite")
        return table
    lines, table = data.decode("latin-1").removesuffix("\n").split("\n"), array("d")
    need(data and len(lines) in (atoms, atoms + 1), f"the CSV file has {len(lines)} lines for {int(atoms)} atoms")
    for line in lines[len(lines) > atoms:]:
        cells = line.split(",")[-p:]
        need(len(cells) == p, "a line of the CSV file has too few cells; let commas stand between them")
        table.extend(float64(cell.strip(" \t\r")) for cell in cells)
    return table

def check_hash(table, dictionary, p):
    """The fingerprint of the atoms: SHA-256 of N, p and the numbers, row by row."""
    digest = hashlib.sha256(struct.pack("<QQ", len(table) // p, p))
    for start in range(0, len(table), p):
        digest.update(struct.pack(f"<{p}d", *table[start:start + p]))
    fits = len(table) == dictionary["atoms"] * p and digest.hexdigest() == dictionary["sha256"]
    ensure(fits, "dictionary", "has another hash than the file says")

# --- The decision ---------------------------------------------------------------------------------------------------

class Instance:
    """A problem with a decision x, in fractions. sides[0] and sides[1] are the lower and upper bounds of its columns, then
    of its rows, then of its robust constraints; an infinite one is missing."""

    def __init__(self, file, table):
        self.problem, self.model, self.table = file["problem"], file["problem"]["model"], table
        self.set = self.problem["set"]
        self.p, self.radius = int(self.problem["dictionary"]["dimension"]), Fraction(self.problem["radius"])
        self.x, self.chosen = [Fraction(v) for v in file["decision"]["x"]], file["decision"]["atoms"]
        self.n, self.rows = len(self.x), self.model["rows"]
        limits = [{"lower": -math.inf, "upper": Fraction(c["limit"])} for c in self.problem["constraints"]]
        self.sides = [[part[side] for part in self.model["columns"] + self.rows + limits] for side in SIDES]

    def atom(self, i):
        return self.table[i * self.p:(i + 1) * self.p]

    def direction(self, q):
        """M'q(x) for the map M of a set, otherwise q(x) = Matrix x + Constant."""
        s = [Fraction(c) + dot(entries, self.x) for c, entries in zip(q["constant"] or [0.0] * len(q["matrix"]), q["matrix"])]
        return combined(s, self.set["map"], self.p) if self.set and self.set["map"] else s

    def contains(self, z):
        """Whether a point is in the set: the unit ball, if that has no bounds, or the points between bounds that keep to rows."""
        if not self.set["lower"]:
            return dot(enumerate(z), z) <= 1
        values = z + [dot(row["entries"], z) for row in self.set["rows"]]
        lower, upper = (self.set[side] + [row[side] for row in self.set["rows"]] for side in SIDES)
        return all(low <= v <= high for low, v, high in zip(lower, values, upper))

    def support(self, t, place):
        """A number that <z, t> does not exceed over the set: a root rounded up, or the bound of weak duality, as in bound_of_leaf."""
        if not self.set["lower"]:
            square = dot(enumerate(t), t)
            scaled = square.numerator * square.denominator << 256
            root = math.isqrt(scaled)
            return Fraction(root + (root * root < scaled), square.denominator << 128)
        most, g = Fraction(0), list(t)
        for y, row in zip(self.set["support"][place] if self.set["support"] else [], self.set["rows"]):
            if y:
                most += y * row[side_of(y)]
                add(g, -y, row["entries"])
        return most + sum(max(v * low, v * high) for v, low, high in zip(g, self.set["lower"], self.set["upper"]))

    def reach(self, q, place, atoms=None):
        """r max(0, max_i <d_i, q(x)>) over some atoms, None for all of the set, at least; the objective has the place 0. As all numbers
        are whole ones over powers of two, so are the sums."""
        s = self.direction(q)
        if atoms is None and self.set:
            return self.radius * max(0, self.support(s, place))
        common = max(v.denominator for v in s)
        whole = [int(v * common) for v in s]
        most = Fraction(0)
        for i in range(len(self.table) // self.p) if atoms is None else atoms:
            ratios = [v.as_integer_ratio() for v in self.atom(i)]
            scale = max(below for _, below in ratios)
            aligned = sum(above * (scale // below) * v for (above, below), v in zip(ratios, whole))
            if aligned * most.denominator > most.numerator * scale * common:
                most = Fraction(aligned, scale * common)
        return self.radius * most

    def cost(self, atoms=None):
        """b(x) + r max(0, max_i <d_i, q(x)>) over some atoms, None for all of the set."""
        b = Fraction(self.model["offset"]) + sum(Fraction(c["cost"]) * v for c, v in zip(self.model["columns"], self.x))
        b += sum(Fraction(v) * self.x[i] * self.x[j] for i, j, v in self.model["quadratic"])
        return b if self.problem["objective"] is None else b + self.reach(self.problem["objective"], 0, atoms)

    def position(self):
        """Where x is between the sides: its columns, the rows and the robust constraints."""
        rows = [dot(row["entries"], self.x) for row in self.rows]
        robust = [dot(enumerate(c["nominal"]), self.x) + self.reach(c["map"], k) for k, c in enumerate(self.problem["constraints"], 1)]
        return self.x + rows + robust

def dot(entries, x):
    """The sum of v x_j over entries (j, v)."""
    return sum((Fraction(v) * x[j] for j, v in entries if v), Fraction(0))

# --- The proof ------------------------------------------------------------------------------------------------------

def is_convex(curvature, terms):
    """Whether the quadratic part with c_j x_j^2 added is a sum of squares and of a rest R with r_ii >= 0 and
    (m-1)^2 r_ij^2 <= r_ii r_jj. Then R is convex: 2 |r_ij x_i x_j| <= (r_ii x_i^2 + r_jj x_j^2) / (m-1) for each of the
    pairs, and each column is in m-1 of them."""
    m, place = len(curvature["columns"]), {j: k for k, j in enumerate(curvature["columns"])}
    rest = {(k, k): Fraction(c) for k, c in enumerate(curvature["slack"])}
    for i, j, v in terms:
        at = tuple(sorted((place[i], place[j])))
        rest[at] = rest.get(at, 0) + Fraction(v) / (1 if i == j else 2)
    values = [[exact(v) for v in square["values"]] for square in curvature["squares"]]
    scales = [max((v.denominator for v in row), default=1) for row in values]
    weights = [1 / (exact(s["divisor"]) * scale**2) for s, scale in zip(curvature["squares"], scales)]
    common = math.lcm(*(v.denominator for v in [*weights, *rest.values()]))
    columns, weighted = [[] for _ in range(m)], [[] for _ in range(m)]  # of whole numbers, a square after the other
    for k, (row, scale, weight) in enumerate(zip(values, scales, weights)):
        for i, v in enumerate(row, m - len(row)):
            for lists, factor in (columns, 1), (weighted, int(weight * common)):
                lists[i] += [0] * (k - len(lists[i])) + [int(v * scale) * factor]
    diagonal = []
    for j in range(m):
        for i in range(j, -1, -1):  # the diagonal first
            r = int(rest.get((i, j), 0) * common) - sum(map(int.__mul__, weighted[i], columns[j]))
            if i == j:
                diagonal.append(r)
            if (r < 0) if i == j else (m - 1)**2 * r**2 > diagonal[i] * diagonal[j]:
                return False
    return True

def lower_bound(instance, proof, sides):
    """What no feasible decision costs less than, by the least bound of the leaves; -inf for nothing."""
    lower, upper = (list(side) for side in sides)
    for i, j, side in proof["implied"]:
        imply(instance, i, j, side, (lower, upper))
    ensure(proof["curvature"] is not None or not instance.model["quadratic"], "proof", "has no curvature, but b is quadratic")
    branches, parent = proof["branches"], {}
    for node, (column, at, below, above) in enumerate(branches):
        parent[below] = parent[above] = node
    least = math.inf  # of no leaf
    for node, leaf in enumerate(proof["leaves"], len(branches)):
        narrowed, part = (list(lower), list(upper)), node
        while part > 0:  # the branches above a leaf narrow the bounds of their columns
            column, at, below, above = branches[parent[part]]
            side, closer, to = (1, min, at) if part == below else (0, max, at + 1)
            narrowed[side][column] = closer(narrowed[side][column], Fraction(to))
            part = parent[part]
        proven = bound_of_leaf(instance, leaf, proof["curvature"], narrowed)
        if leaf["empty"]:
            proven = math.inf if proven > 0 else -math.inf
        least = min(least, proven)
    ensure(least < math.inf, "proof", "has empty leaves alone, which proves no lower bound")
    return least

def imply(instance, i, j, side, sides):
    """Give column j the bound that row i implies: the side of the row less the least, or largest, values of its other
    columns, rounded outwards to a float64."""
    others = dict(instance.rows[i]["entries"])
    own = others.pop(j)
    high = (side > 0) == (own > 0)
    known = [(1, sides[high][instance.n + i])] + [(-Fraction(v), sides[high != (v > 0)][k]) for k, v in others.items() if v]
    ensure(all(abs(known_side) < math.inf for _, known_side in known), "proof", "leans on an implied bound that rests on a missing one")
    implied = sum(factor * known_side for factor, known_side in known) / Fraction(own)
    try:
        near = float(implied)
    except OverflowError:
        return  # a bound beyond float64 is none
    if (Fraction(near) - implied) * side < 0:
        near = math.nextafter(near, side * math.inf)
    if math.isfinite(near):
        sides[side > 0][j] = Fraction(near)

def bound_of_leaf(instance, leaf, curvature, sides):
    """A number that b(x) + r max(0, max_i <d_i, q(x)>) is not below for any feasible x between the sides, -inf for none.

    Weak duality: for a feasible x each of these is at most 0, and adding them to the cost makes it no larger:
        y (side - <a, x>)                             of a row, for a lower side and y > 0 or an upper side and y < 0
        mu <d, q(x)> - mu max(0, max_i <d_i, q(x)>)   of an atom, and the sum of all mu is at most r
        nu (<nominal, x> + r <d, q_k(x)> - limit)     of an atom in robust constraint k
    b itself is not below its tangent at z less the slack c_j (x_j - z_j)^2. What is left is constant + sum g_j x_j, less that
    slack, and has its least value between the sides column by column."""
    scale = exact(leaf["scale"])
    g, constant, concave = [Fraction(0)] * instance.n, Fraction(0), {}
    z = [exact(v) / scale for v in leaf["tangent"]] or instance.x
    if not leaf["empty"]:  # which shows that no x is feasible, whatever it costs
        constant = Fraction(instance.model["offset"])
        g = [Fraction(column["cost"]) for column in instance.model["columns"]]
        for i, j, v in instance.model["quadratic"]:  # at z the tangent is v (z_j x_i + z_i x_j - z_i z_j)
            g[i] += Fraction(v) * z[j]
            g[j] += Fraction(v) * z[i]
            constant -= Fraction(v) * z[i] * z[j]
        if curvature is not None:
            concave = {j: Fraction(c) for j, c in zip(curvature["columns"], curvature["slack"]) if c}
    for i, value in leaf["rows"]:
        y, row = exact(value) / scale, instance.rows[i]
        side = sides[y < 0][instance.n + i]
        ensure(y == 0 or abs(side) < math.inf, "proof", f"leans on a bound that row {i} does not have")
        if y:
            constant += y * side
            add(g, -y, row["entries"])
    mixture, total = mix(instance, leaf["objective"], scale)
    q = None if leaf["empty"] else instance.problem["objective"]
    ensure(total <= (0 if q is None else instance.radius), "proof", "has multipliers of atoms that add up to more than the radius")
    if q is not None:
        constant += add_map(g, instance.set, q, mixture)
    for k, (constraint, multipliers) in enumerate(zip(instance.problem["constraints"], leaf["constraints"])):
        mixture, total = mix(instance, multipliers, scale)
        if total:
            constant += add_map(g, instance.set, constraint["map"], [instance.radius * v for v in mixture])
            constant -= total * sides[1][instance.n + len(instance.rows) + k]
            add(g, total, enumerate(constraint["nominal"]))
    for j, cost in enumerate(g):
        ends = [sides[0][j], sides[1][j]] if j in concave else [sides[cost < 0][j]] if cost else []
        if any(abs(end) == math.inf for end in ends):
            return -math.inf
        constant += min((cost * end - concave.get(j, 0) * (end - z[j])**2 for end in ends), default=0)
    return constant

def mix(instance, multipliers, scale):
    """The sum of atoms by their multipliers, and the sum of these; the null atom is -1."""
    factors = [exact(value) / scale for _, value in multipliers]
    for (i, _), factor in zip(multipliers, factors):
        ensure(factor >= 0, "proof", f"has a negative multiplier of atom {i}")
        ensure(factor == 0 or i == -1 or i in instance.chosen, "proof", f"leans on atom {i}, which is not chosen")
    return combined(factors, [enumerate(instance.atom(i) if i >= 0 else ()) for i, _ in multipliers], instance.p), sum(factors)

def add(sums, factor, entries):
    """Add a multiple of entries (j, v)."""
    for j, v in entries:
        if v:
            sums[j] += factor * Fraction(v)

def combined(factors, rows, length):
    """The sum of rows, each times its factor."""
    sums = [Fraction(0)] * length
    for factor, entries in zip(factors, rows):
        if factor:
            add(sums, factor, entries)
    return sums

def add_map(g, convex, q, mixture):
    """Add <M mixture, q(x)> to the costs g of columns; its constant is the result."""
    if convex and convex["map"]:
        mixture = [dot(entries, mixture) for entries in convex["map"]]
    add(g, 1, enumerate(combined(mixture, q["matrix"], len(g))))
    return dot(enumerate(q["constant"]), mixture)

# --- All together ---------------------------------------------------------------------------------------------------

def check(data, handed=None):
    """The file and the exact value behind each claim, all of which are true. A Fault says what is not."""
    file, seal = decode(data), seal_of(data)
    problem, proof, claims = file["problem"], file["proof"], file["claims"]
    dictionary, p = problem["dictionary"], int(problem["dictionary"]["dimension"])
    tables = [array("d", (v for atom in dictionary["values"] for v in atom))] if dictionary["values"] else []
    if handed is not None:
        tables.append(read_table(handed, dictionary["atoms"], p))
    need(tables, "its dictionary is not in it; hand over its NPY or CSV file; "
         f"the SHA-256 of its numbers, which is not that of the file, is {dictionary['sha256']}")
    ensure(seal == file["seal"], "seal", "is not that of the bytes, which have changed")
    for table in tables:
        check_hash(table, dictionary, p)
    instance = Instance(file, tables[-1])
    fits = all(v.denominator == 1 for v, column in zip(instance.x, instance.model["columns"]) if column["integer"])
    ensure(fits, "decision", "has a fraction in an integer column")
    inside = instance.set is None or all(instance.contains([Fraction(v) for v in instance.atom(i)]) for i in instance.chosen)
    ensure(inside, "set", "does not hold all chosen atoms")
    if proof is not None and proof["curvature"] is not None:
        ensure(is_convex(proof["curvature"], instance.model["quadratic"]), "quadratic", "is not convex by the squares of the proof")
    values = dict.fromkeys(claims)
    values["full"], values["restricted"] = instance.cost(), instance.cost(instance.chosen)
    position = instance.position()  # where x is; sides that it misses are moved there
    moved = [[closer(side, at) for side, at in zip(sides, position)] for closer, sides in zip((min, max), instance.sides)]
    values["missed"] = max((abs(new - old) for sides in zip(moved, instance.sides) for new, old in zip(*sides) if new != old), default=Fraction(0))
    if proof is not None:
        values["lower"] = lower_bound(instance, proof, instance.sides)
        values["regret"] = values["gap"] = above(values["full"], values["lower"])
        if values["missed"]:
            values["gap"] = above(values["full"], lower_bound(instance, proof, moved))
    for name, claim in claims.items():
        if claim is not None:
            judge(name, claim, values[name])
    return file, values

def above(value, bound):
    """How far a value may be above a minimum with a lower bound."""
    return math.inf if bound == -math.inf else value - bound

def judge(name, claim, value):
    """A claim is on the safe side of the exact value: lower not above it, all others not below."""
    ensure(value is not None and abs(value) < math.inf, name, f"is {claim} by the file, but nothing is proven")
    near = float(value) if abs(value) < 1e308 else "beyond float64"
    ensure((Fraction(claim) - value) * (-1 if name == "lower" else 1) >= 0, name, f"is {claim} by the file, but {near} without rounding")

WORDS = {
    "full": "the decision costs at most this, against {all} at radius {radius}",
    "restricted": "the decision costs at most this, against the {chosen} chosen atoms",
    "missed": "the decision misses bounds, rows and robust constraints by at most this",
    "lower": "no feasible decision costs less than this, against {all}",
    "regret": "the decision costs at most this more than the best feasible one",
    "gap": "the value gap between the chosen atoms and {all} is at most this{moved}",
}

def main(paths):
    """Check the files, say what is true, and return the exit code."""
    try:
        need(len(paths) in (1, 2), "call it as verify.py design.json [dictionary.npy or dictionary.csv]")
        files = []
        for path, most in zip(paths, (MOST_BYTES, MOST_TABLE)):
            with open(path, "rb") as stream:
                files.append(stream.read(most + 1))
            need(len(files[-1]) <= most, "a file is too large")
        file, _ = check(*files)
    except Fault as fault:
        print(("false: " if fault.code == 1 else "not checkable: ") + str(fault), file=sys.stdout if fault.code == 1 else sys.stderr)
        return fault.code
    except Exception as error:  # whatever else a malformed file leads to
        print(f"not checkable: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
        return 2
    problem, moved = file["problem"], ", if each limit that the decision misses is moved to the decision" if file["claims"]["missed"] else ""
    whole_set = "the whole set" if problem["set"] else f"all {int(problem['dictionary']['atoms'])} atoms"
    said = {"all": whole_set, "radius": problem["radius"], "chosen": len(file["decision"]["atoms"]), "moved": moved}
    print("valid; each claim was computed again, without rounding:")
    for name, claim in file["claims"].items():
        if claim is not None:
            print(f"  {name:10} {claim:<19.12g} {WORDS[name].format(**said)}")
    print("not checked: whether problem and dictionary are yours, guarantees about new draws, labels, names, notes")
    return 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
