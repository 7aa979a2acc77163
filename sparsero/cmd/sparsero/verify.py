#!/usr/bin/env python3
"""Check a design file of sparsero by the rules of sparsero/certificate/FORMAT.md, in fractions, without rounding:
python3 verify.py design.json [dictionary.npy or dictionary.csv]
Exit code 0: every claim is true. 1: a claim is false, and standard output says which. 2: the file is not checkable. It
needs Python 3.9 and no other package."""
import hashlib, json, math, re, struct, sys
from fractions import Fraction
BOUNDS, MAP = {"lower?": Fraction, "upper?": Fraction}, {"matrix": [[Fraction]], "constant?": [Fraction]}
FILE = {
    "format": str, "version": Fraction, "kind": str, "statements": [str], "radius": Fraction, "seal": str,
    "dictionary": {"atoms": Fraction, "dimension": Fraction, "sha256": str, "values?": [[Fraction]]},
    "model": {"sense?": str, "offset": Fraction, "columns": [{**BOUNDS, "cost": Fraction, "integer": bool}],
              "rows": [{**BOUNDS, "columns": [Fraction], "values": [Fraction]}], "quadratic": [[Fraction]]},
    "objective?": MAP, "constraints": [{**MAP, "nominal?": [Fraction], "limit": Fraction}],
    "chosen": [Fraction], "decision": [Fraction], "implied?": [[Fraction]], "proof?": dict,
    "claims": dict.fromkeys(("restricted", "full", "missed", "lower?", "regret?", "gap?"), Fraction)}
BRANCH = {"column": Fraction, "at": Fraction, "below": dict, "above": dict}
LEAF = {"rows": [[object]], "objective": [[object]], "constraints": [[object]], "tangent?": [object], "empty?": bool}
def typed(value, kind):
    """A value without unknown keys. Its kind is a type, a list of one kind, for which null stands if it is empty, or an
    object, in which the value of a key with ? may be null or absent."""
    if isinstance(kind, dict):
        return {key.rstrip("?"): None if key[-1] == "?" and value.get(key[:-1]) is None else typed(value[key.rstrip("?")], part)
                for key, part in kind.items()}
    if isinstance(kind, list):
        return [typed(v, kind[0]) for v in ([] if value is None else typed(value, list))]
    if not isinstance(value, kind):
        raise UserWarning(f"{str(value)[:40]} is of another type than the format says", 2)
    return value
def need(condition, message, code=2):
    if not condition:
        raise UserWarning(message, code)
def number(digits):
    need(not digits.strip(" \t\r0123456789+-.eE"), f"{digits[:40]!r} is no decimal number")
    return Fraction(float(digits))  # an error for those beyond float64
def unique(pairs):
    need(len(dict(pairs)) == len(pairs), "an object has a key twice")
    return dict(pairs)
def fraction(value):
    """A multiplier: a number, or a fraction of two hexadecimal integers in a string."""
    fits = isinstance(value, Fraction) or len(value) <= 100_000 and re.fullmatch("-?[0-9a-fA-F]+/[0-9a-fA-F]+", value)
    need(fits, "a multiplier is no fraction, or too long")
    return value if isinstance(value, Fraction) else Fraction(*(int(part, 16) for part in value.split("/")))
def at(values, index):
    need(isinstance(index, Fraction) and index.denominator == 1 and 0 <= index < len(values), f"an index is {index}")
    return values[int(index)]
def dot(a, b):
    need(len(a) == len(b), "lists of numbers do not fit together")
    return sum((v * w for v, w in zip(a, b)), Fraction(0))
def bounded(value, places):  # so that the memory of a list of numbers is, too
    need(sum(map(int.bit_length, value.as_integer_ratio())) * places <= 4_000_000_000, "numbers of the proof grow too long")
    return value
def add(sums, factor, terms):
    for j, v in terms if factor else []:
        sums[j] = bounded(sums[j] + factor * v, len(sums))
def read_table(data, atoms, p):
    """The numbers of an NPY file of float64 or float32, or the last p cells of the lines of a CSV file, row by row."""
    if data.startswith(b"\x93NUMPY"):
        head, _, numbers = data.partition(b"\n")
        kind = re.search(rb"'descr': *'<(f[48])'.*'fortran_order': *False", head)
        return [[Fraction(v) for v in row] for row in struct.iter_unpack(f"<{p}{'df'[kind[1] == b'f4']}", numbers)]
    lines = data.decode("latin-1").removesuffix("\n").split("\n")
    return [[number(cell) for cell in line.split(",")[-p:]] for line in lines[len(lines) == atoms + 1:]]
