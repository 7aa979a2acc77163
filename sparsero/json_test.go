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

// No text makes a dictionary panic, or one whose declaration cannot hold.
func TestDictionaryRefusesJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"atoms":1,"dimension":-1,"values":[[1]]}`:                      "dimension -1",
		`{"atoms":-1,"dimension":1,"values":[]}`:                         "-1 atoms",
		`{"atoms":0,"dimension":1,"values":[]}`:                          "0 atoms",
		`{"atoms":1,"dimension":4611686018427387904,"values":[[1]]}`:     "1 numbers",
		`{"atoms":2,"dimension":9223372036854775807,"values":[[1],[1]]}`: "1 numbers",
		`{"atoms":2,"dimension":2,"values":[[1,2],[1]]}`:                 "atom 1 has 1 numbers",
		`{"atoms":1,"dimension":1,"values":[[1]],"sampled":true,"closed":true,"sha256":"7b7c534f75278483fc012dbb043b0f033e3e2a04c9e970020d17336ea0f2ef4d"}`: "antipodal closure",
	} {
		if err := json.Unmarshal([]byte(text), &sparsero.Dictionary{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}

// Names that JSON would change are refused.
func TestNamesThatJSONChanges(t *testing.T) {
	for name, options := range map[string]*sparsero.DictionaryOptions{
		"label": {Labels: []string{"caf\xe9"}}, "column": {Columns: []string{"caf\xe9"}},
	} {
		d, err := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1}), options)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := json.Marshal(d); err == nil || !strings.Contains(err.Error(), `"caf\xe9" is not UTF-8`) {
			t.Errorf("%s: %s, error %v", name, text, err)
		}
		if text, err := d.Summary(); err == nil {
			t.Errorf("%s: summary %s", name, text)
		}
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
