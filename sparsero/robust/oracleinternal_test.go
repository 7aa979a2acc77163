package robust

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/convex"
	"gonum.org/v1/gonum/mat"
)

// interval is the set of all u with lower <= u <= upper, by coordinates, behind the seam.
type interval struct{ lower, upper []float64 }

func (i interval) Dim() int { return len(i.lower) }

func (i interval) Worst(_ context.Context, directions *mat.Dense, _ int) (atoms []Atom, beyond []float64, err error) {
	for k := range directions.RawMatrix().Rows {
		sum := 0.0
		for j, v := range directions.RawRowView(k) {
			sum += math.Max(i.lower[j]*v, i.upper[j]*v)
		}
		beyond = append(beyond, sum)
	}
	return nil, beyond, nil
}

// TestCornerReachesBothSides: every coordinate of the corner has the largest size that it has in the set, on whichever
// side of 0.
func TestCornerReachesBothSides(t *testing.T) {
	for _, c := range []struct {
		set  interval
		want []float64
	}{
		{interval{[]float64{-1, -2, -3}, []float64{4, 5, 6}}, []float64{4, 5, 6}},
		{interval{[]float64{-4, -5, -6}, []float64{1, 2, 3}}, []float64{4, 5, 6}},
		{interval{[]float64{1, -5}, []float64{2, -3}}, []float64{2, 5}},
	} {
		corner, err := cornerOf(t.Context(), c.set)
		if err != nil || !slices.Equal(corner.Atom(0), c.want) {
			t.Errorf("%+v: %v, %v; want %v", c.set, corner, err, c.want)
		}
	}
}

// TestConvexSetsAnswer with the worst case of each direction, however many are asked for, and with none where none is.
func TestConvexSetsAnswer(t *testing.T) {
	set, err := convex.NewBudget([]float64{1, 2}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for count, want := range map[int]int{0: 0, 1: 2, 7: 2} {
		atoms, beyond, err := convexOracle{set}.Worst(t.Context(), mat.NewDense(2, 2, []float64{1, 1, -1, 0}), count)
		if err != nil || len(atoms) != want || len(beyond) != 2 || beyond[0] < 3 || beyond[1] < 1 || beyond[0] > 3+1e-9 || beyond[1] > 1+1e-9 {
			t.Errorf("%d atoms: %v, beyond %v, %v", count, atoms, beyond, err)
		}
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := (convexOracle{set}).Worst(ended, mat.NewDense(1, 2, nil), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}
