package lifted

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// limits are the sides of columns, rows and robust constraints.
type limits struct {
	columns, rows [][2]*float64
	constraints   []float64
}

func (s *statement) limits() (of limits) {
	for _, c := range s.p.Model.Columns {
		of.columns = append(of.columns, [2]*float64{c.Lower, c.Upper})
	}
	for _, r := range s.p.Model.Rows {
		of.rows = append(of.rows, [2]*float64{r.Lower, r.Upper})
	}
	for _, c := range s.p.Constraints {
		of.constraints = append(of.constraints, c.Limit)
	}
	return of
}

func dot(columns []int, values, x []float64) (sum float64) {
	for k, v := range values {
		if columns != nil {
			sum += v * x[columns[k]]
		} else {
			sum += v * x[k]
		}
	}
	return sum
}

// exposed is q(x) in the coordinates of the atoms.
func (s *statement) exposed(q *Map, x []float64) []float64 {
	first := 0
	if q.First != nil {
		first = *q.First
	}
	exposed := make([]float64, s.p.Dictionary.Dimension)
	for k, row := range q.Matrix {
		value := dot(row.Columns, row.Values, x)
		if q.Constant != nil {
			value += q.Constant[k]
		}
		if s.p.Set == nil || s.p.Set.Map == nil {
			exposed[first+k] += value
			continue
		}
		for e, j := range s.p.Set.Map[first+k].Columns {
			exposed[j] += value * s.p.Set.Map[first+k].Values[e]
		}
	}
	return exposed
}

// harm is the most that the atoms, or what the support proves of the points of the set, do in a row.
func (s *statement) harm(q *Map, place int, x []float64) float64 {
	most, to := 0.0, s.exposed(q, x)
	set := s.p.Set
	if set == nil {
		for _, atom := range s.p.Dictionary.Values {
			most = math.Max(most, dot(nil, atom, to))
		}
		return most
	}
	y, constant := 0.0, 0.0
	if set.Support != nil {
		y = set.Support[place][0]
	}
	if y > 0 {
		constant = y * *set.Rows[0].Upper
	} else if y < 0 {
		constant = y * *set.Rows[0].Lower
	}
	box := make([][2]*float64, len(to))
	for j := range box {
		box[j] = [2]*float64{&set.Lower[j], &set.Upper[j]}
	}
	for _, z := range corners(box) {
		most = math.Max(most, dot(nil, z, to)-y*dot(set.Rows[0].Columns, set.Rows[0].Values, z)+constant)
	}
	return most
}

// corners are those of a box; a coordinate without sides is 0 there.
func corners(box [][2]*float64) [][]float64 {
	list := [][]float64{nil}
	for _, sides := range box {
		var longer [][]float64
		for _, corner := range list {
			for _, side := range sides {
				if side != nil {
					longer = append(longer, append(slices.Clone(corner), *side))
				} else if sides == [2]*float64{} {
					longer = append(longer, append(slices.Clone(corner), 0))
				}
			}
		}
		list = longer
	}
	return list
}

// cost is b(x), or its tangent at z.
func (s *statement) cost(x, z []float64) float64 {
	m := &s.p.Model
	cost := m.Offset
	for j, c := range m.Columns {
		cost += c.Cost * x[j]
	}
	for k, v := range m.Quadratic.Values {
		i, j := m.Quadratic.I[k], m.Quadratic.J[k]
		cost += v * (z[i]*x[j] + z[j]*x[i] - z[i]*z[j])
	}
	return cost
}

// position is where a decision is among the limits.
func (s *statement) position(x []float64) []float64 {
	at := slices.Clone(x)
	for _, row := range s.p.Model.Rows {
		at = append(at, dot(row.Columns, row.Values, x))
	}
	for k := range s.p.Constraints {
		c := &s.p.Constraints[k]
		at = append(at, dot(nil, c.Nominal, x)+s.p.Radius*s.harm(&c.Map, 1+k, x))
	}
	return at
}

// moved are limits that a decision misses, moved to it, and by how much it misses most.
func (s *statement) moved(x []float64) (of limits, missed float64) {
	at, of := s.position(x), s.limits()
	rows := append(of.columns, of.rows...)
	for k := range rows {
		if lower := rows[k][0]; lower != nil && at[k] < *lower {
			missed, rows[k][0] = math.Max(missed, *lower-at[k]), &at[k]
		}
		if upper := rows[k][1]; upper != nil && at[k] > *upper {
			missed, rows[k][1] = math.Max(missed, at[k]-*upper), &at[k]
		}
	}
	of.columns, of.rows = rows[:len(of.columns)], rows[len(of.columns):]
	for k, limit := range of.constraints {
		value := at[len(rows)+k]
		missed, of.constraints[k] = math.Max(missed, value-limit), math.Max(limit, value)
	}
	return of, missed
}

// weak is the value at x of what weak duality leaves for a leaf, without t.
func (s *statement) weak(leaf *Leaf, of limits, x, z []float64) (value float64) {
	scale := plain(leaf.Scale)
	if !leaf.Empty {
		value = s.cost(x, z)
		if c := s.proof.Curvature; c != nil {
			for k, j := range c.Columns {
				value -= c.Slack[k] * (x[j] - z[j]) * (x[j] - z[j])
			}
		}
	}
	for k, i := range leaf.Rows.Of {
		y, row := plain(leaf.Rows.Values[k])/scale, s.p.Model.Rows[i]
		if y > 0 {
			value += y * (*of.rows[i][0] - dot(row.Columns, row.Values, x))
		} else if y < 0 {
			value += y * (*of.rows[i][1] - dot(row.Columns, row.Values, x))
		}
	}
	for k, i := range leaf.Objective.Of {
		value += plain(leaf.Objective.Values[k]) / scale * dot(nil, s.p.Dictionary.Values[i], s.exposed(s.p.Objective, x))
	}
	for k, m := range leaf.Constraints {
		c := &s.p.Constraints[k]
		for e, i := range m.Of {
			missed := dot(nil, c.Nominal, x) - of.constraints[k]
			if i >= 0 {
				missed += s.p.Radius * dot(nil, s.p.Dictionary.Values[i], s.exposed(&c.Map, x))
			}
			value += plain(m.Values[e]) / scale * missed
		}
	}
	return value
}

