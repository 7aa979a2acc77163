package certificate_test

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
	"strconv"
	"testing"

	"github.com/sparsero/directions/solver/exact"
)

// instance is a problem with a decision, as a design file holds it, for a truth that is computed apart from the checkers.
type instance struct {
	columns     []instanceColumn
	rows        []exact.Row
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
func (p *instance) program(atoms []int) *exact.Program {
	program := &exact.Program{}
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
			s := exact.Row{Columns: []int{add(math.Inf(-1), math.Inf(1), 0)}, Values: []float64{1}, Lower: q.constant[k], Upper: q.constant[k]}
			for j, v := range row {
				s.Columns, s.Values = append(s.Columns, j), append(s.Values, -v)
			}
			program.Rows = append(program.Rows, s)
		}
		t = add(0, math.Inf(1), cost)
		for _, i := range atoms {
			above := exact.Row{Columns: []int{t}, Values: []float64{1}, Lower: 0, Upper: math.Inf(1)}
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
		limit := exact.Row{Columns: []int{addMap(&c.instanceMap, 0)}, Values: []float64{p.radius}, Lower: math.Inf(-1), Upper: c.limit}
		for j, v := range c.nominal {
			limit.Columns, limit.Values = append(limit.Columns, j), append(limit.Values, v)
		}
		program.Rows = append(program.Rows, limit)
	}
	return program
}

// leaf writes the duals of the program as the multipliers of a file.
func (p *instance) leaf(duals []*big.Rat, empty bool) map[string]any {
	rows, objective, constraints := []any{}, []any{}, []any{}
	for i := range p.rows {
		if duals[i].Sign() != 0 {
			rows = append(rows, []any{i, written(duals[i])})
		}
	}
	next := len(p.rows)
	if p.objective != nil {
		for i, mu := range duals[next+p.dimension():][:len(p.atoms)] {
			if mu.Sign() > 0 && !empty {
				objective = append(objective, []any{i, written(mu)})
			}
		}
		next += p.dimension() + len(p.atoms)
	}
	for k := range p.constraints {
		rest := new(big.Rat).Neg(duals[next+p.dimension()+len(p.atoms)])
		for i, nu := range duals[next+p.dimension():][:len(p.atoms)] {
			if nu.Sign() > 0 {
				share := new(big.Rat).Quo(nu, fractionOf(p.radius))
				constraints = append(constraints, []any{k, i, written(share)})
				rest.Sub(rest, share)
			}
		}
		if rest.Sign() > 0 {
			constraints = append(constraints, []any{k, -1, written(rest)})
		}
		next += p.dimension() + len(p.atoms) + 1
	}
	return map[string]any{"rows": rows, "objective": objective, "constraints": constraints, "empty": empty}
}

// written is a multiplier as the format has it.
func written(v *big.Rat) any {
	if number, same := v.Float64(); same {
		return number
	}
	return v.Num().Text(16) + "/" + v.Denom().Text(16)
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
		if c.integer {
			c.lower, c.upper = math.Ceil(c.lower), math.Floor(c.upper)
		}
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
	return map[string]any{"matrix": q.matrix, "constant": q.constant}
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

// design is the file of an instance whose proof has the bounds lower and, where X is moved, gapLower (nil: claims none).
func (p *instance) design(proof any, lower, gapLower *big.Rat) map[string]any {
	columns, rows, constraints := []any{}, []any{}, []any{}
	for _, c := range p.columns {
		columns = append(columns, map[string]any{"name": "x", "lower": optional(c.lower), "upper": optional(c.upper), "cost": c.cost, "integer": c.integer})
	}
	for _, r := range p.rows {
		rows = append(rows, map[string]any{"name": "r", "lower": optional(r.Lower), "upper": optional(r.Upper), "columns": r.Columns, "values": r.Values})
	}
	for i := range p.constraints {
		c := p.constraints[i].json()
		c["nominal"], c["limit"] = p.constraints[i].nominal, p.constraints[i].limit
		constraints = append(constraints, c)
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
	quadratic := []any{}
	for _, q := range p.quadratic {
		quadratic = append(quadratic, q)
	}
	d := map[string]any{
		"format": "sparsero design", "version": 1, "kind": "solution", "chosen": p.chosen, "radius": p.radius, "decision": p.x,
		"dictionary":  map[string]any{"atoms": len(p.atoms), "dimension": p.dimension(), "sha256": p.hash(), "values": p.atoms},
		"model":       map[string]any{"offset": p.offset, "columns": columns, "rows": rows, "quadratic": quadratic},
		"constraints": constraints, "claims": claims, "proof": proof, "note": "by hand",
	}
	if p.objective != nil {
		d["objective"] = p.objective.json()
	}
	state(d)
	return d
}

// state writes the statements that belong to the claims.
func state(d map[string]any) {
	claims, _ := d["claims"].(map[string]any)
	dictionary, _ := d["dictionary"].(map[string]any)
	lines := []string{
		fmt.Sprintf("The decision costs at most %.12g against all %v atoms at radius %.17g.", claims["full"], dictionary["atoms"], d["radius"]),
		fmt.Sprintf("Against the %d chosen atoms alone it costs at most %.12g.", count(d["chosen"]), claims["restricted"]),
	}
	if v := claims["lower"]; v != nil {
		lines = append(lines, fmt.Sprintf("No feasible decision costs less than %.12g against all atoms.", v))
	}
	if v := claims["regret"]; v != nil {
		lines = append(lines, fmt.Sprintf("The regret of the decision is at most %.12g.", v))
	}
	missed, _ := claims["missed"].(float64)
	if v := claims["gap"]; v != nil && missed > 0 {
		lines = append(lines, fmt.Sprintf("The value gap between the chosen atoms and all atoms is at most %.12g once what is missed is moved to the decision.", v))
	} else if v != nil {
		lines = append(lines, fmt.Sprintf("The value gap between the chosen atoms and all atoms is at most %.12g.", v))
	}
	if missed > 0 {
		lines = append(lines, fmt.Sprintf("The decision misses bounds, rows or robust constraints by at most %.12g.", missed))
	} else {
		lines = append(lines, "The decision keeps to every bound, row and robust constraint.")
	}
	d["statements"] = lines
}

func count(list any) int {
	switch list := list.(type) {
	case []int:
		return len(list)
	case []any:
		return len(list)
	}
	return 0
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
