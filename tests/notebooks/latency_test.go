package notebooks

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// latencyCells is how many warm cells the median is taken over.
const latencyCells = 11

// BenchmarkKernelCell reports how long a warm cell takes from being sent to its
// answer: GoNB writes, compiles, links and starts a program. The median is over
// cells that differ, so that every one is linked; the processor time includes the
// start of the kernel and the export. make latency runs it.
func BenchmarkKernelCell(b *testing.B) {
	python := os.Getenv("DIRECTIONS_PYTHON")
	if python == "" {
		b.Skip("needs the kernel: make latency sets DIRECTIONS_PYTHON and JUPYTER_PATH")
	}
	core := []string{"sparsero", "sparsero/selection"}
	for _, test := range []struct {
		name     string
		packages []string
	}{
		{"no imports", nil},
		{"sparsero and selection", core},
		{"sparsero, selection and plotting", append(core, "plotting")},
		{"sparsero, selection, plotting and HiGHS", append(core, "plotting", "solver/highs")},
	} {
		b.Run(test.name, func(b *testing.B) {
			var times []time.Duration
			before, notebooks := childrenTime(b), 0
			for b.Loop() {
				times = append(times, warmCells(b, python, test.packages)...)
				notebooks++
			}
			work := childrenTime(b) - before
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2].Seconds(), "s/cell(median)")
			b.ReportMetric(times[len(times)-1].Seconds(), "s/cell(worst)")
			b.ReportMetric(work.Seconds()/float64(notebooks*(latencyCells+2)), "cpu-s/cell(mean)")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// childrenTime is the processor time of all processes that this one has started and
// that have ended, which does not depend on what else the machine does.
func childrenTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// cellTime is the time in the line of a cell that succeeded.
var cellTime = regexp.MustCompile(`cell +\d+ of \d+ +([\d.]+) s  ok`)

// warmCells executes a notebook and returns the times of its cells without those of
// the first two, which declare and fill the caches.
func warmCells(b *testing.B, python string, packages []string) []time.Duration {
	b.Helper()
	folder := b.TempDir()
	path := filepath.Join(folder, "latency.ipynb")
	if err := os.WriteFile(path, latencyNotebook(b, packages), 0o644); err != nil {
		b.Fatal(err)
	}
	command := exec.Command(python, driver, "-root", folder, "-output", b.TempDir(), "-jobs", "1")
	output, err := command.CombinedOutput()
	var times []time.Duration
	for _, match := range cellTime.FindAllSubmatch(output, -1) {
		seconds, err := strconv.ParseFloat(string(match[1]), 64)
		if err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Duration(seconds*float64(time.Second)))
	}
	if err != nil || len(times) != latencyCells+2 {
		b.Fatalf("%v, %d cells\n%s", err, len(times), output)
	}
	return times[2:]
}

// latencyNotebook imports the packages, uses what pulls in all of them, and prints
// another number in each cell.
func latencyNotebook(b *testing.B, packages []string) []byte {
	imports, use := []string{`"fmt"`}, ""
	for _, p := range packages {
		path := fmt.Sprintf("%q", "github.com/sparsero/directions/"+p)
		switch p {
		case "solver/highs":
			path = "_ " + path
		case "plotting":
			use += "if err := plotting.Show(s.Frame()); err != nil { panic(err) }\n"
		case "sparsero/selection":
			imports = append(imports, `"context"`, `"gonum.org/v1/gonum/mat"`)
			use += "d, err := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, -1, -1}), nil)\nif err != nil { panic(err) }\n" +
				"c, err := selection.NewCoverage(d, d.Matrix(), nil)\nif err != nil { panic(err) }\n" +
				"s, err := selection.Greedy{}.Select(context.Background(), c, 2)\nif err != nil { panic(err) }\nfmt.Println(s.Atoms)\n"
		}
		imports = append(imports, path)
	}
	cells := []map[string]any{latencyCell(0, "import (\n"+strings.Join(imports, "\n")+"\n)")}
	for k := range latencyCells + 1 {
		cells = append(cells, latencyCell(k+1, fmt.Sprintf("%%%%\n%sfmt.Println(%d)", use, k)))
	}
	notebook, err := json.Marshal(map[string]any{
		"cells": cells, "nbformat": 4, "nbformat_minor": 5,
		"metadata": map[string]any{"kernelspec": map[string]any{"name": kernelName, "display_name": "Go (gonb)", "language": "go"}},
	})
	if err != nil {
		b.Fatal(err)
	}
	return notebook
}

func latencyCell(number int, source string) map[string]any {
	return map[string]any{"cell_type": "code", "id": fmt.Sprintf("cell-%d", number), "metadata": map[string]any{}, "execution_count": nil, "outputs": []any{}, "source": source}
}
