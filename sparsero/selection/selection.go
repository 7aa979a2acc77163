package selection

import (
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/frame"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Selection is a path of nested sets: its first b atoms are the choice of size b. All slices have one entry per step;
// entry b-1 describes the first b atoms. Methods panic where a slice is shorter.
type Selection struct {
	// Policy is the name of the rule that made the choice.
	Policy string
	// Atoms are the chosen atom indices in the order of choice.
	Atoms []int
	// Labels are the labels of the chosen atoms.
	Labels []string
	// Gains are the marginal gains F(S_b;T) - F(S_{b-1};T).
	Gains []float64
	// Coverage is F(S_b;T).
	Coverage []float64
	// WorstDeficit is max_{s in T} Δ_{S_b}(s).
	WorstDeficit []float64
	// Bounds are upper bounds on the best coverage that any b atoms can reach, or, for a Knapsack, any atoms within the
	// capacity. They hold in exact arithmetic: all that float64 may have lost is added. They are computed after the
	// choice and cost not OracleCalls; [Selection.Tighten] lowers them further.
	Bounds []proof.Upper
	// Cost is the total cost of the first b atoms; nil unless atoms have costs.
	Cost []float64
	// OracleCalls is the number of candidates evaluated or bounded one by one up to each step: marginal gains, or worst
	// deficits for max-gap. It may depend on the storage and on the processor, whose float32 bounds differ.
	OracleCalls []int
	// FullCoverage is F([N];T), the coverage of the whole dictionary.
	FullCoverage float64
	// Partial is true if the context ended before the choice was complete. The
	// atoms chosen until then, and their bounds, are valid.
	Partial bool
	// Rounding bounds what float64 may have lost of Coverage: its exact value is within
	// Relative times itself plus Absolute. [Selection.OptimalityRatio] rests on it.
	Rounding Rounding

	costs       *Knapsack // what the bounds are for; nil for numbers of atoms
	multipliers []float64 // of the last bound, see Tighten
}

// Rounding bounds what float64 loses: the exact value of a coverage F is within Relative · F + Absolute of its float64
// value F, both at least 0, and 0 where nothing is rounded.
type Rounding = screen.Rounding

// Len returns the number of chosen atoms.
func (s *Selection) Len() int { return len(s.Atoms) }

// tighten lowers the bound of the first k+1 atoms. An attained value is below the optimum; only rounding can say otherwise.
func (s *Selection) tighten(k int, bound float64) {
	s.Bounds[k] = proof.AtMost(max(s.Coverage[k], min(bound, s.Bounds[k].Float())))
}

// entry returns what values say of the first b atoms of a selection.
func entry[T any](s *Selection, values []T, b int) T {
	if b > len(values) {
		panic(fmt.Sprintf("selection: a field has %d entries for %d atoms; use a selection as a rule returns it", len(values), s.Len()))
	}
	return values[b-1]
}

// Prefix returns a copy of the first b atoms, the choice of size b: none if b is
// negative, all if b exceeds [Selection.Len].
func (s *Selection) Prefix(b int) []int {
	return slices.Clone(s.Atoms[:s.clamp(b)])
}

func (s *Selection) clamp(b int) int { return min(max(b, 0), s.Len()) }

// CoverageRatio returns F(S_b;T) / F([N];T), in [0,1]. It is 1 if the whole dictionary covers nothing.
func (s *Selection) CoverageRatio(b int) float64 {
	if s.FullCoverage == 0 {
		return 1
	}
	if b = s.clamp(b); b == 0 {
		return 0
	}
	return entry(s, s.Coverage, b) / s.FullCoverage
}

// OptimalityRatio returns a lower bound on F(S_b;T) / max_{|S| <= b} F(S;T), the coverage of the first b atoms divided
// by the a-posteriori bound, rounded down. It is at most 1, and 1 proves the choice optimal; where float64 has rounded
// it stays a few units in the last place below. Values of b outside [0,Len] are clamped; the ratio of the empty choice
// is 1.
func (s *Selection) OptimalityRatio(b int) proof.Lower {
	b = s.clamp(b)
	if b == 0 || entry(s, s.Bounds, b).Float() == 0 {
		return proof.AtLeast(1)
	}
	value, bound := s.Rounding.AtLeast(entry(s, s.Coverage, b)), s.Bounds[b-1].Float()
	return proof.AtLeast(-directed.QuotientUpper(-value, bound))
}

// Frame returns the path as a table with one row per step: budget, atom, label, gain, coverage, coverage_ratio,
// worst_deficit, bound, optimality_ratio, cost (if atoms have costs) and oracle_calls.
func (s *Selection) Frame() dataframe.DataFrame {
	columns := "budget,atom,label,gain,coverage,coverage_ratio,worst_deficit,bound,optimality_ratio"
	if s.Cost != nil {
		columns += ",cost"
	}
	rows := frame.NewRows(columns + ",oracle_calls")
	for k := range s.Atoms {
		b := k + 1
		cells := []any{
			b, s.Atoms[k], entry(s, s.Labels, b), entry(s, s.Gains, b), entry(s, s.Coverage, b), s.CoverageRatio(b),
			entry(s, s.WorstDeficit, b), entry(s, s.Bounds, b), s.OptimalityRatio(b),
		}
		if s.Cost != nil {
			cells = append(cells, entry(s, s.Cost, b))
		}
		rows.Add(append(cells, entry(s, s.OracleCalls, b))...)
	}
	return rows.Frame()
}
