package sparsero_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// A dictionary comes back from JSON with its atoms to the bit, its names and its declaration.
func TestDictionaryComesBackFromJSON(t *testing.T) {
	atoms := mat.NewDense(3, 2, []float64{1, math.Nextafter(0.1, 1), -5e-324, 1e300, 0, 1.0 / 3})
	named, err := sparsero.NewDictionary(atoms, &sparsero.DictionaryOptions{Labels: []string{"a", "b, c", "ü"}, Columns: []string{"x", "y"}})
	if err != nil {
		t.Fatal(err)
	}
	sampled, err := named.AsSampled()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*sparsero.Dictionary{"named": named, "sampled": sampled, "closed": named.AntipodalClosure(), "plain": plain} {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		read := &sparsero.Dictionary{}
		if err := json.Unmarshal(text, read); err != nil || !reflect.DeepEqual(d, read) {
			t.Errorf("%s: %v", name, err)
		}
		if d.Hash() != read.Hash() {
			t.Errorf("%s has another hash", name)
		}
		for old, want := range map[string][2]string{"0.3333333333333333": {"0.3333333333333334", "hash"}, `"atoms":`: {`"atoms":9`, "9"}, `"values"`: {`"others"`, "apart from the file"}} {
			if err := json.Unmarshal([]byte(strings.Replace(string(text), old, want[0], 1)), read); err == nil || !strings.Contains(err.Error(), want[1]) {
				t.Errorf("%s, %s: %v", name, want[0], err)
			}
		}
	}
	if named.Hash() != plain.Hash() {
		t.Error("names count in the hash")
	}
}

// What has no form in JSON says so, as a value too, where {} would lose it silently.
func TestNoJSON(t *testing.T) {
	d := mustDictionaryOf(t, nil)
	set, err := sparsero.NewAtomicSet(d, []int{1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	gauge, err := sparsero.NewGauge(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []any{set, *set, gauge, &sparsero.Dictionary{}} {
		if text, err := json.Marshal(value); err == nil {
			t.Errorf("%T is marshalled to %s", value, text)
		}
	}
}
