package study

import (
	"bytes"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero"
)

func TestTableKeepsItsTypes(t *testing.T) {
	rows := sparsero.NewRows("Policy,B,Share,Nested")
	rows.Add("a", 1, 0.5, true)
	rows.Add("b", 2, math.Inf(1), false)
	var text bytes.Buffer
	if err := (Table{Name: "t", Frame: rows.Frame()}).WriteCSV(&text); err != nil || text.String() != "Policy,B,Share,Nested\na,1,0.5,true\nb,2,+Inf,false\n" {
		t.Errorf("%v\n%s", err, text.String())
	}
	text.Reset()
	if err := (Table{Name: "t", Frame: sparsero.NewRows("a,b").Frame()}).WriteCSV(&text); err != nil || text.String() != "a,b\n" {
		t.Errorf("no rows: %v\n%s", err, text.String())
	}
}

func TestQuantile(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		values      []float64
		level, want float64
	}{
		{[]float64{5, inf, 1, 3}, 0, 1}, {[]float64{5, inf, 1, 3}, 0.25, 2.5}, {[]float64{5, inf, 1, 3}, 0.5, 4}, {[]float64{5, inf, 1, 3}, 1, inf},
		{[]float64{7}, 0.25, 7}, {[]float64{1, inf, inf}, 0.25, inf}, {[]float64{1, 1, inf, 1, inf}, 0.75, inf}, {[]float64{inf, inf}, 0.5, inf},
		{[]float64{3, 1}, 0.5, 2},
	} {
		if got := Quantile(test.values, test.level); got != test.want {
			t.Errorf("quantile %v of %v is %v, want %v", test.level, test.values, got, test.want)
		}
	}
	if !math.IsNaN(Quantile(nil, 0.5)) {
		t.Error("the quantile of nothing must be NaN")
	}
}
