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
