package convex

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero/input"
)

// Budget is { u : |u_k| <= w_k, Σ_k |u_k|/w_k <= Γ }: every coordinate keeps to its width, and at most Γ of them, the
// last one in part, are at their worst (Bertsimas and Sim 2004). With Γ = p it is a box, with Γ = 1 a weighted 1-norm
// ball. It does not change and may be used by several goroutines at once.
type Budget struct {
	formless
	widths []float64
	gamma  float64
}

// NewBudget returns the budget set of p widths, at least 0, and Γ in (0,p]. It is an error if one of them is out of
// range.
func NewBudget(widths []float64, gamma float64) (*Budget, error) {
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
	return &Budget{widths: slices.Clone(widths), gamma: gamma}, nil
}

// Dim implements [Set].
func (b *Budget) Dim() int { return len(b.widths) }

// Support implements [Set]. It panics if s does not have length p.
func (b *Budget) Support(s []float64) float64 {
	var sum directed.Sum
	b.spend(s, func(k int, share, product float64) { sum.AddProduct(share, product) })
	return math.Max(0, sum.Upper())
}

// WorstCase implements [Set]. It panics if s does not have length p.
func (b *Budget) WorstCase(s []float64) []float64 {
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
func (b *Budget) spend(s []float64, give func(k int, share, product float64)) {
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

// Gauge implements [Gauged]. It panics if u does not have length p.
func (b *Budget) Gauge(u []float64) float64 {
	mustMatch("u", u, len(b.widths))
	most, sum := 0.0, 0.0
	for k, v := range u {
		if v != 0 {
			most, sum = math.Max(most, math.Abs(v)/b.widths[k]), sum+math.Abs(v)/b.widths[k]
		}
	}
	return math.Max(most, sum/b.gamma)
}
