package style_test

import (
	"fmt"

	"github.com/sparsero/directions/plotting/style"
)

// The first colours of a chart.
func ExampleSeries() {
	fmt.Println(style.Hex(style.Series(0)), style.Hex(style.Series(1)), style.Hex(style.Series(2)))
	// Output:
	// #0072b2 #d55e00 #009e73
}
