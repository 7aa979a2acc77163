package robust

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// probes is the growing set T of directions of Algorithm 1 with all scores
// ⟨d_i, s⟩ and the alignment that the chosen atoms cover in each direction.
type probes struct {
	dictionary *sparsero.Dictionary
	directions [][]float64
	scores     [][]float64 // scores[s][i] = ⟨d_i, s⟩
	full       []float64   // M_N(s)
	covered    []float64   // M_S(s)
	chosen     []bool
}

func newProbes(d *sparsero.Dictionary) *probes {
	return &probes{dictionary: d, chosen: make([]bool, d.Size())}
}

// reveal adds a direction; O(Np) on all cores.
func (t *probes) reveal(direction []float64) {
	scores, full, covered := t.dictionary.Alignments(nil, direction), 0.0, 0.0
	for i, score := range scores {
		full = math.Max(full, score)
		if t.chosen[i] {
			covered = math.Max(covered, score)
		}
	}
	t.directions = append(t.directions, direction)
	t.scores = append(t.scores, scores)
	t.full = append(t.full, full)
	t.covered = append(t.covered, covered)
}

// choose adds an atom to S.
func (t *probes) choose(atom int) {
	t.chosen[atom] = true
	for s, scores := range t.scores {
		t.covered[s] = math.Max(t.covered[s], scores[atom])
	}
}

// gain is the marginal gain |T| (F(S∪{i};T) - F(S;T)) of an atom.
func (t *probes) gain(atom int) float64 {
	sum := 0.0
	for s, scores := range t.scores {
		sum += math.Max(0, scores[atom]-t.covered[s])
	}
	return sum
}

// worstDeficitWith is max_s Δ_{S∪{i}}(s).
func (t *probes) worstDeficitWith(atom int) float64 {
	worst := 0.0
	for s, scores := range t.scores {
		worst = math.Max(worst, t.full[s]-math.Max(t.covered[s], scores[atom]))
	}
	return worst
}

// coverage returns F(S;T) and F([N];T).
func (t *probes) coverage() (restricted, full float64) {
	for s := range t.full {
		restricted += t.covered[s]
		full += t.full[s]
	}
	if m := float64(len(t.full)); m > 0 {
		return restricted / m, full / m
	}
	return 0, 0
}

// matrix returns the directions as rows, nil if there are none.
func (t *probes) matrix() *mat.Dense {
	if len(t.directions) == 0 {
		return nil
	}
	m := mat.NewDense(len(t.directions), t.dictionary.Dim(), nil)
	for s, direction := range t.directions {
		m.SetRow(s, direction)
	}
	return m
}
