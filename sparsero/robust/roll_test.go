package robust_test

import (
	"errors"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// A problem that was rolled is the one that is built from the atoms left and added, and the places are those of the same atoms.
func TestRollAgainstANewProblem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		d := p.Dictionary()
		drop, atoms := drawSubset(t, d.Size()), drawSubset(t, d.Size())
		fresh := rapid.IntRange(1, 3).Draw(t, "added")
		added := mat.NewDense(fresh, d.Dim(), nil)
		for i := range fresh {
			added.SetRow(i, numbers(t, d.Dim(), "added"))
		}
		rolled, start := get2(p.Roll(get(sparsero.NewDictionary(added, nil))(t), drop, atoms))(t)
		gone := map[int]bool{}
		for _, i := range drop {
			gone[i] = true
		}
		var rows []float64
		for i := range d.Size() {
			if !gone[i] {
				rows = append(rows, d.Atom(i)...)
			}
		}
		rows = append(rows, added.RawMatrix().Data...)
		want := get(sparsero.NewDictionary(mat.NewDense(len(rows)/d.Dim(), d.Dim(), rows), nil))(t)
		if !mat.Equal(rolled.Dictionary().Matrix(), want.Matrix()) {
			t.Fatalf("atoms\n%v\nwant\n%v", mat.Formatted(rolled.Dictionary().Matrix()), mat.Formatted(want.Matrix()))
		}
		k := 0
		for _, i := range atoms {
			if gone[i] {
				continue
			}
			if rolled.Dictionary().Label(start[k]) != d.Label(i) {
				t.Fatalf("atom %s is at %d, where %s stands", d.Label(i), start[k], rolled.Dictionary().Label(start[k]))
			}
			k++
		}
		if k != len(start) {
			t.Fatalf("%d places for %d atoms that are left", len(start), k)
		}
		anew := get(robust.NewProblem(want, p.Region(), p.Map(), p.Constraints()...))(t)
		first, second := get(rolled.SolveFull(ctx, radius, &robust.Options{Start: start}))(t), get(anew.SolveFull(ctx, radius, nil))(t)
		if !near(first.Value, second.Value) {
			t.Fatalf("value %v, built anew %v", first.Value, second.Value)
		}
	})
}

func get2[A, B any](a A, b B, err error) func(t *rapid.T) (A, B) {
	return func(t *rapid.T) (A, B) { return a, get(b, err)(t) }
}

// What a solution leaves to the next day changes no answer: day by day the values are those of problems that are built
// anew, the bounds hold, and the files and duals that rest on the multipliers are right.
func TestRolledSolutionsAgainstNewProblems(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawConstrained(t), drawRadius(t)
		if rapid.Bool().Draw(t, "no constraints") {
			p = drawProblem(t)
		}
		s, err := p.SolveFull(ctx, radius, nil)
		for range 4 {
			if errors.Is(err, solver.ErrInfeasible) || errors.Is(err, solver.ErrUnbounded) {
				return
			}
			s = get(s, err)(t)
			d, at := s.Problem().Dictionary(), rapid.SampledFrom([]float64{radius, radius, 2}).Draw(t, "next radius")
			size := rapid.SampledFrom([]float64{0.1, 1, 2}).Draw(t, "size")
			row := mat.NewDense(1, d.Dim(), numbers(t, d.Dim(), "added"))
			row.Scale(size, row)
			drop := []int{rapid.IntRange(0, d.Size()-1).Draw(t, "drop")}
			rolled, start := get2(s.Problem().Roll(get(sparsero.NewDictionary(row, nil))(t), drop, s.Atoms))(t)
			if rapid.IntRange(0, 3).Draw(t, "start") == 0 {
				start = start[:len(start)/2]
			}
			anew := get(robust.NewProblem(rolled.Dictionary(), p.Region(), p.Map(), p.Constraints()...))(t)
			s, err = rolled.SolveFull(ctx, at, &robust.Options{Start: start})
			want, failed := anew.SolveFull(ctx, at, nil)
			if (err == nil) != (failed == nil) {
				t.Fatalf("error %v, built anew %v", err, failed)
			}
			if err == nil {
				checkRolled(t, s, want, folder)
			}
			radius = at
		}
	})
}

