package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestColumnsGoByName: a table whose columns stand in another order than those of the model gives the same decision, and one that
// shares some names with the model is refused.
func TestColumnsGoByName(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "model.json", `{"columns": [{"name": "x", "lower": 0, "upper": 1, "cost": -1}, {"name": "y", "lower": 0, "upper": 1, "cost": -1}]}`)
	file(t, folder, "right.csv", "x,y\n3,0.1\n2,0.2\n")
	file(t, folder, "turned.csv", "y,x\n0.1,3\n0.2,2\n")
	file(t, folder, "other.csv", "a,b\n3,0.1\n2,0.2\n")
	file(t, folder, "half.csv", "x,b\n3,0.1\n2,0.2\n")
	decision := func(name string) []float64 {
		o := runs(t, folder, "design FOLDER/"+name+" -model FOLDER/model.json -o FOLDER/d.json -json", 0)
		return read[struct{ Decision []float64 }](t, o).Decision
	}
	want := decision("right.csv")
	if !slices.Equal(want, []float64{0, 1}) {
		t.Fatalf("decision %v", want)
	}
	for _, name := range []string{"turned.csv", "other.csv"} {
		if got := decision(name); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	runs(t, folder, "verify FOLDER/d.json FOLDER/other.csv", 0) // the numbers of other.csv stand in the order of the model
	if o := runs(t, folder, "verify FOLDER/d.json FOLDER/turned.csv", 2); strings.Contains(o.stdout+o.stderr, "false") {
		t.Errorf("a file that is valid is called false: %s%s", o.stdout, o.stderr)
	}
	runs(t, folder, "design FOLDER/half.csv -model FOLDER/model.json -o FOLDER/d.json", 2)
}

// TestProbesGoByName: probes whose columns stand in another order than those of the atoms choose the same, and half a name is refused.
func TestProbesGoByName(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "atoms.csv", "x,y\n3,0.1\n0.2,2\n")
	file(t, folder, "turned.csv", "y,x\n0,1\n")
	file(t, folder, "half.csv", "x,b\n1,0\n")
	if got := read[struct{ Atoms []int }](t, runs(t, folder, "select FOLDER/atoms.csv FOLDER/turned.csv -budget 1 -json", 0)); !slices.Equal(got.Atoms, []int{0}) {
		t.Errorf("%v", got)
	}
	runs(t, folder, "select FOLDER/atoms.csv FOLDER/half.csv -budget 1", 2)
	if o := runs(t, folder, "verify FOLDER/atoms.csv", 2); !strings.Contains(o.stderr, "hand over a design file") {
		t.Error(o.stderr)
	}
}

// TestLabelsByName: a column of any name and place holds the labels, where -labels or the document names it.
func TestLabelsByName(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "model.json", `{"columns": [{"name": "x", "lower": 0, "upper": 1, "cost": -1}, {"name": "y", "lower": 0, "upper": 1, "cost": -1}]}`)
	file(t, folder, "ids.csv", "x,id,y\n3,17,0.1\n2,18,0.2\n0.3,19,1.5\n")
	file(t, folder, "days.csv", "day,x,y\n2020-01-31,3,0.1\n2020-02-01,2,0.2\n")
	file(t, folder, "p.json", `{"model": "model.json", "objective": {"matrix": "identity"}, "dictionary": {"values": "ids.csv", "labels": "id"}}`)
	file(t, folder, "probes.csv", "x,y\n1,0.5\n")
	for line, want := range map[string]string{
		"design FOLDER/ids.csv -model FOLDER/model.json -labels id -o FOLDER/d.json": "atoms: 17, 19",
		"design FOLDER/p.json -o FOLDER/d.json":                                      "atoms: 17, 19",
		"design FOLDER/days.csv -model FOLDER/model.json -o FOLDER/d.json":           "atoms: 2020-0",
		"select FOLDER/ids.csv FOLDER/probes.csv -labels id -budget 1":               "17",
	} {
		if o := runs(t, folder, line, 0); !strings.Contains(o.stdout, want) {
			t.Errorf("%s: %s", line, o.stdout)
		}
	}
	for line, want := range map[string]string{
		"design FOLDER/ids.csv -model FOLDER/model.json -labels name -o FOLDER/d.json": `no column "name"`,
		"design FOLDER/p.json -labels id -o FOLDER/d.json":                             `"labels" beside "values"`,
		"design FOLDER/ids.csv -labels id -o FOLDER/d.json":                            "prices have their days",
	} {
		if o := runs(t, folder, line, 2); !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %s", line, o.stderr)
		}
	}
}

// TestWatchGoesByName: draws whose columns stand in another order than those of the model, whose atoms have no names, count the same.
func TestWatchGoesByName(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "model.json", `{"columns": [{"name": "x", "lower": 0, "upper": 1, "cost": -1}, {"name": "y", "lower": 0, "upper": 1, "cost": -1}]}`)
	atoms, right, turned := "u0,u1\n", "x,y\n", "y,x\n"
	for k := range 300 {
		a, b := 1+float64(k%7)/10, float64(k%5)/10
		atoms += fmt.Sprintf("%v,%v\n", a+0.001*float64(k), b)
		right += fmt.Sprintf("%v,%v\n", a, b)
		turned += fmt.Sprintf("%v,%v\n", b, a)
	}
	for name, text := range map[string]string{"atoms.csv": atoms, "right.csv": right, "turned.csv": turned} {
		file(t, folder, name, text)
	}
	runs(t, folder, "design FOLDER/atoms.csv -model FOLDER/model.json -violations 20% -o FOLDER/d.json", 0)
	watched := func(name string) string {
		return runs(t, folder, "watch FOLDER/d.json FOLDER/"+name+" -violations 20%", 0).stdout
	}
	if got, want := watched("turned.csv"), watched("right.csv"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
