package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sparsero/directions/datasets"
)

// cutter is a standard error that interrupts the command once it has said something.
type cutter struct {
	bytes.Buffer
	after string
	cut   func()
}

func (c *cutter) Write(text []byte) (int, error) {
	if strings.Contains(string(text), c.after) {
		c.cut()
	}
	return c.Buffer.Write(text)
}

// TestInterruptedDesign: what was found until then is written, says so, and its claims are true.
func TestInterruptedDesign(t *testing.T) {
	folder := fixtures(t)
	ctx, cancel := context.WithCancel(t.Context())
	stderr, stdout := &cutter{after: "2 atoms:", cut: cancel}, &bytes.Buffer{}
	path := filepath.Join(folder, "d.json")
	code := run(ctx, []string{"design", filepath.Join(folder, "prices.csv"), "-o", path, "-json"}, stdout, stderr)
	got := read[struct {
		Partial, Met bool
		Atoms        []int
	}](t, outcome{stdout: stdout.String()})
	if code != 130 || !got.Partial || got.Met || len(got.Atoms) < 2 || !strings.Contains(stderr.String(), "interrupted; give it more time") {
		t.Errorf("code %d, %+v: %s", code, got, stderr)
	}
	runs(t, folder, "verify FOLDER/d.json", 0)
	runs(t, folder, "report FOLDER/d.json -to FOLDER/r.html", 0)
}

// TestInterruptedOverASet: the answer says that it is partial, and that more time is what it takes.
func TestInterruptedOverASet(t *testing.T) {
	folder := t.TempDir()
	file(t, folder, "p.json", `{"model": {"columns": [{"lower": 0}, {"lower": 0}, {"lower": 0}], "rows": [{"lower": 1, "columns": [0, 1, 2], "values": [1, 1, 1]}]},
		"objective": {"matrix": "identity"}, "set": {"ball": {"dimension": 3, "radius": 1}}, "demands": {"gap": 1e-9, "budget": 50}}`)
	ctx, cancel := context.WithCancel(t.Context())
	stderr, stdout := &cutter{after: "1 atoms:", cut: cancel}, &bytes.Buffer{}
	code := run(ctx, []string{"design", filepath.Join(folder, "p.json"), "-o", filepath.Join(folder, "d.json"), "-json"}, stdout, stderr)
	got := read[struct{ Partial, Met bool }](t, outcome{stdout: stdout.String()})
	if code != 130 || !got.Partial || got.Met || !strings.Contains(stderr.String(), "give it more time") {
		t.Errorf("code %d, %+v: %s", code, got, stderr)
	}
}

// TestInterrupted: Ctrl+C gives what was found until then, with a code of its own.
func TestInterrupted(t *testing.T) {
	folder := fixtures(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	if code := run(ctx, []string{"design", filepath.Join(folder, "prices.csv"), "-o", filepath.Join(folder, "d.json")}, &stdout, &stderr); code != 130 {
		t.Errorf("code %d: %s%s", code, &stdout, &stderr)
	}

	rows, err := datasets.Gaussian(4000, 40, 1)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for j := range 40 {
		fmt.Fprintf(&text, "%sc%d", map[bool]string{true: ",", false: ""}[j > 0], j)
	}
	text.WriteString("\n")
	for i := range 4000 {
		for j := range 40 {
			fmt.Fprintf(&text, "%s%.4f", map[bool]string{true: ",", false: ""}[j > 0], rows.At(i, j))
		}
		text.WriteString("\n")
	}
	file(t, folder, "many.csv", text.String())
	process := exec.CommandContext(t.Context(), os.Args[0], "select", "-rule", "max-gap", "-budget", "3900", "-json", filepath.Join(folder, "many.csv"), filepath.Join(folder, "many.csv"))
	process.Env = append(os.Environ(), "SPARSERO_IS_THE_COMMAND=1")
	progress, err := process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout.Reset()
	process.Stdout = &stdout
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	said := ""
	for buffer := make([]byte, 4096); !strings.Contains(said, " cover "); { // the first ten atoms
		n, err := progress.Read(buffer)
		if said += string(buffer[:n]); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	process.Process.Signal(os.Interrupt)
	rest := new(bytes.Buffer)
	rest.ReadFrom(progress)
	process.Wait()
	got := read[struct {
		Atoms   []int
		Partial bool
	}](t, outcome{stdout: stdout.String()})
	if code := process.ProcessState.Sys().(syscall.WaitStatus).ExitStatus(); code != 130 || !got.Partial || len(got.Atoms) < 10 || !strings.Contains(rest.String(), "interrupted") {
		t.Errorf("code %d, %d atoms: %s", code, len(got.Atoms), rest)
	}
}