func checkRolled(t *rapid.T, s, want *robust.Solution, folder string) {
	if gap := get(s.GapBound())(t); !near(s.Value, want.Value) || s.Partial || !s.FullFeasible() || !near(gap.Float(), 0) {
		t.Fatalf("value %v, partial %v, gap %v, built anew %v", s.Value, s.Partial, gap, want.Value)
	}
	if s.LowerBound.Float() > want.Value+tolerance*want.Size {
		t.Fatalf("lower bound %v of the minimum %v", s.LowerBound, want.Value)
	}
	model := get(s.Problem().Model(s.Atoms, s.Radius))(t)
	if missed, where := model.Violation(s.Result.X); missed > tolerance*(1+s.Size) {
		t.Fatalf("the point of the result misses %s by %v", where, missed)
	}
	saved(t, folder, s)
	d, err := s.Dual()
	if errors.Is(err, robust.ErrNoDual) {
		return
	}
	if d = get(d, err)(t); !near(d.Value.Float(), want.Value) {
		t.Fatalf("dual value %v of the minimum %v", d.Value, want.Value)
	}
}

// TestRolledDaysCostLittle: over a window of 1,000 atoms a day's update needs about one round, and pivots and new rows
// only on days on which an atom comes that is worse than all others, or one with a multiplier goes.
func TestRolledDaysCostLittle(t *testing.T) {
	const n, p, days = 1000, 30, 20
	all, region := gaussianRows(n+days, p), simplex(p)
	window := must(sparsero.NewDictionary(all.Slice(0, n, 0, p), nil))(t)
	problem := must(robust.NewProblem(window, region, sparsero.Identity(p)))(t)
	s := must(problem.SolveFull(ctx, 1, nil))(t)
	rounds, pivoted, bytes := 0, 0, math.Inf(1)
	for day := range days {
		today := must(sparsero.NewDictionary(all.Slice(n+day, n+day+1, 0, p), nil))(t)
		bytes = min(bytes, allocated(func() {
			rolled, start, err := s.Problem().Roll(today, []int{0}, s.Atoms)
			if err != nil {
				t.Fatal(err)
			}
			s = must(rolled.SolveFull(ctx, 1, &robust.Options{Start: start}))(t)
		}))
		rounds += s.Rounds
		if s.Result.Iterations > 0 {
			pivoted++
		}
	}
	atMost(t, "rounds a day", 1.2, float64(rounds)/days)
	atMost(t, "days with pivots", 2, float64(pivoted))
	atMost(t, "bytes of a day without, by number of the window", 10.7, bytes/n/p)
}

func simplex(p int) *solver.Model {
	region, budget := solver.NewModel("portfolio"), solver.Row{Bounds: solver.Equal(1)}
	for range p {
		budget.Columns = append(budget.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1)}))
		budget.Values = append(budget.Values, 1)
	}
	region.AddRow(budget)
	return region
}

func TestRollRejectsBadInput(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}), box(-1, 1, 0, 0), sparsero.Identity(2)))(t)
	for _, test := range []struct {
		want        string
		add         *sparsero.Dictionary
		drop, atoms []int
	}{
		{"drop", nil, []int{2}, nil},
		{"drop", nil, []int{0, 0}, nil},
		{"drop", nil, []int{0, 1}, nil},
		{"atoms", nil, nil, []int{-1}},
		{"add", dictionary(t, []float64{1}), nil, nil},
	} {
		_, _, err := p.Roll(test.add, test.drop, test.atoms)
		checkMessage(t, test.want, err, test.want)
	}
}
