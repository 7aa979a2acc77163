package attack

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// randomPolyhedron draws ranges of all kinds: two ends, one, none, equations, rows of zeros.
func randomPolyhedron(random *rand.Rand, columns, rows int, bounded bool) *polyhedron {
	draw := func() *big.Rat { return integer(int64(random.IntN(9) - 4)) }
	p := &polyhedron{}
	for range columns {
		c := interval{lower: integer(int64(-random.IntN(4))), upper: integer(int64(random.IntN(4)))}
		if !bounded && random.IntN(3) == 0 {
			c.lower = nil
		}
		if !bounded && random.IntN(3) == 0 {
			c.upper = nil
		}
		p.columns = append(p.columns, c)
	}
	for range rows {
		row := inequality{}
		for range columns {
			row.values = append(row.values, draw())
		}
		switch low := draw(); random.IntN(4) {
		case 0:
			row.interval = interval{low, low}
		case 1:
			row.interval = interval{low, sum(low, integer(3))}
		case 2:
			row.lower = low
		default:
			row.upper = low
		}
		p.rows = append(p.rows, row)
	}
	return p
}

func (p *polyhedron) holds(x []*big.Rat) bool {
	within := func(v *big.Rat, r interval) bool {
		return (r.lower == nil || v.Cmp(r.lower) >= 0) && (r.upper == nil || v.Cmp(r.upper) <= 0)
	}
	for j, c := range p.columns {
		if !within(x[j], c) {
			return false
		}
	}
	for _, r := range p.rows {
		if !within(inner(r.values, x), r.interval) {
			return false
		}
	}
	return true
}

// vertexMinimum is the least value over all basic points: every choice of as many conditions as columns, solved as
// equations.
func (p *polyhedron) vertexMinimum(costs []*big.Rat) *big.Rat {
	n := len(p.columns)
	var equations []inequality
	for j, c := range p.columns {
		equations = append(equations, inequality{values: unit(n, j), interval: interval{lower: c.lower}}, inequality{values: unit(n, j), interval: interval{lower: c.upper}})
	}
	for _, r := range p.rows {
		equations = append(equations, inequality{values: r.values, interval: interval{lower: r.lower}}, inequality{values: r.values, interval: interval{lower: r.upper}})
	}
	var least *big.Rat
	var visit func(first int, chosen []inequality)
	visit = func(first int, chosen []inequality) {
		if len(chosen) == n {
			if x := intersection(chosen); x != nil && p.holds(x) {
				if v := inner(costs, x); least == nil || v.Cmp(least) < 0 {
					least = v
				}
			}
			return
		}
		for k := first; k < len(equations); k++ {
			if equations[k].lower != nil {
				visit(k+1, append(chosen[:len(chosen):len(chosen)], equations[k]))
			}
		}
	}
	visit(0, nil)
	return least
}

// intersection solves <values, x> = lower by elimination; nil if the equations are dependent.
func intersection(equations []inequality) []*big.Rat {
	n := len(equations)
	m := make([][]*big.Rat, n)
	for i, e := range equations {
		m[i] = append(scaled(integer(1), e.values), e.lower)
	}
	for c := range n {
		pivot := c
		for pivot < n && m[pivot][c].Sign() == 0 {
			pivot++
		}
		if pivot == n {
			return nil
		}
		m[c], m[pivot] = m[pivot], m[c]
		m[c] = scaled(new(big.Rat).Inv(m[c][c]), m[c])
		for i := range n {
			if i != c && m[i][c].Sign() != 0 {
				for j, v := range scaled(m[i][c], m[c]) {
					m[i][j] = difference(m[i][j], v)
				}
			}
		}
	}
	x := make([]*big.Rat, n)
	for i := range n {
		x[i] = m[i][n]
	}
	return x
}

