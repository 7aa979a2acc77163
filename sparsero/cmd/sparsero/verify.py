"""Check a design file of sparsero by the rules of sparsero/certificate/FORMAT.md, in fractions, without rounding, by
python3 verify.py design.json [dictionary.npy or dictionary.csv]. It needs Python 3.9 and no other package. Exit code 0:
every claim is true. 1: a claim is false, and standard output says which. 2: the file is not checkable."""
import hashlib, json, math, re, struct, sys
from fractions import Fraction
SIDES = {"lower": (Fraction, -math.inf), "upper": (Fraction, math.inf)}
MAP = {"matrix": [[Fraction]], "constant": ([Fraction], None)}
FILE = {
    "format": str, "version": Fraction, "kind": str, "statements": [str], "radius": Fraction, "seal": str, "chosen": [Fraction],
    "dictionary": {"atoms": Fraction, "dimension": Fraction, "sha256": str, "values": ([[Fraction]], None)},
    "model": {"sense": (str, "minimize"), "offset": Fraction, "columns": [{**SIDES, "cost": Fraction, "integer": bool}],
              "rows": [{**SIDES, "columns": [Fraction], "values": [Fraction]}], "quadratic": [[Fraction]]},
    "objective": (MAP, None), "constraints": [{**MAP, "nominal": ([Fraction], None), "limit": Fraction}],
    "decision": [Fraction], "implied": ([[Fraction]], []), "proof": (dict, None), "claims": {"full": Fraction,
        "restricted": Fraction, **dict.fromkeys(("lower", "regret", "gap"), (Fraction, None)), "missed": Fraction}}
LEAF = {"rows": [list], "objective": [list], "constraints": [list], "tangent": ([object], None), "empty": (bool, False)}
def need(condition, message, code=2):
    if not condition:
        raise UserWarning(message, code)
def typed(value, kind):
    """A value without unknown keys. Its kind is a type, an object of kinds, a list of one kind, for which null stands if it is
    empty, or a pair of a kind and of what stands for a value that is null or absent."""
    if isinstance(kind, tuple):
        return kind[1] if value in (None, ...) else typed(value, kind[0])
    if isinstance(kind, dict):
        return {key: typed(value.get(key, ...), part) for key, part in kind.items()}
    if isinstance(kind, list):
        return [typed(v, kind[0]) for v in ([] if value is None else typed(value, list))]
    need(isinstance(value, kind), "a value is of another type than the format says")
    return value
def multiplier(value):
    fits = isinstance(value, Fraction) or len(value) <= 100_000 and re.fullmatch("-?[0-9a-fA-F]+/[0-9a-fA-F]+", value)
    need(fits, "a multiplier is no fraction, or too long")
    return value if isinstance(value, Fraction) else Fraction(*(int(part, 16) for part in value.split("/")))
def number(digits):
    need(not digits.strip(" \t\r0123456789+-.eE"), f"{digits[:40]!r} is no decimal number")
    return Fraction(float(digits))  # an error for those beyond float64
def unique(pairs):
    need(len(dict(pairs)) == len(pairs), "an object has a key twice")
    return dict(pairs)
def numbered(values):  # by index, so that -1 and 1/2, which are no index, find nothing
    return dict(enumerate(values))
def dot(a, b):
    need(len(a) == len(b), "lists of numbers do not fit together")
    return sum((v * w for v, w in zip(a, b)), Fraction(0))
def bounded(value, places):  # so that the memory of a list of numbers is, too; an infinite one is an error
    need(sum(map(int.bit_length, value.as_integer_ratio())) * places <= 4_000_000_000, "numbers of the proof grow too long")
    return value
def add(sums, factor, terms):  # the last of the sums, a constant, may be of any length
    for j, v in terms if factor else []:
        sums[j] = bounded(sums[j] + factor * v, len(sums) - 1 if j < len(sums) - 1 else 0)
