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
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Oracle knows an uncertainty set U that need not be listed: a convex set, or atoms that lie in files or on other machines.
// Equal questions must get equal answers.
type Oracle interface {
	// Dim returns p >= 1.
	Dim() int
	// Worst returns, for each row s of an m×p matrix, at most count >= 0 atoms d of U with the largest ⟨d,s⟩; one that is worst
	// in several directions need not come again. Beyond has, for each s, a number that ⟨d,s⟩ does not exceed for any other
	// atom of U, rounding errors included; +Inf where none is known. The support of all of U will do.
	Worst(ctx context.Context, directions *mat.Dense, count int) (atoms []Atom, beyond []float64, err error)
}

// Atom is an atom that came from an [Oracle].
type Atom struct {
	// Label names it in reports; empty means "d" and its position among the atoms that came.
	Label string
	// Values are its p coordinates.
	Values []float64
}

// askWorst asks an oracle and checks the form of its answer.
func askWorst(ctx context.Context, oracle Oracle, directions *mat.Dense, count int) (atoms []Atom, beyond []float64, err error) {
	atoms, beyond, err = oracle.Worst(ctx, directions, count)
	if err != nil {
		return nil, nil, fmt.Errorf("robust: oracle: %w", err)
	}
	m, p := directions.Dims()
	if len(beyond) != m || slices.ContainsFunc(beyond, math.IsNaN) {
		return nil, nil, fmt.Errorf("robust: the oracle has no bound for each of %d directions; let beyond have a number for each, +Inf where none is known", m)
	}
	for _, atom := range atoms {
		if err := input.CheckVector("atom "+atom.Label+" of the oracle", atom.Values, p); err != nil {
			return nil, nil, fmt.Errorf("robust: %w", err)
		}
	}
	return atoms, beyond, nil
}

// source is where a run finds the atoms that are worst at a decision: the one seam between the methods and uncertainty sets.
type source interface {
	// at evaluates all exposures at x against the whole set. The problem that it returns has the atoms of the given one
	// and, behind them, the count worst of each exposure.
	at(ctx context.Context, p *Problem, x []float64, count int) (*Problem, []exposed, error)
}

// listed is the set whose atoms are all in the dictionary of the problem.
type listed struct{}

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
