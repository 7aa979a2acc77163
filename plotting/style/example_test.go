package style_test

import (
	"fmt"

	"github.com/sparsero/directions/plotting/style"
)

// Labels with sub- and superscripts, where only plain text is possible.
func ExampleUnicode() {
	fmt.Println(style.Unicode("Δ_{S}(s) < 10^{-3}"), style.Unicode("close_price"))
	// Output:
	// Δ_S(s) < 10⁻³ close_price
}

// The first colours of a chart.
func ExampleSeries() {
	fmt.Println(style.Hex(style.Series(0)), style.Hex(style.Series(1)), style.Hex(style.Series(2)))
	// Output:
	// #0072b2 #d55e00 #009e73
}
