package designfile_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
)

// instance is a problem with a decision, as a design file holds it, for a truth that is computed apart from the checkers.
type instance struct {
	columns     []instanceColumn
	rows        []proof.Row
	offset      float64
	quadratic   [][3]float64
	objective   *instanceMap // nil: certain
	constraints []instanceConstraint
	atoms       [][]float64
	chosen      []int
	radius      float64
	x           []float64
}

type instanceColumn struct {
	lower, upper, cost float64
	integer            bool
}

type instanceMap struct {
	matrix   [][]float64
	constant []float64
}

type instanceConstraint struct {
	instanceMap
	nominal []float64
	limit   float64
}

func (p *instance) dimension() int { return len(p.atoms[0]) }

func (p *instance) every() []int {
	all := make([]int, len(p.atoms))
	for i := range all {
		all[i] = i
	}
	return all
}

// program is min Φ_A as a linear program: variables x, and for the objective and each constraint s = q(x) and t = M_A(s).
// Its rows are those of the model, s = q(x) and t >= <d_i, s> of the objective, then the same of each constraint and its limit.
func (p *instance) program(atoms []int) *proof.Program {
	program := &proof.Program{}
	add := func(lower, upper, cost float64) int {
		program.Lower, program.Upper, program.Cost = append(program.Lower, lower), append(program.Upper, upper), append(program.Cost, cost)
		return len(program.Cost) - 1
	}
	for _, c := range p.columns {
		add(c.lower, c.upper, c.cost)
	}
	program.Rows = append(program.Rows, p.rows...)
	addMap := func(q *instanceMap, cost float64) (t int) {
		first := len(program.Cost)
		for k, row := range q.matrix {
			s := proof.Row{Columns: []int{add(math.Inf(-1), math.Inf(1), 0)}, Values: []float64{1}, Lower: q.constant[k], Upper: q.constant[k]}
			for j, v := range row {
				s.Columns, s.Values = append(s.Columns, j), append(s.Values, -v)
			}
			program.Rows = append(program.Rows, s)
		}
		t = add(0, math.Inf(1), cost)
		for _, i := range atoms {
			above := proof.Row{Columns: []int{t}, Values: []float64{1}, Lower: 0, Upper: math.Inf(1)}
			for k, v := range p.atoms[i] {
				above.Columns, above.Values = append(above.Columns, first+k), append(above.Values, -v)
			}
			program.Rows = append(program.Rows, above)
		}
		return t
	}
	if p.objective != nil {
		addMap(p.objective, p.radius)
	}
	for i := range p.constraints {
		c := &p.constraints[i]
		limit := proof.Row{Columns: []int{addMap(&c.instanceMap, 0)}, Values: []float64{p.radius}, Lower: math.Inf(-1), Upper: c.limit}
		for j, v := range c.nominal {
			limit.Columns, limit.Values = append(limit.Columns, j), append(limit.Values, v)
		}
		program.Rows = append(program.Rows, limit)
	}
	return program
}

// leaf writes the duals of the program as the multipliers of a file.
func (p *instance) leaf(duals []*big.Rat, empty bool) map[string]any {
	scale, fits := big.NewInt(1), true // by which all are float64 or whole
	for _, v := range slices.Concat(duals, p.shares(duals)) {
		_, same := v.Float64()
		fits = fits && same
		common := new(big.Int).GCD(nil, nil, scale, v.Denom())
		scale.Mul(scale, common.Quo(v.Denom(), common))
	}
	if fits {
		scale.SetInt64(1)
	}
	written := func(v *big.Rat) any { return written(new(big.Rat).Mul(v, new(big.Rat).SetInt(scale))) }
	rows, objective, constraints := multipliers(), multipliers(), []any{}
	for i := range p.rows {
		if duals[i].Sign() != 0 {
			add(rows, i, written(duals[i]))
		}
	}
	next := len(p.rows)
	if p.objective != nil {
		for i, mu := range duals[next+p.dimension():][:len(p.atoms)] {
			if mu.Sign() > 0 && !empty {
				add(objective, i, written(mu))
			}
		}
	}
	for k, share := range p.shares(duals) {
		atom := k%(len(p.atoms)+1) - 1
		if atom < 0 {
			constraints = append(constraints, multipliers())
		}
		if share.Sign() > 0 {
			add(constraints[len(constraints)-1].(map[string]any), atom, written(share))
		}
	}
	return map[string]any{
		"scale": written(big.NewRat(1, 1)), "rows": rows, "objective": objective, "constraints": constraints, "tangent": []any{}, "empty": empty,
	}
}

