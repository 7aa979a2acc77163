package certificate

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// on makes a dictionary of atoms on a line or in the plane.
func on(t *testing.T, dimension int, atoms ...float64) *sparsero.Dictionary {
	t.Helper()
	d, err := sparsero.NewDictionary(mat.NewDense(len(atoms)/dimension, dimension, atoms))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// within is the box [lower, upper] in every coordinate.
func within(dimension int, lower, upper float64) *solver.Model {
	m := solver.NewModel("box")
	for range dimension {
		m.AddColumn(solver.Column{Bounds: solver.Between(lower, upper)})
	}
	return m
}

// A quotient is the least float64 that is not below a/b, up to one unit in the last place.
func TestQuotientIsRoundedUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(0, 1e6).Draw(t, "a"), rapid.Float64Range(1e-3, 1e6).Draw(t, "b")
		if rapid.Bool().Draw(t, "whole") {
			b = math.Ceil(b)
			a = b * float64(rapid.IntRange(0, 50).Draw(t, "quotient"))
		}
		got, exact := quotientUpper(a, b), new(big.Rat).Quo(rat(a), rat(b))
		if rat(got).Cmp(exact) < 0 {
			t.Fatalf("%v / %v = %v is too small", a, b, got)
		}
		if below := math.Nextafter(got, -1); rat(below).Cmp(exact) >= 0 {
			t.Fatalf("%v / %v = %v, and %v would do", a, b, got, below)
		}
	})
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func TestFarthestFromTheMeanComesFirst(t *testing.T) {
	rows := mat.NewDense(4, 2, []float64{10, 5, 0, 5, 12, 5, 11, 5}) // the mean is (8.25, 5)
	if got := byDistanceFromMean(rows); !slices.Equal(got, []int{1, 2, 3, 0}) {
		t.Errorf("order %v", got)
	}
}

// Radius and width of a cell are the largest ⟨g_i, h⟩ and ⟨g_i - g_k, h⟩ in size, the null atom included.
func TestWidthOfACell(t *testing.T) {
	d := on(t, 2, 1, 0.5, 0.75, -0.25, -0.5, 0.125)
	p, err := newPartition(context.Background(), d, within(2, -0.25, 0.25), sparsero.Identity(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	shape := p.measure([]float64{0.25, 0.125})
	// |0.25 * 1| + |0.125 * 0.5| = 0.3125; atoms 0 and 2 differ by (1.5, 0.375): 0.421875.
	if shape.radius != 0.3125 || shape.width != 0.421875 {
		t.Errorf("radius %v, width %v", shape.radius, shape.width)
	}
}

// Bounds hold for any multipliers, those included that are no weights of a convex combination.
func TestAnyMultipliersGiveABound(t *testing.T) {
	set, err := sparsero.NewAtomicSet(on(t, 1, 1, 2), []int{0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newUniformSearch(context.Background(), set, within(1, 1, 2), sparsero.Identity(1), &UniformOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.programs.close()
	for _, weight := range []float64{5, 1.5, 1, 0.5, 0, -3} {
		duals := make([]float64, s.region.Rows()+1)
		duals[s.region.Rows()] = -weight
		s.upper = []float64{10, 10}
		s.boundByDuals(duals)
		if s.upper[1] < 2 { // 2x - x at x = 2
			t.Errorf("weight %v: the bound %v is below the deficit 2", weight, s.upper[1])
		}
	}
}

// An atom outside conv(S_0) keeps its bound, however small; one inside needs none.
func TestInnerAtomsAreDropped(t *testing.T) {
	for _, test := range []struct{ atom, want float64 }{{1.5, 1e-17}, {0.5, 0}} {
		set, err := sparsero.NewAtomicSet(on(t, 1, 1, test.atom), []int{0}, 1)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newUniformSearch(context.Background(), set, within(1, -2, -1), sparsero.Identity(1), &UniformOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s.upper, s.found.Upper = []float64{math.Inf(-1), 1e-17}, 1e-17
		if err := s.dropInner(context.Background()); err != nil || s.found.Upper != test.want {
			t.Errorf("atom %v: upper %v, error %v; want %v", test.atom, s.found.Upper, err, test.want)
		}
		s.programs.close()
	}
}

func TestWidthOutOfRangePanicsWithASentence(t *testing.T) {
	net, err := GridNet(context.Background(), on(t, 1, 1), within(1, -1, 1), sparsero.Identity(1), 0.5, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := net.Directions().Dims()
	for _, index := range []int{-1, rows} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, "is outside") {
					t.Errorf("index %d: %q", index, said)
				}
			}()
			net.Width(index)
		}()
	}
}

// A limit of points is never exceeded, and cells without a point of X cost none.
func TestAdaptiveNetKeepsToXAndToTheLimit(t *testing.T) {
	ctx, d, q := context.Background(), on(t, 2, 1, 0, 0, 1, -1, 0, 0, -1), sparsero.Identity(2)
	box, corner := within(2, -1, 1), within(2, -1, 1)
	corner.AddRow(solver.Row{Bounds: solver.AtMost(-1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	count := func(region *solver.Model) int {
		net, err := AdaptiveNet(ctx, d, region, q, 0.1, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows, _ := net.Directions().Dims()
		return rows
	}
	all, part := count(box), count(corner)
	if 3*part > all {
		t.Errorf("%d points for a corner of a box with %d", part, all)
	}
	var tooLarge *NetTooLargeError
	if _, err := AdaptiveNet(ctx, d, box, q, 0.1, &NetOptions{MaxPoints: all - 1}); !errors.As(err, &tooLarge) {
		t.Errorf("%d points where %d are allowed: %v", all, all-1, err)
	}
}
