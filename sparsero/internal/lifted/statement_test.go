package lifted

import (
	"slices"

	"pgregory.net/rapid"
)

// whole draws a small whole number, so that float64 holds all sums of their products.
func whole(t *rapid.T, from, to int, label string) float64 {
	return float64(rapid.IntRange(from, to).Draw(t, label))
}

func wholes(t *rapid.T, n int, label string) []float64 {
	values := make([]float64, n)
	for k := range values {
		values[k] = whole(t, -2, 2, label)
	}
	return values
}

// drawSide is a number, or none.
func drawSide(t *rapid.T, from, to int, label string) *float64 {
	if rapid.IntRange(0, 9).Draw(t, label+" is there") == 9 {
		return nil
	}
	return ptr(whole(t, from, to, label))
}

func drawEntries(t *rapid.T, n int, label string) (of Entries) {
	for _, j := range rapid.Permutation(indices(n)).Draw(t, label)[:rapid.IntRange(0, n).Draw(t, label)] {
		of.Columns, of.Values = append(of.Columns, j), append(of.Values, whole(t, -2, 2, label))
	}
	return of
}

func indices(n int) []int {
	list := make([]int, n)
	for k := range list {
		list[k] = k
	}
	return list
}

func drawMap(t *rapid.T, coordinates, n int) Map {
	q, rows := Map{}, coordinates
	if rows > 1 && rapid.Bool().Draw(t, "some rows") {
		rows--
		q.First = ptr(rapid.IntRange(0, 1).Draw(t, "first"))
	}
	for range rows {
		q.Matrix = append(q.Matrix, drawEntries(t, n, "q"))
	}
	if rapid.Bool().Draw(t, "constant") {
		q.Constant = wholes(t, rows, "constant")
	}
	return q
}

// drawTruth is a statement with or without each of its parts, about one region or two parts of it.
func drawTruth(t *rapid.T) *statement {
	n, dimension, atoms := rapid.IntRange(1, 3).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(1, 3).Draw(t, "N")
	s := &statement{p: Problem{Dictionary: Dictionary{Atoms: atoms, Dimension: dimension}, Radius: whole(t, 0, 2, "r")}}
	for range atoms {
		s.p.Dictionary.Values = append(s.p.Dictionary.Values, wholes(t, dimension, "atom"))
	}
	m := &s.p.Model
	m.Offset = whole(t, -2, 2, "offset")
	for range n {
		m.Columns = append(m.Columns, Column{Lower: drawSide(t, -2, 0, "lower"), Upper: drawSide(t, 1, 2, "upper"), Cost: whole(t, -2, 2, "cost"), Integer: true})
	}
	for range rapid.IntRange(0, 2).Draw(t, "rows") {
		of := drawEntries(t, n, "row")
		m.Rows = append(m.Rows, Row{Lower: drawSide(t, -3, 0, "side"), Upper: drawSide(t, 0, 3, "side"), Columns: of.Columns, Values: of.Values})
	}
	if rapid.Bool().Draw(t, "quadratic") {
		m.Quadratic = Quadratic{I: []int{0, n - 1}, J: []int{0, 0}, Values: wholes(t, 2, "square")}
		s.proof.Curvature = &Curvature{Columns: rapid.Permutation(indices(n)).Draw(t, "columns")}
		for range n {
			s.proof.Curvature.Slack = append(s.proof.Curvature.Slack, whole(t, 0, 2, "slack"))
		}
	}
	s.drawUncertainty(t, n)
	s.d.X = wholes(t, n, "x")
	s.d.Atoms = rapid.Permutation(indices(atoms)).Draw(t, "S")[:rapid.IntRange(0, atoms).Draw(t, "|S|")]
	if s.proof.Leaves = []Leaf{s.drawLeaf(t)}; rapid.Bool().Draw(t, "branch") {
		parts := rapid.Permutation([]int{1, 2}).Draw(t, "parts")
		s.proof.Branches = []Branch{{rapid.IntRange(0, n-1).Draw(t, "split"), 0, parts[0], parts[1]}}
		s.proof.Leaves = append(s.proof.Leaves, s.drawLeaf(t))
	}
	return s
}

// drawUncertainty adds a set, or none, and the maps to it.
func (s *statement) drawUncertainty(t *rapid.T, n int) {
	coordinates, constraints := s.p.Dictionary.Dimension, rapid.IntRange(0, 2).Draw(t, "constraints")
	if rapid.Bool().Draw(t, "set") {
		set := &Set{}
		if rapid.Bool().Draw(t, "mapped") {
			coordinates = rapid.IntRange(1, 3).Draw(t, "coordinates")
			for range coordinates {
				set.Map = append(set.Map, drawEntries(t, s.p.Dictionary.Dimension, "M"))
			}
		}
		for range s.p.Dictionary.Dimension {
			set.Lower, set.Upper = append(set.Lower, whole(t, -2, 1, "z")), append(set.Upper, whole(t, 1, 2, "z"))
		}
		of := drawEntries(t, s.p.Dictionary.Dimension, "row of the set")
		set.Rows = []Row{{Lower: drawSide(t, -2, 0, "side"), Upper: drawSide(t, 0, 2, "side"), Columns: of.Columns, Values: of.Values}}
		if rapid.Bool().Draw(t, "support") {
			for range 1 + constraints {
				y := whole(t, -1, 1, "y")
				if set.Rows[0].side(y > 0) == nil {
					y = 0
				}
				set.Support = append(set.Support, []float64{y})
			}
		}
		s.p.Set = set
	}
	if rapid.Bool().Draw(t, "objective") {
		s.p.Objective = ptr(drawMap(t, coordinates, n))
	}
	for range constraints {
		c := Constraint{Map: drawMap(t, coordinates, n), Limit: whole(t, -1, 9, "limit")}
		if rapid.Bool().Draw(t, "nominal") {
			c.Nominal = wholes(t, n, "nominal")
		}
		s.p.Constraints = append(s.p.Constraints, c)
	}
}

func (s *statement) drawLeaf(t *rapid.T) Leaf {
	chosen := func(atom int) float64 {
		if atom < 0 || slices.Contains(s.d.Atoms, atom) {
			return 1
		}
		return 0
	}
	leaf := Leaf{Scale: Float(float64(rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "scale"))), Empty: rapid.IntRange(0, 3).Draw(t, "empty") == 0}
	for i, row := range s.p.Model.Rows {
		if y := whole(t, -2, 2, "y"); y == 0 || row.side(y < 0) != nil {
			leaf.Rows.Add(i, y)
		}
	}
	if s.p.Objective != nil {
		for i := range s.p.Dictionary.Atoms { // those that are not chosen have no multiplier
			leaf.Objective.Add(i, whole(t, 0, 1, "mu")*chosen(i))
		}
	}
	for range s.p.Constraints {
		var m Multipliers
		for i := -1; i < s.p.Dictionary.Atoms && rapid.IntRange(0, 9).Draw(t, "none") > 0; i++ {
			m.Add(i, whole(t, 0, 2, "nu")*chosen(i))
		}
		leaf.Constraints = append(leaf.Constraints, m)
	}
	if rapid.Bool().Draw(t, "tangent") {
		for range s.p.Model.Columns {
			leaf.Tangent = append(leaf.Tangent, Float(whole(t, -2, 2, "tangent")))
		}
	}
	return leaf
}
