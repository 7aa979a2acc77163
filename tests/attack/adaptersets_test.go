package attack

import (
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

func (l *library) pointwise(direction []float64) (bound, deficit float64, err error) {
	c, err := certificate.NewPointwise(l.set, direction)
	return c.Bound.Float(), c.Deficit.Float(), err
}

func (l *library) inflation() (float64, error) {
	f, err := certificate.SolveInflation(l.context, l.set)
	return f.Factor.Float(), err
}

// hausdorff returns the distances of all atoms from conv(S_0), and the bound for a norm of the directions.
func (l *library) hausdorff(norm float64) (distances []float64, bound float64, err error) {
	h, err := certificate.MeasureHausdorff(l.context, l.set, norm)
	for _, u := range h.Distances {
		distances = append(distances, u.Float())
	}
	if h.Atom >= 0 {
		distances[h.Atom] = min(distances[h.Atom], h.Distance.Float())
	}
	return distances, h.Bound.Float(), err
}

func (l *library) gauge(u []float64) (float64, []float64, error) { return l.set.Gauge(u) }

func (l *library) contains(u []float64) (bool, error) {
	inside, _, err := l.set.Contains(u)
	return inside, err
}

func (l *library) support(s []float64) float64 { return l.set.Support(s) }

func (l *library) supportVertices() ([]int, error) { return l.dictionary.SupportVertices(l.context) }

func (l *library) pseudometricVertices() ([]int, error) {
	return l.dictionary.PseudometricVertices(l.context)
}

// chosenPath is a selection: atoms, and after each step the coverage, the bound on the optimum and the ratio.
type chosenPath struct {
	atoms            []int
	coverage, bounds []float64
	ratios           []float64
	partial          bool
}

// selectWith runs a rule of selection.
func (l *library) selectWith(rule string) (*chosenPath, error) {
	var policy selection.Policy
	switch rule {
	case "greedy":
		policy = selection.Greedy{}
	case "max-gap":
		policy = selection.MaxGap{}
	case "exact integer":
		policy = selection.Exact{}
	case "set cover":
		policy = selection.SetCover{}
	case "knapsack": // at unit costs, where it is greedy
		costs := make([]float64, l.dictionary.Size())
		for i := range costs {
			costs[i] = 1
		}
		policy = selection.Knapsack{Costs: costs, Capacity: float64(l.problem.Budget)}
	}
	c, err := selection.NewCoverage(l.dictionary, dense(l.problem.Probes), nil)
	if err != nil {
		return nil, err
	}
	s, err := policy.Select(l.context, c, l.problem.Budget)
	if err != nil {
		return nil, err
	}
	path := &chosenPath{atoms: s.Atoms, coverage: s.Coverage, partial: s.Partial}
	for b := 1; b <= s.Len(); b++ {
		path.bounds, path.ratios = append(path.bounds, s.Bounds[b-1].Float()), append(path.ratios, s.OptimalityRatio(b).Float())
	}
	return path, nil
}

func rowsOf(m *mat.Dense) [][]float64 {
	rows, _ := m.Dims()
	list := make([][]float64, rows)
	for i := range list {
		list[i] = mat.Row(nil, i, m)
	}
	return list
}
