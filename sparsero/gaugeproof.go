package sparsero

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/solver/proof/exact"
	"github.com/sparsero/directions/sparsero/internal/gauge"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

const (
	// gaugeGap is the share of a gauge by which its upper bound may exceed the lower one.
	gaugeGap = 1e-9
	// wholeWork bounds |S| p², the size of the programs that the exact simplex method
	// solves with all atoms: some ten milliseconds.
	wholeWork = 40_000
	// exactWork bounds it for the atoms of a basis and those that are generated: some seconds.
	exactWork = 300_000
)

// gaugeClaim is what is proven of a gauge: lower <= g <= upper. The coefficients attain the upper bound; +Inf for both
// bounds is proven by a direction.
type gaugeClaim struct {
	lower, upper float64
	rounded      bool // upper is the gauge, rounded up
	coefficients []float64
}

// outsideCone is the claim about a point that a direction keeps away from all atoms.
func outsideCone() gaugeClaim { return gaugeClaim{lower: math.Inf(1), upper: math.Inf(1)} }

// closed tells whether the bounds are as near to each other as promised.
func (c gaugeClaim) closed() bool { return c.upper <= c.lower*(1+gaugeGap) }

// exceeds tells whether the gauge at u exceeds least, or returns coefficients whose sum is at most most >= least.
func (g *Gauge) exceeds(ctx context.Context, u []float64, least, most float64) (outside bool, coefficients []float64, err error) {
	claim, err := g.of(ctx, u)
	if err == nil && claim.upper > most && !(claim.lower > least || claim.rounded) {
		claim, err = g.decide(ctx, u) // other atoms may give less
	}
	switch {
	case err != nil:
		return false, nil, err
	case claim.upper <= most:
		return false, claim.coefficients, nil
	case claim.lower > least || claim.rounded:
		return true, nil, nil
	}
	return false, nil, g.unproven()
}

// prove turns what the simplex method proposes into a claim, in floating point where that suffices and in exact arithmetic
// where it leaves a doubt.
func (g *Gauge) prove(ctx context.Context, u []float64) (gaugeClaim, error) {
	answer := g.program.Solve(ctx, u)
	switch answer.Outcome {
	case gauge.Inside:
		claim, proven := g.combine(ctx, u)
		if claim.lower = g.polar(u, g.program.Multipliers()); proven && claim.closed() {
			return claim, nil
		}
	case gauge.Outside:
		for _, twoWords := range []bool{false, true} {
			if g.separates(u, g.program.Direction(answer, twoWords)) {
				return outsideCone(), nil
			}
		}
	}
	return g.decide(ctx, u)
}

// combine returns the sum of the weights of the basis, rounded up, if they are proven to be at least 0.
func (g *Gauge) combine(ctx context.Context, u []float64) (gaugeClaim, bool) {
	combination, proven := g.program.Combination()
	if !proven {
		return g.combineExactly(ctx, u)
	}
	var sum directed.Sum
	claim := gaugeClaim{coefficients: make([]float64, g.set.Size())}
	for c, k := range combination.Atoms {
		high, low, width := combination.High[c], combination.Low[c], combination.Error[c]
		if !(high >= 4*width) {
			return g.combineExactly(ctx, u)
		}
		claim.coefficients[k] = high
		sum.Add(high)
		sum.Add(low)
		sum.AddBetween(-width, width)
	}
	claim.upper = sum.Upper()
	rounded := math.Nextafter(sum.Lower(), claim.upper) == claim.upper || sum.Lower() == claim.upper // the least float64 that is not below the sum
	if p := len(u); !rounded && p*p*p <= wholeWork {
		return g.combineExactly(ctx, u)
	}
	return claim, true
}

// combineExactly does so in exact arithmetic for the atoms whose weights are not 0.
func (g *Gauge) combineExactly(ctx context.Context, u []float64) (gaugeClaim, bool) {
	atoms := g.program.Positive()
	if len(atoms)*len(u)*len(u) > exactWork {
		return gaugeClaim{}, false
	}
	answer := g.exactly(ctx, u, atoms)
	return g.claim(atoms, answer), answer.Status == exact.Optimal
}

// exactly solves the program of some of the atoms, given by their positions in the set, in exact arithmetic.
func (g *Gauge) exactly(ctx context.Context, u []float64, atoms []int) *exact.Answer {
	program := &proof.Program{
		Cost: make([]float64, len(atoms)), Lower: make([]float64, len(atoms)), Upper: make([]float64, len(atoms)),
		Rows: make([]proof.Row, len(u)),
	}
	for j, v := range u {
		program.Rows[j].Lower, program.Rows[j].Upper = v, v
	}
	for c, k := range atoms {
		program.Cost[c], program.Upper[c] = 1, math.Inf(1)
		for j, v := range (gaugeAtoms{g}).Atom(k) {
			if v != 0 {
				row := &program.Rows[j]
				row.Columns, row.Values = append(row.Columns, c), append(row.Values, v)
			}
		}
	}
	g.exact++
	return exact.Solve(ctx, program)
}

// claim is what an exact optimum for some of the atoms says: an upper bound.
func (g *Gauge) claim(atoms []int, answer *exact.Answer) gaugeClaim {
	if answer.Status != exact.Optimal {
		return gaugeClaim{}
	}
	claim := gaugeClaim{upper: proof.UpperOf(answer.Objective).Float(), coefficients: make([]float64, g.set.Size())}
	for c, k := range atoms {
		claim.coefficients[k], _ = answer.X[c].Float64()
	}
	return claim
}

