//go:build cgo

package designfile_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs" // for integers
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func init() { solvesIntegers = true }

// TestVIPROfSolutions: the proofs that solvers find for robust problems, over integers by branches, become certificates.
func TestVIPROfSolutions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "design.json")
	trees, solutions := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		p := drawRobust(r)
		s, err := p.SolveFull(context.Background(), 1, nil)
		if errors.Is(err, solver.ErrInfeasible) {
			return
		}
		if err == nil {
			err = s.Save(path, nil)
		}
		if err != nil {
			r.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			r.Fatal(err)
		}
		checked, err := designfile.Verify(bytes.NewReader(data), nil)
		if err != nil {
			r.Fatal(err)
		}
		var out bytes.Buffer
		if err := checked.WriteVIPR(&out); err != nil {
			r.Fatal(err)
		}
		file := accepted(t, out.String())
		for _, d := range file.derived {
			if d.kind == "uns" {
				trees++
				break
			}
		}
		solutions += len(file.solutions)
	})
	if t.Logf("%d proofs with branches, %d with a solution", trees, solutions); trees == 0 || solutions == 0 {
		t.Error("nothing was tested")
	}
}

// drawRobust draws a problem with rows, an uncertain objective and a robust constraint, over integers or not.
func drawRobust(r *rapid.T) *robust.Problem {
	numbers := func(name string, count int) []float64 {
		values := make([]float64, count)
		for k := range values {
			values[k] = float64(rapid.IntRange(-30, 30).Draw(r, name)) / 10
		}
		return values
	}
	n, dimension, atoms := rapid.IntRange(1, 4).Draw(r, "n"), rapid.IntRange(1, 3).Draw(r, "p"), rapid.IntRange(1, 6).Draw(r, "atoms")
	region := solver.NewModel("drawn")
	columns := make([]int, n)
	for j, cost := range numbers("cost", n) {
		integer := rapid.Bool().Draw(r, "integer")
		columns[j] = region.AddColumn(solver.Column{Bounds: solver.Between(-1, 3), Cost: cost, Integer: integer})
	}
	for range rapid.IntRange(0, 2).Draw(r, "rows") {
		region.AddRow(solver.Row{Bounds: solver.AtMost(numbers("limit", 1)[0] + 2), Columns: columns, Values: numbers("row", n)})
	}
	region.SetOffset(numbers("offset", 1)[0])
	dictionary, err := sparsero.NewDictionary(mat.NewDense(atoms, dimension, numbers("atom", atoms*dimension)), nil)
	if err != nil {
		r.Fatal(err)
	}
	maps := make([]sparsero.AffineMap, 2)
	for k := range maps {
		maps[k] = sparsero.AffineMap{Matrix: mat.NewDense(dimension, n, numbers("map", dimension*n)), Constant: numbers("constant", dimension)}
	}
	constraints := []robust.Constraint{{Nominal: numbers("nominal", n), Map: maps[1], Limit: numbers("limit", 1)[0] + 3}}
	p, err := robust.NewProblem(dictionary, region, maps[0], constraints[:rapid.IntRange(0, 1).Draw(r, "constraints")]...)
	if err != nil {
		r.Fatal(err)
	}
	return p
}