// multipliers are those of a leaf, none yet.
func multipliers(pairs ...[2]any) map[string]any {
	m := map[string]any{"of": []any{}, "values": []any{}}
	for _, pair := range pairs {
		add(m, pair[0], pair[1])
	}
	return m
}

func add(m map[string]any, index, value any) {
	m["of"], m["values"] = append(m["of"].([]any), index), append(m["values"].([]any), value)
}

// shares are the multipliers of the null atom and of the atoms for one robust constraint after the other.
func (p *instance) shares(duals []*big.Rat) (shares []*big.Rat) {
	next := len(p.rows)
	if p.objective != nil {
		next += p.dimension() + len(p.atoms)
	}
	for range p.constraints {
		rest := new(big.Rat).Neg(duals[next+p.dimension()+len(p.atoms)])
		shares = append(shares, rest)
		for _, nu := range duals[next+p.dimension():][:len(p.atoms)] {
			share := new(big.Rat).Quo(nu, fractionOf(p.radius))
			shares = append(shares, share)
			rest.Sub(rest, share)
		}
		next += p.dimension() + len(p.atoms) + 1
	}
	return shares
}

// written is a number that is a float64 or whole, as the format has it.
func written(v *big.Rat) any {
	if number, same := v.Float64(); same {
		return number
	}
	return v.Num().Text(16)
}

// proofOf writes a tree of maps, in which a branch has the keys column, at, below and above, as a file has it.
func proofOf(tree any) map[string]any {
	branches, leaves := [][]any{}, []any{}
	var add func(part any) int
	add = func(part any) int {
		node := part.(map[string]any)
		if node["column"] == nil {
			leaves = append(leaves, node)
			return -len(leaves)
		}
		branch := []any{node["column"], node["at"], 0, 0}
		branches = append(branches, branch)
		id := len(branches) - 1
		branch[2], branch[3] = add(node["below"]), add(node["above"])
		return id
	}
	add(tree)
	for _, branch := range branches {
		for k, part := range branch[2:] {
			if part.(int) < 0 {
				branch[2+k] = len(branches) - 1 - part.(int)
			}
		}
	}
	return map[string]any{"implied": []any{}, "curvature": nil, "branches": branches, "leaves": leaves}
}