def read_table(data, atoms, p):
    """The numbers of an NPY file of float64 or float32, or the last p cells of the lines of a CSV file, row by row."""
    if data.startswith(b"\x93NUMPY"):
        head = re.match(rb".*'descr': *'<(f[48])'.*'fortran_order': *False.*\n", data)
        return [[Fraction(v) for v in row] for row in struct.iter_unpack(f"<{p}{'df'[head[1] == b'f4']}", data[head.end():])]
    lines = data.decode("latin-1").removesuffix("\n").split("\n")
    return [[number(cell) for cell in line.split(",")[-p:]] for line in lines[len(lines) == atoms + 1:]]
def read(data, handed):
    """The file, whose types, seal and dictionary are right. A last column that is 1 carries the constants."""
    comma, bracket, brace, colon = map(data.count, (b",", b"[", b"{", b":"))
    need(comma + bracket + brace <= 8_000_000 and brace <= 1_000_000 and colon <= 4_000_000, "it holds too many values")
    root = json.loads(data.decode("utf-8"), parse_float=number, parse_int=number, parse_constant=number, object_pairs_hook=unique)
    layer = [root]
    for _ in range(2_000):
        layer = [v for o in layer for v in (o.values() if isinstance(o, dict) else o) if isinstance(v, (dict, list))]
    need(not layer, "it is nested more than 2,000 levels deep")
    json.dumps(root, default=bool, ensure_ascii=False).encode("utf-8")  # an error for half a character
    d, end = typed(root, FILE), data.rfind(b'"seal"')
    (atoms, dimension, sha256, values), model, p = d["dictionary"].values(), d["model"], int(d["dictionary"]["dimension"])
    head = d["format"], d["version"], model["sense"] == "minimize", d["radius"] >= 0, len(set(d["chosen"])) == len(d["chosen"])
    need(head == ("sparsero design", 1, True, True, True) and d["kind"] in ("solution", "design", "tuned"), "no design file")
    need(re.fullmatch(rb'"seal"\s*:\s*"[0-9a-f]{64}"\s*}\s*', data[max(0, end):]), "its last key is not seal; it may be cut off")
    tables = [table for table in (values, handed and read_table(handed, atoms, p)) if table is not None]
    need(tables and p == dimension > 0, f"its dictionary is not in it; hand over the NPY or CSV file with the SHA-256 {sha256}")
    need(hashlib.sha256(data[:end]).hexdigest() == d["seal"], "seal is not that of the bytes, which have changed", 1)
    for table in tables:
        packed = struct.pack("<QQ", len(table), p) + b"".join(struct.pack(f"<{p}d", *row) for row in table)
        need(0 < len(table) == atoms and hashlib.sha256(packed).hexdigest() == sha256, "dictionary has another hash", 1)
    model["columns"].append({"lower": Fraction(1), "upper": Fraction(1), "cost": model["offset"], "integer": False})
    d.update({key: numbered(model[key]) for key in ("columns", "rows")}, table=numbered(tables[0]), n=len(d["decision"]), p=p)
    for row in model["rows"]:
        row["terms"] = dict(zip(row["columns"], row["values"]))
        need(len(row["terms"]) == len(row["columns"]) == len(row["values"]), "a row does not fit")
    for q in filter(None, [d["objective"], *d["constraints"]]):
        constant = [Fraction(0)] * p if q["constant"] is None else q["constant"]
        need(len(q["matrix"]) == len(constant) == p, "a map does not fit")
        q["matrix"] = [[*row, c] for row, c in zip(q["matrix"], constant)]
    return d
