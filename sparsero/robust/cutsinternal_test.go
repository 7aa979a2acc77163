package robust

import "testing"

// A round adds 50 rows, a thousandth of many atoms, or what the user says.
func TestCutsOfARound(t *testing.T) {
	for _, test := range []struct{ asked, atoms, want int }{
		{0, 0, 50}, {0, 50_999, 50}, {0, 51_000, 51}, {0, 200_000, 200}, {0, 5_000_000, 200}, {7, 100_000, 7}, {300, 10, 300},
	} {
		options, err := (&Options{CutsPerRound: test.asked}).withDefaults()
		if got := options.cuts(test.atoms); err != nil || got != test.want {
			t.Errorf("CutsPerRound %d and %d atoms: %d cuts, %v, want %d", test.asked, test.atoms, got, err, test.want)
		}
	}
}
