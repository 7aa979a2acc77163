package designfile_test

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
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
	if want := "hashlib json math operator os re struct sys array fractions"; lines > 580 || strings.Join(imports, " ") != want {
		t.Errorf("verify.py has %d lines that are not empty, and imports %v", lines, imports)
	}
}

// nearTies compares the largest product with that of fractions, where atoms differ by their last bits, at every size.
const nearTies = `
import random, sys
from array import array
from fractions import Fraction
sys.dont_write_bytecode = True
sys.path.insert(0, ".")
import verify
random.seed(1)
for k in range(2000):
    p, size = random.randint(1, 9), 2.0**random.choice([-1074, -1000, -899, -60, 0, 60, 899, 1000, 1023])
    centre = [random.uniform(-1, 1) for _ in range(p)]
    rows = [[size * (v + random.choice([0, 0, 1e-16, -2e-16, 1e-9])) for v in centre] for _ in range(20)]
    d = verify.Design.__new__(verify.Design)
    d.x = [Fraction(random.choice([random.uniform(-1, 1), 2.0**random.randint(-1074, 1000), 0.0])) for _ in range(p)]
    d.table, d.p, d.radius, d.set = array("d", sum(rows, [])), p, Fraction(1), None
    d.largest = max(max(d.table), -min(d.table))
    exact = max(0, *(sum(Fraction(v) * x for v, x in zip(row, d.x)) for row in rows))
    got = d.reach([[(j, Fraction(1))] for j in range(p)], 0)
    assert got == exact, (k, float(got - exact))
`

// TestVerifyInPythonPassesOverNoLargestAtom: what float64 leaves out is smaller by fractions, too.
func TestVerifyInPythonPassesOverNoLargestAtom(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: the checker in Python is not tried")
	}
	if output, err := exec.Command(python, "-c", nearTies).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
