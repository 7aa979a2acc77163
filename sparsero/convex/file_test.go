package convex_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"pgregory.net/rapid"
)

// filed is the form { M z : z in Z } that design files have of a set.
type filed interface {
	convex.Set
	InFile(points, directions [][]float64) (set *lifted.Set, z [][]float64)
}

func drawFiled(t *rapid.T) filed {
	if rapid.Bool().Draw(t, "cvar") {
		shares := quarters(t, rapid.IntRange(1, 5).Draw(t, "m"), 0, 4, "p")
		shares = append(shares, 1)
		sum := 0.0
		for _, p := range shares {
			sum += p
		}
		for i := range shares {
			shares[i] /= sum
		}
		_, set, err := convex.NewCVaR(len(shares), shares, float64(rapid.IntRange(0, 7).Draw(t, "8α"))/8)
		return get(set, err)(t).(filed)
	}
	for {
		if set, ok := drawSet(t).set.(filed); ok { // no ellipsoid
			return set
		}
	}
}

// image is M z in fractions.
func image(set *lifted.Set, z []float64) []float64 {
	if len(set.Map) == 0 {
		return z
	}
	var u []float64
	for _, row := range set.Map {
		v, _ := exactDot(row.Values, pick(z, row.Columns)).Float64()
		u = append(u, v)
	}
	return u
}

func pick(z []float64, columns []int) (values []float64) {
	for _, j := range columns {
		values = append(values, z[j])
	}
	return values
}

// above is Σ_i y_i side_i + Σ_j max{ g_j z_j : lower_j <= z_j <= upper_j } with g = M's - Σ_i y_i a_i in fractions.
func above(set *lifted.Set, s, multipliers []float64) *big.Rat {
	g, sum := make([]*big.Rat, len(set.Lower)), new(big.Rat)
	for j := range g {
		g[j] = new(big.Rat)
		if len(set.Map) == 0 {
			g[j] = rational(s[j])
		}
	}
	take := func(factor float64, columns []int, values []float64) {
		for k, j := range columns {
			g[j].Add(g[j], new(big.Rat).Mul(rational(factor), rational(values[k])))
		}
	}
	for k, row := range set.Map {
		take(s[k], row.Columns, row.Values)
	}
	for i, y := range multipliers {
		side := set.Rows[i].Upper
		if y < 0 {
			side = set.Rows[i].Lower
		}
		if y != 0 {
			take(-y, set.Rows[i].Columns, set.Rows[i].Values)
			sum.Add(sum, exactDot([]float64{y}, []float64{*side}))
		}
	}
	for j, v := range g {
		end := set.Upper[j]
		if v.Sign() < 0 {
			end = set.Lower[j]
		}
		sum.Add(sum, new(big.Rat).Mul(v, rational(end)))
	}
	return sum
}

// holds tells that z is in Z, exactly.
func holds(set *lifted.Set, z []float64) bool {
	within := func(v *big.Rat, lower, upper *float64) bool {
		return (lower == nil || v.Cmp(rational(*lower)) >= 0) && (upper == nil || v.Cmp(rational(*upper)) <= 0)
	}
	for j, v := range z {
		if !within(rational(v), &set.Lower[j], &set.Upper[j]) {
			return false
		}
	}
	for _, row := range set.Rows {
		if !within(exactDot(row.Values, pick(z, row.Columns)), row.Lower, row.Upper) {
			return false
		}
	}
	return true
}

// TestSetsInFiles: in fractions, the multipliers prove the support up to 1e-6, and points of the set have points of Z
// whose images lie beside them; other points have some point of Z.
func TestSetsInFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			checkInFile(t, drawFiled(t))
		}
	})
}

func checkInFile(t *rapid.T, set filed) {
	p := set.Dim()
	s, outside := quarters(t, p, -9, 9, "s"), quarters(t, p, -9, 9, "u")
	worst, other := set.WorstCase(s), set.WorstCase(quarters(t, p, -9, 9, "other"))
	middle := make([]float64, p)
	for k := range middle {
		middle[k] = (worst[k] + other[k]) / 2
	}
	file, z := set.InFile([][]float64{worst, middle, outside}, [][]float64{nil, s})
	support := set.Support(s)
	if proven, _ := above(file, s, file.Support[1]).Float64(); proven < support-1e-6*(1+support) || proven > support+1e-6*(1+support) {
		t.Fatalf("%T: the file proves %v, the support is %v", set, proven, support)
	}
	for _, y := range file.Support[0] {
		if y != 0 {
			t.Fatalf("%T: multipliers %v of no direction", set, file.Support[0])
		}
	}
	for i, u := range [][]float64{worst, middle, outside} {
		if !holds(file, z[i]) {
			t.Fatalf("%T: %v stands for %v and is not in Z", set, z[i], u)
		}
		for k, v := range image(file, z[i]) {
			if i < 2 && (v-u[k] > 1e-6 || u[k]-v > 1e-6) {
				t.Fatalf("%T: %v stands for %v, its image is %v", set, z[i], u, image(file, z[i]))
			}
		}
	}
}

