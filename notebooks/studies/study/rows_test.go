package study

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestRowsKeepTheirTypes(t *testing.T) {
	rows := NewRows("Policy,B,Share,Nested,Mixed")
	rows.Add("a", 1, 0.5, true, "1")
	rows.Add("b", 2, math.Inf(1), false, 1.5)
	f := rows.Frame()
	if got := f.Types(); len(got) != 5 || got[0] != "string" || got[1] != "int" || got[2] != "float" || got[3] != "bool" || got[4] != "string" {
		t.Errorf("types %v", got)
	}
	var text bytes.Buffer
	if err := (Table{Name: "t", Frame: f}).WriteCSV(&text); err != nil || text.String() != "Policy,B,Share,Nested,Mixed\na,1,0.5,true,1\nb,2,+Inf,false,1.5\n" {
		t.Errorf("%v\n%s", err, text.String())
	}
	text.Reset()
	if err := (Table{Name: "t", Frame: NewRows("a,b").Frame()}).WriteCSV(&text); err != nil || text.String() != "a,b\n" {
		t.Errorf("no rows: %v\n%s", err, text.String())
	}
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, "1 cells for the 5 columns") {
			t.Errorf("a row too short: %q", said)
		}
	}()
	rows.Add("c")
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
