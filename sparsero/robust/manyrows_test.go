package robust_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// rowsOfTheirOwn are robust rows over a box, each with a dictionary of its own of 40 atoms of dimension 5.
func rowsOfTheirOwn(t *testing.T, count int) (*solver.Model, []robust.Constraint) {
	source, region := rand.New(rand.NewPCG(3, 4)), solver.NewModel("box")
	for range 5 {
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 10), Cost: -1 - source.Float64()})
	}
	rows := make([]robust.Constraint, count)
	for k := range rows {
		atoms, nominal := mat.NewDense(40, 5, nil), make([]float64, 5)
		atoms.Apply(func(_, _ int, _ float64) float64 { return 0.3 * source.NormFloat64() }, atoms)
		for j := range nominal {
			nominal[j] = 1 + source.Float64()
		}
		rows[k] = robust.Constraint{Nominal: nominal, Map: sparsero.Identity(5), Limit: 5, Dictionary: must(sparsero.NewDictionary(atoms, nil))(t)}
	}
	return region, rows
}

// TestRowsOfTheirOwnCostTheSumOfTheirSizes counts bytes by row and round, which stay the same for four times as many rows.
func TestRowsOfTheirOwnCostTheSumOfTheirSizes(t *testing.T) {
	var few [5]float64
	for _, count := range []int{100, 400} {
		region, rows := rowsOfTheirOwn(t, count)
		var bytes [5]float64
		var p *robust.Problem
		bytes[0] = allocated(func() { p = must(robust.NewProblem(nil, region, sparsero.AffineMap{}, rows...))(t) })
		bytes[1] = allocated(func() { must(p.Solve(ctx, []int{0, 40, 80}, 1, nil))(t) })
		var s *robust.Solution
		bytes[2] = allocated(func() { s = must(p.SolveFull(ctx, 1, nil))(t) })
		samples := mat.NewDense(10, 5*count, nil)
		samples.Apply(func(j, k int, _ float64) float64 { return float64(j+k%5) / 100 }, samples)
		bytes[3] = allocated(func() { must(s.RowSamples(samples))(t) })
		bytes[4] = allocated(func() { must(p.ExplainFull(ctx, 1, nil))(t) })
		for k, what := range []string{"NewProblem", "Solve", "SolveFull", "RowSamples", "ExplainFull"} {
			bytes[k] /= float64(count)
			if count == 100 {
				few[k] = bytes[k]
				continue
			}
			atMost(t, fmt.Sprintf("bytes of %s by row, as a multiple of those of fewer rows", what), 1.5, bytes[k]/few[k])
		}
	}
}

// TestRowsAreCertifiedOnce counts bytes by row and round, as a certificate of every row in every round takes more: what
// a round asks of a row is its worst atom.
func TestRowsAreCertifiedOnce(t *testing.T) {
	region, rows := rowsOfTheirOwn(t, 400)
	p := must(robust.NewProblem(nil, region, sparsero.AffineMap{}, rows...))(t)
	var s *robust.Solution
	bytes := allocated(func() { s = must(p.SolveFull(ctx, 1, &robust.Options{CutsPerRound: 1}))(t) })
	atMost(t, "bytes of SolveFull by row and round", 3300, bytes/400/float64(s.Rounds))
	for k, c := range must(p.Evaluate(s.Atoms, 1, s.X))(t).Constraints {
		if s.Constraints[k] != c {
			t.Errorf("row %d: %+v, evaluated anew %+v", k, s.Constraints[k], c)
		}
	}
}

// TestSetsThatNoMemoryHoldsTogether: a tall and a wide dictionary make a problem like any other; only what needs their zeros says so.
func TestSetsThatNoMemoryHoldsTogether(t *testing.T) {
	const tall, wide = 40_000, 30_000
	column, row := mat.NewDense(tall, 1, nil), mat.NewDense(1, wide, nil)
	column.Set(tall-1, 0, 2)
	row.Set(0, wide-1, 3)
	last := mat.NewDense(wide, 1, nil)
	last.Set(wide-1, 0, 1)
	p := must(robust.NewProblem(nil, box(0, 10, -1), sparsero.AffineMap{},
		robust.Constraint{Map: sparsero.Identity(1), Limit: 1, Dictionary: must(sparsero.NewDictionary(column, nil))(t)},
		robust.Constraint{Map: sparsero.AffineMap{Matrix: last}, Limit: 1, Dictionary: must(sparsero.NewDictionary(row, nil))(t)}))(t)
	s := must(p.SolveFull(ctx, 1, nil))(t)
	if !near(s.X[0], 1./3) || s.Labels()[0] != "constraint 1: d0" {
		t.Errorf("x = %v, atoms %q", s.X, s.Labels())
	}
	if err := s.Save(filepath.Join(t.TempDir(), "design.json"), nil); err == nil || !strings.Contains(err.Error(), "dictionary of all sets") {
		t.Errorf("saved: %v", err)
	}
	if _, err := p.SolveSafe(ctx, []int{0}, 1, nil); err == nil || !strings.Contains(err.Error(), "dictionary of all sets") {
		t.Errorf("SolveSafe: %v", err)
	}
	if _, _, err := p.Roll(nil, []int{0}, nil); err == nil || !strings.Contains(err.Error(), "dictionary of all sets") {
		t.Errorf("Roll: %v", err)
	}
	if _, err := s.OutOfSample(ctx, 0.1); !errors.Is(err, robust.ErrNoPromise) {
		t.Errorf("OutOfSample: %v", err)
	}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "dictionary of all sets") {
			t.Errorf("Dictionary: %v", text)
		}
	}()
	p.Dictionary()
}

// Rows with dictionaries of their own are rolled as the problem over one dictionary, that of all sets, with maps of all its
// coordinates.
func TestRowsOfTheirOwnAreRolled(t *testing.T) {
	region, rows := rowsOfTheirOwn(t, 3)
	p := must(robust.NewProblem(nil, region, sparsero.AffineMap{}, rows...))(t)
	s := must(p.SolveFull(ctx, 1, nil))(t)
	rolled, start, err := p.Roll(nil, s.Atoms[:1], s.Atoms)
	if err != nil {
		t.Fatal(err)
	}
	anew := must(robust.NewProblem(rolled.Dictionary(), region, p.Map(), p.Constraints()...))(t)
	got, want := must(rolled.SolveFull(ctx, 1, &robust.Options{Start: start}))(t), must(anew.SolveFull(ctx, 1, nil))(t)
	if !near(got.Value, want.Value) || !(got.Value < s.Value-1e-6) {
		t.Errorf("value %v, built anew %v, and %v before an atom went", got.Value, want.Value, s.Value)
	}
}
