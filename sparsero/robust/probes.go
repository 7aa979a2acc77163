package robust

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/facility"
)

// exposed is a direction q(x) through which a decision meets the uncertainty, with its
// alignments ⟨d_i, q(x)⟩ with all atoms.
type exposed struct{ direction, alignments []float64 }

// expose evaluates one exposure at x: O(Np) on all cores.
func (p *Problem) expose(exposure int, x []float64) exposed {
	direction := p.exposureMap(exposure).Apply(x)
	return exposed{direction, p.dictionary.Alignments(nil, direction)}
}

// exposeAll evaluates every exposure at x.
func (p *Problem) exposeAll(x []float64) []exposed {
	var all []exposed
	for _, exposure := range p.exposures() {
		all = append(all, p.expose(exposure, x))
	}
	return all
}

// certify is certificate.NewPointwise with the alignments at hand.
func (e exposed) certify(set *sparsero.AtomicSet) (certificate.Pointwise, error) {
	if err := input.CheckVector("q(x)", e.direction, set.Dictionary().Dim()); err != nil {
		return certificate.Pointwise{}, err
	}
	c := set.Compare(e.alignments, e.direction)
	return certificate.Pointwise{
		Radius: set.Radius(), Full: c.Full, Restricted: c.Restricted,
		Deficit: c.Deficit, Bound: directed.ProductUpper(set.Radius(), c.Deficit), WorstAtom: c.Worst,
	}, nil
}

// scaled multiplies the direction by 2^exponent.
func (e exposed) scaled(exponent int) exposed {
	scale := func(values []float64) []float64 {
		scaled := make([]float64, len(values))
		for k, v := range values {
			scaled[k] = math.Ldexp(v, exponent)
		}
		return scaled
	}
	return exposed{scale(e.direction), scale(e.alignments)}
}

// probes is the growing set T of directions of Algorithm 1 with the atoms S that serve them.
type probes struct {
	facility.Points
	*facility.Served
	directions [][]float64
	chosen     []bool
}

func newProbes(atoms int) *probes {
	t := &probes{chosen: make([]bool, atoms)}
	t.Served = t.Serve()
	return t
}

// reveal adds a direction.
func (t *probes) reveal(e exposed) {
	t.directions = append(t.directions, e.direction)
	t.Points.Add(e.alignments)
}

// choose adds an atom to S.
func (t *probes) choose(atom int) {
	t.chosen[atom] = true
	t.Served.Add(atom)
}

// matrix returns the directions as rows, nil if there are none.
func (t *probes) matrix() *mat.Dense {
	if len(t.directions) == 0 {
		return nil
	}
	m := mat.NewDense(len(t.directions), len(t.directions[0]), nil)
	for s, direction := range t.directions {
		m.SetRow(s, direction)
	}
	return m
}
