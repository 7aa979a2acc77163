package synthetic

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// Source makes the data of a seed, such as datasets.XShapeOptions. It is
// encoded as JSON into the header of the results file, so that its exported
// fields must determine the data.
type Source interface {
	// Name is a short name of the generator.
	Name() string
	// Draw draws a planar dictionary, the unit directions T (the first is the
	// evaluation direction), unit probes, and raw samples for calibration and
	// test, each with two columns. The same seed gives the same data.
	Draw(seed uint64) (dictionary *sparsero.Dictionary, directions, probes, calibration, test *mat.Dense, err error)
}

// sample is the data of one seed.
type sample struct {
	Dictionary                            *sparsero.Dictionary
	Evaluation                            []float64
	Directions, Probes, Calibration, Test *mat.Dense
}

// draw takes the data of a seed from a source and checks their shape.
func draw(source Source, seed uint64) (*sample, error) {
	if source == nil {
		return nil, errors.New("synthetic: source is nil; use datasets.XShapeOptions{} for the data of section 5.1")
	}
	d, directions, probes, calibration, test, err := source.Draw(seed)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return nil, fmt.Errorf("synthetic: the dictionary of seed %d is nil; let the source return one or an error", seed)
	}
	if err := checkPlanar(d); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		name   string
		matrix *mat.Dense
	}{{"directions", directions}, {"probes", probes}, {"calibration", calibration}, {"test", test}} {
		if part.matrix == nil {
			return nil, fmt.Errorf("synthetic: %s of seed %d are nil; let the source return them or an error", part.name, seed)
		}
		if err := d.CheckDirections(part.name, part.matrix); err != nil {
			return nil, err
		}
	}
	return &sample{d, mat.Row(nil, 0, directions), directions, probes, calibration, test}, nil
}
