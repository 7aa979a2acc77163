package notebooks

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// goOfCells is the command that stands before Go's own in a kernel's PATH.
const goOfCells = "../../docker/image/root/opt/directions/bin/go"

// TestGoOfCells: building collects no garbage, what go runs itself keeps its settings,
// and wherever the command stands in PATH, it calls the next one and never itself.
func TestGoOfCells(t *testing.T) {
	own, next, other := t.TempDir(), t.TempDir(), t.TempDir()
	text, err := os.ReadFile(goOfCells)
	if err != nil {
		t.Fatal(err)
	}
	writeCommand(t, filepath.Join(own, "go"), string(text))
	writeCommand(t, filepath.Join(next, "go"), "#!/bin/sh\necho \"gc=$GOGC path=$PATH: $*\"\n")
	for _, path := range [][]string{{own, next, other}, {other, own, next}, {other, next, own}} {
		rest := strings.ReplaceAll(":"+strings.Join(path, ":")+":", ":"+own+":", ":")
		for arguments, gc := range map[string]string{
			"build -o x": "off", "test -c": "off", "test ./...": "100", "run .": "100", "env GOGC": "100", "version": "100",
		} {
			command := exec.Command(filepath.Join(own, "go"), strings.Fields(arguments)...)
			command.Env = []string{"GOGC=100", "PATH=" + strings.Join(path, ":")}
			output, err := command.CombinedOutput()
			want := "gc=" + gc + " path=" + strings.Trim(rest, ":") + ": " + arguments
			if got := strings.TrimSpace(string(output)); err != nil || got != want {
				t.Errorf("PATH %v, go %s: %q (%v), want %q", path, arguments, got, err, want)
			}
		}
	}
}

func writeCommand(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}