// TestPointsThatSpendTheWholeBudget stand for themselves, without rounding.
func TestPointsThatSpendTheWholeBudget(t *testing.T) {
	set, err := convex.NewBudget([]float64{1, 2, 4}, 1.75)
	if err != nil {
		t.Fatal(err)
	}
	u := []float64{-1, 1, 1}
	file, z := set.(filed).InFile([][]float64{u}, nil)
	if got := image(file, z[0]); !slices.Equal(got, u) || !holds(file, z[0]) {
		t.Errorf("%v has the image %v", u, got)
	}
}

// TestPointsNextToTheBudgetStayThere: what rounding puts beyond it is moved by no more than rounding.
func TestPointsNextToTheBudgetStayThere(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	moved := 0
	for range 200 {
		widths, s := make([]float64, 6), make([]float64, 6)
		for k := range widths {
			widths[k], s[k] = 0.1+random.Float64(), random.NormFloat64()
		}
		set, err := convex.NewBudget(widths, 0.1+5.5*random.Float64())
		if err != nil {
			t.Fatal(err)
		}
		u := set.WorstCase(s)
		for k := range u {
			u[k] *= 1 + 0x1p-50
		}
		file, z := set.(filed).InFile([][]float64{u}, nil)
		got := image(file, z[0])
		if !holds(file, z[0]) {
			t.Fatalf("%v is outside", got)
		}
		for k := range u {
			if math.Abs(got[k]-u[k]) > 1e-13 {
				t.Fatalf("%v becomes %v", u, got)
			}
		}
		if !slices.Equal(got, u) {
			moved++
		}
	}
	if moved == 0 {
		t.Error("no point is beyond the budget")
	}
}

// ending is a backend that opens nothing any more once it has ended.
type ending struct{ ended bool }

func (e *ending) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	if e.ended {
		return nil, errors.New("the solver has ended")
	}
	return solver.PureGo.Open(m, o)
}

// TestPolyhedraWithoutASolver have no bound on the support, and keep to 0, which is inside.
func TestPolyhedraWithoutASolver(t *testing.T) {
	model, backend := solver.NewModel("triangle"), &ending{}
	for range 2 {
		model.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	}
	model.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	set, err := convex.NewPolyhedron(context.Background(), model, &solver.Options{Backend: backend})
	if err != nil {
		t.Fatal(err)
	}
	for _, ended := range []bool{false, true} {
		backend.ended = ended
		s := []float64{2, 2}
		file, _ := set.(filed).InFile(nil, [][]float64{s})
		support, multiplier, worst := 2., 2., 1. // where x + y = 1
		if ended {
			support, multiplier, worst = math.Inf(1), 0, 0
		}
		if got := set.Support(s); got != support || !slices.Equal(file.Support[0], []float64{multiplier}) {
			t.Errorf("ended %t: the support is %v by %v", ended, got, file.Support)
		}
		if u := set.WorstCase(s); math.Abs(u[0]+u[1]-worst) > 1e-6 {
			t.Errorf("ended %t: the worst case is %v", ended, u)
		}
	}
}

// TestWorstCasesOfBudgetsSpendNothingInVain: coordinates that cost nothing stay 0, though the budget has room for them.
func TestWorstCasesOfBudgetsSpendNothingInVain(t *testing.T) {
	set, err := convex.NewBudget([]float64{1, 2, 4}, 2.5)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range [][2][]float64{
		{{0, 3, 0}, {0, 2, 0}}, {{0, 0, -1}, {0, 0, -4}}, {{0, 0, 0}, {0, 0, 0}}, {{1, -1, 1}, {0.5, -2, 4}},
	} {
		if got := set.WorstCase(test[0]); !slices.Equal(got, test[1]) {
			t.Errorf("the worst case towards %v is %v, not %v", test[0], got, test[1])
		}
	}
}
