package sparsero_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"pgregory.net/rapid"
)

// What is marshalled comes back bit by bit, names, set and radius; what would not is refused.
func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawNamed(t)
		indices := rapid.SliceOfDistinct(rapid.IntRange(0, d.Size()-1), rapid.ID).Draw(t, "indices")
		set, err := sparsero.NewAtomicSet(d, indices, rapid.Float64Range(0, 1e300).Draw(t, "radius"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(struct{ Set *sparsero.AtomicSet }{set})
		if err != nil {
			return // a name that is no UTF-8
		}
		var back struct{ Set *sparsero.AtomicSet }
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		got := back.Set.Dictionary()
		if !slices.Equal(got.Labels(), d.Labels()) || !slices.Equal(got.Columns(), d.Columns()) || !sameBits(got.Matrix(), d.Matrix()) ||
			!slices.Equal(back.Set.Atoms(), indices) || back.Set.Radius() != set.Radius() || !slices.Equal(got.Frame().Names(), d.Frame().Names()) {
			t.Fatalf("%s came back as %v", text, back.Set)
		}
	})
}

// The column that the labels came from keeps its name.
func TestJSONKeepsTheLabelColumn(t *testing.T) {
	d, err := sparsero.ReadCSV(strings.NewReader("day,x,y\nMon,1,2\nTue,3,4\n"), "day")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var back sparsero.Dictionary
	if err := json.Unmarshal(text, &back); err != nil || !slices.Equal(back.Frame().Names(), []string{"day", "x", "y"}) {
		t.Errorf("%s came back with the columns %v, %v", text, back.Frame().Names(), err)
	}
}

func TestJSONRefusesWhatIsNone(t *testing.T) {
	for _, value := range []any{&sparsero.Dictionary{}, sparsero.Dictionary{}, &sparsero.AtomicSet{}, sparsero.AtomicSet{}} {
		if text, err := json.Marshal(value); err == nil {
			t.Errorf("%T is marshalled to %s", value, text)
		}
	}
	for text, says := range map[string]string{
		`{}`:                             "holds no atoms",
		`{"Atoms":[[]]}`:                 "holds no atoms",
		`{"Atoms":[[1,2],[3]]}`:          "atom 1 has 1 coordinates",
		`{"Atoms":[[1]],"Labels":[]}`:    "got 0 labels for 1 atoms",
		`{"Atoms":[[1]],"Columns":[""]}`: "name of column 0 is empty",
		`{"Atoms":"none"}`:               "holds no dictionary",
	} {
		wantError(t, json.Unmarshal([]byte(text), &sparsero.Dictionary{}), says)
	}
	for text, says := range map[string]string{
		`{}`: "dictionary is nil",
		`{"Dictionary":{"Atoms":[[1]]},"Atoms":[1]}`: "indices[0] = 1 is outside",
		`{"Dictionary":{"Atoms":[[1]]},"Radius":-1}`: "radius -1",
		`[]`: "holds no atomic set",
	} {
		wantError(t, json.Unmarshal([]byte(text), &sparsero.AtomicSet{}), says)
	}
}

// Whatever the text, reading a dictionary gives one or says why not.
func FuzzDictionaryJSON(f *testing.F) {
	f.Add([]byte(`{"Columns":["a","b"],"LabelColumn":"day","Labels":["x"],"Atoms":[[1,-0]]}`))
	f.Add([]byte(`{"Atoms":[[1e400]]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var d sparsero.Dictionary
		if json.Unmarshal(text, &d) == nil && string(text) != "null" && (d.Size() < 1 || d.Dim() < 1) {
			t.Fatalf("%s is a dictionary of %d atoms", text, d.Size())
		}
	})
}
