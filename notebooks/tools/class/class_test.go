// Package class tests the scripts of this folder, which write what a class needs.
package class

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestScripts runs the tests in Python beside this file; they need its standard library alone.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("*_test.py")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("scripts %v, %v", scripts, err)
	}
	if exec.Command("python3", "-c", "import dataclasses").Run() != nil {
		t.Skip("no Python; make setup installs it")
	}
	for _, script := range scripts {
		if said, err := exec.Command("python3", "-B", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, said)
		}
	}
}
