//go:build cgo

package highs_test

import (
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
)

// TestRegistered: importing the package makes HiGHS the default.
func TestRegistered(t *testing.T) {
	before := solver.SetDefault(nil)
	solver.SetDefault(before)
	if !highs.Available() || before != (highs.Backend{}) {
		t.Errorf("available: %v, default %v", highs.Available(), before)
	}
}
