package attack

import (
	"math"
	"math/big"
	"slices"
)

func checkNet(j *judge) {
	j.checkNets(netKinds)
}

// netEpsilon is a radius that asks for a few cells.
func (j *judge) netEpsilon() float64 {
	truth := j.uniformly()
	if j.statusOfRegion() == solved && truth.data.Sign() > 0 {
		return asFloat(truth.data) / 8
	}
	return 0.1
}

// checkNets judges nets of some kinds.
func (j *judge) checkNets(kinds []string) {
	if j.problem.Map == nil {
		return
	}
	truth, status, epsilon := j.uniformly(), j.statusOfRegion(), j.netEpsilon()
	for _, kind := range kinds {
		net, err := j.library.net(kind, epsilon)
		if !j.regionStatus(kind, status, err) {
			continue
		}
		r := rational(j.problem.Radius)
		size := product(r, truth.data)
		j.atLeast(kind+" bound", net.bound, product(r, truth.value), size)
		for _, deficit := range net.weaker {
			j.atLeast(kind+" weaker bounds", deficit, truth.value, truth.data)
		}
		_, mean, data := j.deficits(net.directions)
		j.atLeast(kind+" average deficit", net.average, mean, data)
		j.netRadius(kind, net, truth)
	}
}

// checkEstimate judges the radius that a set of directions, here the atoms, has at least as a net of the probes.
func checkEstimate(j *judge) {
	least, most, err := j.library.radiusEstimate()
	if err != nil {
		j.refuse("radius estimate", err)
		return
	}
	farthest, data := new(big.Rat), new(big.Rat)
	for _, direction := range append(slices.Clone(j.problem.Atoms), j.problem.Probes...) {
		_, size := j.alignment(nil, rationals(direction))
		data = larger(data, size)
	}
	for _, probe := range j.problem.Probes {
		var nearest *big.Rat
		for _, atom := range j.atoms {
			if d := j.pseudometric(rationals(probe), atom); nearest == nil || d.Cmp(nearest) < 0 {
				nearest = d
			}
		}
		farthest = larger(farthest, nearest)
	}
	j.atMost("radius estimate", least, farthest, data)
	j.atLeast("farthest probe", most, farthest, data)
}

// netRadius checks the radius of a net at points of X: where the deficit is largest, and at the ends of the box that lie
// in X.
func (j *judge) netRadius(name string, net *netClaims, truth uniformTruth) {
	points := [][]*big.Rat{}
	if truth.x != nil {
		points = append(points, truth.x)
	}
	s := j.relaxation.feasible()
	for k := range j.problem.Columns {
		for _, sign := range []int64{1, -1} {
			_, _, x := s.minimise(scaled(integer(sign), unit(len(j.problem.Columns), k)))
			points = append(points, x)
		}
	}
	if math.IsInf(net.radius, 1) {
		j.flag(name+" radius", true, "")
		return
	}
	data := new(big.Rat)
	for _, t := range net.directions {
		_, size := j.alignment(nil, rationals(t))
		data = larger(data, size)
	}
	for _, x := range points {
		q := j.objective.direction(x)
		nearest := j.pseudometric(q, rationals(net.directions[j.closest(q, net.directions)]))
		if nearest.Cmp(rational(net.radius)) > 0 { // the choice in float64 may have been wrong
			for _, t := range net.directions {
				if d := j.pseudometric(q, rationals(t)); d.Cmp(nearest) < 0 {
					nearest = d
				}
			}
		}
		j.atLeast(name+" radius", net.radius, nearest, larger(data, j.data(&j.objective, x)))
	}
}

// closest returns the direction that is nearest to q as far as float64 can tell.
func (j *judge) closest(q []*big.Rat, directions [][]float64) int {
	best, least := 0, math.Inf(1)
	for t, direction := range directions {
		distance := 0.0
		for _, atom := range j.problem.Atoms {
			gap := 0.0
			for k, v := range atom {
				gap += v * (asFloat(q[k]) - direction[k])
			}
			distance = math.Max(distance, math.Abs(gap))
		}
		if distance < least {
			best, least = t, distance
		}
	}
	return best
}
