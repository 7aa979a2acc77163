package lifted

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// statement is a problem with a decision and a proof.
type statement struct {
	p     Problem
	d     Decision
	proof Proof
}

// fitting returns one with every part, each of which fits the others: two atoms in the plane, an integer column with a square
// among two, one row, one constraint, and a branch with two leaves.
func fitting() *statement {
	side := func(v float64) *float64 { return &v }
	entries := func() []Entries { return []Entries{{[]int{0}, []float64{1}}, {[]int{1, 0}, []float64{2, 3}}} }
	leaf := func() Leaf {
		return Leaf{
			Scale: Float(1), Rows: Multipliers{[]int{0}, []Number{Float(1)}}, Objective: Multipliers{[]int{1}, []Number{Float(1)}},
			Constraints: []Multipliers{{[]int{-1, 1}, []Number{Float(1), Float(0)}}}, Tangent: []Number{Float(0), Float(1)},
		}
	}
	return &statement{
		p: Problem{
			Dictionary: Dictionary{Atoms: 2, Dimension: 2, Labels: []string{"a", "b"}, Columns: []string{"u", "v"}, Values: [][]float64{{1, 2}, {3, 4}}},
			Model: Model{
				Columns: []Column{{Lower: side(0), Upper: side(2), Integer: true}, {Lower: side(0.5)}},
				Rows:    []Row{{Columns: []int{1}, Values: []float64{4}}}, Quadratic: Quadratic{[]int{0}, []int{0}, []float64{1}},
			},
			Objective:   &Map{Matrix: entries(), Constant: []float64{1, 2}},
			Constraints: []Constraint{{Nominal: []float64{1, 2}, Map: Map{Matrix: entries(), Constant: []float64{1, 2}}}},
			Set: &Set{
				Lower: []float64{0, 0}, Upper: []float64{1, 1}, Rows: []Row{{Upper: side(1), Columns: []int{0, 1}, Values: []float64{1, 1}}}, Support: [][]float64{{1}, {0}},
			},
		},
		d: Decision{X: []float64{1, 1}, Atoms: []int{1, 0}},
		proof: Proof{
			Implied: []Implied{{0, 1, 1}, {0, 1, -1}}, Branches: []Branch{{0, 1, 1, 2}}, Leaves: []Leaf{leaf(), leaf()},
			Curvature: &Curvature{Columns: []int{0}, Slack: []float64{0}, Squares: []Square{{Float(1), []Number{Float(1)}}}},
		},
	}
}

