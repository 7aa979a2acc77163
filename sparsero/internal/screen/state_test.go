package screen

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestACancelledListOfGainsIsNoError: the state is of use afterwards.
func TestACancelledListOfGainsIsNoError(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	state := mustNew(t, Matrix64{gaussian(source, 50, 3), 3}, gaussian(source, 40, 3), Options{}).NewState()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	values := make([]float64, 50)
	state.AllGains(ctx, values)
	if state.Err() != nil {
		t.Fatal(state.Err())
	}
	state.AllGains(context.Background(), values)
	for i, value := range values {
		if gain := state.Gain(i); gain != value {
			t.Fatalf("atom %d: gain %v in the list, %v alone", i, value, gain)
		}
	}
}
