//go:build cgo

package highs

import (
	"fmt"

	"github.com/sparsero/directions/solver"
)

func init() { solver.SetDefault(Backend{}) }

// Available reports whether this program contains HiGHS.
func Available() bool { return true }

// Open looks at the model. HiGHS itself takes it when the first solve starts. A quadratic
// objective gives an error matching solver.ErrUnsupported.
func (Backend) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	if !supported() {
		return nil, fmt.Errorf("solver/highs: HiGHS %s is linked but only 1.10 and 1.11 work with the binding; install one of them (make setup): %w", version(), solver.ErrUnavailable)
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if m.IsQuadratic() {
		remedy := "leave Options.Backend empty: then it goes to solver.InteriorPoint"
		if m.IsInteger() {
			remedy = "replace the quadratic by tangents added as rows, or relax the integrality"
		}
		return nil, &solver.UnsupportedError{Backend: "solver/highs", Feature: "a quadratic objective", Remedy: remedy}
	}
	return &engine{model: m, options: o.Filled()}, nil
}
