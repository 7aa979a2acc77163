package frame

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestRowsKeepTheirTypes(t *testing.T) {
	rows := NewRows("Policy,B,Share,Nested,Mixed,Late,Truth")
	rows.Add("a", 1, 0.5, true, "1", 2, true)
	rows.Add("b", 2, math.Inf(1), false, 1.5, 2.75, "unknown")
	f := rows.Frame()
	if got := f.Types(); len(got) != 7 || got[0] != "string" || got[1] != "int" || got[2] != "float" || got[3] != "bool" || got[4] != "string" || got[5] != "string" || got[6] != "string" {
		t.Errorf("types %v", got)
	}
	var text bytes.Buffer
	if err := f.WriteCSV(&text); err != nil || text.String() != "Policy,B,Share,Nested,Mixed,Late,Truth\na,1,0.500000,true,1,2,true\nb,2,+Inf,false,1.5,2.75,unknown\n" {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// TestRowThatDoesNotFit wants the error of the first row with another number of cells.
func TestRowThatDoesNotFit(t *testing.T) {
	rows := NewRows("a,b")
	rows.Add(1, 2)
	rows.Add(1)
	if err := rows.Frame().Err; err == nil || !strings.Contains(err.Error(), "1 cells for the 2 columns") {
		t.Errorf("error = %v", err)
	}
}
