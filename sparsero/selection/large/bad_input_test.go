package large_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/large"
	"gonum.org/v1/gonum/mat"
)

func checkRefusal(t *testing.T, err error, text string, stream bool) {
	t.Helper()
	var refused *large.MemoryError
	if !errors.As(err, &refused) {
		t.Fatalf("error %v, want a MemoryError", err)
	}
	if !strings.Contains(err.Error(), text) || refused.Stream != stream || refused.Need <= refused.Available {
		t.Fatalf("refusal %+v: %v", refused, err)
	}
}

func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) || !strings.HasPrefix(err.Error(), "large: ") {
		t.Errorf("error %v, want one with %q", err, text)
	}
}

// brokenAtoms cannot be read beyond some atom.
type brokenAtoms struct {
	large.Atoms
	until int
}

var errBroken = errors.New("the disk is gone")

func (b brokenAtoms) Rows(buffer []float64, from, to int) ([]float64, error) {
	if to > b.until {
		return nil, errBroken
	}
	return b.Atoms.Rows(buffer, from, to)
}

func TestBadAtomsAndDirections(t *testing.T) {
	atoms, err := large.FromFloat32(randomFloat32(1000, 3, 1), 3)
	if err != nil {
		t.Fatal(err)
	}
	good := mat.NewDense(2, 3, []float64{1, 0, 0, 0, 1, 0})
	huge := mat.NewDense(1, 3, []float64{1e305, 0, 0})
	cases := map[string]struct {
		atoms      large.Atoms
		directions mat.Matrix
		options    *large.Options
		text       string
	}{
		"no atoms":             {nil, good, nil, "atoms is nil"},
		"no directions":        {atoms, nil, nil, "directions is nil"},
		"nil matrix":           {atoms, (*mat.Dense)(nil), nil, "directions is nil"},
		"wrong dimension":      {atoms, mat.NewDense(2, 2, nil), nil, "directions is 2×2 but the atoms have dimension 3"},
		"NaN":                  {atoms, mat.NewDense(1, 3, []float64{0, math.NaN(), 0}), nil, "row 0, column 1"},
		"negative limit":       {atoms, good, &large.Options{MemoryLimit: -1}, "MemoryLimit is -1"},
		"too large":            {atoms, huge, nil, "rescale"},
		"unreadable":           {brokenAtoms{atoms, 500}, good, nil, errBroken.Error()},
		"unreadable at once":   {brokenAtoms{atoms, 0}, good, nil, errBroken.Error()},
		"not finite in source": {notFinite{atoms}, good, nil, "atom 777 has the value +Inf in coordinate 1"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := large.NewCoverage(context.Background(), test.atoms, test.directions, test.options)
			wantError(t, err, test.text)
		})
	}
	_, err = large.FromFloat32([]float32{1, 2, 3}, 2)
	wantError(t, err, "3 values are not a whole number of rows of dimension 2")
	_, err = large.FromFloat32(nil, 2)
	wantError(t, err, "0 values")
	_, err = large.FromFloat32([]float32{1, 2, 3, float32(math.Inf(1))}, 2)
	wantError(t, err, "atom 1 has the value +Inf in coordinate 1")
}

// notFinite puts an infinity into one atom.
type notFinite struct{ large.Atoms }

func (n notFinite) Rows(buffer []float64, from, to int) ([]float64, error) {
	rows, err := n.Atoms.Rows(buffer, from, to)
	if err == nil && from <= 777 && 777 < to {
		rows[3*(777-from)+1] = math.Inf(1)
	}
	return rows, err
}

func TestBadSelections(t *testing.T) {
	atoms, err := large.FromFloat32(randomFloat32(10, 3, 1), 3)
	if err != nil {
		t.Fatal(err)
	}
	c := mustCoverage(t, atoms, randomDirections(5, 3, 1), nil)
	ctx := context.Background()
	choose := func(g large.Greedy, c *large.Coverage, budget int) error {
		_, err := g.Select(ctx, c, budget)
		return err
	}
	wantError(t, choose(large.Greedy{}, nil, 1), "coverage is nil")
	wantError(t, choose(large.Greedy{}, c, 0), "budget 0 is outside [1,10]")
	wantError(t, choose(large.Greedy{}, c, 11), "budget 11 is outside [1,10]")
	wantError(t, choose(large.Greedy{Warm: []int{1, 2}}, c, 1), "the warm start has 2 atoms but budget is 1")
	wantError(t, choose(large.Greedy{Warm: []int{10}}, c, 3), "Warm[0] = 10")
	wantError(t, choose(large.Greedy{Warm: []int{4, 4}}, c, 3), "Warm[1] = 4")
	_, err = large.MaxGap{Tie: 7}.Select(ctx, c, 3)
	wantError(t, err, "unknown tie rule TieRule(7)")
	_, err = large.SetCover{Resolution: 2}.Select(ctx, c, 3)
	wantError(t, err, "resolution 2 is outside (0,1)")
	_, _, err = c.Value([]int{3, -1})
	wantError(t, err, "indices[1] = -1")
}

// An error of the atoms after the coverage was built reaches the caller, with no
// selection.
func TestReadErrorsDuringSelection(t *testing.T) {
	inner, err := large.FromFloat32(randomFloat32(1000, 3, 1), 3)
	if err != nil {
		t.Fatal(err)
	}
	broken := &brokenAtoms{inner, 1000}
	c := mustCoverage(t, broken, randomDirections(20, 3, 1), &large.Options{Stream: true})
	broken.until = 0
	for _, r := range rules(nil) {
		var s *selection.Selection
		if s, err = r.here(context.Background(), c, 5); !errors.Is(err, errBroken) || s != nil {
			t.Errorf("selection %v, error %v", s, err)
		}
	}
}