func plain(n Number) float64 { v, _ := n.float().Float64(); return v }

// proven is the least value that weak duality leaves over the box of a leaf, NaN for none.
func (s *statement) proven(leaf *Leaf, of limits) float64 {
	z := s.d.X
	if leaf.Tangent != nil {
		z = nil
		for _, v := range leaf.Tangent {
			z = append(z, plain(v)/plain(leaf.Scale))
		}
	}
	linear := *s
	linear.proof.Curvature = nil
	origin := make([]float64, len(z))
	for j := range origin {
		unit := make([]float64, len(z))
		unit[j] = 1
		slope := linear.weak(leaf, of, unit, z) - linear.weak(leaf, of, origin, z)
		lower, upper := of.columns[j][0], of.columns[j][1]
		if c := s.proof.Curvature; c != nil && !leaf.Empty && c.Slack[slices.Index(c.Columns, j)] > 0 && (lower == nil || upper == nil) {
			return math.NaN()
		}
		if slope > 0 && lower == nil || slope < 0 && upper == nil {
			return math.NaN()
		}
	}
	least := math.Inf(1)
	for _, x := range corners(of.columns) {
		least = math.Min(least, s.weak(leaf, of, x, z))
	}
	return least
}

// least is the bound of a proof within limits, NaN for none, and +Inf where it proves that there is no decision.
func (s *statement) least(of limits) float64 {
	least := math.Inf(1)
	for k := range s.proof.Leaves {
		leaf, part := &s.proof.Leaves[k], of
		if len(s.proof.Branches) > 0 {
			b := s.proof.Branches[0]
			part.columns = slices.Clone(of.columns)
			if column := &part.columns[b[0]]; b[2] == 1+k {
				column[1] = ptr(0.)
			} else {
				column[0] = ptr(1.)
			}
		}
		switch bound := s.proven(leaf, part); {
		case leaf.Empty && bound > 0:
		case leaf.Empty:
			least = math.NaN()
		default:
			least = math.Min(least, bound)
		}
	}
	return least
}

// allowed tells whether the multipliers of the atoms of each leaf add up to at most the radius.
func (s *statement) allowed() bool {
	for k := range s.proof.Leaves {
		leaf, sum := &s.proof.Leaves[k], 0.0
		for _, v := range leaf.Objective.Values {
			sum += plain(v)
		}
		if sum > s.p.Radius*plain(leaf.Scale) || leaf.Empty && sum > 0 {
			return false
		}
	}
	return true
}

// TestTruthByEnumeration: claims and bounds of small statements are what the corners of their boxes tell.
func TestTruthByEnumeration(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 16 {
			seen[drawTruth(t).compare(t)]++
		}
	})
	if t.Log(seen); seen["bound"] == 0 || seen["no bound"] == 0 || seen["no proof"] == 0 {
		t.Error("nothing was tested")
	}
}

// compare returns what the proof proves.
func (s *statement) compare(t *rapid.T) string {
	equal := func(name string, got *big.Rat, want float64) {
		if (got == nil) != math.IsNaN(want) || got != nil && got.Cmp(Rational(want)) != 0 {
			t.Fatalf("%s is %v, not %v", name, got, want)
		}
	}
	var truth *Truth
	err := Checked(func() { Check(&s.p, &s.d, &s.proof); truth = Evaluate(&s.p, &s.d, &s.proof) })
	least := s.least(s.limits())
	if !s.allowed() || math.IsInf(least, 1) {
		var wrong *FalseClaimError
		if !errors.As(err, &wrong) || wrong.Claim != "proof" {
			t.Fatalf("a proof that is none: %v", err)
		}
		return "no proof"
	} else if err != nil {
		t.Fatal(err)
	}
	full := s.cost(s.d.X, s.d.X)
	restricted := full
	if s.p.Objective != nil {
		chosen := 0.0
		for _, i := range s.d.Atoms {
			chosen = math.Max(chosen, dot(nil, s.p.Dictionary.Values[i], s.exposed(s.p.Objective, s.d.X)))
		}
		full, restricted = full+s.p.Radius*s.harm(s.p.Objective, 0, s.d.X), restricted+s.p.Radius*chosen
	}
	moved, missed := s.moved(s.d.X)
	equal("the full value", truth.Full, full)
	equal("the restricted value", truth.Restricted, restricted)
	equal("what is missed", truth.Missed, missed)
	equal("the lower bound", truth.Lower, least)
	equal("the regret", truth.Regret, full-least)
	equal("the gap", truth.Gap, full-s.least(moved))
	if bare := Evaluate(&s.p, &s.d, nil); bare.Full.Cmp(truth.Full) != 0 || bare.Lower != nil || bare.Regret != nil || bare.Gap != nil {
		t.Fatalf("without a proof the truth is %+v", bare)
	}
	if math.IsNaN(least) {
		return "no bound"
	}
	return "bound"
}
