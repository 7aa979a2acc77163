package attack

import (
	"errors"
	"slices"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/certificate"
)

// netKinds are the ways to make a net.
var netKinds = []string{"grid net", "Lipschitz net", "covering net"}

// netClaims is what a net promises: its radius, and the bounds that rest on it.
type netClaims struct {
	directions [][]float64
	radius     float64
	bound      float64
	average    float64   // deficit on the net
	weaker     []float64 // as printed in the paper, and without a deficit
}

// netPoints bounds the nets of the attack.
const netPoints = 60

// net builds a net of about the given radius, or the finest that the limit on points allows.
func (l *library) net(kind string, epsilon float64) (*netClaims, error) {
	net, err := l.netOf(kind, epsilon)
	var large *certificate.NetTooLargeError
	if errors.As(err, &large) {
		net, err = l.netOf(kind, large.Reachable)
	}
	if err != nil {
		return nil, err
	}
	bound, err := certificate.NewNetBound(l.set, net)
	if err != nil {
		return nil, err
	}
	claims := &netClaims{directions: rowsOf(net.Directions()), radius: min(net.Radius().Float(), bound.Epsilon.Float())}
	claims.average = bound.AverageDeficit.Float()
	claims.bound = bound.Bound.Float()
	claims.weaker = []float64{bound.Printed.Float(), bound.Trivial.Float()}
	return claims, nil
}

func (l *library) netOf(kind string, epsilon float64) (*certificate.Net, error) {
	switch kind {
	case "Lipschitz net":
		return l.lipschitzNet(epsilon)
	case "covering net":
		net, err := l.netOf("grid net", epsilon)
		if err != nil {
			return nil, err
		}
		return net.Cover(dense(l.problem.Probes))
	}
	return certificate.GridNet(l.context, l.dictionary, l.region, l.objective, epsilon, &certificate.Options{MaxPoints: netPoints, Solver: l.options})
}

// lipschitzNet gives q by its values and a bound on its constant alone, the Frobenius norm.
func (l *library) lipschitzNet(epsilon float64) (*certificate.Net, error) {
	lower, upper, err := certificate.BoundingBox(l.context, l.region, l.options)
	if err != nil {
		return nil, err
	}
	q := certificate.LipschitzMap{Apply: l.objective.Apply, Constant: directed.NormUpper(slices.Concat(l.problem.Map...))}
	return certificate.LipschitzNet(l.dictionary, lower, upper, q, epsilon, &certificate.Options{MaxPoints: netPoints})
}

// radiusEstimate is what the probes say about the radius of the atoms, taken for directions, as a net.
func (l *library) radiusEstimate() (least, most float64, err error) {
	probes, err := certificate.NewProbeSet(l.dictionary, dense(l.problem.Probes))
	if err != nil {
		return 0, 0, err
	}
	estimate, err := probes.EstimateRadius(dense(l.problem.Atoms))
	return estimate.AtLeast.Float(), estimate.AtMost.Float(), err
}