func fractionOf(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// product is <a, b>.
func product(a []float64, b []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i, v := range a {
		sum.Add(sum, new(big.Rat).Mul(fractionOf(v), b[i]))
	}
	return sum
}

func (p *instance) point() []*big.Rat {
	x := make([]*big.Rat, len(p.x))
	for j, v := range p.x {
		x[j] = fractionOf(v)
	}
	return x
}

// reach is r M_A(q(x)).
func (p *instance) reach(q *instanceMap, atoms []int) *big.Rat {
	most, s := new(big.Rat), make([]*big.Rat, len(q.matrix))
	for k, row := range q.matrix {
		s[k] = product(row, p.point())
		s[k].Add(s[k], fractionOf(q.constant[k]))
	}
	for _, i := range atoms {
		if value := product(p.atoms[i], s); value.Cmp(most) > 0 {
			most = value
		}
	}
	return most.Mul(most, fractionOf(p.radius))
}

// value is Φ_A(X).
func (p *instance) value(atoms []int) *big.Rat {
	x, sum := p.point(), fractionOf(p.offset)
	for j, c := range p.columns {
		sum.Add(sum, new(big.Rat).Mul(fractionOf(c.cost), x[j]))
	}
	for _, q := range p.quadratic {
		term := new(big.Rat).Mul(x[int(q[0])], x[int(q[1])])
		sum.Add(sum, term.Mul(term, fractionOf(q[2])))
	}
	if p.objective != nil {
		sum.Add(sum, p.reach(p.objective, atoms))
	}
	return sum
}

// missed is how far X is outside.
func (p *instance) missed() *big.Rat {
	most := new(big.Rat)
	look := func(lower, upper float64, value *big.Rat) {
		for _, side := range []struct{ bound, sign float64 }{{lower, 1}, {upper, -1}} {
			if !math.IsInf(side.bound, 0) {
				distance := new(big.Rat).Sub(fractionOf(side.bound), value)
				if distance.Mul(distance, fractionOf(side.sign)); distance.Cmp(most) > 0 {
					most = distance
				}
			}
		}
	}
	x := p.point()
	for j, c := range p.columns {
		look(c.lower, c.upper, x[j])
	}
	for i := range p.rows {
		sum := new(big.Rat)
		for k, j := range p.rows[i].Columns {
			sum.Add(sum, new(big.Rat).Mul(fractionOf(p.rows[i].Values[k]), x[j]))
		}
		look(p.rows[i].Lower, p.rows[i].Upper, sum)
	}
	for k := range p.constraints {
		c := &p.constraints[k]
		sum := p.reach(&c.instanceMap, p.every())
		look(math.Inf(-1), c.limit, sum.Add(sum, product(c.nominal, x)))
	}
	return most
}

// mostEnumerated bounds the integer points that a minimum goes through.
const mostEnumerated = 300

// minimum is min Φ_A without quadratic terms, by enumeration of the integer columns; known is false if there is none or
// if that is too much.
func (p *instance) minimum(atoms []int) (least *big.Rat, known bool) {
	if len(p.quadratic) > 0 {
		return nil, false
	}
	fixed := *p
	fixed.columns = append([]instanceColumn{}, p.columns...)
	left := mostEnumerated
	var visit func(j int) bool
	visit = func(j int) bool {
		for j < len(p.columns) && !p.columns[j].integer {
			j++
		}
		if j == len(p.columns) {
			left--
			answer := exact.Solve(context.Background(), fixed.program(atoms))
			if answer.Status == exact.Optimal && (least == nil || answer.Objective.Cmp(least) < 0) {
				least = answer.Objective
			}
			return left > 0 && answer.Status != exact.Unbounded
		}
		low, high := math.Ceil(p.columns[j].lower), math.Floor(p.columns[j].upper)
		if high-low > mostEnumerated {
			return false
		}
		for v := low; v <= high; v++ {
			fixed.columns[j].lower, fixed.columns[j].upper = v, v
			if !visit(j + 1) {
				return false
			}
		}
		return true
	}
	if !visit(0) || least == nil {
		return nil, false
	}
	return least.Add(least, fractionOf(p.offset)), true
}

// outwards is the nearest number of 12 significant digits that is not below (sign 1) or not above (sign -1) the value.
func outwards(value *big.Rat, sign int) float64 {
	near, _ := value.Float64()
	text := strconv.FormatFloat(near, 'e', 11, 64)
	for {
		rounded, _ := strconv.ParseFloat(text, 64)
		if fractionOf(rounded).Cmp(value)*sign >= 0 {
			return rounded
		}
		text = strconv.FormatFloat(stepped(rounded, sign), 'e', 11, 64)
	}
}

// stepped moves a number of 12 digits by one unit of the last.
func stepped(v float64, sign int) float64 {
	mantissa, exponent := strconv.FormatFloat(v, 'e', 11, 64), 0
	fmt.Sscanf(mantissa[bytes.IndexByte([]byte(mantissa), 'e')+1:], "%d", &exponent)
	if v == 0 {
		exponent = 0
	}
	unit := new(big.Rat).SetFloat64(1)
	unit, _ = unit.SetString(fmt.Sprintf("1e%d", exponent-11))
	exactly, _ := new(big.Rat).SetString(mantissa)
	moved, _ := exactly.Add(exactly, unit.Mul(unit, big.NewRat(int64(sign), 1))).Float64()
	moved, _ = strconv.ParseFloat(strconv.FormatFloat(moved, 'e', 11, 64), 64)
	return moved
}

// optional is null for an infinite bound.
func optional(v float64) any {
	if math.IsInf(v, 0) {
		return nil
	}
	return v
}

func (q *instanceMap) json() map[string]any {
	matrix := []any{}
	for _, row := range q.matrix {
		columns, values := []any{}, []any{}
		for j, v := range row {
			if v != 0 {
				columns, values = append(columns, j), append(values, v)
			}
		}
		matrix = append(matrix, map[string]any{"columns": columns, "values": values})
	}
	return q.block(matrix)
}

// block leaves out the first and the last rows that are 0.
func (q *instanceMap) block(matrix []any) map[string]any {
	zero := func(k int) bool {
		isZero := func(v float64) bool { return v == 0 }
		return !slices.ContainsFunc(q.matrix[k], func(v float64) bool { return !isZero(v) }) && (len(q.constant) == 0 || isZero(q.constant[k]))
	}
	first, end := 0, len(matrix)
	for first < end-1 && zero(first) {
		first++
	}
	for end > first+1 && zero(end-1) {
		end--
	}
	written := map[string]any{"matrix": matrix[first:end], "constant": q.constant}
	if end-first < len(matrix) {
		written["first"] = first
		if len(q.constant) > 0 {
			written["constant"] = q.constant[first:end]
		}
	}
	return written
}

func (p *instance) hash() string {
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(p.atoms)))
	data = binary.LittleEndian.AppendUint64(data, uint64(p.dimension()))
	for _, atom := range p.atoms {
		data, _ = binary.Append(data, binary.LittleEndian, atom)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// design is the file of an instance whose proof, a tree for proofOf, has the bounds lower and, where X is moved, gapLower (nil:
// claims none).
func (p *instance) design(tree any, lower, gapLower *big.Rat) map[string]any {
	columns, rows, constraints := []any{}, []any{}, []any{}
	for _, c := range p.columns {
		columns = append(columns, map[string]any{"name": "x", "lower": optional(c.lower), "upper": optional(c.upper), "cost": c.cost, "integer": c.integer})
	}
	for _, r := range p.rows {
		rows = append(rows, map[string]any{"name": "r", "group": "", "lower": optional(r.Lower), "upper": optional(r.Upper), "columns": r.Columns, "values": r.Values})
	}
	for i := range p.constraints {
		c := &p.constraints[i]
		constraints = append(constraints, map[string]any{"name": "c", "map": c.json(), "nominal": c.nominal, "limit": c.limit})
	}
	claims := map[string]any{
		"restricted": outwards(p.value(p.chosen), 1), "full": outwards(p.value(p.every()), 1), "missed": outwards(p.missed(), 1),
		"lower": nil, "regret": nil, "gap": nil,
	}
	if lower != nil {
		claims["lower"] = outwards(lower, -1)
		claims["regret"] = outwards(new(big.Rat).Sub(p.value(p.every()), lower), 1)
	}
	if gapLower != nil {
		claims["gap"] = outwards(new(big.Rat).Sub(p.value(p.every()), gapLower), 1)
	}
	quadratic := map[string][]any{"i": {}, "j": {}, "values": {}}
	for _, q := range p.quadratic {
		for k, key := range []string{"i", "j", "values"} {
			quadratic[key] = append(quadratic[key], q[k])
		}
	}
	d := map[string]any{
		"format": "sparsero design", "version": 2, "claims": claims, "proof": nil,
		"decision": map[string]any{"x": p.x, "atoms": p.chosen},
		"problem": map[string]any{
			"dictionary": map[string]any{"atoms": len(p.atoms), "dimension": p.dimension(), "sha256": p.hash(), "labels": []any{}, "columns": []any{}, "values": p.atoms},
			"model":      map[string]any{"name": "", "offset": p.offset, "columns": columns, "rows": rows, "quadratic": quadratic},
			"objective":  nil, "constraints": constraints, "radius": p.radius,
		},
		"provenance": map[string]any{"software": "", "promises": []any{}, "hypotheses": []any{}, "seeds": []any{[]any{"dice", "6"}}, "note": "by hand"},
	}
	if p.objective != nil {
		d["problem"].(map[string]any)["objective"] = p.objective.json()
	}
	if tree != nil {
		d["proof"] = proofOf(tree)
	}
	return d
}

// sealed is the file with its seal.
func sealed(t testing.TB, d map[string]any) []byte {
	t.Helper()
	body, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	body = append(body[:len(body)-1], ",\n"...)
	sum := sha256.Sum256(body)
	return fmt.Appendf(body, "\"seal\": %q}\n", hex.EncodeToString(sum[:]))
}

// copied is a deep copy as a reader of JSON sees it.
func copied(t testing.TB, d map[string]any) map[string]any {
	t.Helper()
	data, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}
