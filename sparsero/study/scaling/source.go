package scaling

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// Source makes the dictionaries of the study, such as adversarial.Task (package
// datasets/adversarial). It is encoded as JSON into the header of the results
// file, so that the encoding must determine the data.
type Source interface {
	// Name identifies the dictionary in tables, such as "single" or "ensemble".
	Name() string
	// Draw makes the data of a seed: at least the given number of atoms, of which
	// the first N are the dictionary of size N; the directions to select on and to
	// report on, one per row; the weights w of a linear classifier; and the margins
	// y_j (<w,x_j> + b) of its test examples. The same seed gives the same data.
	Draw(ctx context.Context, seed uint64, atoms int) (dictionary *sparsero.Dictionary, selection, reporting *mat.Dense, weights, margins []float64, err error)
}

// sample is the data of one seed of a source.
type sample struct {
	dictionary           *sparsero.Dictionary
	selection, reporting *mat.Dense
	weights, margins     []float64
}

// draw takes the data of a seed from a source and checks them.
func draw(ctx context.Context, source Source, seed uint64, atoms int) (*sample, error) {
	d, selection, reporting, weights, margins, err := source.Draw(ctx, seed, atoms)
	if err != nil {
		return nil, err
	}
	fail := func(format string, values ...any) (*sample, error) {
		return nil, fmt.Errorf("scaling: source %q, seed %d: %s", source.Name(), seed, fmt.Sprintf(format, values...))
	}
	switch {
	case d == nil:
		return fail("the dictionary is nil; let the source return one or an error")
	case d.Size() < atoms:
		return fail("%d atoms, %d were asked for; let the source make at least as many", d.Size(), atoms)
	case len(weights) != d.Dim():
		return fail("%d weights for atoms of dimension %d; give one per coordinate", len(weights), d.Dim())
	case len(margins) == 0:
		return fail("no margins; give one per test example")
	}
	for _, part := range []struct {
		name   string
		matrix *mat.Dense
	}{{"selection", selection}, {"reporting", reporting}} {
		if part.matrix == nil {
			return fail("the %s directions are nil; let the source return them or an error", part.name)
		}
		if err := d.CheckDirections(part.name, part.matrix); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(checkFinite("weight", weights), checkFinite("margin", margins)); err != nil {
		return fail("%v", err)
	}
	return &sample{d, selection, reporting, weights, margins}, nil
}

func checkFinite(name string, values []float64) error {
	for k, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s %d is %v; it must be finite", name, k, v)
		}
	}
	return nil
}

// prefix is the first atoms of a dictionary as a source of large atoms.
type prefix struct {
	dictionary *sparsero.Dictionary
	size       int
}

// Size returns N.
func (p prefix) Size() int { return p.size }

// Dim returns the dimension of the atoms.
func (p prefix) Dim() int { return p.dictionary.Dim() }

// Rows copies atoms from, ..., to-1.
func (p prefix) Rows(buffer []float64, from, to int) ([]float64, error) {
	width := p.Dim()
	for i := from; i < to; i++ {
		copy(buffer[(i-from)*width:], p.dictionary.RawRowView(i))
	}
	return buffer[:(to-from)*width], nil
}
