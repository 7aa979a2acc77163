//go:build linux

package verdict

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestTravel: an answer that is collected in one program is the same to the bit in another.
func TestTravel(t *testing.T) {
	number, list, words := math.Pi, []float64{0.1, math.Inf(1), math.Copysign(0, -1)}, []string{"1/3", ""}
	whole, bytes, dense := []int{3, -1}, []byte(`{"a": 1}`), mat.NewDense(2, 2, []float64{1, 2, 3, 1.0 / 3})
	var numberBack float64
	var listBack []float64
	var wordsBack []string
	var wholeBack []int
	var bytesBack []byte
	var denseBack *mat.Dense
	for _, pair := range [][2]any{{number, &numberBack}, {list, &listBack}, {words, &wordsBack}, {whole, &wholeBack}, {bytes, &bytesBack}, {dense, &denseBack}} {
		plain, err := encoded(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		answers = map[string][]json.RawMessage{"f": {raw}}
		Fill("f", pair[1])
		if got := reflect.ValueOf(pair[1]).Elem().Interface(); !reflect.DeepEqual(got, pair[0]) {
			t.Errorf("%v came back as %v", pair[0], got)
		}
	}
}

// TestOpen: without an answer a number is open, and a matrix of the wrong size is none.
func TestOpen(t *testing.T) {
	answers = map[string][]json.RawMessage{"f": {json.RawMessage(`{"Rows": 3, "Columns": 3, "Values": ["1"]}`)}}
	var dense *mat.Dense
	number := 1.0
	Fill("f", &dense, &number)
	if dense != nil || !math.IsNaN(number) {
		t.Errorf("%v, %v", dense, number)
	}
	if _, err := encoded(mat.NewVecDense(1, nil)); err == nil {
		t.Error("no error for an answer of another type")
	}
}
