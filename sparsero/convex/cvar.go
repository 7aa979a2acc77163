package convex

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// cvar has probabilities and the largest weights, all multiples of the unit, so that sums of up to 1 are not rounded.
type cvar struct{ probabilities, most []float64 }

const (
	weightUnit = 0x1p-53
	// probabilityTolerance is how far the sum of probabilities may be from 1, which is more than rounding moves it.
	probabilityTolerance = 1e-9
)

// mostScenarios are those that memory may hold.
const mostScenarios = 10_000_000

// NewCVaR returns the probabilities of m scenarios and the set of what is added to them by the weights
//
//	{ w : 0 <= w_i <= p_i/(1-α), Σ_i w_i = 1 }
//
// under which the worst case of the scenarios' losses q_i is their conditional value at risk, the mean of the worst
// share 1-α of them,
//
//	CVaR_α(q) = ⟨p, q⟩ + max_u ⟨u, q⟩ = min_v v + Σ_i p_i max(0, q_i-v)/(1-α)
//
// (Rockafellar and Uryasev 2000). The coordinates are the scenarios: q is the map of their losses, for losses ⟨d_i, x⟩
// the matrix of the d_i. Nil probabilities are equal ones; α in [0,1) is the level. Probabilities become multiples of
// 2^-53 whose sum is 1, and largest weights are rounded up to such. The set is [Compact], does not change and may be
// used by several goroutines at once. It is an error if m < 1, if probabilities are not m numbers >= 0 with the sum 1
// up to 1e-9, or if the level is out of range.
func NewCVaR(m int, probabilities []float64, level float64) (mean []float64, set Set, err error) {
	if !(level >= 0 && level < 1) {
		return nil, nil, fmt.Errorf("convex: level %v is outside [0,1); give the fraction of scenarios that may be better, such as 0.95", level)
	}
	if m < 1 || m > mostScenarios {
		return nil, nil, fmt.Errorf("convex: %d scenarios; give 1 to %d", m, mostScenarios)
	}
	if probabilities == nil {
		probabilities = slices.Repeat([]float64{1 / float64(m)}, m)
	}
	if err := input.CheckVector("probabilities", probabilities, m); err != nil {
		return nil, nil, fmt.Errorf("convex: %w", err)
	}
	sum := 0.0
	for i, p := range probabilities {
		if p < 0 {
			return nil, nil, fmt.Errorf("convex: probability %d is %v; give at least 0", i, p)
		}
		sum += p
	}
	if math.Abs(sum-1) > probabilityTolerance {
		return nil, nil, fmt.Errorf("convex: the probabilities have the sum %v; divide them by it", sum)
	}
	c := &cvar{make([]float64, m), make([]float64, m)}
	left, largest := 1.0, 0
	for i, p := range probabilities {
		c.probabilities[i] = math.Min(left, math.Floor(p/sum/weightUnit)*weightUnit)
		left -= c.probabilities[i]
		if p > probabilities[largest] {
			largest = i
		}
	}
	c.probabilities[largest] += left
	for i, p := range c.probabilities {
		weight := math.Max(p, probabilities[i]) / (1 - level) * (1 + 0x1p-50)
		c.most[i] = math.Min(1, math.Ceil(weight/weightUnit)*weightUnit)
	}
	return slices.Clone(c.probabilities), c, nil
}

// Dim implements [Set].
func (c *cvar) Dim() int { return len(c.probabilities) }

// weigh gives the scenarios their largest weights, those of the largest scores first, until the sum is 1.
func (c *cvar) weigh(scores []float64, give func(i int, weight float64)) {
	order := rank.Indices[int](c.Dim())
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
	left := 1.0
	for _, i := range order {
		if left == 0 {
			return
		}
		weight := math.Min(c.most[i], left)
		give(i, weight)
		left -= weight
	}
}

// WorstCase implements [Set]. It panics if s does not have length p.
func (c *cvar) WorstCase(s []float64) []float64 {
	mustMatch("s", s, c.Dim())
	u := make([]float64, c.Dim())
	for i, p := range c.probabilities {
		u[i] = -p
	}
	c.weigh(s, func(i int, weight float64) { u[i] += weight })
	return u
}

// Support implements [Set]. It panics if s does not have length p.
func (c *cvar) Support(s []float64) float64 {
	_, upper := directed.Dot(c.WorstCase(s), s)
	return math.Max(0, upper)
}

// nearest is a point of the set near one that keeps to it up to rounding.
func (c *cvar) nearest(u []float64) []float64 {
	z, left := make([]float64, len(u)), 1.0
	for i, p := range c.probabilities {
		weight := math.Floor(math.Max(0, p+u[i])/weightUnit) * weightUnit
		weight = math.Min(math.Min(weight, c.most[i]), left)
		z[i], left = weight-p, left-weight
	}
	c.weigh(u, func(i int, _ float64) {
		more := math.Min(left, c.most[i]-(z[i]+c.probabilities[i]))
		z[i], left = z[i]+more, left-more
	})
	return z
}

// AddSupport implements [Compact] by t >= Σ_i (most_i e_i - p_i s_i) + v and e_i >= s_i - v over the new columns v, the
// value at risk, and e_i >= 0 (Rockafellar and Uryasev 2000). It panics if the model is nil or there are not p columns
// s.
func (c *cvar) AddSupport(m *solver.Model, t int, s []int) {
	mustMatch("s", s, c.Dim())
	quantile := m.AddColumn(solver.Column{Bounds: solver.Between(math.Inf(-1), math.Inf(1))})
	total := solver.Row{Bounds: solver.AtLeast(0), Columns: []int{t, quantile}, Values: []float64{1, -1}}
	for i, p := range c.probabilities {
		excess := m.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
		total.Columns, total.Values = append(total.Columns, excess, s[i]), append(total.Values, -c.most[i], p)
		m.AddRow(solver.Row{Bounds: solver.AtLeast(0), Columns: []int{excess, quantile, s[i]}, Values: []float64{1, 1, -1}})
	}
	m.AddRow(total)
}

// SupportRows implements [Compact].
func (c *cvar) SupportRows() int { return c.Dim() + 1 }
