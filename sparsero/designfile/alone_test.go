package designfile_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestThePackageStandsAlone: it and the lifted problems that it judges know files and proofs, and neither solvers nor what finds
// decisions.
func TestThePackageStandsAlone(t *testing.T) {
	here, _ := filepath.Glob("*.go")
	there, _ := filepath.Glob("../internal/lifted/*.go")
	if len(here) == 0 || len(there) == 0 {
		t.Fatal(here, there)
	}
	known := regexp.MustCompile(`sparsero/internal/(wholefile|lifted)$|solver/proof(/exact|/directed)?$|^gonum\.org/v1/gonum/mat$`)
	for _, name := range slices.Concat(here, there) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			if path := strings.Trim(spec.Path.Value, `"`); strings.Contains(path, ".") && !known.MatchString(path) {
				t.Errorf("%s imports %s", name, path)
			}
		}
	}
}

// TestVerifyInPythonStandsAlone: few enough lines for a person to read, none too long, and the standard library alone.
func TestVerifyInPythonStandsAlone(t *testing.T) {
	data, err := os.ReadFile("verify.py")
	if err != nil {
		t.Fatal(err)
	}
	lines, imports := 0, []string{}
	for line := range strings.Lines(string(data)) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
		if len(line) > 101 { // 100 and a line feed
			t.Errorf("verify.py has the long line\n%s", line)
		}
		if strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "from ") {
			imports = append(imports, strings.Fields(line)[1])
		}
	}
	if want := "hashlib json math os re struct sys array fractions"; lines > 565 || strings.Join(imports, " ") != want {
		t.Errorf("verify.py has %d lines that are not empty, and imports %v", lines, imports)
	}
}
