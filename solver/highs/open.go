//go:build cgo

package highs

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
)

func init() { solver.SetDefault(Backend{}) }

func open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	if o == nil {
		return nil, errors.New("solver/highs: the options are nil; give all that count, tolerances included, or use solver.Open, which fills in defaults")
	}
	if err := cmp.Or(checkRelease(version()), m.Validate()); err != nil {
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

// checkRelease refuses libraries that this package is not tested with.
func checkRelease(version string) error {
	if release := strings.TrimSuffix(version, path.Ext(version)); !slices.Contains([]string{"1.10", "1.11"}, release) {
		return fmt.Errorf("solver/highs: HiGHS %s is linked but only 1.10 and 1.11 work with the binding; install one of them (make setup): %w", version, solver.ErrUnsupported)
	}
	return nil
}
