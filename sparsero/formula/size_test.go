package formula_test

import (
	"os"
	"strings"
	"testing"
)

// TestFormulasAreShort counts the lines of the two functions that write the power flow, comments included, and those of code in the package, without
// comments and empty lines.
func TestFormulasAreShort(t *testing.T) {
	flow, code, inside := 0, 0, false
	for line := range strings.Lines(read(t, "powerflow_test.go")) {
		inside = inside || strings.HasPrefix(line, "// factors") || strings.HasPrefix(line, "// dispatch")
		if inside {
			flow++
		}
		inside = inside && !strings.HasPrefix(line, "}")
	}
	for line := range strings.Lines(read(t, "formula.go")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			code++
		}
	}
	if flow < 30 || flow > 45 || code < 100 || code > 300 {
		t.Errorf("the power flow takes %d lines, at most 45 are wanted; the package has %d of code, at most 300 are wanted", flow, code)
	}
	t.Logf("power flow %d lines, package %d", flow, code)
}

func read(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
