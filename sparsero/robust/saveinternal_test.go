package robust

import (
	"runtime/debug"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// TestSoftwareOfAFile is this module, in the version that a program was built with.
func TestSoftwareOfAFile(t *testing.T) {
	const module = "github.com/sparsero/directions"
	other, part, local := debug.Module{Path: "example.com/a", Version: "v9.0.0"}, debug.Module{Path: module, Version: "v1.2.3"}, debug.Module{Path: module}
	for k, c := range []struct {
		built *debug.BuildInfo
		want  string
	}{
		{nil, "(devel)"}, {&debug.BuildInfo{Main: local}, "(devel)"}, {&debug.BuildInfo{Main: other}, "(devel)"},
		{&debug.BuildInfo{Main: part}, "v1.2.3"}, {&debug.BuildInfo{Main: other, Deps: []*debug.Module{&part, &other}}, "v1.2.3"},
	} {
		if got := software(c.built); got != module+" "+c.want {
			t.Errorf("program %d is written by %s, want %s", k, got, c.want)
		}
	}
}

// TestProblemsOfFiles have no bound where the file has none, and a label for one of two atoms is an error.
func TestProblemsOfFiles(t *testing.T) {
	one := 1.0
	file := &lifted.Problem{
		Dictionary: lifted.Dictionary{Atoms: 2, Dimension: 1, Values: [][]float64{{1}, {2}}},
		Model: lifted.Model{
			Columns: []lifted.Column{{}, {Lower: &one}, {Upper: &one}, {Lower: &one, Upper: &one}},
			Rows:    []lifted.Row{{Columns: []int{0}, Values: []float64{1}, Lower: &one}, {Columns: []int{0}, Values: []float64{1}, Upper: &one}},
		},
		Objective: &lifted.Map{Matrix: []lifted.Entries{{}}},
	}
	p, err := readProblem(file)
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range []solver.Bounds{{}, solver.AtLeast(1), solver.AtMost(1), solver.Equal(1)} {
		if got := p.region.Column(j).Bounds; got.Lower() != want.Lower() || got.Upper() != want.Upper() {
			t.Errorf("column %d is in [%v, %v]", j, got.Lower(), got.Upper())
		}
	}
	for i, want := range []solver.Bounds{solver.AtLeast(1), solver.AtMost(1)} {
		if got := p.region.RowBounds(i); got.Lower() != want.Lower() || got.Upper() != want.Upper() {
			t.Errorf("row %d is in [%v, %v]", i, got.Lower(), got.Upper())
		}
	}
	file.Dictionary.Labels = []string{"a"}
	if p, err := readProblem(file); err == nil {
		t.Errorf("atoms are named %v", p.Dictionary().Labels())
	}
}