// decide solves the program in exact arithmetic: with all atoms where they are few, else with those of the basis and the
// ones that its exact multipliers ask for.
func (g *Gauge) decide(ctx context.Context, u []float64) (gaugeClaim, error) {
	p := len(u)
	pool, all := g.program.Basis(), g.set.Size()*p*p <= wholeWork
	if all {
		pool = rank.Indices[int](g.set.Size())
	}
	for len(pool)*p*p <= exactWork {
		answer := g.exactly(ctx, u, pool)
		if err := ctx.Err(); err != nil {
			return gaugeClaim{}, err
		}
		var more []int
		switch answer.Status {
		case exact.Optimal:
			claim := g.claim(pool, answer)
			y := make([]float64, p)
			for j, v := range answer.Duals {
				y[j], _ = v.Float64()
			}
			if claim.lower, claim.rounded = g.polar(u, y), all; all {
				claim.lower = proof.LowerOf(answer.Objective).Float() // of all atoms, no less than by the rounded multipliers
			}
			if all || claim.closed() {
				return claim, nil
			}
			more = g.beyond(y)
		case exact.Infeasible:
			if more = g.notSeparated(u, answer.Duals); len(more) == 0 {
				return outsideCone(), nil
			}
		}
		size := len(pool)
		for _, k := range more {
			if !slices.Contains(pool, k) && len(pool) < size+p {
				pool = append(pool, k)
			}
		}
		if len(pool) == size {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return gaugeClaim{}, err
	}
	return gaugeClaim{}, g.unproven()
}

func (g *Gauge) unproven() error {
	return fmt.Errorf("%w: %d atoms of dimension %d, and the point is too near their boundary for float64; round the data to fewer digits, or leave the point out",
		solver.ErrUnproven, g.set.Size(), g.set.dictionary.Dim())
}

// beyond returns the atoms with ⟨d_i,y⟩ > 1, the farthest ones first.
func (g *Gauge) beyond(y []float64) []int {
	gaugeAtoms{g}.Alignments(g.values, y)
	var found []int
	for k, v := range g.values {
		if v > 1 {
			found = append(found, k)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(g.values[b], g.values[a]) })
	return found
}

// polar returns a lower bound on the gauge from a direction y, for which every atom of
// the set has ⟨d_i,y⟩ <= 1 once y is scaled: ⟨u,y⟩. The atoms that float64 leaves within rounding of the largest
// are multiplied again in twice the precision.
func (g *Gauge) polar(u, y []float64) float64 {
	least, _ := directed.Dot(u, y)
	if !(least > 0) {
		return 0
	}
	gaugeAtoms{g}.Alignments(g.values, y)
	top, slack, reach := slices.Max(g.values), 2*g.set.dictionary.AlignmentError(y), 0.0
	for k, v := range g.values {
		if !(v < top-slack) {
			_, most := directed.Dot(gaugeAtoms{g}.Atom(k), y)
			reach = max(reach, most)
		}
	}
	if !(reach > 0) {
		return 0
	}
	return -directed.QuotientUpper(-least, reach)
}

// separates tells whether ⟨u,w⟩ > 0 and ⟨d_i,w⟩ <= 0 for every atom, for a direction w of one word or of two: float64 with a
// bound on its error decides most atoms.
func (g *Gauge) separates(u []float64, w gauge.Pair) bool {
	if sum := pairProduct(u, w); !(sum.Lower() > 0) {
		return false
	}
	d := g.set.dictionary
	gaugeAtoms{g}.Alignments(g.values, w.High)
	slack := d.AlignmentError(w.High) + 2*d.AlignmentReach(w.Low)
	for k, v := range g.values {
		if v+slack <= 0 {
			continue
		}
		if sum := pairProduct(gaugeAtoms{g}.Atom(k), w); !(sum.Upper() <= 0) {
			return false
		}
	}
	return true
}

// pairProduct is the inner product of a vector and one of two words.
func pairProduct(v []float64, w gauge.Pair) directed.Sum {
	var sum directed.Sum
	for j, x := range v {
		sum.AddProduct(x, w.High[j])
		if w.Low[j] != 0 {
			sum.AddProduct(x, w.Low[j])
		}
	}
	return sum
}

// notSeparated returns the atoms with ⟨d_i,y⟩ > 0, none if y separates u from them all: ⟨u,y⟩ > 0 as well.
func (g *Gauge) notSeparated(u []float64, y []*big.Rat) []int {
	rounded, filter := make([]float64, len(y)), true
	for j, v := range y {
		rounded[j], _ = v.Float64()
		filter = filter && (v.Sign() == 0 || math.Abs(rounded[j]) >= 0x1p-900 && math.Abs(rounded[j]) <= 0x1p900)
	}
	d := g.set.dictionary
	gaugeAtoms{g}.Alignments(g.values, rounded)
	slack := d.AlignmentError(rounded) + d.AlignmentReach(rounded)*0x1p-50
	var found []int
	for k, v := range g.values {
		if filter && v < -slack {
			continue
		}
		if exactProduct(gaugeAtoms{g}.Atom(k), y).Sign() > 0 {
			found = append(found, k)
		}
	}
	if len(found) == 0 && exactProduct(u, y).Sign() <= 0 { // no evidence, whatever the exact layer says
		return rank.Indices[int](g.set.Size())
	}
	return found
}

func exactProduct(v []float64, y []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for j, x := range v {
		sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(x), y[j]))
	}
	return sum
}
