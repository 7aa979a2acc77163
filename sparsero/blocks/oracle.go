package blocks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// Oracle makes the atoms of all blocks an uncertainty set of package robust: one task for all blocks answers a question. Atom
// i of the whole dictionary has the label "d" followed by i.
type Oracle struct{ engine Engine }

// NewOracle returns the oracle of the blocks of an engine. It is an error if the engine is nil or has no atoms.
func NewOracle(engine Engine) (*Oracle, error) {
	if input.Missing(engine) || engine.Size() < 1 {
		return nil, errNoAtoms
	}
	return &Oracle{engine}, nil
}

// Dim implements [robust.Oracle].
func (o *Oracle) Dim() int { return o.engine.Dim() }

// Worst implements [robust.Oracle]: of equal alignments those with the lowest indices come. What lies beyond them is the next
// alignment with what rounding may add, the same to the last bit for every split.
func (o *Oracle) Worst(ctx context.Context, directions *mat.Dense, count int) (atoms []robust.Atom, beyond []float64, err error) {
	task, err := NewTask(directions)
	if err != nil {
		return nil, nil, err
	}
	task.Worst = count + 1
	answer, err := Ask(ctx, o.engine, task)
	if err != nil {
		return nil, nil, err
	}
	wanted := map[int]bool{}
	corner, err := sparsero.NewDictionary(mat.NewDense(1, task.Dim, answer.Sizes), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("blocks: the sizes of the atoms: %w", err)
	}
	for s, list := range answer.Worst {
		next := math.Inf(-1) // there are no others
		if len(list) > count {
			next = roundedUp(list[count].Value, corner, directions.RawRowView(s))
		}
		beyond = append(beyond, next)
		for _, entry := range list[:min(count, len(list))] {
			wanted[entry.Atom] = true
		}
	}
	for _, atom := range answer.Challengers {
		if wanted[atom.Index] {
			atoms = append(atoms, robust.Atom{Label: label(atom.Index), Values: atom.Values})
			delete(wanted, atom.Index)
		}
	}
	if len(wanted) > 0 {
		return nil, nil, errors.New("blocks: not all atoms that the blocks name as the worst came along; let all workers run one version")
	}
	return atoms, beyond, nil
}

// roundedUp is an alignment with a direction in float64 and what exact arithmetic may add for atoms of the sizes of a corner.
func roundedUp(alignment float64, corner *sparsero.Dictionary, direction []float64) float64 {
	if corner.AlignmentReach(direction) == 0 {
		return alignment
	}
	return directed.SumUpper(alignment, corner.AlignmentError(direction))
}

// label is the name of an atom in a dictionary without labels.
func label(atom int) string { return "d" + strconv.Itoa(atom) }
