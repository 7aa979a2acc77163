//go:build !cgo

package highs_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
)

// TestUnavailable: without cgo the package compiles, does not become the
// default, and its use says what to install.
func TestUnavailable(t *testing.T) {
	if before := solver.SetDefault(nil); before != solver.PureGo {
		t.Errorf("the default backend is %v", before)
	}
	m := solver.NewModel("any")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	_, err := solver.Solve(context.Background(), m, &solver.Options{Backend: highs.Backend{}})
	if !errors.Is(err, solver.ErrUnsupported) || !strings.Contains(err.Error(), "make setup") {
		t.Errorf("got %v", err)
	}
	if _, err := solver.Solve(context.Background(), m, nil); err != nil {
		t.Errorf("default backend: %v", err)
	}
}
