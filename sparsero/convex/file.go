package convex

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// A set but an [Ellipsoid], which package robust writes by its factor, has the form of a design file, { M z : z in Z }, by
//
//	InFile(points, directions [][]float64) (set *lifted.Set, z [][]float64)
//
// which returns points of Z whose images are nearly the given ones, and the multipliers that bound the support in
// directions; an empty direction needs none.

// InFile has z = (u+, u-) in shares of the widths, between 0 and 1, whose sum is at most Γ; for a box z is in [-1,1].
func (b *budget) InFile(points, directions [][]float64) (set *lifted.Set, z [][]float64) {
	p := b.Dim()
	set = &lifted.Set{Lower: make([]float64, 2*p), Upper: slices.Repeat([]float64{1}, 2*p)}
	total := lifted.Row{Name: "budget", Upper: &b.gamma, Columns: rank.Indices[int](2 * p), Values: slices.Repeat([]float64{1}, 2*p)}
	for k, w := range b.widths {
		set.Map = append(set.Map, lifted.Entries{Columns: []int{k, p + k}, Values: []float64{w, -w}})
	}
	set.Rows = []lifted.Row{total}
	for _, s := range directions {
		price := 0.0 // of the budget: the product that is served last
		if len(s) > 0 {
			left := b.gamma
			b.spend(s, func(_ int, share, product float64) { price, left = product, left-share })
			if left > 0 {
				price = 0
			}
		}
		set.Support = append(set.Support, []float64{price})
	}
	for _, u := range points {
		shares := make([]float64, 2*p)
		for k, v := range u {
			if b.widths[k] > 0 {
				share := math.Min(1, math.Abs(v)/b.widths[k])
				shares[k], shares[p+k] = share, 0
				if v < 0 {
					shares[k], shares[p+k] = 0, share
				}
			}
		}
		z = append(z, b.spent(shares))
	}
	return set, z
}

// spent scales shares until they spend no more than the budget.
func (b *budget) spent(shares []float64) []float64 {
	for margin := 0x1p-52; ; margin *= 2 {
		var sum directed.Sum
		for _, share := range shares {
			sum.Add(share)
		}
		if sum.Upper() <= b.gamma {
			return shares
		}
		for k := range shares {
			shares[k] *= (1 - margin) * b.gamma / sum.Upper()
		}
	}
}

// InFile has the polyhedron as it is, with the box around it where columns have no bounds.
func (p *polyhedron) InFile(points, directions [][]float64) (set *lifted.Set, z [][]float64) {
	set = &lifted.Set{Lower: p.box[0], Upper: p.box[1]}
	for i := range p.model.Rows() {
		row := p.model.Row(i)
		set.Rows = append(set.Rows, lifted.Row{Name: row.Name, Group: row.Group, Lower: lifted.Side(row.Lower()), Upper: lifted.Side(row.Upper()), Columns: row.Columns, Values: row.Values})
	}
	for _, s := range directions {
		set.Support = append(set.Support, p.supportMultipliers(s))
	}
	for _, u := range points {
		z = append(z, p.inside(u))
	}
	return set, z
}

// supportMultipliers are those of the rows that bound the support: above 0 for an upper side, below 0 for a lower one.
func (p *polyhedron) supportMultipliers(s []float64) []float64 {
	multipliers := make([]float64, p.model.Rows())
	if len(s) == 0 {
		return multipliers
	}
	result := p.farthest(context.Background(), s)
	if result == nil || len(result.RowDuals) < len(multipliers) {
		return multipliers
	}
	for i, y := range result.RowDuals[:len(multipliers)] {
		if bounds := p.model.RowBounds(i); y > 0 && !math.IsInf(bounds.Upper(), 1) || y < 0 && !math.IsInf(bounds.Lower(), -1) {
			multipliers[i] = y
		}
	}
	return multipliers
}

// InFile has the weights less the probabilities, which add up to 0.
func (c *cvar) InFile(points, directions [][]float64) (set *lifted.Set, z [][]float64) {
	zero, total := 0.0, lifted.Row{Name: "weights"}
	total.Lower, total.Upper = &zero, &zero
	set = &lifted.Set{}
	for i, p := range c.probabilities {
		set.Lower, set.Upper = append(set.Lower, -p), append(set.Upper, c.most[i]-p)
		total.Columns, total.Values = append(total.Columns, i), append(total.Values, 1)
	}
	set.Rows = []lifted.Row{total}
	for _, s := range directions {
		quantile := 0.0 // the value at risk
		if len(s) > 0 {
			c.weigh(s, func(i int, _ float64) { quantile = s[i] })
		}
		set.Support = append(set.Support, []float64{quantile})
	}
	for _, u := range points {
		z = append(z, c.nearest(u))
	}
	return set, z
}
