package architecture

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExactErrorsAreNotFused: on processors that multiply and add in one instruction Go may round x*y + z once instead of
// twice, across statements and inlined functions. The bounds of solver/proof/directed rest on the rounded product, so the only
// such instructions there are the calls of math.FMA.
func TestExactErrorsAreNotFused(t *testing.T) {
	watchSources(t)
	folder := filepath.Join("..", "..", "solver", "proof", "directed")
	command := exec.Command("go", "build", "-gcflags=-S", ".")
	command.Dir = folder
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	assembly, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("go build for arm64: %v\n%s", err, assembly)
	}
	source, err := os.ReadFile(filepath.Join(folder, "directed.go"))
	if err != nil {
		t.Fatal(err)
	}
	fused, lines := 0, strings.Split(string(source), "\n")
	for _, line := range strings.Split(string(assembly), "\n") {
		if strings.Contains(line, "FMADDD") || strings.Contains(line, "FMSUBD") || strings.Contains(line, "FNMADDD") || strings.Contains(line, "FNMSUBD") {
			fused++
			if number := lineNumber(line, "directed.go:"); number < 1 || number > len(lines) || !strings.Contains(lines[number-1], "math.FMA(") {
				t.Errorf("a product is fused: %s", strings.TrimSpace(line))
			}
		}
	}
	if fused == 0 {
		t.Error("no fused instruction is found, not even those of math.FMA: the test looks for the wrong names")
	}
}

// lineNumber reads the number after the mark.
func lineNumber(text, mark string) (number int) {
	_, digits, _ := strings.Cut(text, mark)
	for _, d := range digits {
		if d < '0' || d > '9' {
			break
		}
		number = 10*number + int(d-'0')
	}
	return number
}
