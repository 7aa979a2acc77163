package integer

import "math"

// LargestRadius returns the largest radius at which the program has a decision
// for the atoms S,
//
//	max_x min_{i in S, k} (1 - a_k'x) / <d_i, q_k(x)>
//
// over the listed decisions, rows full to within [Tolerance] counted as
// satisfied. It is +Inf when some decision is harmed by no atom of S, and NaN
// when no decision satisfies the rows without uncertainty. It never grows when
// atoms are added. O(Len · |S| · m) time; an atom out of range is an error.
func (e *Enumeration) LargestRadius(indices []int) (float64, error) {
	if _, err := e.mask(indices); err != nil {
		return 0, err
	}
	if e.Len() == 0 {
		return math.NaN(), nil
	}
	largest := 0.0
	base, items := make([]float64, e.loads.rows), make([]int, e.instance.Cardinality)
	for number := range e.values {
		e.copyItems(number, items)
		baseUse(e.instance, items, base)
		largest = max(largest, e.allowed(items, base, indices, largest))
	}
	return largest, nil
}

// allowed returns the largest radius at which a decision satisfies the rows for
// all atoms, or something smaller than enough when it is not above that.
func (e *Enumeration) allowed(items []int, base []float64, indices []int, enough float64) float64 {
	radius := math.Inf(1)
	for _, i := range indices {
		for k, b := range base {
			load := 0.0
			for _, j := range items {
				load += e.loads.byItem[j][i*e.loads.rows+k]
			}
			if load > 0 {
				radius = min(radius, (1+Tolerance-b)/load)
			}
		}
		if radius <= enough {
			break
		}
	}
	return radius
}
