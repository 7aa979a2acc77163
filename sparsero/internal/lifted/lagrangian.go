package lifted

import (
	"math/big"

	"github.com/sparsero/directions/solver/proof/exact"
)

// lagrangian has a part of its constant in the square of the unit of the rest.
type lagrangian struct {
	*exact.Lagrangian
	squared *big.Float
}

// addConcave adds the least value of cost x - slack (x - z)² between two sides; z and the cost are times the scale.
func (g *lagrangian) addConcave(j int, slack float64, scale, z, lower, upper *big.Float) {
	at := func(x *big.Float) *big.Float {
		scaled := product(scale, x)
		away := dyadic(0).Sub(scaled, z)
		value := product(g.Of(j), scaled)
		return value.Sub(value, product(dyadic(slack), product(away, away)))
	}
	least := at(lower)
	if other := at(upper); other.Cmp(least) < 0 {
		least = other
	}
	g.squared.Add(g.squared, least)
}
