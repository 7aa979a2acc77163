package sparsero_test

import (
	"encoding/json"
	"testing"

	"github.com/sparsero/directions/sparsero"
)

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
	defer gauge.Close()
	for _, value := range []any{d, *d, set, *set, gauge} {
		if text, err := json.Marshal(value); err == nil {
			t.Errorf("%T is marshalled to %s", value, text)
		}
	}
}
