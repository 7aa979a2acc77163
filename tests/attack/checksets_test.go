package attack

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
)

// inflationFactor is max(1, max_i gauge of atom i), nil for +Inf, and the largest term of the dual solution: 1, or a
// weight.
func (j *judge) inflationFactor() (factor, data *big.Rat) {
	factor = integer(1)
	for i := range j.atoms {
		g := j.gauge(j.problem.Chosen, j.atoms[i])
		if g == nil {
			return nil, integer(1)
		}
		factor = larger(factor, g)
	}
	return factor, factor
}

func checkInflation(j *judge) {
	factor, err := j.library.inflation()
	if err != nil {
		j.refuse("inflation", err)
		return
	}
	truth, data := j.inflationFactor()
	j.atLeast("inflation", factor, truth, data)
}

func checkGauge(j *judge) {
	points := slices.Clone(j.problem.Probes)
	points = append(points, j.problem.Atoms...)
	for _, point := range points {
		truth := j.gauge(j.problem.Chosen, rationals(point))
		value, weights, err := j.library.gauge(point)
		if err != nil {
			j.refuse("gauge", err)
			continue
		}
		j.atLeast("gauge", value, truth, orOne(truth))
		if weights != nil {
			j.representation(point, weights)
		}
		inside, err := j.library.contains(point)
		if err != nil {
			j.refuse("contains", err)
			continue
		}
		j.flag("contains", !inside || j.nearlyInside(point), "contains %v at radius %g, but its gauge is %s", point, j.problem.Radius, decimal(truth))
		outside := truth == nil || truth.Cmp(rational(j.problem.Radius)) > 0
		j.flag("contains not", inside || outside, "does not contain %v at radius %g, whose gauge is %s", point, j.problem.Radius, decimal(truth))
	}
}

// nearlyInside reports whether a point lies in U_S(r) up to the tolerance of membership, relative to the size of each
// coordinate.
func (j *judge) nearlyInside(point []float64) bool {
	r, u := rational(j.problem.Radius), rationals(point)
	if r.Sign() == 0 {
		return inner(u, u).Sign() == 0
	}
	return j.outside(j.problem.Chosen, scaled(new(big.Rat).Inv(r), u)).Cmp(rational(pointTolerance)) <= 0
}

func orOne(v *big.Rat) *big.Rat {
	if v == nil {
		return integer(1)
	}
	return v
}

// representation checks sum a_i d_i = u coordinate by coordinate, relative to the largest entry there.
func (j *judge) representation(point, weights []float64) {
	if slices.ContainsFunc(weights, func(w float64) bool { return math.IsInf(w, 1) }) {
		j.refuse("gauge weights", errors.New("a weight is beyond float64"))
		return
	}
	for k, v := range rationals(point) {
		total, entry, weight := new(big.Rat), new(big.Rat), new(big.Rat)
		for w, i := range j.problem.Chosen {
			total = sum(total, product(rational(weights[w]), j.atoms[i][k]))
			entry, weight = larger(entry, new(big.Rat).Abs(j.atoms[i][k])), larger(weight, rational(weights[w]))
		}
		data := larger(new(big.Rat).Abs(v), product(entry, weight))
		off := new(big.Rat).Abs(difference(total, v))
		if off.Cmp(larger(product(rational(pointTolerance), data), product(rational(math.SmallestNonzeroFloat64), entry))) > 0 {
			j.flag("gauge weights", false, "weights %v give %s for %v in coordinate %d", weights, decimal(total), point[k], k)
			return
		}
	}
	j.flag("gauge weights", true, "")
}

func checkVertices(j *judge) {
	kept, err := j.library.supportVertices()
	if err != nil {
		j.refuse("support vertices", err)
		return
	}
	worst := new(big.Rat)
	for i := range j.atoms {
		if !slices.Contains(kept, i) {
			worst = larger(worst, j.outside(kept, j.atoms[i]))
		}
	}
	// A dropped atom sticks out of the hull of the kept ones by this much, in units of its coordinates.
	j.atLeast("support vertices", 0, worst, integer(1))
}

// checkPseudometricVertices judges the atoms that define the pseudometric: all others lie in the hull of these and their
// opposites.
func checkPseudometricVertices(j *judge) {
	kept, err := j.library.pseudometricVertices()
	if err != nil {
		j.refuse("pseudometric vertices", err)
		return
	}
	closed := &truth{atoms: slices.Clone(j.atoms)}
	for _, atom := range j.atoms {
		closed.atoms = append(closed.atoms, scaled(integer(-1), atom))
	}
	worst, both := new(big.Rat), slices.Clone(kept)
	for _, i := range kept {
		both = append(both, len(j.atoms)+i)
	}
	for i, atom := range j.atoms {
		if !slices.Contains(kept, i) {
			worst = larger(worst, closed.outside(both, atom))
		}
	}
	j.atLeast("pseudometric vertices", 0, worst, integer(1))
}

