package robust

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
)

func (listed) at(_ context.Context, p *Problem, x []float64, _ int) (*Problem, []exposed, error) {
	return p, p.exposeAll(x), nil
}

// asked is the set of an oracle during one run; the dictionary of the problem has what came from it so far.
type asked struct {
	*OracleProblem
	none bool // no atom came yet, and the null atom stands for the dictionary
}

func (a *asked) at(ctx context.Context, p *Problem, x []float64, count int) (*Problem, []exposed, error) {
	exposures := p.exposures()
	directions := mat.NewDense(len(exposures), a.oracle.Dim(), nil)
	all, doubts := make([]exposed, len(exposures)), make([]float64, len(exposures)) // by how much rounding q(x) moves alignments
	underflow := float64(a.oracle.Dim()) * math.SmallestNonzeroFloat64
	for k, exposure := range exposures {
		middle, errors := direction(p.exposureMap(exposure), x)
		directions.SetRow(k, middle)
		exact := slices.Max(errors) == 0
		if !exact {
			doubts[k] = 2*a.corner.AlignmentReach(errors) + underflow
		}
		all[k] = exposed{direction: middle, outside: &outside{exact: exact}}
	}
	atoms, beyond, err := askWorst(ctx, a.oracle, directions, count)
	if err != nil {
		return nil, nil, err
	}
	grown, err := a.join(p, atoms)
	if err != nil {
		return nil, nil, err
	}
	for k := range all {
		all[k].outside.upper = math.Max(0, directed.SumUpper(beyond[k], doubts[k]))
		all[k] = all[k].with(grown.dictionary)
	}
	return grown, all, nil
}

// join returns the problem with the atoms that its dictionary does not have yet at the end of that.
func (a *asked) join(p *Problem, atoms []Atom) (*Problem, error) {
	var values [][]float64
	var labels []string
	if !a.none {
		for i := range p.dictionary.Size() {
			values, labels = append(values, p.dictionary.RawRowView(i)), append(labels, p.dictionary.Label(i))
		}
	}
	before := len(values)
	for _, atom := range atoms {
		if slices.ContainsFunc(values, func(v []float64) bool { return slices.Equal(v, atom.Values) }) {
			continue
		}
		if atom.Label == "" {
			atom.Label = "d" + strconv.Itoa(len(values))
		}
		values, labels = append(values, atom.Values), append(labels, atom.Label)
	}
	if len(values) == before {
		return p, nil
	}
	rows := mat.NewDense(len(values), a.oracle.Dim(), nil)
	for i, v := range values {
		rows.SetRow(i, v)
	}
	dictionary, err := sparsero.NewDictionary(rows, &sparsero.DictionaryOptions{Labels: labels})
	if err != nil {
		return nil, fmt.Errorf("robust: atoms of the oracle: %w", err)
	}
	grown := *p
	grown.dictionary, a.none = dictionary, false
	return &grown, nil
}

// source is where a run finds the atoms that are worst at a decision: the one seam between the methods and uncertainty sets.
type source interface {
	// at evaluates all exposures at x against the whole set. The problem that it returns has the atoms of the given one
	// and, behind them, the count worst of each exposure.
	at(ctx context.Context, p *Problem, x []float64, count int) (*Problem, []exposed, error)
}

// listed is the set whose atoms are all in the dictionary of the problem.
type listed struct{}
