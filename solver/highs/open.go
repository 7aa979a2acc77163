//go:build cgo

package highs

import (
	"errors"
	"fmt"

	"github.com/sparsero/directions/solver"
)

func init() { solver.SetDefault(Backend{}) }

func open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	if !supported() {
		return nil, fmt.Errorf("solver/highs: HiGHS %s is linked but only 1.10 and 1.11 work with the binding; install one of them (make setup): %w", version(), solver.ErrUnsupported)
	}
	if o == nil {
		return nil, errors.New("solver/highs: the options are nil; give all that count, tolerances included, or use solver.Open, which fills in defaults")
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if len(m.Quadratic()) > 0 {
		remedy := "leave Options.Backend empty: then it goes to solver.InteriorPoint"
		if m.IsInteger() {
			remedy = "replace the quadratic by tangents added as rows, or relax the integrality"
		}
		return nil, fmt.Errorf("solver/highs: HiGHS cannot solve a model with a quadratic objective; %s: %w", remedy, solver.ErrUnsupported)
	}
	return &engine{model: m, options: *o}, nil
}
