package compare

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
)

// The files that Store writes.
const (
	ComparisonFile = "speed_comparison.csv"
	GrowthFile     = "speed_growth.csv"
	MachineFile    = "speed_machine.csv"
	TextFile       = "speed.txt"
)

// notes explain the table.
const notes = `
Times are medians of wall-clock time; both sides read the same data and were run in turn, workloads of less than
a second after 0.1 seconds of warming up and for as long in each turn. Every ratio is the peer's time over ours.
Results were compared in every row: the column agreement of the CSV file says how.
- limit: for scores and greedy one SGEMM of the same shape by the best core type; for greedy on given scores one
  product of the scores with a vector, which reads them once; for memory what was asked for.
- scores: ours compute the float32 product, the float64 support of all atoms and the first bounds of the gains.
- given scores: both sides have the scores and the first gain of every atom. NumPy's own lazy greedy appears twice,
  gain by gain with a heap, and in growing batches.
- set cover: NumPy works on float64 scores, because the bisection follows differences that float32 does not resolve.
- robust LP: SciPy is given the rows of all atoms in one matrix; building it is not counted.
- MILP: each program is built and solved from scratch; the enumeration counts the listing of the decisions.
`

// Result is everything that one run measures.
type Result struct {
	Rows    []Row
	Machine *Machine
	Growth  []Point
}

// Text returns the result for reading.
func (r Result) Text() (string, error) {
	var text bytes.Buffer
	text.WriteString("Speed beside the peers, measured side by side by: make compare\n\n")
	if err := r.Machine.WriteText(&text); err != nil {
		return "", err
	}
	text.WriteString("\n")
	if err := WriteText(&text, r.Rows); err != nil {
		return "", err
	}
	text.WriteString(notes)
	fmt.Fprintf(&text, "\nGrowth of scores + greedy with N, M=%s, p=%d, B=%d, clustered:\n\n", thousands(growthDirections), growthDimension, growthBudget)
	lines := [][]string{{"N", "median"}}
	for _, p := range r.Growth {
		lines = append(lines, []string{thousands(p.Atoms), withUnit(p.Median, "ms")})
	}
	if err := writeAligned(&text, lines, map[int]bool{0: true, 1: true}); err != nil {
		return "", err
	}
	fmt.Fprintf(&text, "\nslope on logarithmic axes %.3f (target: at most %.2f)\n", Slope(r.Growth), SlopeTarget)
	return text.String(), nil
}

// Store writes the result as text and as CSV files into a folder.
func (r Result) Store(folder string) error {
	text, err := r.Text()
	if err != nil {
		return err
	}
	var comparison, growth, machine bytes.Buffer
	if err := WriteCSV(&comparison, r.Rows); err != nil {
		return err
	}
	if err := WriteGrowth(&growth, r.Growth); err != nil {
		return err
	}
	out := csv.NewWriter(&machine)
	lines := [][]string{{"name", "value"}}
	for _, line := range r.Machine.lines() {
		lines = append(lines, line[:])
	}
	if err := out.WriteAll(lines); err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		TextFile: []byte(text), ComparisonFile: comparison.Bytes(), GrowthFile: growth.Bytes(), MachineFile: machine.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
