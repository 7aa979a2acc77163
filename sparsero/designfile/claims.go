package designfile

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// claim is one of the claims with the exact value behind it, nil for an infinite one.
type claim struct {
	name  string
	value *float64
	exact *big.Rat
	sign  int // 1 for a claim that is not below the exact value, -1 for one that is not above
}

// list returns the claims in the order in which they are judged.
func (c *numbers) list() []claim { return c.beside(&lifted.Truth{}) }

func (c *numbers) beside(t *lifted.Truth) []claim {
	return []claim{
		{"full", &c.Full, t.Full, 1}, {"restricted", &c.Restricted, t.Restricted, 1}, {"missed", &c.Missed, t.Missed, 1},
		{"lower", c.Lower, t.Lower, -1}, {"regret", c.Regret, t.Regret, 1}, {"gap", c.Gap, t.Gap, 1},
	}
}

// judge ends the check if a claim is on the wrong side of the exact value.
func (c *numbers) judge(t *lifted.Truth) {
	for _, c := range c.beside(t) {
		if c.value == nil {
			continue
		}
		words := "nothing is proven"
		if c.exact != nil {
			words = "exactly " + new(big.Float).SetPrec(200).SetRat(c.exact).Text('g', 25)
		}
		lifted.Ensure(c.exact != nil && lifted.Rational(*c.value).Cmp(c.exact)*c.sign >= 0, c.name, fmt.Sprint(*c.value), words)
	}
}

// claimed rounds exact values outwards.
func claimed(t *lifted.Truth, uncertified bool) numbers {
	c := numbers{Full: decimalAbove(t.Full), Restricted: decimalAbove(t.Restricted), Missed: decimalAbove(t.Missed)}
	above := func(v *big.Rat) *float64 {
		rounded := decimalAbove(v)
		return &rounded
	}
	if t.Lower != nil {
		c.Lower = above(new(big.Rat).Neg(t.Lower))
		*c.Lower = 0 - *c.Lower // never -0
	}
	if t.Regret != nil && !uncertified {
		c.Regret = above(t.Regret)
	}
	if t.Gap != nil && !uncertified {
		c.Gap = above(t.Gap)
	}
	return c
}

// claimDigits is the number of significant decimal digits of a claim.
const claimDigits = 12

// decimalAbove is the least float64 of so many decimal digits that is not below v, +Inf if there is none.
func decimalAbove(v *big.Rat) float64 {
	nearest, _ := v.Float64()
	step := math.Max(math.Abs(nearest)*1e-12, math.SmallestNonzeroFloat64) // at most one of the last digit
	for from := math.Max(nearest, -math.MaxFloat64); ; from += step {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(from, 'e', claimDigits-1, 64), 64)
		if math.IsInf(rounded, 1) || lifted.Rational(rounded).Cmp(v) >= 0 {
			return rounded + 0 // never -0
		}
	}
}

// Statements are the claims in words, every one of them true.
func (c *Checked) Statements() []string {
	claims, p := &c.file.Claims, &c.file.Problem
	chosen := fmt.Sprintf("%d chosen atoms", len(c.file.Decision.Atoms))
	if len(c.file.Decision.Atoms) == 1 {
		chosen = "chosen atom"
	}
	against, all := fmt.Sprintf("all %d atoms", p.Dictionary.Atoms), "all atoms"
	if p.Set != nil {
		against, all = "the whole set", "the whole set"
	}
	lines := []string{
		fmt.Sprintf("The decision costs at most %.12g against %s at radius %v.", claims.Full, against, p.Radius),
		fmt.Sprintf("Against the %s alone it costs at most %.12g.", chosen, claims.Restricted),
	}
	if claims.Lower != nil {
		lines = append(lines, fmt.Sprintf("No feasible decision costs less than %.12g against %s.", *claims.Lower, all))
	}
	if claims.Regret != nil {
		lines = append(lines, fmt.Sprintf("The regret of the decision is at most %.12g: no feasible decision is cheaper by more.", *claims.Regret))
	}
	if claims.Gap != nil {
		line := fmt.Sprintf("The value gap between the chosen atoms and %s is at most %.12g", all, *claims.Gap)
		if claims.Missed > 0 {
			line += ", if each limit that the decision misses is moved to the decision"
		}
		lines = append(lines, line+".")
	}
	if claims.Missed > 0 {
		return append(lines, fmt.Sprintf("The decision misses bounds, rows or robust constraints by at most %.12g.", claims.Missed))
	}
	return append(lines, "The decision keeps to every bound, row and robust constraint.")
}
