package page

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestShow: an error among the items ends the program with its text, as it ends a cell.
func TestShow(t *testing.T) {
	if os.Getenv("SHOW_AN_ERROR") != "" {
		Show("a table", errors.New("no atoms"))
		return
	}
	Show([][]float64{{1, 2}})
	command := exec.Command(os.Args[0], "-test.run=TestShow$")
	command.Env = append(os.Environ(), "SHOW_AN_ERROR=1")
	if output, err := command.CombinedOutput(); err == nil || !strings.Contains(string(output), "no atoms") {
		t.Errorf("the program ended with %v and said %q", err, output)
	}
}
