package notebooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// driver is what make notebooks calls.
var driver = filepath.Join("..", "..", "notebooks", "tools", "execute.py")

// execute runs notebooks of a folder with the real kernel and returns what was said, the folder of copies, and whether
// all succeeded.
func execute(t *testing.T, folder string, arguments ...string) (said, output string, ok bool) {
	t.Helper()
	python := os.Getenv("DIRECTIONS_PYTHON")
	if python == "" {
		t.Skip("needs the kernel: make test sets DIRECTIONS_PYTHON and JUPYTER_PATH")
	}
	output = t.TempDir()
	command := exec.Command(python, append([]string{driver, "-root", folder, "-output", output}, arguments...)...)
	printed, err := command.CombinedOutput()
	return string(printed), output, err == nil
}

// TestKernel executes notebooks with the real kernel. What a student sees as an error must be one here.
func TestKernel(t *testing.T) {
	said, output, ok := execute(t, "testdata", "-jobs", "2", "-limit", "5m", "-summary", filepath.Join(t.TempDir(), "summary"), "fresh", "panic", "compile")
	if ok {
		t.Error("two notebooks fail, and the status says nothing of it")
	}
	for _, want := range []string{
		"==> fresh\n", "fresh    cell  2 of 2 ", "1 of 3 notebooks ok",
		`panic    FAILED cell 2 failed: exit status 2; it begins with: panic("the cell gives up")`, "panic    FAILED not executed: cell 3",
		"compile    FAILED cell 1 failed", `it begins with: var count int = "one"`, "cannot use \"one\"",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing says %q:\n%s", want, said)
		}
	}
	for _, name := range []string{"fresh.ipynb", "fresh.html", "fresh.log", "panic.ipynb"} {
		if _, err := os.Stat(filepath.Join(output, name)); err != nil {
			t.Error(err)
		}
	}
	checkChart(t, filepath.Join(output, "fresh.ipynb"))
}

// checkChart checks that the specification which the kernel sent as a string is an object in the executed copy, on one
// line.
func checkChart(t *testing.T, path string) {
	t.Helper()
	document, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(content), `"application/vnd.vegalite.v5+json": {"`) {
		t.Errorf("the specification is not on a line of its own (%v)", err)
	}
	for _, output := range document.Cells[2].Outputs {
		data, _ := output["data"].(map[string]any)
		if specification, ok := data["application/vnd.vegalite.v5+json"].(map[string]any); ok && specification["mark"] == "point" {
			return
		}
	}
	t.Errorf("no Vega-Lite object among the outputs %v", document.Cells[2].Outputs)
}

// TestKernelStops gives a cell without end five seconds.
func TestKernelStops(t *testing.T) {
	if said, _, ok := execute(t, "testdata", "-limit", "5s", "endless"); ok || !strings.Contains(said, "imed out") {
		t.Errorf("ok: %v\n%s", ok, said)
	}
}

// TestKernelSaves checks that outputs are written back where all cells succeeded, and only there.
func TestKernelSaves(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"fresh.ipynb", "panic.ipynb"} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	said, _, _ := execute(t, folder, "-save")
	for name, saved := range map[string]bool{"fresh.ipynb": true, "panic.ipynb": false} {
		document, err := read(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(failures(document)) == 0; got != saved {
			t.Errorf("%s was saved: %v, want %v\n%s", name, got, saved, said)
		}
	}
}

// TestUnknownNotebook names what there is.
func TestUnknownNotebook(t *testing.T) {
	if said, _, ok := execute(t, "testdata", "nothing"); ok || !strings.Contains(said, "there is no notebook 'nothing'") {
		t.Errorf("ok: %v\n%s", ok, said)
	}
}
