package robust_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// normals draws an m×p matrix.
func normals(random *rand.Rand, m, p int) *mat.Dense {
	draws := mat.NewDense(m, p, nil)
	for j := range m {
		for k := range p {
			draws.Set(j, k, random.NormFloat64())
		}
	}
	return draws
}

// asked puts samples to every method that needs draws which the dictionary has not seen.
func asked(problem *robust.Problem, solution *robust.Solution, samples mat.Matrix) map[string]error {
	return map[string]error{
		"Tune":          second(problem.Tune(ctx, samples, robust.Demands{Gap: 0.5, Violation: 0.9, Delta: 0.9}, &robust.TuneOptions{Radii: []float64{1}})),
		"RequiredRadii": second(solution.RequiredRadii(samples)), "RowSamples": second(solution.RowSamples(samples)),
	}
}

// Samples that are rows of the dictionary are refused, all of them or one, in any order, and with the next step; draws of a
// law without repeated values never are (no false alarm in any seed), and what is declared fresh never is.
func TestSamplesThatTheDictionaryHasSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		n, p := rapid.IntRange(1, 12).Draw(t, "N"), rapid.IntRange(1, 4).Draw(t, "p")
		atoms := normals(random, n, p)
		costs := make([]float64, p)
		problem := get(robust.NewProblem(get(sparsero.NewDictionary(atoms, nil))(t), box(-1, 1, costs...), sparsero.Identity(p)))(t)
		solution := get(problem.Solve(ctx, []int{0}, 1, nil))(t)

		fresh := normals(random, rapid.IntRange(1, 12).Draw(t, "m"), p)
		seen := mat.DenseCopyOf(fresh)
		m, _ := fresh.Dims()
		for range rapid.IntRange(1, m).Draw(t, "seen") {
			seen.SetRow(random.IntN(m), atoms.RawRowView(random.IntN(n)))
		}
		for name, err := range asked(problem, solution, fresh) {
			if errors.Is(err, calibration.ErrReuse) {
				t.Fatalf("%s of fresh draws: %v", name, err)
			}
		}
		for name, err := range asked(problem, solution, calibration.Fresh(seen)) {
			if errors.Is(err, calibration.ErrReuse) {
				t.Fatalf("%s of draws that are declared fresh: %v", name, err)
			}
		}
		for name, err := range asked(problem, solution, atoms) {
			if !errors.Is(err, calibration.ErrReuse) {
				t.Fatalf("%s of the atoms: %v", name, err)
			}
		}
		once := mat.DenseCopyOf(fresh)
		once.SetRow(random.IntN(m), atoms.RawRowView(random.IntN(n)))
		for name, err := range asked(problem, solution, once) {
			if !errors.Is(err, calibration.ErrReuse) || !strings.Contains(err.Error(), fmt.Sprintf(" 1 of %d samples", m)) {
				t.Fatalf("%s of one atom among %d samples: %v", name, m, err)
			}
		}
	})
}

// The first sample that is an atom is named with the atom; a zero may have either sign.
func TestTheFirstSampleThatIsAnAtomIsNamed(t *testing.T) {
	atoms := mat.NewDense(5, 2, []float64{1, 2, 0, 5, 3, 4, 7, 8, 6, 6})
	problem := must(robust.NewProblem(must(sparsero.NewDictionary(atoms, nil))(t), box(-1, 1, 0, 0), sparsero.Identity(2)))(t)
	solution := must(problem.Solve(ctx, []int{0}, 1, nil))(t)
	zero := math.Copysign(0, -1)
	for name, test := range map[string]struct {
		samples []float64
		want    string // "" where they are taken
	}{
		"two":             {[]float64{9, 9, 7, 8, 1, 2}, "2 of 3 samples are rows of the dictionary (sample 1 is atom 3)"},
		"all":             {[]float64{7, 8, 1, 2, 3, 4}, "3 of 3 samples are rows of the dictionary (sample 0 is atom 3)"},
		"a negative zero": {[]float64{9, 9, zero, 5}, "1 of 2 samples are rows of the dictionary (sample 1 is atom 1)"},
		"none":            {[]float64{9, 9, 1, 1}, ""},
	} {
		m := len(test.samples) / 2
		for method, err := range asked(problem, solution, mat.NewDense(m, 2, test.samples)) {
			if reused := errors.Is(err, calibration.ErrReuse); reused != (test.want != "") || reused && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %s: %v", name, method, err)
			}
		}
	}
}

