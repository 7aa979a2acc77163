//go:build cgo

package highs_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
)

// TestLPFiles: what is written in LP format comes back with the same optimum, and a file as users write it is read.
func TestLPFiles(t *testing.T) {
	m := solver.NewModel("mix")
	m.SetOffset(2)
	x := m.AddColumn(solver.Column{Name: "iron ore", Bounds: solver.Between(-1, 4), Cost: 1.0 / 3})
	k := m.AddColumn(solver.Column{Name: "trucks", Bounds: solver.Between(0, 9), Cost: -2, Integer: true})
	m.AddRow(solver.Row{Name: "load", Bounds: solver.Between(-3, 7.5), Columns: []int{x, k}, Values: []float64{-1, 2}})
	path := filepath.Join(t.TempDir(), "mix.lp")
	if err := highs.WriteLP(path, m); err != nil {
		t.Fatal(err)
	}
	read, err := highs.ReadLP(path)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := solver.Solve(context.Background(), m, nil)
	got, err := solver.Solve(context.Background(), read, nil)
	if err != nil || math.Abs(got.Objective-want.Objective) > 1e-9 {
		t.Errorf("read %v, wrote %v: %v", got, want, err)
	}
	const text = "Maximize\n profit: 3 x + 2 y + [ - x ^2 ] / 2\nSubject To\n land: x + y <= 4\n work: x + 3 y <= 6\nBounds\n x <= 3\nEnd\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if read, err = highs.ReadLP(path); err != nil || !read.Maximizes() || read.Row(0).Name != "land" || len(read.Quadratic()) == 0 {
		t.Errorf("%v, %v", read, err)
	}
}

// TestLPFilesOfGroups: a row in a group comes back as group/name, whose / is no division.
func TestLPFilesOfGroups(t *testing.T) {
	m := solver.NewModel("a/b")
	x := m.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, 4), Cost: -1})
	m.AddRow(solver.Row{Group: "saw", Name: "saw: atom", Bounds: solver.AtMost(2), Columns: []int{x}, Values: []float64{1}})
	path := filepath.Join(t.TempDir(), "groups.lp")
	if err := highs.WriteLP(path, m); err != nil {
		t.Fatal(err)
	}
	if read, err := highs.ReadLP(path); err != nil || read.Row(0).Name != "saw/saw: atom" || read.RowBounds(0).Upper() != 2 {
		t.Errorf("%v, %v", read, err)
	}
}

// TestLPFilesOfAnyNames: names that are words, numbers or operators of the format come back, of columns as of rows.
func TestLPFilesOfAnyNames(t *testing.T) {
	names := "1 a-b e9 E9x x:y [q] a[1] x^2 x,1 x(1) a/b #a _ 9x .5 , ( inf info infinity nan nano st subject such to that free Free bounds bound " +
		"end max min minimize general gen bin binary integer int semi sos1 obj Name"
	for _, name := range strings.Fields(names) {
		m := solver.NewModel("names")
		x := m.AddColumn(solver.Column{Name: name, Bounds: solver.Between(-1, 4), Cost: -3})
		y := m.AddColumn(solver.Column{Name: "y", Bounds: solver.Between(-5, 5), Cost: 1})
		m.AddRow(solver.Row{Name: name, Bounds: solver.AtMost(2), Columns: []int{x, y}, Values: []float64{2, -1}})
		path := filepath.Join(t.TempDir(), "names.lp")
		if err := highs.WriteLP(path, m); err != nil {
			t.Fatal(err)
		}
		read, err := highs.ReadLP(path)
		if err != nil || read.ColumnName(0) != name || read.Row(0).Name != name {
			t.Errorf("%s: %v %v", name, read, err)
			continue
		}
		want, _ := solver.Solve(context.Background(), m, nil)
		if got, err := solver.Solve(context.Background(), read, nil); err != nil || got.Objective != want.Objective {
			t.Errorf("%s: read %v, wrote %v: %v", name, got, want, err)
		}
	}
}

func TestLPFilesRefuse(t *testing.T) {
	folder := t.TempDir()
	broken := filepath.Join(folder, "broken.lp")
	os.WriteFile(broken, []byte("Minimize\n 3 x +\nSubject\n"), 0o600)
	failed := func(_ any, err error) error { return err }
	valid := solver.NewModel("m")
	valid.AddColumn(solver.Column{})
	small := solver.NewModel("s")
	small.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{small.AddColumn(solver.Column{})}, Values: []float64{1e-12}})
	for want, err := range map[string]error{
		"write it as .mps": highs.WriteLP(filepath.Join(folder, "s.lp"), small),
		"m.mps":            failed(highs.ReadLP(filepath.Join(folder, "m.mps"))),
		"broken.lp":        failed(highs.ReadLP(broken)),
		"model":            highs.WriteLP(filepath.Join(folder, "m.lp"), nil),
		"none":             highs.WriteLP(filepath.Join(folder, "none", "m.lp"), valid), // where HiGHS crashes
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// TestLPFilesWhileMemoryIsCollected: the binding frees a model to which nobody refers any more, in the middle of a call too.
func TestLPFilesWhileMemoryIsCollected(t *testing.T) {
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	}()
	m := solver.NewModel("many")
	for range 2000 {
		m.AddColumn(solver.Column{Bounds: solver.Between(-1, 4), Cost: 1})
	}
	path := filepath.Join(t.TempDir(), "many.lp")
	for range 20 {
		if err := highs.WriteLP(path, m); err != nil {
			t.Fatal(err)
		}
		if read, err := highs.ReadLP(path); err != nil || read.Columns() != 2000 {
			t.Fatal(read, err)
		}
	}
}