// TestSimplexAgainstVertices compares the simplex method with all basic points of bounded polyhedra.
func TestSimplexAgainstVertices(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	ended := map[outcome]int{}
	for range 400 {
		p := randomPolyhedron(random, 1+random.IntN(3), random.IntN(4), true)
		costs := randomPolyhedron(random, len(p.columns), 1, true).rows[0].values
		result, value, x := p.minimise(costs)
		ended[result]++
		truth := p.vertexMinimum(costs)
		if (truth == nil) != (result == infeasible) {
			t.Fatalf("simplex says %v, vertices %v", result, truth)
		}
		if truth != nil && (value.Cmp(truth) != 0 || !p.holds(x)) {
			t.Fatalf("simplex %v at %v, vertices %v", value, x, truth)
		}
	}
	if ended[solved] < 50 || ended[infeasible] < 50 {
		t.Fatalf("the draws are one-sided: %v", ended)
	}
}

// TestSimplexUnbounded checks open polyhedra: the claims of the simplex method hold, and boxing an unbounded program in
// ever larger boxes improves it, while a solved one stays as it is.
func TestSimplexUnbounded(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	ended := map[outcome]int{}
	for range 400 {
		p := randomPolyhedron(random, 1+random.IntN(3), random.IntN(4), false)
		costs := randomPolyhedron(random, len(p.columns), 1, true).rows[0].values
		result, value, _ := p.minimise(costs)
		ended[result]++
		boxed := func(size int64) (outcome, *big.Rat) {
			box := &polyhedron{columns: p.columns, rows: p.rows}
			for j := range p.columns {
				box.rows = append(box.rows, inequality{values: unit(len(p.columns), j), interval: interval{integer(-size), integer(size)}})
			}
			end, least, _ := box.minimise(costs)
			return end, least
		}
		_, small := boxed(10_000)
		switch _, large := boxed(1_000_000); {
		case result == infeasible && large != nil, result != infeasible && large == nil:
			t.Fatalf("simplex says %v, the box %v", result, large)
		case result == solved && (large.Cmp(value) != 0 || small.Cmp(value) != 0):
			t.Fatalf("simplex %v, boxes %v and %v", value, small, large)
		case result == unbounded && large.Cmp(small) >= 0:
			t.Fatalf("simplex says unbounded, but larger boxes do not help: %v, %v", small, large)
		}
	}
	if ended[solved] < 50 || ended[infeasible] < 20 || ended[unbounded] < 50 {
		t.Fatalf("the draws are one-sided: %v", ended)
	}
}

// TestQuadraticIsOptimal checks the criss-cross method: with H = 0 it agrees with the simplex method, and otherwise its
// point is feasible and the linear program with the gradient there cannot improve on it, which proves it optimal.
func TestQuadraticIsOptimal(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	count := 0
	for k := range 300 {
		n := 1 + random.IntN(3)
		p := randomPolyhedron(random, n, random.IntN(4), true)
		costs := randomPolyhedron(random, n, 1, true).rows[0].values
		hessian := make([][]*big.Rat, n)
		for i := range hessian {
			hessian[i] = zeros(n)
		}
		if k%3 > 0 { // of rank 1 or 2, so often singular
			for range k % 3 {
				v := randomPolyhedron(random, n, 1, true).rows[0].values
				for i := range n {
					for j := range n {
						hessian[i][j] = sum(hessian[i][j], product(v[i], v[j]))
					}
				}
			}
		}
		result, value, x := p.minimiseQuadratic(costs, hessian)
		if result != solved {
			if p.feasible() != nil {
				t.Fatalf("criss-cross says %v for a bounded polyhedron with points", result)
			}
			continue
		}
		count++
		gradient := make([]*big.Rat, n)
		for i := range n {
			gradient[i] = sum(costs[i], inner(hessian[i], x))
		}
		if _, least, _ := p.minimise(gradient); !p.holds(x) || least.Cmp(inner(gradient, x)) != 0 {
			t.Fatalf("point %v is not optimal", x)
		}
		if _, linear, _ := p.minimise(costs); k%3 == 0 && linear.Cmp(value) != 0 {
			t.Fatalf("criss-cross %v, simplex %v", value, linear)
		}
	}
	if count < 50 {
		t.Fatalf("only %d programs had points", count)
	}
}
