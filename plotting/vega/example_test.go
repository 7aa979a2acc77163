package vega_test

import (
	"fmt"

	"github.com/sparsero/directions/plotting/vega"
)

// A misspelled field is found before anyone wonders where the points are.
func ExampleCheck() {
	fmt.Println(vega.Check([]byte(`{"layer": [{"mark": "point", "data": {"values": [{"gap": 1}]}, "encoding": {"x": {"field": "gpa"}}}]}`)))
	// Output:
	// vega: layer 0: field "gpa" is neither in the rows nor made by a transform
}
