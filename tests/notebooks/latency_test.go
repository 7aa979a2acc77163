package notebooks

import (
	"encoding/json"
	"errors"
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
// start of the kernel and the export. Both also stand as a ratio to the cell that
// imports nothing in a kernel with the settings of GoNB alone, beside the size of the
// program. make latency runs it.
func BenchmarkKernelCell(b *testing.B) {
	python := os.Getenv("DIRECTIONS_PYTHON")
	if python == "" {
		b.Skip("needs the kernel: make latency sets DIRECTIONS_PYTHON and JUPYTER_PATH")
	}
	kernels := os.Getenv("JUPYTER_PATH")
	core := []string{"sparsero", "sparsero/selection"}
	var bareWall, bareWork float64
	for _, test := range []struct {
		name     string
		kernels  string
		packages []string
	}{
		{"GoNB alone, no imports", plainKernel(b), nil},
		{"no imports", kernels, nil},
		{"sparsero and selection", kernels, core},
		{"imports of sparsero and selection", kernels, []string{"_ sparsero", "_ sparsero/selection"}},
		{"sparsero, selection and a table", kernels, append(core, "plotting a table")},
		{"a table and HiGHS", kernels, append(core, "plotting a table", "_ solver/highs")},
		{"sparsero, selection and plotting", kernels, append(core, "plotting")},
		{"sparsero, selection, plotting and HiGHS", kernels, append(core, "plotting", "_ solver/highs")},
	} {
		b.Run(test.name, func(b *testing.B) {
			var times []time.Duration
			before, notebooks := childrenTime(b), 0
			for b.Loop() {
				times = append(times, warmCells(b, python, test.kernels, test.packages)...)
				notebooks++
			}
			work := (childrenTime(b) - before).Seconds() / float64(notebooks*(latencyCells+2))
			slices.Sort(times)
			wall := times[len(times)/2].Seconds()
			if test.kernels != kernels {
				bareWall, bareWork = wall, work
			}
			b.ReportMetric(wall, "s/cell(median)")
			b.ReportMetric(times[len(times)-1].Seconds(), "s/cell(worst)")
			b.ReportMetric(work, "cpu-s/cell(mean)")
			b.ReportMetric(wall/bareWall, "x-GoNB")
			b.ReportMetric(work/bareWork, "x-GoNB-cpu")
			if test.kernels == kernels {
				b.ReportMetric(float64(len(cellProgram(b, kernelFile(), test.packages)))/1e6, "MB")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// TestCellsLinkWhatTheyUse counts the packages and bytes that the linker reads and writes for a cell, which is most of its
// time. The ceilings are a twentieth above what the cells need.
func TestCellsLinkWhatTheyUse(t *testing.T) {
	for _, test := range []struct {
		packages         []string
		linked, capacity int
	}{
		{nil, 65, 1_670_000},
		{[]string{"_ sparsero", "_ sparsero/selection"}, 126, 1_750_000},
		{[]string{"sparsero", "sparsero/selection"}, 126, 2_189_000},
		{[]string{"sparsero", "sparsero/selection", "plotting a table"}, 266, 5_530_000},
		{[]string{"sparsero", "sparsero/selection", "plotting"}, 266, 7_760_000},
	} {
		linked := strings.Fields(string(goOutput(t, imageKernel, "list", "-deps", cellSource(t, test.packages))))
		program := cellProgram(t, imageKernel, test.packages)
		if len(linked) > test.linked || len(program) > test.capacity {
			t.Errorf("a cell with %v links %d packages into %d bytes; at most %d and %d: split what it needs from what it does not",
				test.packages, len(linked), len(program), test.linked, test.capacity)
		}
	}
}

// imageKernel is the kernel of the image, whose settings every checkout holds.
const imageKernel = "../../docker/image/root/usr/local/share/jupyter/kernels/gonb/kernel.json"

// kernelFile is the kernel of this checkout.
func kernelFile() string {
	return filepath.Join(os.Getenv("JUPYTER_PATH"), "kernels", kernelName, "kernel.json")
}

// cellSource writes the program of a cell and returns the name of its file.
func cellSource(t testing.TB, packages []string) string {
	t.Helper()
	imports, use := cellOf(packages)
	source := filepath.Join(t.TempDir(), "main.go")
	text := "package main\nimport (\n" + strings.Join(imports, "\n") + "\n)\nfunc main() {\n" + use + "fmt.Println(0)\n}\n"
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return source
}

// cellProgram returns the program of a cell, built with the settings of a kernel.
func cellProgram(t testing.TB, kernel string, packages []string) []byte {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	goOutput(t, kernel, "build", "-o", program, cellSource(t, packages))
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// goOutput is what the go command prints in the module with the settings of a kernel.
func goOutput(t testing.TB, kernel string, arguments ...string) []byte {
	t.Helper()
	command := exec.Command("go", arguments...)
	command.Dir, command.Env = filepath.Join("..", ".."), os.Environ()
	for name, value := range readKernel(t, kernel).Env {
		if name != "PATH" {
			command.Env = append(command.Env, name+"="+value)
		}
	}
	output, err := command.Output()
	if err != nil {
		t.Fatalf("go %v: %v", arguments, err)
	}
	return output
}

// kernelSettings is what a kernel.json says of a kernel.
type kernelSettings struct {
	Argv     []string          `json:"argv"`
	Name     string            `json:"display_name"`
	Language string            `json:"language"`
	Env      map[string]string `json:"env"`
}

// readKernel returns the settings in a kernel.json.
func readKernel(t testing.TB, path string) (kernel kernelSettings) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, &kernel)
	}
	if err != nil {
		t.Fatal(err)
	}
	return kernel
}

// plainKernel writes the kernel as GoNB installs it, without our go command and flags, and returns its JUPYTER_PATH.
func plainKernel(b *testing.B) string {
	b.Helper()
	kernel := readKernel(b, kernelFile())
	_, path, _ := strings.Cut(kernel.Env["PATH"], ":")
	kernel.Argv, kernel.Env = kernel.Argv[:3], map[string]string{"PATH": path}
	content, err := json.Marshal(kernel)
	folder := b.TempDir()
	place := filepath.Join(folder, "kernels", kernelName)
	if err := errors.Join(err, os.MkdirAll(place, 0o755), os.WriteFile(filepath.Join(place, "kernel.json"), content, 0o644)); err != nil {
		b.Fatal(err)
	}
	return folder
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
func warmCells(b *testing.B, python, kernels string, packages []string) []time.Duration {
	b.Helper()
	folder := b.TempDir()
	path := filepath.Join(folder, "latency.ipynb")
	if err := os.WriteFile(path, latencyNotebook(b, packages), 0o644); err != nil {
		b.Fatal(err)
	}
	command := exec.Command(python, driver, "-root", folder, "-output", b.TempDir(), "-jobs", "1")
	command.Env = append(os.Environ(), "JUPYTER_PATH="+kernels)
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

// cellOf returns the imports of a cell and what it does with them: it chooses two of three atoms, and shows the path as
// a figure or a table. What begins with _ is imported alone.
func cellOf(packages []string) (imports []string, use string) {
	imports = []string{`"fmt"`}
	for _, p := range packages {
		name, unused := strings.CutPrefix(p, "_ ")
		path := fmt.Sprintf("%q", "github.com/sparsero/directions/"+strings.Fields(name)[0])
		if unused {
			path = "_ " + path
		}
		switch p {
		case "plotting a table":
			use += "if err := plotting.Show(s.Frame()); err != nil { panic(err) }\n"
		case "plotting":
			use += "if err := plotting.Show(plotting.Curves([]plotting.Series{{X: []float64{1, 2}, Y: s.WorstDeficit}}, nil)); err != nil { panic(err) }\n"
		case "sparsero/selection":
			imports = append(imports, `"context"`, `"gonum.org/v1/gonum/mat"`)
			use += "d, err := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, -1, -1}), nil)\nif err != nil { panic(err) }\n" +
				"c, err := selection.NewCoverage(d, d.Matrix(), nil)\nif err != nil { panic(err) }\n" +
				"s, err := selection.Greedy{}.Select(context.Background(), c, 2)\nif err != nil { panic(err) }\nfmt.Println(s.Atoms)\n"
		}
		imports = append(imports, path)
	}
	return imports, use
}

// latencyNotebook imports the packages, uses what pulls in all of them, and prints
// another number in each cell.
func latencyNotebook(b *testing.B, packages []string) []byte {
	imports, use := cellOf(packages)
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
