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
	if before != (highs.Backend{}) {
		t.Errorf("default %v", before)
	}
}
