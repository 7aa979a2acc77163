package attack

import "math/big"

// gauge is min { sum a : sum_{i in S} a_i d_i = u, a >= 0 }, nil for +Inf.
func (t *truth) gauge(indices []int, u []*big.Rat) *big.Rat {
	result, value, _ := t.cone(indices, u).minimise(ones(len(indices)))
	if result != solved {
		return nil
	}
	return value
}

// cone is the set of weights a >= 0 with sum_{i in S} a_i d_i = u.
func (t *truth) cone(indices []int, u []*big.Rat) *polyhedron {
	p := &polyhedron{}
	for range indices {
		p.columns = append(p.columns, interval{lower: new(big.Rat)})
	}
	for k, v := range u {
		r := inequality{interval: interval{v, v}}
		for _, i := range indices {
			r.values = append(r.values, t.atoms[i][k])
		}
		p.rows = append(p.rows, r)
	}
	return p
}

func ones(n int) []*big.Rat {
	list := zeros(n)
	for _, v := range list {
		v.SetInt64(1)
	}
	return list
}

// squaredDistance is the square of the distance of u from conv({d_i : i in S} and 0).
func (t *truth) squaredDistance(indices []int, u []*big.Rat) *big.Rat {
	p, n := &polyhedron{}, len(indices)
	hessian, costs := make([][]*big.Rat, n), make([]*big.Rat, n)
	for a, i := range indices {
		p.columns = append(p.columns, interval{lower: new(big.Rat)})
		costs[a] = product(integer(-2), inner(t.atoms[i], u))
		for _, j := range indices {
			hessian[a] = append(hessian[a], product(integer(2), inner(t.atoms[i], t.atoms[j])))
		}
	}
	if n == 0 {
		return inner(u, u)
	}
	p.rows = append(p.rows, inequality{values: ones(n), interval: interval{upper: integer(1)}})
	_, value, _ := p.minimiseQuadratic(costs, hessian)
	return sum(value, inner(u, u))
}

// outside is how far u sticks out of conv({d_i : i in S} and 0), in units of the largest entry of each coordinate over
// those atoms and u: the least e with |u - sum a_i d_i|_k <= e size_k for weights a >= 0, sum a <= 1.
func (t *truth) outside(indices []int, u []*big.Rat) *big.Rat {
	n := len(indices)
	p := &polyhedron{}
	for range n + 1 {
		p.columns = append(p.columns, interval{lower: new(big.Rat)})
	}
	for k, v := range u {
		size := new(big.Rat).Abs(v)
		above := inequality{interval: interval{upper: v}}
		below := inequality{interval: interval{lower: v}}
		for _, i := range indices {
			size = larger(size, new(big.Rat).Abs(t.atoms[i][k]))
			above.values, below.values = append(above.values, t.atoms[i][k]), append(below.values, t.atoms[i][k])
		}
		above.values, below.values = append(above.values, negative(size)), append(below.values, size)
		p.rows = append(p.rows, above, below)
	}
	p.rows = append(p.rows, inequality{values: append(ones(n), new(big.Rat)), interval: interval{upper: integer(1)}})
	_, value, _ := p.minimise(unit(n+1, n))
	return value
}

// alignment is max(0, max_{i in S} <d_i, s>), and the largest term over all atoms.
func (t *truth) alignment(indices []int, s []*big.Rat) (value, data *big.Rat) {
	value, data = new(big.Rat), new(big.Rat)
	for _, i := range indices {
		value = larger(value, inner(t.atoms[i], s))
	}
	for _, atom := range t.atoms {
		data = larger(data, largestTerm(atom, s))
	}
	return value, data
}

// pseudometric is max_i |<d_i, s-t>|.
func (t *truth) pseudometric(s, other []*big.Rat) *big.Rat {
	gap := make([]*big.Rat, len(s))
	for k := range s {
		gap[k] = difference(s[k], other[k])
	}
	most := new(big.Rat)
	for _, atom := range t.atoms {
		most = larger(most, new(big.Rat).Abs(inner(atom, gap)))
	}
	return most
}

// coverage is the sum over the probes of max(0, max_{i in S} <d_i, s>): the objective times the number of probes.
func (t *truth) coverage(scores [][]*big.Rat, indices []int) *big.Rat {
	total := new(big.Rat)
	for _, line := range scores {
		most := new(big.Rat)
		for _, i := range indices {
			most = larger(most, line[i])
		}
		total = sum(total, most)
	}
	return total
}

// bestCoverage is the largest coverage of any b atoms, by trying all sets.
func (t *truth) bestCoverage(scores [][]*big.Rat, b int) *big.Rat {
	best := new(big.Rat)
	var visit func(first int, chosen []int)
	visit = func(first int, chosen []int) {
		if len(chosen) == b || first == len(t.atoms) {
			best = larger(best, t.coverage(scores, chosen))
			return
		}
		visit(first+1, append(chosen[:len(chosen):len(chosen)], first))
		visit(first+1, chosen)
	}
	visit(0, nil)
	return best
}