def parse(data):
    comma, bracket, brace, colon = map(data.count, (b",", b"[", b"{", b":"))
    need(comma + bracket + brace <= 8_000_000 and brace <= 1_000_000 and colon <= 4_000_000, "it holds too many values")
    escapes = re.finditer(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F])|.)", data)
    need(not any(escape[1] for escape in escapes), "a text has half a character")
    root = json.loads(data.decode("utf-8"), parse_float=number, parse_int=number, parse_constant=number, object_pairs_hook=unique)
    layer = [root]
    for _ in range(2_000):
        inner = (v for outer in layer for v in (outer.values() if isinstance(outer, dict) else outer))
        layer = [v for v in inner if isinstance(v, (dict, list))]
    need(not layer, "it is nested more than 2,000 levels deep")
    return root
def read(data, handed):
    """The file, whose seal and dictionary are right; the dictionary as the list "table"."""
    d = typed(parse(data), FILE)
    head = d["format"], d["version"], d["model"]["sense"] in (None, "minimize"), d["radius"] >= 0
    need(head == ("sparsero design", 1, True, True) and d["kind"] in ("solution", "design", "tuned"), "it is no design file")
    end, size, n = data.rfind(b'"seal"'), d["dictionary"], len(d["decision"])
    sha256, p = size["sha256"], at(range(2**31), size["dimension"])
    need(re.fullmatch(rb'"seal"\s*:\s*"[0-9a-f]{64}"\s*}\s*', data[max(0, end):]), "its last key is not seal; it may be cut off")
    tables = [size["values"], None if handed is None else read_table(handed, size["atoms"], p)]
    tables = [table for table in tables if table is not None]
    need(tables and p > 0, f"its dictionary is not in it; hand over the NPY or CSV file with the SHA-256 {sha256}")
    need(hashlib.sha256(data[:end]).hexdigest() == d["seal"], "seal is not that of the bytes, which have changed", 1)
    for table in tables:
        packed = struct.pack("<QQ", len(table), p) + b"".join(struct.pack(f"<{p}d", *map(float, row)) for row in table)
        need(0 < len(table) == size["atoms"] and hashlib.sha256(packed).hexdigest() == sha256, "dictionary has another hash", 1)
    d["table"], d["rows"] = tables[0], d["model"]["rows"]
    for row in d["rows"]:
        row["terms"] = [(at(range(n), j), v) for j, v in zip(row["columns"], row["values"])]
        need(len(dict(row["terms"])) == len(row["columns"]) == len(row["values"]), "a row does not fit")
    for q in filter(None, [d["objective"], *d["constraints"]]):
        for key, length in ("constant", p), ("nominal", n):
            q[key] = [Fraction(0)] * length if q.get(key) is None else q[key]
        need((len(q["matrix"]), len(q["constant"]), len(q["nominal"])) == (p, p, n), "a map does not fit")
    need(len(set(d["chosen"])) == len([at(d["table"], i) for i in d["chosen"]]), "an atom is chosen twice")
    return d
