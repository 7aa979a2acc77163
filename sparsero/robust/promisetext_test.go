package robust

import (
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
)

// TestPromisesNameFewLevelsAndCountMany: four at the most are named one by one, and the objective always.
func TestPromisesNameFewLevelsAndCountMany(t *testing.T) {
	objective := Level{Name: "objective", Value: proof.AtMost(7), Limit: math.Inf(1)}
	row := Level{Name: "row", Value: proof.AtMost(0.5), Limit: 1}
	for want, levels := range map[string][]Level{
		"objective above 7": {objective},
		"row above 0.5 or row above 0.5 or row above 0.5 or row above 0.5":     {row, row, row, row},
		"any of 5 constraints above its level":                                 {row, row, row, row, row},
		"objective above 7 or row above 0.5 or row above 0.5 or row above 0.5": {objective, row, row, row},
		"objective above 7 or any of 4 constraints above its level":            {objective, row, row, row, row},
	} {
		if got := anyAbove(levels); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestPromisesSayWhatTheAtomsDetermine: with the preference property the atoms that set levels are counted, too.
func TestPromisesSayWhatTheAtomsDetermine(t *testing.T) {
	for preference, want := range map[bool]string{true: "2 of them determine the decision and the levels.", false: "2 of them determine the decision."} {
		if p := (&Promise{Atoms: []int{0, 1}, Preference: preference, radius: 1}); !strings.Contains(p.String(), want) {
			t.Errorf("%v", p)
		}
	}
	if p := (&Promise{Atoms: []int{3}, radius: 1}); !strings.Contains(p.String(), "1 of them determines the decision.") {
		t.Errorf("%v", p)
	}
}
