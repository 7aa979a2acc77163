package paper

import (
	"math"
	"testing"
)

func TestPaper(t *testing.T) {
	n := ReadPaper("# a note\twith a tab\nrates\t9\tradius\t-0.0110\nrates\t9\tseeds\t58/64\n\nplain\t9")
	for _, test := range []struct {
		text string
		want Number
		keys []any
	}{
		{"-0.0110", Number{-0.011, 0.00005}, []any{9, "radius"}},
		{"58/64", Number{Value: math.NaN()}, []any{"9", "seeds"}},
		{"", Number{Value: math.NaN()}, []any{10, "radius"}},
	} {
		if got := n.Text("rates", test.keys...); got != test.text {
			t.Errorf("%v: %q, want %q", test.keys, got, test.text)
		}
		got := n.Number("rates", test.keys...)
		if same := got.Value == test.want.Value || math.IsNaN(got.Value) && math.IsNaN(test.want.Value); !same || math.Abs(got.Rounding-test.want.Rounding) > 1e-15 {
			t.Errorf("%v: %v, want %v", test.keys, got, test.want)
		}
	}
	if got := n.Number("plain"); got != (Number{Value: 9}) || len(n) != 3 {
		t.Errorf("%v of %v", got, n)
	}
}