def convex(terms):
    """Whether the matrix of the terms is positive semidefinite: elimination in whole numbers (Bareiss 1968)."""
    place = {j: k for k, j in enumerate(sorted({j for term in terms for j in term[:2]}))}
    need(len(place) <= 100, "more than 100 columns have quadratic terms")
    common, previous, rows = math.lcm(*(v.denominator for _, _, v in terms)), 1, [[0] * len(place) for _ in place]
    for i, j, v in terms:
        rows[place[min(i, j)]][place[max(i, j)]] += int(v * common) * (2 if i == j else 1)
    for k, row in enumerate(rows):
        if row[k] < 0 or row[k] == 0 and any(row[k + 1:]):
            return False
        for i in range(k + 1, len(rows) if row[k] else 0):
            rows[i][i:] = [(row[k] * a - row[i] * b) // previous for a, b in zip(rows[i][i:], row[i:])]
        previous = row[k] or previous
    return True
def sides_of(d, position):
    """Sides of columns, rows and constraints, moved to a position that misses them, if any; and the largest miss."""
    sides, most, limits = ([], []), Fraction(0), [{"lower": None, "upper": c["limit"]} for c in d["constraints"]]
    for k, part in enumerate(d["model"]["columns"] + d["rows"] + limits):
        for side, key, inwards, sign in zip(sides, ("lower", "upper"), (math.ceil, math.floor), (-1, 1)):
            value = part[key] if part[key] is None or not part.get("integer") else Fraction(inwards(part[key]))
            if position and value is not None and (position[k] - value) * sign > 0:
                most, value = max(most, (position[k] - value) * sign), position[k]
            side.append(value)
    return sides, most
def proven(d, sides):
    """The bound of the proof, with the bounds that rows imply."""
    n = len(d["decision"])
    for i, j, up in d["implied"] or []:  # the side of a row less the least, or largest, values of its other columns
        row = dict(at(d["rows"], i)["terms"])
        v, target = row.pop(at(range(n), j)), sides[up > 0]
        high = (up > 0) == (v > 0)
        others = [sides[high != (w > 0)][h] for h, w in row.items()]
        target[int(j)] = bounded((sides[high][n + int(i)] - dot(others, list(row.values()))) / v, n)
    bound = -math.inf if d["proof"] is None else evaluate(d, sides, d["proof"])
    need(bound != math.inf, "proof says that no decision is feasible, but there is one", 1)
    return bound
def evaluate(d, sides, node):
    """The bound of a part of the proof: -inf for none, inf if the part is empty."""
    if node.get("column") is None:
        return leaf(d, sides, typed(node, LEAF))
    node, columns, bounds = typed(node, BRANCH), d["model"]["columns"], []
    cut, j = node["at"], at(range(len(columns)), node["column"])
    need(columns[j]["integer"] and cut.denominator == 1, "a branch splits no integer column")
    for part, side, bound, tighter in (("below", sides[1], cut, min), ("above", sides[0], cut + 1, max)):
        known, side[j] = side[j], bound if side[j] is None else tighter(side[j], bound)
        bounds.append(evaluate(d, sides, node[part]))
        side[j] = known
    return min(bounds)
def leaf(d, sides, node):
    """Weak duality: the constant plus the least values that the reduced costs have between the sides."""
    n, zeros, empty = len(d["decision"]), [Fraction(0)] * len(d["table"][0]), node["empty"]
    z = d["decision"] if node["tangent"] is None else [fraction(v) for v in node["tangent"]]
    need(len(z) == n, "a leaf does not fit")
    costs = [c["cost"] for c in d["model"]["columns"]]
    constant, reduced = (Fraction(0), [Fraction(0)] * n) if empty else (d["model"]["offset"], costs)
    for i, j, v in [] if empty else d["model"]["quadratic"]:  # at z the tangent is v (z_j x_i + z_i x_j - z_i z_j)
        constant -= v * at(z, i) * at(z, j)
        add(reduced, v, [(int(i), z[int(j)]), (int(j), z[int(i)])])
    for i, y in [(i, fraction(y)) for i, y in node["rows"]]:
        row, side = at(d["rows"], i), sides[1 if y < 0 else 0][n + int(i)]
        need(y == 0 or side is not None, f"proof leans on a bound that row {i} does not have", 1)
        constant += y * (side or 0)
        add(reduced, -y, row["terms"])
    mixed, sums = {-1: list(zeros)}, {-1: 0}  # of the objective, -1, and the robust constraints
    robust = [(at(range(len(d["constraints"])), k), i, fraction(w)) for k, i, w in node["constraints"]]
    for k, i, w in robust + [(-1, i, fraction(w)) for i, w in node["objective"]]:
        atom = zeros if k != -1 and i == -1 else at(d["table"], i)
        need(atom is zeros or w == 0 or i in d["chosen"], "proof leans on an atom that is not chosen", 1)
        need(w >= 0, "proof has a negative multiplier of an atom", 1)
        sums[k] = sums.get(k, 0) + w
        add(mixed.setdefault(k, list(zeros)), w, enumerate(atom))
    need(sums[-1] <= (d["radius"] if d["objective"] and not empty else 0), "proof has multipliers above the radius", 1)
    for k, u in mixed.items():
        q, factor = (d["objective"], 1) if k == -1 else (d["constraints"][k], d["radius"])
        if q:
            constant += factor * dot(u, q["constant"]) - sums[k] * (sides[1][n + len(d["rows"]) + k] if k >= 0 else 0)
            for value, row in [(sums[k], q["nominal"]), *((factor * v, row) for v, row in zip(u, q["matrix"]))]:
                add(reduced, value, enumerate(row))
    for g, low, high in zip(reduced, *sides):
        if g and (high if g < 0 else low) is None:
            return -math.inf
        constant += g * ((high if g < 0 else low) or 0)
    return constant if not empty else math.inf if constant > 0 else -math.inf
def check(data, handed):
    """The claims in words, all of them true."""
    d = read(data, handed)
    x, claims, columns, quadratic = d["decision"], d["claims"], d["model"]["columns"], d["model"]["quadratic"]
    need(convex(quadratic), "quadratic has no positive semidefinite matrix", 1)
    need(all(v.denominator == 1 for v, c in zip(x, columns) if c["integer"]), "decision has a fraction in an integer column", 1)
    def support(q, atoms):
        s = [dot([c, *row], [Fraction(1), *x]) for row, c in zip(q["matrix"], q["constant"])]
        return d["radius"] * max([0, *(dot(atom, s) for atom in atoms)])
    def compare(key, exact, sign=1):
        if claims[key] is not None:
            claim, digits = float(claims[key]), float(exact) if abs(exact) < 1e308 else "beyond float64"
            need(float(f"{claim:.12g}") == claim, f"the claim {key} has more than 12 digits")
            right = (claims[key] - exact) * sign >= 0
            need(right, f"{key} is {claim} by the file, but {digits} when computed exactly and rounded for printing", 1)
    cost = dot([d["model"]["offset"], *(c["cost"] for c in columns)], [Fraction(1), *x])
    cost += sum(v * at(x, i) * at(x, j) for i, j, v in quadratic)
    sets = [at(d["table"], i) for i in d["chosen"]], d["table"]
    values = [cost + (support(d["objective"], atoms) if d["objective"] else 0) for atoms in sets]
    robust = [dot(c["nominal"], x) + support(c, d["table"]) for c in d["constraints"]]
    moved, missed = sides_of(d, x + [sum(v * x[j] for j, v in row["terms"]) for row in d["rows"]] + robust)
    for key, value in zip(("restricted", "full", "missed"), (*values, missed)):
        compare(key, value)
    lower = proven(d, sides_of(d, None)[0])
    compare("lower", lower, -1)
    for key, bound in ("regret", lower), ("gap", proven(d, moved) if missed and claims["gap"] is not None else lower):
        compare(key, math.inf if bound == -math.inf else values[1] - bound)
    need(d["statements"] == worded(d, claims), "statements are not those of the claims", 1)
    return d["statements"]
def worded(d, claims):
    moved = " once what is missed is moved to the decision" if claims["missed"] > 0 else ""
    lines = {
        "full": f"The decision costs at most {{:.12g}} against all {len(d['table'])} atoms at radius {float(d['radius']):.17g}.",
        "restricted": f"Against the {len(d['chosen'])} chosen atoms alone it costs at most {{:.12g}}.",
        "lower": "No feasible decision costs less than {:.12g} against all atoms.",
        "regret": "The regret of the decision is at most {:.12g}.",
        "gap": f"The value gap between the chosen atoms and all atoms is at most {{:.12g}}{moved}.",
        "missed": "The decision misses bounds, rows or robust constraints by at most {:.12g}." if moved
        else "The decision keeps to every bound, row and robust constraint."}
    return [line.format(float(claims[key])) for key, line in lines.items() if claims[key] is not None]
def main(paths):
    try:
        need(len(paths) in (1, 2), "call it as verify.py design.json [dictionary.npy or dictionary.csv]")
        files = [open(path, "rb").read((256 << 20) + 1) for path in paths]
        need(max(map(len, files)) <= 256 << 20, "a file has more than 256 MB")
        sys.setrecursionlimit(5_000)  # a proof may have 2,000 levels
        print("valid; computed without rounding:", *check(*files, *[None][len(files) - 1:]),
              "not checked: whether problem and dictionary are yours, promises of a calibration, labels, names", sep="\n  ")
        return 0
    except Exception as error:  # whatever a malformed file leads to
        message, code = error.args if isinstance(error, UserWarning) else (f"{type(error).__name__}: {str(error)[:200]}", 2)
    print(f"false: {message}" if code == 1 else f"not checkable: {message}", file=sys.stdout if code == 1 else sys.stderr)
    return code
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
