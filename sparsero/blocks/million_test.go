package blocks_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/blocks"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// writeGaussian writes n Gaussian atoms in float32.
func writeGaussian(path string, n, p int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	buffer, source, values := bufio.NewWriterSize(file, 1<<20), rand.New(rand.NewPCG(2, 0)), make([]float32, p)
	_, err = buffer.Write(input.Header{Kind: "<f4", Shape: []int{n, p}}.Bytes())
	for i := 0; i < n && err == nil; i++ {
		for k := range values {
			values[k] = float32(source.NormFloat64())
		}
		err = binary.Write(buffer, binary.LittleEndian, values)
	}
	return errors.Join(err, buffer.Flush(), file.Close())
}

// A million atoms of dimension 64 in 16 blocks, on Prism: the picks of one process to the bit, a bound over all atoms after one
// round, and a robust design with its certificate. README.md quotes what it prints; -short takes 20,000 atoms.
func TestAMillionAtomsInBlocks(t *testing.T) {
	n, folder := 1_000_000, t.TempDir()
	const p, m, budget = 64, 256, 20
	if testing.Short() {
		n = 20_000
	}
	path := filepath.Join(folder, "atoms.npy")
	if err := writeGaussian(path, n, p); err != nil {
		t.Fatal(err)
	}
	source, probes := rand.New(rand.NewPCG(1, 0)), mat.NewDense(m, p, nil)
	probes.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, probes)
	started := time.Now()
	atoms := must(selection.OpenNPY(path))(t)
	defer atoms.Close()
	coverage := must(selection.NewCoverage(atoms, probes, nil))(t)
	whole := must(selection.Greedy{StopAtFull: true}.Select(ctx, coverage, budget))(t)
	t.Logf("one process: %d of %d atoms in %.1f s", whole.Len(), n, time.Since(started).Seconds())

	must(blocks.Cut(path, filepath.Join(folder, "blocks"), 16))(t)
	engine := must(blocks.OpenBeam(ctx, filepath.Join(folder, "blocks")))(t)
	report := func(r blocks.Round) {
		t.Logf("round %d on Prism: %d candidates, %d picks verified, %d better atoms, %.1f s", r.Number, r.Candidates, r.Same, r.Joined, r.Elapsed.Seconds())
	}
	first := must(blocks.Select(ctx, engine, probes, budget, &blocks.Options{Rounds: 1, Progress: report}))(t)
	share := first.Selection.Coverage[budget-1] / first.Selection.Bounds[budget-1].Float()
	t.Logf("after one round, proven over all atoms: at least %.1f %% of what any %d atoms cover", 100*share, budget)
	if first.Selection.Bounds[budget-1].Float() < whole.Coverage[budget-1] || !slices.Equal(first.Selection.Atoms[:first.Same], whole.Atoms[:first.Same]) {
		t.Errorf("bound %v below what is reached, %v, or %d picks said to be the same", first.Selection.Bounds[budget-1], whole.Coverage[budget-1], first.Same)
	}
	result := must(blocks.Select(ctx, engine, probes, budget, &blocks.Options{Progress: report}))(t)
	if !result.Verified {
		t.Errorf("not verified after %d rounds", len(result.Rounds))
	}
	requireSame(t, result.Selection, whole)
	t.Logf("the same to the last bit: atoms, gains, coverage and deficits of %d picks", result.Same)
	designOverBlocks(t, engine, atoms)
}

// designOverBlocks designs a portfolio and compares its certificate with a pass over the file.
func designOverBlocks(t *testing.T, engine blocks.Engine, atoms selection.Source) {
	region, p, started := solver.NewModel("portfolio"), engine.Dim(), time.Now()
	row := solver.Row{Bounds: solver.Equal(1)}
	for j := range p {
		row.Columns = append(row.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: math.Sin(float64(j))}))
		row.Values = append(row.Values, 1)
	}
	region.AddRow(row)
	problem := must(robust.NewOracleProblem(ctx, must(blocks.NewOracle(engine))(t), region, sparsero.Identity(p)))(t)
	full := must(problem.SolveFull(ctx, 0.1, nil))(t)
	t.Logf("full model in %d rounds and %.1f s: %v", full.Rounds, time.Since(started).Seconds(), full)
	started = time.Now()
	design := must(problem.Design(ctx, 20, 0.1, &robust.DesignOptions{Rule: robust.MostViolated}))(t)
	s := design.Solution
	bound := must(s.GapBound())(t).Float()
	t.Logf("design in %d rounds and %.1f s: with %d atoms the decision costs %.6f, against all atoms %.6f; value gap and regret at most %.6f", design.Solves, time.Since(started).Seconds(), len(s.Atoms), s.Value, s.FullValue(), bound)
	worst := 0.0
	buffer := make([]float64, 1000*p)
	for from := 0; from < atoms.Size(); from += 1000 {
		rows := must(atoms.Rows(buffer, from, min(from+1000, atoms.Size())))(t)
		for ; len(rows) > 0; rows = rows[p:] {
			worst = math.Max(worst, floats.Dot(rows[:p], s.X))
		}
	}
	if math.Abs(worst-s.Certificate.Full) > 1e-12 {
		t.Errorf("the certificate says that the worst atom does %v, the file says %v", s.Certificate.Full, worst)
	}
	if regret := s.FullValue() - full.Value; bound < regret || full.Partial {
		t.Errorf("bound %v, regret %v of %v", bound, regret, full)
	}
}
