package robust

import (
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero"
)

// TestWhatIsNoNumberMissesItsLimit: a difference of terms beyond float64 is no reason to call a row kept.
func TestWhatIsNoNumberMissesItsLimit(t *testing.T) {
	e := &encounter{problem: &Problem{dictionary: &directSum{of: []int{0, 0}, summands: []summand{{}}}}, nominal: math.NaN(), size: math.Inf(1)}
	if missed := e.missed(sparsero.NullAtom, 1); !math.IsInf(missed, 1) {
		t.Errorf("misses %v", missed)
	}
}
