package certificate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// designFile holds what the claims of a design file rest on.
type designFile struct {
	kind, hash, seal string
	statements       []string
	atoms, dimension int
	values, table    [][]float64 // the atoms in the file, if they are, and those to check with
	offset           float64
	costs            []float64 // of the columns
	integer          []bool
	rows             []designRow
	sides            [2][]*float64 // lower and upper ones of columns, rows and robust constraints; nil for none
	quadratic        []designTerm
	objective        *designMap // nil if the objective is certain
	constraints      []designMap
	chosen           []int
	radius           float64
	decision         []float64
	claims           map[string]*float64 // nil for what is not claimed
	implied          []any               // evaluated as they are read
	proof            object              // likewise; nil for none
}

type designRow struct {
	columns []int
	values  []float64
}

// designTerm is value x_i x_j.
type designTerm struct {
	i, j  int
	value float64
}

// designMap is an affine q, with the nominal of a robust constraint <nominal, x> + r M(q(x)) <= limit.
type designMap struct {
	matrix            [][]float64
	constant, nominal []float64 // empty for none
}

// claimKeys are the claims in the order in which they are judged.
var claimKeys = []string{"restricted", "full", "missed", "lower", "regret", "gap"}

// readDesign reads the keys of FORMAT.md and checks that they fit together.
func readDesign(root object) *designFile {
	need(root["format"] == "sparsero design" && root["version"] == 1.0, "it is no design file of version 1, which is what this program knows")
	f := &designFile{kind: as[string](root["kind"], "kind"), seal: as[string](root["seal"], "seal"), radius: as[float64](root["radius"], "radius")}
	need(slices.Contains([]string{"solution", "design", "tuned"}, f.kind), "its kind is unknown")
	need(f.radius >= 0, "the radius is %v, below 0", f.radius)
	for _, line := range list(root, "statements") {
		f.statements = append(f.statements, as[string](line, "statements"))
	}
	f.readDictionary(as[object](root["dictionary"], "dictionary"))
	decision := list(root, "decision")
	f.decision = numbers(decision, "decision", len(decision))
	f.readModel(as[object](root["model"], "model"))
	if root["objective"] != nil {
		q := f.readMap(as[object](root["objective"], "objective"))
		f.objective = &q
	}
	for _, value := range list(root, "constraints") {
		c := as[object](value, "a constraint")
		q := f.readMap(c)
		limit := as[float64](c["limit"], "limit")
		f.addSides(nil, &limit)
		if c["nominal"] != nil {
			q.nominal = numbers(c["nominal"], "nominal", len(f.decision))
		}
		f.constraints = append(f.constraints, q)
	}
	f.chosen = indices(root, "chosen", f.atoms)
	f.readClaims(as[object](root["claims"], "claims"))
	if root["implied"] != nil {
		f.implied = list(root, "implied")
	}
	if root["proof"] != nil {
		f.proof = as[object](root["proof"], "proof")
	}
	return f
}

func (f *designFile) readDictionary(d object) {
	f.atoms, f.dimension = index(d["atoms"], "atoms", 1, math.MaxInt32), index(d["dimension"], "dimension", 1, math.MaxInt32)
	f.hash = as[string](d["sha256"], "sha256")
	if d["values"] != nil {
		f.values = matrix(d["values"], "values", f.atoms, f.dimension)
	}
}

func matrix(value any, name string, rows, columns int) [][]float64 {
	matrix := make([][]float64, 0, min(rows, mostValues))
	for _, row := range tuple(value, name, rows) {
		matrix = append(matrix, numbers(row, name, columns))
	}
	return matrix
}

func (f *designFile) readModel(m object) {
	need(m["sense"] == nil || m["sense"] == "minimize", "the model is not one to minimize")
	f.offset = as[float64](m["offset"], "offset")
	n := len(f.decision)
	for _, value := range tuple(list(m, "columns"), "columns", n) {
		c := as[object](value, "a column")
		lower, upper, integer := number(c, "lower"), number(c, "upper"), as[bool](c["integer"], "integer")
		if integer && lower != nil {
			*lower = math.Ceil(*lower)
		}
		if integer && upper != nil {
			*upper = math.Floor(*upper)
		}
		f.addSides(lower, upper)
		f.costs, f.integer = append(f.costs, as[float64](c["cost"], "cost")), append(f.integer, integer)
	}
	for _, value := range list(m, "rows") {
		r := as[object](value, "a row")
		columns := indices(r, "columns", n)
		f.addSides(number(r, "lower"), number(r, "upper"))
		f.rows = append(f.rows, designRow{columns, numbers(list(r, "values"), "values of a row", len(columns))})
	}
	for _, value := range list(m, "quadratic") {
		q := tuple(value, "a quadratic term", 3)
		f.quadratic = append(f.quadratic, designTerm{index(q[0], "quadratic", 0, n), index(q[1], "quadratic", 0, n), as[float64](q[2], "quadratic")})
	}
}

func (f *designFile) addSides(lower, upper *float64) {
	f.sides[lowerSide], f.sides[upperSide] = append(f.sides[lowerSide], lower), append(f.sides[upperSide], upper)
}

// number is nil for one that is missing.
func number(o object, key string) *float64 {
	if o[key] == nil {
		return nil
	}
	value := as[float64](o[key], key)
	return &value
}

func (f *designFile) readMap(o object) designMap {
	q := designMap{matrix: matrix(o["matrix"], "matrix", f.dimension, len(f.decision))}
	if o["constant"] != nil {
		q.constant = numbers(o["constant"], "constant", f.dimension)
	}
	return q
}

func (f *designFile) readClaims(o object) {
	f.claims = map[string]*float64{}
	for k, key := range claimKeys {
		value := number(o, key)
		need(value != nil || k > 2, "the claim %s is missing", key)
		if value != nil {
			shown, _ := strconv.ParseFloat(fmt.Sprintf("%.12g", *value), 64)
			need(shown == *value, "the claim %s has more than 12 significant digits", key)
		}
		f.claims[key] = value
	}
}
