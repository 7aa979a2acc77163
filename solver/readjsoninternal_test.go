package solver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// edits is the distance as it is defined: by the last letters, which are the same, replaced, inserted or deleted.
func edits(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	shortA, shortB, replaced := a[:len(a)-1], b[:len(b)-1], 1
	if a[len(a)-1] == b[len(b)-1] {
		replaced = 0
	}
	return min(edits(shortA, shortB)+replaced, edits(a, shortB)+1, edits(shortA, b)+1)
}

// TestFilesEndInTime: one that is a byte too long is refused.
func TestFilesEndInTime(t *testing.T) {
	for most, read := range map[int]bool{3: false, 4: true, 5: true} {
		data, err := readAtMost(strings.NewReader("NAME"), most)
		if (err == nil) != read || read && string(data) != "NAME" {
			t.Errorf("four bytes of at most %d: %q, %v", most, data, err)
		}
	}
}

// A side that is null is none, whatever stood there before.
func TestSidesAreReadAnew(t *testing.T) {
	for text, want := range map[string]side{"null": {}, "2.5": {2.5, true}, "-3": {-3, true}} {
		s := side{7, true}
		if err := json.Unmarshal([]byte(text), &s); err != nil || s != want {
			t.Errorf("%s is read as %+v, %v", text, s, err)
		}
	}
}

// TestMeantIsTheNearest: of the keys the first with the fewest edits is named if they are few, else all are.
func TestMeantIsTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			word := rapid.StringMatching("[pqr]{1,7}")
			key, keys := word.Draw(t, "key"), slices.Compact(slices.Sorted(slices.Values(rapid.SliceOfN(word, 0, 4).Draw(t, "keys"))))
			want := "the keys are " + strings.Join(keys, ", ")
			for _, allowed := range []int{0, 1, 2} {
				right := slices.IndexFunc(keys, func(k string) bool { return edits(key, k) == allowed })
				if right < 0 || allowed > 1 && len(key) < 3*allowed-1 {
					continue
				}
				if want = fmt.Sprintf("write %q", keys[right]); allowed == 0 {
					want = "its place is in another object"
				}
				break
			}
			if got := meant(key, keys); !strings.HasPrefix(got, want) {
				t.Fatalf("%q among %q: %s; want %s", key, keys, got, want)
			}
		}
	})
}