// Draws of a law with few values equal atoms and one another: they are taken.
func TestFewValuesAreNoReuse(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 5))
	draws := func(m int) *mat.Dense {
		d := mat.NewDense(m, 2, nil)
		for j := range m {
			d.SetRow(j, []float64{float64(random.IntN(4)), -float64(random.IntN(4))})
		}
		return d
	}
	for range 50 {
		problem := must(robust.NewProblem(must(sparsero.NewDictionary(draws(40), nil))(t), box(-1, 1, 0, 0), sparsero.Identity(2)))(t)
		solution := must(problem.Solve(ctx, []int{0}, 1, nil))(t)
		for name, err := range asked(problem, solution, draws(60)) {
			if errors.Is(err, calibration.ErrReuse) {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	days, later := normals(random, 30, 2), normals(random, 5, 2)
	for _, holiday := range [][]float64{days.RawRowView(3), later.RawRowView(2)} { // two among the atoms, one among the samples
		copy(holiday, days.RawRowView(8))
	}
	problem := must(robust.NewProblem(must(sparsero.NewDictionary(days, nil))(t), box(-1, 1, 0, 0), sparsero.Identity(2)))(t)
	for name, err := range asked(problem, must(problem.Solve(ctx, []int{0}, 1, nil))(t), later) {
		if errors.Is(err, calibration.ErrReuse) {
			t.Errorf("%s of a holiday: %v", name, err)
		}
	}
	if err := second(must(robust.NewProblem(must(sparsero.NewDictionary(draws(1), nil))(t), box(-1, 1, 0, 0), sparsero.Identity(2)))(t).
		Tune(ctx, calibration.Fresh(nil), robust.Demands{Gap: 0.5, Violation: 0.5, Delta: 0.5}, nil)); err == nil || !strings.Contains(err.Error(), "samples") {
		t.Errorf("nothing fresh: %v", err)
	}
}

// TestRepeatedSamplesExcuseTwiceAsMany: of samples that occur once twice as many may be atoms as there are samples that occur more
// often, and one more may not; the error names the first one of them.
func TestRepeatedSamplesExcuseTwiceAsMany(t *testing.T) {
	atoms := [][]float64{{90, 91}, {90, 91}, {0, 0}} // one that occurs twice, and none
	for i := range 9 {
		atoms = append(atoms, []float64{float64(10 + i), 1})
	}
	problem := must(robust.NewProblem(dictionary(t, atoms...), box(-1, 1, 0, 0), sparsero.Identity(2)))(t)
	solution := must(problem.Solve(ctx, []int{0}, 1, nil))(t)
	for _, test := range []struct {
		repeated, seen int
		refused        bool
	}{{0, 0, false}, {0, 1, true}, {2, 4, false}, {2, 5, true}, {3, 6, false}, {3, 7, true}, {4, 8, false}, {4, 9, true}} {
		samples := [][]float64{{0, 0}, {-7, 5}, {90, 91}}
		for range test.repeated {
			samples = append(samples, []float64{1, 50})
		}
		first := len(samples)
		for i := range test.seen {
			samples = append(samples, []float64{float64(10 + i), 1})
		}
		for name, err := range asked(problem, solution, matrix(samples...)) {
			want := fmt.Sprintf("%d of %d samples are rows of the dictionary (sample %d is atom 3)", test.seen, len(samples), first)
			if errors.Is(err, calibration.ErrReuse) != test.refused || test.refused && !strings.Contains(err.Error(), want) {
				t.Errorf("%s of %d repeated samples and %d atoms: %v", name, test.repeated, test.seen, err)
			}
		}
	}
}