func checkPointwise(j *judge) {
	for _, probe := range j.problem.Probes {
		bound, deficit, err := j.library.pointwise(probe)
		if err != nil {
			j.refuse("pointwise", err)
			continue
		}
		s, r := rationals(probe), rational(j.problem.Radius)
		full, data := j.alignment(j.problem.everyAtom(), s)
		restricted, _ := j.alignment(j.problem.Chosen, s)
		j.atLeast("pointwise", bound, product(r, difference(full, restricted)), product(r, data))
		j.atLeast("pointwise deficit", deficit, difference(full, restricted), data)
		if support := j.library.support(probe); support <= math.MaxFloat64 || data.Cmp(rational(math.MaxFloat64)) <= 0 {
			j.evaluated("support", support, product(r, restricted), product(r, data), len(s)+1)
		}
	}
}

func checkHausdorff(j *judge) {
	distances, _, err := j.library.hausdorff(1)
	if err != nil {
		j.refuse("Hausdorff distance", err)
		return
	}
	for i, atom := range j.atoms {
		if j.problem.chosen(i) {
			continue
		}
		size := new(big.Rat)
		for _, other := range j.atoms {
			size = larger(size, inner(other, other))
		}
		j.root("Hausdorff distance", distances[i], j.squaredDistance(j.problem.Chosen, atom), size)
	}
}

// root judges a claim that must not be smaller than the square root of a number; the data is given as its square.
func (j *judge) root(certificate string, claim float64, square, squaredData *big.Rat) {
	if math.IsNaN(claim) || math.IsInf(claim, 0) || claim < 0 {
		j.flag(certificate, math.IsInf(claim, 1), "claim %v, truth the root of %s", claim, decimal(square))
		return
	}
	root := func(v *big.Rat) *big.Rat {
		f := new(big.Float).SetPrec(200).SetRat(v)
		exact, _ := f.Sqrt(f).Rat(nil)
		return exact
	}
	j.atLeast(certificate, claim, root(square), root(squaredData))
}

// scores are the alignments of the atoms with the probes, one row per probe.
func (j *judge) scores() (scores [][]*big.Rat, data *big.Rat) {
	data = new(big.Rat)
	for _, probe := range j.problem.Probes {
		s := rationals(probe)
		line := make([]*big.Rat, len(j.atoms))
		for i, atom := range j.atoms {
			line[i] = inner(atom, s)
			data = larger(data, largestTerm(atom, s))
		}
		scores = append(scores, line)
	}
	return scores, data
}

// deficits returns the worst and the average deficit of the chosen atoms in some directions, and the largest term.
func (j *judge) deficits(directions [][]float64) (worst, mean, data *big.Rat) {
	worst, mean, data = new(big.Rat), new(big.Rat), new(big.Rat)
	for _, direction := range directions {
		full, size := j.alignment(j.problem.everyAtom(), rationals(direction))
		restricted, _ := j.alignment(j.problem.Chosen, rationals(direction))
		deficit := difference(full, restricted)
		worst, mean, data = larger(worst, deficit), sum(mean, deficit), larger(data, size)
	}
	return worst, product(mean, big.NewRat(1, int64(len(directions)))), data
}

// integerGap is the relative gap at which an exact selection may stop, unless the problem asks for another.
const integerGap = 1e-6

func checkSelection(j *judge) {
	rules := []string{"greedy", "max-gap", "set cover", "knapsack"}
	if !j.problem.Pure {
		rules = append(rules, "exact integer")
	}
	scores, data := j.scores()
	probes := integer(int64(len(scores)))
	best := map[int]*big.Rat{}
	for _, rule := range rules {
		path, err := j.library.selectWith(rule)
		if err != nil {
			j.refuse(rule, err)
			continue
		}
		for b := range path.atoms {
			if best[b] == nil {
				best[b] = j.bestCoverage(scores, b+1)
			}
			optimal := new(big.Rat).Quo(best[b], probes)
			found := new(big.Rat).Quo(j.coverage(scores, path.atoms[:b+1]), probes)
			j.evaluated(rule+" coverage", path.coverage[b], found, data, j.problem.dimension()+len(scores))
			j.atLeast(rule+" bound", path.bounds[b], optimal, data)
			if optimal.Sign() > 0 {
				j.atMost(rule+" ratio", path.ratios[b], new(big.Rat).Quo(found, optimal), new(big.Rat).Quo(data, optimal))
			}
		}
		last := len(path.atoms) - 1
		if last < 0 || path.partial || !strings.HasPrefix(rule, "exact") {
			continue
		}
		optimal := j.bestCoverage(scores, j.problem.Budget)
		gap := math.Max(integerGap, j.problem.RelativeGap)
		allowed := sum(product(rational(gap), optimal), product(rational(unitInTheLastPlace*float64(len(scores))), product(probes, data)))
		missed := difference(optimal, j.coverage(scores, path.atoms))
		j.flag(rule+" optimal", missed.Cmp(allowed) <= 0, "%v misses %s of %s", path.atoms, decimal(missed), decimal(optimal))
	}
}
