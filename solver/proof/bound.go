package proof

import (
	"fmt"
	"math"
	"math/big"

	"github.com/sparsero/directions/solver/proof/directed"
)

// Upper is a number that a quantity is proven not to exceed. The zero value is +Inf: nothing is proven. Whatever prints or
// writes an Upper rounds it upwards.
type Upper struct{ claim }

// Lower is a number that a quantity is proven not to fall below. The zero value is -Inf: nothing is proven. Whatever prints
// or writes a Lower rounds it downwards.
type Lower struct{ claim }

// claim holds a number; the zero value holds none. It keeps the bits, so that what prints fields without asking for methods
// prints nothing that looks like a bound.
type claim struct {
	bits   uint64
	proven bool
}

// claimed drops the sign of a zero.
func claimed(value float64) claim { return claim{math.Float64bits(value + 0), true} }

func (c claim) value() float64 { return math.Float64frombits(c.bits) }

// AtMost makes a bound of a number that was rounded upwards already. NaN proves nothing.
func AtMost(roundedUp float64) Upper {
	if math.IsNaN(roundedUp) || math.IsInf(roundedUp, 1) {
		return Upper{}
	}
	return Upper{claimed(roundedUp)}
}

// AtLeast makes a bound of a number that was rounded downwards already. NaN proves nothing.
func AtLeast(roundedDown float64) Lower {
	if math.IsNaN(roundedDown) || math.IsInf(roundedDown, -1) {
		return Lower{}
	}
	return Lower{claimed(roundedDown)}
}

// UpperOf rounds a fraction upwards; nil proves nothing.
func UpperOf(v *big.Rat) Upper {
	if v == nil {
		return Upper{}
	}
	return AtMost(-roundedDown(new(big.Rat).Neg(v)))
}

// LowerOf rounds a fraction downwards; nil proves nothing.
func LowerOf(v *big.Rat) Lower {
	if v == nil {
		return Lower{}
	}
	return AtLeast(roundedDown(v))
}

// roundedDown returns the largest float64 that is not above v, -Inf below all of them.
func roundedDown(v *big.Rat) float64 {
	f, _ := v.Float64() // which calls an underflow exact
	if math.IsInf(f, 1) || !math.IsInf(f, -1) && new(big.Rat).SetFloat64(f).Cmp(v) > 0 {
		return math.Nextafter(f, math.Inf(-1))
	}
	return f
}

// Float returns the bound as a number to compute with, which is no claim any more; +Inf where nothing is proven.
func (u Upper) Float() float64 {
	if !u.proven {
		return math.Inf(1)
	}
	return u.value()
}

// Float returns the bound as a number to compute with, which is no claim any more; -Inf where nothing is proven.
func (l Lower) Float() float64 {
	if !l.proven {
		return math.Inf(-1)
	}
	return l.value()
}

// Least returns the sharpest of several bounds on one quantity; of none, that nothing is proven.
func Least(bounds ...Upper) (least Upper) {
	for _, u := range bounds {
		if u.Float() < least.Float() {
			least = u
		}
	}
	return least
}

// Plus bounds the sum of the two quantities.
func (u Upper) Plus(other Upper) Upper {
	if !u.proven || !other.proven {
		return Upper{}
	}
	return AtMost(directed.SumUpper(u.value(), other.value()))
}

// Plus bounds the sum of the two quantities.
func (l Lower) Plus(other Lower) Lower { return l.Negated().Plus(other.Negated()).Negated() }

// Times bounds a multiple of the quantity by a factor that is at least 0. It panics for another factor, which would turn the bound
// to the other side.
func (u Upper) Times(factor float64) Upper {
	if !(factor >= 0) {
		panic(fmt.Sprintf("proof: a bound times %v; use a factor that is at least 0, and Negated for the other sign", factor))
	}
	if !u.proven && factor > 0 {
		return Upper{}
	}
	return AtMost(directed.ProductUpper(factor, u.Float()))
}

// Times bounds a multiple of the quantity by a factor that is at least 0. It panics for another factor, which would turn the bound
// to the other side.
func (l Lower) Times(factor float64) Lower { return l.Negated().Times(factor).Negated() }

// Negated bounds the negative of the quantity, which turns the bound to the other side.
func (u Upper) Negated() Lower { return Lower{u.negated()} }

// Negated bounds the negative of the quantity, which turns the bound to the other side.
func (l Lower) Negated() Upper { return Upper{l.negated()} }

func (c claim) negated() claim {
	if !c.proven {
		return c
	}
	return claimed(-c.value())
}
