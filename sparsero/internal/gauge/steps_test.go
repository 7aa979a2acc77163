package gauge

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawStep draws a search at a basis of unit vectors and atoms that are unit vectors, with small numbers and some at
// the borders of what counts as 0, and returns the atoms that may enter.
func drawStep(t *rapid.T, small ...float64) (*search, []int) {
	p, others := rapid.IntRange(1, 4).Draw(t, "p"), rapid.IntRange(1, 6).Draw(t, "others")
	entry := rapid.SampledFrom([]float64{0, 0, 1, 1, -1, 2, -2, 4, 0.5e-9, -0.5e-9, 2e-8, -2e-8})
	atoms := rows{p, make([]float64, (p+others)*p)}
	for k := range p + others {
		for j := range p {
			if k < p {
				atoms.data[k*p+j] = float64(1 - min(1, (k-j)*(k-j)))
			} else {
				atoms.data[k*p+j] = entry.Draw(t, "entry")
			}
		}
	}
	g := New(atoms, p)
	g.unit = 0
	s := &search{Program: g, left: 100, x: make([]float64, p), step: make([]float64, p)}
	var outside []int
	for k := range g.pool { // in units of the test
		copy(g.data[k*p:][:p], atoms.Atom(g.pool[k].atom))
		g.pool[k].cost = 1
		g.reduced[k] = rapid.SampledFrom([]float64{0, 1, 1, 2, 3, 1 + 1e-10, 2 + 1e-10, -1e-12}).Draw(t, "reduced cost")
		if atom := g.pool[k].atom; atom < p && rapid.Bool().Draw(t, "in the basis") {
			g.basis.columns[atom], g.pool[k].row = k, atom
		} else {
			outside = append(outside, k)
		}
	}
	size := rapid.SampledFrom(append([]float64{0, 1, 1, -1, 2, -2, 3, -3}, small...))
	for j := range p {
		g.point[j] = size.Draw(t, "coordinate")
		s.x[j] = g.point[j]
	}
	return s, outside
}

// checkSteps checks a property of many small steps.
func checkSteps(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		for range 50 {
			property(t)
		}
	})
}

// smallest returns the least ratio of the candidates and the largest size among those that have it.
func smallest(ratios, sizes []float64) (least, size float64) {
	least = math.Inf(1)
	for i, ratio := range ratios {
		switch {
		case ratio < least:
			least, size = ratio, sizes[i]
		case ratio == least:
			size = max(size, sizes[i])
		}
	}
	return least, size
}

// The row that leaves breaks its bound by the largest distance, in one word and in two.
func TestTheRowFarthestBeyondItsBoundLeaves(t *testing.T) {
	checkSteps(t, func(t *rapid.T) {
		fine := rapid.Bool().Draw(t, "fine")
		slack := map[bool]float64{false: 1e-9, true: 0x1p-88}[fine]
		s, _ := drawStep(t, 0.75*slack, -0.75*slack, 1.5*slack, -1.5*slack)
		if s.fine = fine; !fine {
			for r := range s.dim {
				s.basis.inverse.Set(r, r, rapid.SampledFrom([]float64{1, 4}).Draw(t, "length of the row"))
			}
		}
		largest := 0.0
		beyond := func(r int) float64 {
			if v := s.point[r] * s.basis.inverse.At(r, r); v < -slack || v > slack && s.basis.columns[r] < 0 {
				return math.Abs(s.point[r])
			}
			return 0
		}
		for r := range s.dim {
			largest = max(largest, beyond(r))
		}
		if r := s.leaving(); r < 0 && (largest > 0 || r != -1) || r >= 0 && (largest == 0 || beyond(r) != largest) {
			t.Fatalf("row %d leaves at %v with the columns %v, the largest distance is %v", r, s.point, s.basis.columns, largest)
		}
	})
}

// The column that enters has the least ratio of reduced cost and move, and of those the largest move.
func TestTheColumnOfTheLeastRatioEnters(t *testing.T) {
	checkSteps(t, func(t *rapid.T) {
		s, outside := drawStep(t)
		r, sign := rapid.IntRange(0, s.dim-1).Draw(t, "row"), rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign")
		move := func(k int) float64 { return sign * s.data[k*s.dim+r] }
		ratio := func(k int) float64 { return math.Round(0x1p20*max(0, s.reduced[k])) / 0x1p20 / move(k) } // less is a tie
		var ratios, moves []float64
		for _, k := range outside {
			if move(k) > 1e-9 {
				ratios, moves = append(ratios, ratio(k)), append(moves, move(k))
			}
		}
		least, size := smallest(ratios, moves)
		shifted := false
		k := s.enteringDual(r, sign, &shifted)
		if k < 0 && (len(ratios) > 0 || k != -1) || k >= 0 && (s.pool[k].row >= 0 || ratio(k) != least || move(k) != size) || shifted {
			t.Fatalf("column %d enters for row %d, the least ratio is %v with the move %v", k, r, least, size)
		}
	})
}

// The row that leaves for a column reaches its bound first, and of those it has the largest move.
func TestTheRowOfTheLeastRatioLeaves(t *testing.T) {
	checkSteps(t, func(t *rapid.T) {
		s, outside := drawStep(t, 0x1p-90)
		if len(outside) == 0 {
			return
		}
		entering := rapid.SampledFrom(outside).Draw(t, "entering")
		limit := func(r int) (ratio, move float64) {
			move = s.data[entering*s.dim+r]
			if s.basis.columns[r] < 0 {
				return 0, math.Abs(move)
			}
			return math.Round(0x1p50*max(0, s.x[r])) / 0x1p50 / move, move // less is a tie
		}
		var ratios, moves []float64
		for r := range s.dim {
			if ratio, move := limit(r); move > 1e-9 {
				ratios, moves = append(ratios, ratio), append(moves, move)
			}
		}
		least, size := smallest(ratios, moves)
		r := s.leavingPrimal(entering)
		if r < 0 {
			if len(ratios) > 0 || r != -1 {
				t.Fatalf("row %d leaves, the least ratio is %v", r, least)
			}
			return
		}
		if ratio, move := limit(r); ratio != least || move != size {
			t.Fatalf("row %d leaves with the ratio %v and the move %v, the least is %v with %v", r, ratio, move, least, size)
		}
	})
}

// A basis that has become singular gives way to that of unit vectors.
func TestSingularBasesAreLeft(t *testing.T) {
	g := New(rows{3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}, 3)
	g.basis.columns[0], g.basis.columns[1], g.basis.pivots = 0, 0, 2
	s := &search{Program: g, left: 1, x: make([]float64, 3), step: make([]float64, 3)}
	s.alpha(g.basis.row(2))
	if !s.pivot(context.Background(), 2, 2) || !slices.Equal(g.basis.columns, []int{-1, -2, -3}) || g.basis.pivots != 0 {
		t.Errorf("the basis is %v after %d pivots", g.basis.columns, g.basis.pivots)
	}
	checkState(t, g)
	if s.pivot(context.Background(), 2, 2) {
		t.Error("a pivot beyond the last one is made")
	}
}
