package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a first cell may take, in seconds, on a machine that is busy with other work as well. On two cores the slowest
// takes one second at a load of 2, and six at a load of 11 (docker/README.md); if packages had to be compiled, or the
// network were asked, most would take longer than this.
const (
	slowestFirstCell = 30
	medianFirstCell  = 5
)

// TestFirstCells runs, without network and each in a fresh kernel, the cells of tutorials up to the first that shows
// something. The times are left among the results: first, the first code cell; shown, the first output.
func TestFirstCells(t *testing.T) {
	script, err := filepath.Abs(filepath.Join("testdata", "first_cells.py"))
	if err != nil {
		t.Fatal(err)
	}
	command := []string{"python3", "/first_cells.py"}
	for _, name := range names(t) {
		command = append(command, "/opt/directions/tutorials/"+name+".ipynb")
	}
	answer, err := once(t, append([]string{"--network", "none", "-v", script + ":/first_cells.py:ro"}, safe...), command...)
	if err != nil {
		t.Fatal(err)
	}
	var times []float64
	table := fmt.Sprintf("%-32s %8s %8s %8s\n", "seconds", "kernel", "first", "shown")
	for line := range strings.SplitSeq(answer, "\n") {
		if !strings.HasPrefix(line, "{") {
			continue // what Jupyter says of itself
		}
		var cell struct {
			Name, Status         string
			Kernel, First, Shown float64
			Cell                 int
		}
		decode(t, []byte(line), &cell)
		table += fmt.Sprintf("%-32s %8.2f %8.2f %8.2f (cell %d)\n", cell.Name, cell.Kernel, cell.First, cell.Shown, cell.Cell)
		if cell.Status != "ok" {
			t.Errorf("%s: cell %d ends with %s", cell.Name, cell.Cell, cell.Status)
		}
		if slowest := max(cell.First, cell.Shown); slowest > slowestFirstCell {
			t.Errorf("%s: a cell took %.1f s to start, want less than %d", cell.Name, slowest, slowestFirstCell)
		}
		times = append(times, cell.First, cell.Shown)
	}
	t.Log(table)
	if results := os.Getenv("DIRECTIONS_RESULTS"); results != "" {
		if err := os.WriteFile(filepath.Join(results, "first_cells.txt"), []byte(table), 0o644); err != nil {
			t.Error(err)
		}
	}
	slices.Sort(times)
	if median := times[len(times)/2]; median > medianFirstCell {
		t.Errorf("half of the cells took more than %.1f s to start, want less than %d", median, medianFirstCell)
	}
	if len(times) != 2*len(names(t)) {
		t.Errorf("%d of %d tutorials were timed", len(times)/2, len(names(t)))
	}
}