// TestPartsThatDoNotFit are not checkable, each by itself, and where a part may be missing the rest is.
func TestPartsThatDoNotFit(t *testing.T) {
	long := func(digits int) Number { n := Whole("1"); n.digits = digits; return n }
	fits := map[string]func(s *statement){
		"as they are": func(*statement) {},
		"no labels": func(s *statement) {
			s.p.Dictionary.Labels, s.p.Dictionary.Columns, s.p.Dictionary.Values = nil, nil, nil
		},
		"many atoms": func(s *statement) {
			s.p.Dictionary.Labels, s.p.Dictionary.Values, s.p.Dictionary.Atoms = nil, nil, 1<<31-1
		},
		"no constant":    func(s *statement) { s.p.Objective.Constant, s.p.Constraints[0].Nominal = nil, nil },
		"few rows":       func(s *statement) { s.p.Objective = &Map{Matrix: s.p.Objective.Matrix[1:], First: new(int)} },
		"last row":       func(s *statement) { s.p.Objective = &Map{Matrix: s.p.Objective.Matrix[1:], First: ptr(1)} },
		"no set":         func(s *statement) { s.p.Set = nil },
		"ball":           func(s *statement) { s.p.Set = &Set{} },
		"lower side":     func(s *statement) { s.p.Set.Rows[0].Lower, s.p.Set.Support[0][0] = ptr(0.), -1 },
		"no support":     func(s *statement) { s.p.Set.Support = nil },
		"no atoms":       func(s *statement) { s.d.Atoms = nil },
		"no bounds":      func(s *statement) { s.p.Model.Columns[0].Lower, s.p.Model.Columns[0].Upper = nil, nil },
		"no multipliers": func(s *statement) { s.proof.Leaves[0] = Leaf{Scale: Float(1)} },
		"long leaf":      func(s *statement) { s.proof.Leaves[0].Tangent[0] = long(mostLength / 4) },
		"long square":    func(s *statement) { s.proof.Curvature.Squares[0].Values[0] = long(mostLength) },
		"two columns": func(s *statement) {
			s.proof.Curvature.Columns, s.proof.Curvature.Slack = []int{1, 0}, []float64{0, 0}
			s.proof.Curvature.Squares[0].Values[0] = long(mostLength / 2)
		},
		"certain": func(s *statement) { s.p.Objective, s.p.Radius = nil, 0 },
	}
	if err := Checked(func() { s := fitting(); Check(&s.p, &s.d, nil) }); err != nil || mostLength != 100_000_000 {
		t.Errorf("without a proof: %v", err)
	}
	for name, change := range fits {
		s := fitting()
		if change(s); s.check() != nil {
			t.Errorf("%s: %v", name, s.check())
		}
	}
	for _, c := range []struct {
		want   string
		change func(s *statement)
	}{
		{"the dictionary has 0 atoms of dimension 2", func(s *statement) { s.p.Dictionary.Atoms = 0 }}, {"the dictionary has 2 atoms of dimension 0", func(s *statement) { s.p.Dictionary.Dimension = 0 }},
		{"the dictionary has", func(s *statement) { s.p.Dictionary.Atoms = 1 << 31 }}, {"the dictionary has", func(s *statement) { s.p.Dictionary.Dimension = 1 << 31 }},
		{"labels", func(s *statement) { s.p.Dictionary.Labels = []string{"a"} }}, {"columns of the dictionary", func(s *statement) { s.p.Dictionary.Columns = []string{"a", "b", "c"} }},
		{"the values of 1 atoms", func(s *statement) { s.p.Dictionary.Values = [][]float64{{1, 2}} }}, {"atom 1 has 1 numbers", func(s *statement) { s.p.Dictionary.Values[1] = []float64{1} }},
		{"a bound that is not whole", func(s *statement) { s.p.Model.Columns[0].Lower = ptr(0.5) }}, {"a bound that is not whole", func(s *statement) { s.p.Model.Columns[0].Upper = ptr(1.5) }},
		{"row are not different", func(s *statement) { s.p.Model.Rows[0].Columns[0] = 2 }}, {"row are not different", func(s *statement) { s.p.Model.Rows[0].Columns[0] = -1 }},
		{"row 0 has 2 values", func(s *statement) { s.p.Model.Rows[0].Values = []float64{1, 2} }},
		{"row of a map are not different", func(s *statement) { s.p.Objective.Matrix[1].Columns[0] = 0 }}, {"row of a map are not", func(s *statement) { s.p.Constraints[0].Map.Matrix[1].Columns[0] = 2 }},
		{"the quadratic part", func(s *statement) { s.p.Model.Quadratic.I = nil }}, {"the quadratic part", func(s *statement) { s.p.Model.Quadratic.J = []int{0, 0} }},
		{"quadratic term 0", func(s *statement) { s.p.Model.Quadratic.I[0] = -1 }}, {"quadratic term 0", func(s *statement) { s.p.Model.Quadratic.J[0] = 2 }},
		{"a map has 1 rows", func(s *statement) { s.p.Objective.Matrix = s.p.Objective.Matrix[:1] }},
		{"a map has 0 rows", func(s *statement) { s.p.Objective = &Map{First: new(int)} }},
		{"a map has 1 rows from coordinate 2", func(s *statement) { s.p.Objective = &Map{Matrix: s.p.Objective.Matrix[1:], First: ptr(2)} }},
		{"a map has 1 rows from coordinate -1", func(s *statement) { s.p.Objective = &Map{Matrix: s.p.Objective.Matrix[1:], First: ptr(-1)} }},
		{"constant has 1", func(s *statement) { s.p.Objective.Constant = []float64{1} }}, {"constant has 3", func(s *statement) { s.p.Constraints[0].Map.Constant = []float64{1, 2, 3} }},
		{"nominal has 1", func(s *statement) { s.p.Constraints[0].Nominal = []float64{1} }}, {"the radius is -1", func(s *statement) { s.p.Radius = -1 }},
		{"the decision has 1 numbers", func(s *statement) { s.d.X = s.d.X[1:] }}, {"atoms of the decision", func(s *statement) { s.d.Atoms = []int{0, 0} }},
		{"atoms of the decision are not different numbers from 0 to 1: 2", func(s *statement) { s.d.Atoms = []int{2} }},
		{"lower bounds and 1 upper", func(s *statement) { s.p.Set.Upper = s.p.Set.Upper[1:] }}, {"bounds of the set", func(s *statement) { s.p.Set.Lower, s.p.Set.Upper = []float64{0}, []float64{1} }},
		{"rows and no bounds", func(s *statement) { s.p.Set.Lower, s.p.Set.Upper = nil, nil }}, {"row of the set are not", func(s *statement) { s.p.Set.Rows[0].Columns[0] = 1 }},
		{"support of the set has 1", func(s *statement) { s.p.Set.Support = s.p.Set.Support[1:] }}, {"2 multipliers for 1 rows", func(s *statement) { s.p.Set.Support[1] = []float64{0, 0} }},
		{"a bound that row 0 does not have", func(s *statement) { s.p.Set.Support[1][0] = -1 }},
		{"row of the map of the set", func(s *statement) { s.p.Set.Map = []Entries{{[]int{2}, []float64{1}}, {}} }},
		{"implied bound", func(s *statement) { s.proof.Implied[0][0] = 1 }}, {"implied bound", func(s *statement) { s.proof.Implied[0][0] = -1 }},
		{"implied bound", func(s *statement) { s.proof.Implied[0][1] = 0 }}, {"implied bound", func(s *statement) { s.proof.Implied[0][2] = 0 }}, {"implied bound", func(s *statement) { s.proof.Implied[0][2] = 2 }},
		{"splits no integer column", func(s *statement) { s.proof.Branches[0][0] = 1 }}, {"splits no integer column", func(s *statement) { s.proof.Branches[0][0] = -1 }},
		{"splits no integer column", func(s *statement) { s.proof.Branches[0][0] = 2 }}, {"has the part 0", func(s *statement) { s.proof.Branches[0][2] = 0 }},
		{"has the part 3", func(s *statement) { s.proof.Branches[0][3] = 3 }}, {"has the part 1", func(s *statement) { s.proof.Branches[0][3] = 1 }},
		{"which make no tree", func(s *statement) { s.proof.Leaves = append(s.proof.Leaves, s.proof.Leaves[0]) }},
		{"the scale of a leaf", func(s *statement) { s.proof.Leaves[1].Scale = Float(0) }}, {"the scale of a leaf", func(s *statement) { s.proof.Leaves[1].Scale = Float(-1) }},
		{"number 1 of 1", func(s *statement) { s.proof.Leaves[0].Rows.Of[0] = 1 }}, {"number -1 of 1", func(s *statement) { s.proof.Leaves[0].Rows.Of[0] = -1 }},
		{"number -1 of 2", func(s *statement) { s.proof.Leaves[0].Objective.Of[0] = -1 }}, {"number 2 of 2", func(s *statement) { s.proof.Leaves[0].Objective.Of[0] = 2 }},
		{"number -2 of 2", func(s *statement) { s.proof.Leaves[0].Constraints[0].Of[0] = -2 }}, {"number 2 of 2", func(s *statement) { s.proof.Leaves[0].Constraints[0].Of[0] = 2 }},
		{"2 multipliers for 1 numbers", func(s *statement) { s.proof.Leaves[0].Rows.Values = append(s.proof.Leaves[0].Rows.Values, Float(1)) }},
		{"constraints has 2", func(s *statement) { s.proof.Leaves[0].Constraints = make([]Multipliers, 2) }}, {"tangent has 1", func(s *statement) { s.proof.Leaves[0].Tangent = []Number{Float(0)} }},
		{"numbers of a leaf are too long", func(s *statement) { s.proof.Leaves[0].Tangent[0] = long(mostLength/4 + 1) }},
		{"numbers of a leaf are too long", func(s *statement) { s.proof.Leaves[0].Rows.Values[0] = long(mostLength) }}, {"numbers of a leaf are too long", func(s *statement) { s.proof.Leaves[0].Scale = long(mostLength) }},
		{"columns of the curvature", func(s *statement) { s.proof.Curvature.Columns[0] = 2 }}, {"no slack of 0 or more", func(s *statement) { s.proof.Curvature.Slack = nil }},
		{"no slack of 0 or more", func(s *statement) { s.proof.Curvature.Slack[0] = -1 }}, {"leaves a column with quadratic terms out", func(s *statement) { s.proof.Curvature.Columns[0] = 1 }},
		{"a square has a divisor", func(s *statement) { s.proof.Curvature.Squares[0].Divisor = Float(0) }},
		{"or too many values", func(s *statement) { s.proof.Curvature.Squares[0].Values = slices.Repeat([]Number{Float(1)}, 2) }},
		{"numbers of the curvature are too long", func(s *statement) { s.proof.Curvature.Squares[0].Values[0] = long(mostLength + 1) }},
		{"no slack of 0 or more", func(s *statement) { s.proof.Curvature.Columns, s.proof.Curvature.Slack = []int{0, 1}, []float64{1, -1} }},
		{"numbers of the curvature are too long", func(s *statement) {
			s.proof.Curvature.Columns, s.proof.Curvature.Slack = []int{1, 0}, []float64{0, 0}
			s.proof.Curvature.Squares[0].Values[0] = long(mostLength/2 + 1)
		}},
		{"numbers of the curvature are too long", func(s *statement) {
			s.proof.Curvature.Squares[0].Divisor, s.proof.Curvature.Squares[0].Values[0] = long(1), long(mostLength)
		}},
	} {
		s := fitting()
		if c.change(s); !errors.Is(s.check(), ErrNotCheckable) || !strings.Contains(s.check().Error(), c.want) {
			t.Errorf("%s: %v", c.want, s.check())
		}
	}
}

func ptr[T any](v T) *T { return &v }

func (s *statement) check() error { return Checked(func() { Check(&s.p, &s.d, &s.proof) }) }
