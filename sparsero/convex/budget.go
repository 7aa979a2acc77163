package convex

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/input"
)

type budget struct {
	widths []float64
	gamma  float64
}

// NewBudget returns { u : |u_k| <= w_k, Σ_k |u_k|/w_k <= Γ } for p widths w_k >= 0 and Γ in (0,p]: every coordinate keeps to
// its width, and at most Γ of them, the last one in part, are at their worst (Bertsimas and Sim 2004). With Γ = p it is a box,
// with Γ = 1 a weighted 1-norm ball. The set is [Compact], does not change and may be used by several goroutines at once. It
// is an error if a number is out of range.
func NewBudget(widths []float64, gamma float64) (Gauged, error) {
	if len(widths) == 0 {
		return nil, fmt.Errorf("convex: there are no widths; give one for each coordinate")
	}
	if err := input.CheckVector("widths", widths, len(widths)); err != nil {
		return nil, fmt.Errorf("convex: %w", err)
	}
	for k, w := range widths {
		if w < 0 {
			return nil, fmt.Errorf("convex: width %d is %v; give at least 0", k, w)
		}
	}
	if !(gamma > 0 && gamma <= float64(len(widths))) {
		return nil, fmt.Errorf("convex: the budget %v is outside (0,%d]; use %d for the box", gamma, len(widths), len(widths))
	}
	return &budget{widths: slices.Clone(widths), gamma: gamma}, nil
}

// Dim implements [Set].
func (b *budget) Dim() int { return len(b.widths) }

// Support implements [Set]. It panics if s does not have length p.
func (b *budget) Support(s []float64) float64 {
	var sum directed.Sum
	b.spend(s, func(k int, share, product float64) { sum.AddProduct(share, product) })
	return math.Max(0, sum.Upper())
}

// WorstCase implements [Set]. It panics if s does not have length p.
func (b *budget) WorstCase(s []float64) []float64 {
	u := make([]float64, len(s))
	b.spend(s, func(k int, share, product float64) {
		if s[k] != 0 {
			u[k] = math.Copysign(math.Max(0, directed.ProductLower(share, b.widths[k])), s[k])
		}
	})
	return u
}

// spend gives the coordinates with the largest w_k |s_k| their shares of the budget. A larger product never makes the sum
// of the largest smaller, so that products that are rounded up bound it.
func (b *budget) spend(s []float64, give func(k int, share, product float64)) {
	mustMatch("s", s, len(b.widths))
	products, order := make([]float64, len(s)), make([]int, len(s))
	for k, v := range s {
		products[k], order[k] = directed.ProductUpper(b.widths[k], math.Abs(v)), k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(products[j], products[i]) })
	left := b.gamma
	for _, k := range order {
		if left <= 0 {
			return
		}
		give(k, math.Min(1, left), products[k])
		left -= 1 // exact, as long as it is positive
	}
}

// AddSupport implements [Compact] by 2p rows for the sides of w_k |s_k| <= λ + μ_k, without those that the sign of s_k
// settles, and one for t >= Γ λ + Σ μ_k, over the new columns λ and μ, all at least 0 (Bertsimas and Sim 2004). It
// panics if the model is nil or there are not p columns s.
func (b *budget) AddSupport(m *solver.Model, t int, s []int) {
	mustMatch("s", s, b.Dim())
	price := m.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
	total := solver.Row{Bounds: solver.AtLeast(0), Columns: []int{t, price}, Values: []float64{1, -b.gamma}}
	for k, w := range b.widths {
		excess := m.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
		total.Columns, total.Values = append(total.Columns, excess), append(total.Values, -1)
		bounds := m.Column(s[k]).Bounds
		for _, side := range [2]float64{w, -w} {
			if side == 0 || side > 0 && bounds.Lower() >= 0 || side < 0 && bounds.Upper() <= 0 {
				continue
			}
			m.AddRow(solver.Row{Bounds: solver.AtLeast(0), Columns: []int{price, excess, s[k]}, Values: []float64{1, 1, side}})
		}
	}
	m.AddRow(total)
}

// SupportRows implements [Compact].
func (b *budget) SupportRows() int { return 2*b.Dim() + 1 }

// Gauge implements [Gauged]. It panics if u does not have length p.
func (b *budget) Gauge(u []float64) float64 {
	mustMatch("u", u, len(b.widths))
	unit, most, sum := math.MinInt32, 0.0, 0.0 // of shares of the widths, so that none overflows or vanishes that counts
	for k, v := range u {
		if _, exponent := quotient(v, b.widths[k]); v != 0 {
			unit = max(unit, exponent)
		}
	}
	for k, v := range u {
		if share, exponent := quotient(math.Abs(v), b.widths[k]); v != 0 {
			share = math.Ldexp(share, exponent-unit)
			most, sum = math.Max(most, share), sum+share
		}
	}
	spent, exponent := quotient(sum, b.gamma)
	return math.Max(math.Ldexp(most, unit), math.Ldexp(spent, exponent+unit))
}
