package lifted

import (
	"math"
	"slices"
	"testing"
)

// full is Σ_ij q_ij x_i x_j over n columns, as terms.
func full(n int, q func(i, j int) float64) *Quadratic {
	of := &Quadratic{}
	for i := range n {
		of.I, of.J, of.Values = append(of.I, i), append(of.J, i), append(of.Values, q(i, i))
		for j := range i {
			of.I, of.J, of.Values = append(of.I, i), append(of.J, j), append(of.Values, 2*q(i, j))
		}
	}
	return of
}

// TestSquaresNeedNoSlack where b is strictly convex, by a factor in float64 whatever its size, nor where it is convex at the edge
// and of up to 40 columns, by fractions; of more columns the slack is next to nothing.
func TestSquaresNeedNoSlack(t *testing.T) {
	third := func(i, j int) float64 {
		if i == j {
			return 0.1 + 1./3
		}
		return 0.1
	}
	ones := func(int, int) float64 { return 1 }
	for _, test := range []struct {
		n       int
		q       func(i, j int) float64
		squares int
		slack   bool
	}{
		{1, ones, 1, false}, {2, third, 2, false}, {5, third, 5, false}, {41, third, 41, false},
		{2, ones, 1, false}, {40, ones, 1, false}, {41, ones, 41, true},
	} {
		q := full(test.n, test.q)
		c := newCurvature(q)
		if c == nil || !c.Convex(q) || len(c.Squares) != test.squares {
			t.Fatalf("%d columns: %+v", test.n, c)
		}
		if most := slices.Max(c.Slack); (most > 0) != test.slack || most > 1e-8 {
			t.Errorf("%d columns: the slack is %v", test.n, c.Slack)
		}
		if test.squares == test.n && plain(c.Squares[0].Divisor) != 1 {
			t.Errorf("%d columns: fractions where a factor would do", test.n)
		}
	}
}

// TestSquaresInFractions: 3x² + 2xy + 2xz + (y + z)² is (3x + y + z)²/3 + (2y + 2z)²/6, and 3x² + 3xy + 3/4 y² is (6x + 3y)²/12.
func TestSquaresInFractions(t *testing.T) {
	for _, test := range []struct {
		n        int
		q        []float64
		divisors []float64
		values   [][]float64
	}{
		{3, []float64{3, 1, 1, 1, 1, 1, 1, 1, 1}, []float64{3, 6}, [][]float64{{3, 1, 1}, {2, 2}}},
		{2, []float64{3, 1.5, 1.5, 0.75}, []float64{12}, [][]float64{{6, 3}}},
	} {
		c := newCurvature(full(test.n, func(i, j int) float64 { return test.q[i*test.n+j] }))
		for k, s := range c.Squares {
			var values []float64
			for _, v := range s.Values {
				values = append(values, plain(v))
			}
			if plain(s.Divisor) != test.divisors[k] || !slices.Equal(values, test.values[k]) {
				t.Errorf("square %d of %v is that of %v over %v", k, test.q, values, plain(s.Divisor))
			}
		}
		if len(c.Squares) != len(test.divisors) {
			t.Errorf("%v has %d squares", test.q, len(c.Squares))
		}
	}
}

// TestSlackMakesUpForRoundingErrors, in any units: a negative eigenvalue of 1e-9 of the diagonal is one, and one of 1e-6 is not.
func TestSlackMakesUpForRoundingErrors(t *testing.T) {
	for _, unit := range []float64{1, 0x1p10, 0x1p-10} {
		for _, test := range []struct {
			excess float64
			convex bool
		}{{0x1p-40, true}, {1e-9, true}, {1e-6, false}, {1e-3, false}, {1, false}} {
			q := full(2, func(i, j int) float64 {
				if i != j {
					return unit * (1 + test.excess)
				}
				return []float64{1, unit * unit}[i]
			})
			c := newCurvature(q)
			if (c != nil) != test.convex {
				t.Fatalf("an excess of %v in units of %v: %+v", test.excess, unit, c)
			}
			if c == nil {
				continue
			}
			if !c.Convex(q) || slices.Max(c.Slack) <= 0 || math.Max(c.Slack[0], c.Slack[1]/(unit*unit)) > 1e-7 {
				t.Errorf("an excess of %v in units of %v: the slack is %v, convex %v", test.excess, unit, c.Slack, c.Convex(q))
			}
		}
	}
	for _, q := range []float64{-1, -1e-300} {
		if c := newCurvature(full(1, func(int, int) float64 { return q })); c != nil {
			t.Errorf("%v x² has the squares %+v", q, c)
		}
	}
}
