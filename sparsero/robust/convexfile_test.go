package robust_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/robust"
	"pgregory.net/rapid"
)

// solvesIntegers tells whether there is HiGHS.
var solvesIntegers bool

// TestConvexSetsComeBackFromTheirFiles: both checkers find the files of full solutions and designs over convex sets true, and their bounds
// are those in memory.
func TestConvexSetsComeBackFromTheirFiles(t *testing.T) {
	folder, written := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		set, region, radius := drawConvex(t), drawRegion(t), drawRadius(t)
		region.SetInteger(0, rapid.Bool().Draw(t, "integer") && solvesIntegers)
		q := drawMap(t, set.Dim(), region.Columns())
		var rows []robust.Constraint
		if rapid.Bool().Draw(t, "row") {
			rows = []robust.Constraint{{Name: "row", Nominal: numbers(t, region.Columns(), "nominal"), Map: drawMap(t, set.Dim(), region.Columns()), Limit: 1 + math.Abs(number(t, "limit"))}}
		}
		problem := get(robust.NewConvex(set, region, q, rows...))(t)
		made, err := solvedOver(t, problem, radius)
		if errors.Is(err, solver.ErrInfeasible) {
			return
		}
		s := get(made, err)(t)
		claims := saved(t, folder, s).Claims()
		if err := os.Rename(filepath.Join(folder, "design.json"), filepath.Join(folder, fmt.Sprint(written, ".json"))); err != nil {
			t.Fatal(err)
		}
		written++
		agree(t, s, claims)
	})
	if written == 0 {
		t.Fatal("no file was written")
	}
	judgedByPython(t, folder, written)
}

func solvedOver(t *rapid.T, problem *robust.OracleProblem, radius float64) (*robust.Solution, error) {
	if rapid.Bool().Draw(t, "full") {
		return problem.SolveFull(ctx, radius, nil)
	}
	design, err := problem.Design(ctx, rapid.IntRange(1, 6).Draw(t, "B"), radius, nil)
	if err != nil {
		return nil, err
	}
	return design.Solution, nil
}

// agree compares claims with what the solution says of itself.
func agree(t *rapid.T, s *robust.Solution, claims designfile.Claims) {
	size := 1e-6 * (1 + math.Abs(s.FullValue()) + math.Abs(s.Value) + s.Radius)
	if math.Abs(claims.Full.Float()-s.FullValue()) > size || math.Abs(claims.Restricted.Float()-s.FullValue()) > size && s.Full || (claims.Regret == proof.Upper{}) != (claims.Lower == (proof.Lower{}) || !s.FullFeasible()) {
		t.Fatalf("%+v of %v, which costs %v", claims, s, s.FullValue())
	}
	if claims.Lower == (proof.Lower{}) || claims.Lower.Float() < s.LowerBound.Float()-size || claims.Lower.Float() > claims.Full.Float()+size && s.FullFeasible() {
		t.Fatalf("the bound %v of the file, %v in memory, of %v", claims.Lower, s.LowerBound, s)
	}
	if gap, err := s.GapBound(); err == nil && s.FullFeasible() && claims.Regret.Float() > gap.Float()+size {
		t.Fatalf("the regret is at most %v in the file and %v in memory", claims.Regret.Float(), gap)
	}
}

// judgedByPython runs verify.py on all files of a folder.
func judgedByPython(t *testing.T, folder string, files int) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not here")
	}
	script := "import glob, sys, verify\nfor path in glob.glob(sys.argv[1] + '/*.json'): print('code', verify.main([path]))"
	run := exec.Command(python, "-c", script, folder)
	run.Env = append(os.Environ(), "PYTHONPATH=../designfile", "PYTHONDONTWRITEBYTECODE=1")
	said, err := run.CombinedOutput()
	if err != nil || strings.Count(string(said), "code 0\n") != files {
		t.Fatalf("verify.py finds not all of %d files true: %v\n%.4000s", files, err, said)
	}
}
