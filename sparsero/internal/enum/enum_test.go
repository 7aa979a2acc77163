package enum

import "testing"

type fruit int

// A value has its name, and one without a name its type and number.
func TestNames(t *testing.T) {
	for value, want := range map[fruit]string{0: "apple", 1: "pear", 2: "fruit(2)", -1: "fruit(-1)"} {
		if got := Name(value, "apple", "pear"); got != want {
			t.Errorf("value %d is called %s, want %s", value, got, want)
		}
	}
}
