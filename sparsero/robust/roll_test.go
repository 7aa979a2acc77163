package robust_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
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

// TestRolledDaysTakeFewRounds: over a window of 1,000 atoms a day's update needs a round or two.
func TestRolledDaysTakeFewRounds(t *testing.T) {
	const n, p, days = 1000, 30, 20
	all := gaussianRows(n+days, p)
	region := solver.NewModel("portfolio")
	budget := solver.Row{Bounds: solver.Equal(1)}
	for range p {
		budget.Columns = append(budget.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1)}))
		budget.Values = append(budget.Values, 1)
	}
	region.AddRow(budget)
	window := must(sparsero.NewDictionary(all.Slice(0, n, 0, p), nil))(t)
	problem := must(robust.NewProblem(window, region, sparsero.Identity(p)))(t)
	s := must(problem.SolveFull(ctx, 1, nil))(t)
	rounds := 0
	for day := range days {
		today := must(sparsero.NewDictionary(all.Slice(n+day, n+day+1, 0, p), nil))(t)
		rolled, start, err := s.Problem().Roll(today, []int{0}, s.Atoms)
		if err != nil {
			t.Fatal(err)
		}
		s = must(rolled.SolveFull(ctx, 1, &robust.Options{Start: start}))(t)
		rounds += s.Rounds
	}
	atMost(t, "rounds a day", 2, float64(rounds)/days)
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