def convex(terms):
    """Whether the matrix of the terms is positive semidefinite: elimination in whole numbers (Bareiss 1968)."""
    place = {j: k for k, j in enumerate({j for term in terms for j in term[:2]})}
    need(len(place) <= 100, "more than 100 columns have quadratic terms")
    common, last, rows = math.lcm(*(v.denominator for _, _, v in terms)), 1, [[0] * len(place) for _ in place]
    for i, j, v in terms + [(j, i, v) for i, j, v in terms]:
        rows[place[i]][place[j]] += int(v * common)
    while rows and (rows[0][0] > 0 or not any(rows[0])):
        (pivot, *rest), *below = rows
        rows = [[((pivot or last) * a - row[0] * b) // last for a, b in zip(row[1:], rest)] for row in below]
        last = pivot or last
    return not rows
def proven(d, sides):
    """The bound of the proof, with the bounds that rows imply."""
    for i, j, up in d["implied"]:  # the side of a row less the least, or largest, values of its other columns
        others = dict(d["rows"][i]["terms"])
        v = others.pop(j)
        high = (up > 0) == (v > 0)
        known = [sides[high != (w > 0)][h] for h, w in others.items()]
        sides[up > 0][j] = bounded((sides[high][d["n"] + 1 + i] - dot(known, others.values())) / v, d["n"])
    bound = -math.inf if d["proof"] is None else evaluate(d, sides, d["proof"])
    need(bound != math.inf, "proof says that no decision is feasible, but there is one", 1)
    return bound
def evaluate(d, sides, node):
    """The bound of a part of the proof: -inf for none, inf if the part is empty."""
    if node.get("column") is None:
        return leaf(d, sides, **typed(node, LEAF))
    j, cut, bounds = typed(node["column"], Fraction), typed(node["at"], Fraction), []
    need(d["columns"][j]["integer"] and cut.denominator == 1, "a branch splits no integer column at a whole number")
    for part, side, closer in ("below", sides[1], min(sides[1][j], cut)), ("above", sides[0], max(sides[0][j], cut + 1)):
        known, side[j] = side[j], closer
        bounds.append(evaluate(d, sides, node[part]))
        side[j] = known
    return min(bounds)
def leaf(d, sides, rows, objective, constraints, tangent, empty):
    """Weak duality: the sum of the least values that the reduced costs have between the sides."""
    n, p, maps = d["n"], d["p"], {**numbered(d["constraints"]), "objective": d["objective"]}
    z = numbered(d["decision"] if tangent is None else map(multiplier, tangent))
    need(len(z) == n, "a tangent does not fit")
    reduced = numbered(Fraction(0) if empty else c["cost"] for c in d["columns"].values())
    for i, j, v in [] if empty else d["model"]["quadratic"]:  # at z the tangent is v (z_j x_i + z_i x_j - z_i z_j)
        add(reduced, v, [(i, z[j]), (j, z[i]), (n, -z[i] * z[j])])
    for i, y in [(typed(i, Fraction), multiplier(y)) for i, y in rows]:
        terms, side = d["rows"][i]["terms"], sides[y < 0][n + 1 + i]
        need(y == 0 or abs(side) < math.inf, f"proof leans on a bound that row {i} does not have", 1)
        add(reduced, -y, [*terms.items(), (n, -side)])
    sums = {"objective": [Fraction(0)] * (p + 1)}  # for it and for robust constraints: of atoms, and last of multipliers
    for k, i, w in [("objective", *pair) for pair in objective] + [(typed(k, Fraction), i, w) for k, i, w in constraints]:
        w, atom = multiplier(w), [] if k != "objective" and i == -1 else d["table"][typed(i, Fraction)]
        need(w == 0 or w > 0 and (not atom or i in d["chosen"]), "proof has a negative multiplier or an atom not chosen", 1)
        add(sums.setdefault(k, [Fraction(0)] * (p + 1)), w, [*enumerate(atom), (p, 1)])
    need(sums["objective"][p] <= (d["radius"] if d["objective"] and not empty else 0), "proof goes above the radius", 1)
    for k, u in sums.items():
        for v, row in zip(u, maps[k]["matrix"] if maps[k] else []):
            add(reduced, v if k == "objective" else d["radius"] * v, enumerate(row))
        if k != "objective":
            add(reduced, u[p], [*enumerate(maps[k]["nominal"] or []), (n, -sides[1][n + 1 + len(d["rows"]) + k])])
    least = [(g, sides[g < 0][j]) for j, g in reduced.items() if g]
    bound = -math.inf if any(abs(side) == math.inf for _, side in least) else sum(g * side for g, side in least)
    return bound if not empty else math.inf if bound > 0 else -math.inf
def check(data, handed=None):
    """The claims in words, all of them true."""
    d, said, sides = read(data, handed), {}, []
    x, point, claims, table, model = numbered(d["decision"]), [*d["decision"], Fraction(1)], d["claims"], d["table"], d["model"]
    need(convex(model["quadratic"]), "quadratic has no positive semidefinite matrix", 1)
    need(all(v.denominator == 1 for v, c in zip(point, model["columns"]) if c["integer"]), "decision is not whole where due", 1)
    def claimed(key, value, words, bound=0, sign=1):
        if claims[key] is not None:
            claim, exact = float(claims[key]), math.inf if bound == -math.inf else value - bound
            said[key], digits = words.format(f"{claim:.12g}"), float(exact) if abs(exact) < 1e308 else "beyond float64"
            need(float(f"{claim:.12g}") == claim, f"the claim {key} has more than 12 digits")
            right = (claims[key] - exact) * sign >= 0
            need(right, f"{key} is {claim} by the file, but {digits} when computed exactly and rounded for printing", 1)
    def support(q, atoms=table.values()):
        s = [dot(row, point) for row in q["matrix"]] if q else []
        return d["radius"] * max([0, *(dot(atom, s) for atom in atoms if q)])
    cost = dot([c["cost"] for c in model["columns"]], point) + sum(v * x[i] * x[j] for i, j, v in model["quadratic"])
    restricted, full = [cost + support(d["objective"], atoms) for atoms in ([table[i] for i in d["chosen"]], table.values())]
    claimed("restricted", restricted, f"Against the {len(d['chosen'])} chosen atoms alone it costs at most {{}}.")
    claimed("full", full, f"The decision costs at most {{}} against all {len(table)} atoms at radius {float(d['radius']):.17g}.")
    parts = model["columns"] + model["rows"] + [{"lower": -math.inf, "upper": c["limit"]} for c in d["constraints"]]
    for key, inwards in ("lower", math.ceil), ("upper", math.floor):
        sides.append(numbered(inwards(c[key]) if c.get("integer") and abs(c[key]) < math.inf else c[key] for c in parts))
    robust = [support(c) + (0 if c["nominal"] is None else dot(c["nominal"], x.values())) for c in d["constraints"]]
    position = [*point, *(sum(v * x[j] for j, v in row["terms"].items()) for row in model["rows"]), *robust]
    moved = [numbered(map(closer, side.values(), position)) for side, closer in zip(sides, (min, max))]
    missed = max([0, *(abs(moved[k][j] - v) for k in (0, 1) for j, v in sides[k].items() if moved[k][j] != v)])
    late = " once what is missed is moved to the decision" if claims["missed"] > 0 else ""
    claimed("missed", missed, "The decision misses bounds, rows or robust constraints by at most {}." if late
            else "The decision keeps to every bound, row and robust constraint.")
    lower = proven(d, sides)
    claimed("lower", lower, "No feasible decision costs less than {} against all atoms.", sign=-1)
    claimed("regret", full, "The regret of the decision is at most {}.", lower)
    lower = proven(d, moved) if missed and claims["gap"] is not None else lower
    claimed("gap", full, f"The value gap between the chosen atoms and all atoms is at most {{}}{late}.", lower)
    need(d["statements"] == [said[key] for key in claims if key in said], "statements are not those of the claims", 1)
    return d["statements"]
def main(paths):
    try:
        need(len(paths) in (1, 2), "call it as verify.py design.json [dictionary.npy or dictionary.csv]")
        files = [open(path, "rb").read((256 << 20) + 1) for path in paths]
        need(max(map(len, files)) <= 256 << 20, "a file has more than 256 MB")
        sys.setrecursionlimit(5_000)  # a proof may have 2,000 levels
        unchecked = "not checked: whether problem and dictionary are yours, promises of a calibration, labels, names"
        said, code = "\n  ".join(["valid; computed without rounding:", *check(*files), unchecked]), 0
    except Exception as error:  # whatever a malformed file leads to
        said, code = error.args if isinstance(error, UserWarning) else (f"{type(error).__name__}: {str(error)[:200]}", 2)
    print(("", "false: ", "not checkable: ")[code] + said, file=sys.stderr if code == 2 else sys.stdout)
    return code
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
