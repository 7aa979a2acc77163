//go:build cgo

package solver_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// noPoint is what glpsol says of a model that has no point already without whole numbers.
var noPoint = regexp.MustCompile("HAS NO (PRIMAL )?FEASIBLE SOLUTION")

// byGLPK is what GLPK's command finds in a file: a status and an optimum. Nothing is preprocessed: GLPK 5.0's integer
// preprocessor accepted a point with a row at -3 of the range from -2 to -1.
func byGLPK(t rapid.TB, file string) (solver.Status, float64) {
	t.Helper()
	report := file + ".out"
	os.Remove(report)
	said, err := exec.Command("glpsol", "--freemps", file, "--nopresol", "--nointopt", "--write", report).CombinedOutput()
	written, missing := os.ReadFile(report)
	if err != nil || missing != nil {
		text, _ := os.ReadFile(file)
		t.Fatalf("%v, %v: glpsol says\n%s\nof\n%s", err, missing, said, text)
	}
	var rows, columns int
	var primal, dual string
	var value float64
	for _, line := range strings.Split(string(written), "\n") {
		// "s bas rows columns primal dual value" for linear models, "s mip rows columns status value" for integer ones.
		if _, err := fmt.Sscanf(line, "s bas %d %d %s %s %g", &rows, &columns, &primal, &dual, &value); err == nil {
			break
		}
		if _, err := fmt.Sscanf(line, "s mip %d %d %s %g", &rows, &columns, &primal, &value); err == nil {
			break
		}
	}
	switch {
	case primal == "f" && dual == "f" || primal == "o" && dual == "":
		return solver.Optimal, value
	case primal == "n":
		return solver.Infeasible, 0
	case primal == "f" && dual == "n":
		return solver.Unbounded, 0
	case primal == "u" && dual == "" && noPoint.Match(said):
		return solver.Infeasible, 0
	case primal == "u" && dual == "" && strings.Contains(string(said), "UNBOUNDED"):
		return solver.Unbounded, 0
	}
	t.Fatalf("glpsol tells neither an optimum nor that there is none:\n%s\n%s", said, written)
	return 0, 0
}

// TestGLPKReadsOurFiles: GLPK, which shares no code with this module or HiGHS, finds in the file the status and
// the optimum of the model: ranges, free and fixed rows and columns, whole numbers, names of every kind. GLPK 5.0
// knows no OBJSENSE in MPS and takes the right-hand side of the objective for its offset, where HiGHS, CPLEX and
// Gurobi take its negative; so the file here minimises, and its offset counts with the other sign.
func TestGLPKReadsOurFiles(t *testing.T) {
	useHighs(t)
	if _, err := exec.LookPath("glpsol"); err != nil {
		t.Skip("no glpsol here (Debian's package glpk-utils): GLPK does not check our files")
	}
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		if rapid.Bool().Draw(t, "integer") {
			m, _, _ = drawInteger(t)
		}
		m = named(t, m)
		want, err := solver.Solve(context.Background(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.WriteMPS(io.Discard); err != nil && want.Status == solver.Infeasible {
			return // no whole number lies between the bounds of a column
		}
		sign := 1.0
		if m.Maximizes() {
			sign = -1
			m.SetMaximize(false)
			for j := range m.Columns() {
				m.SetCost(j, -m.Column(j).Cost)
			}
			m.SetOffset(-m.Offset())
		}
		mps := filepath.Join(folder, "m.mps")
		if err := os.WriteFile(mps, []byte(written(t, m)), 0o600); err != nil {
			t.Fatal(err)
		}
		status, value := byGLPK(t, mps)
		value = sign * (value + 2*m.Offset())
		if status != want.Status || status == solver.Optimal && math.Abs(value-want.Objective) > 1e-6*(1+math.Abs(want.Objective)) {
			t.Fatalf("GLPK finds %v %v in the file, the model is %v %v", status, value, want.Status, want.Objective)
		}
	})
}
