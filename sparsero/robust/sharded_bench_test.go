package robust_test

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// drawn is a block of atoms that are drawn whenever they are read, so that none is in memory: sums of four uniform numbers.
type drawn struct{ from, n, p int }

func (d drawn) Size() int { return d.n }
func (d drawn) Dim() int  { return d.p }

func (d drawn) Rows(buffer []float64, from, to int) ([]float64, error) {
	if cap(buffer) < (to-from)*d.p {
		buffer = make([]float64, (to-from)*d.p)
	}
	rows := buffer[:(to-from)*d.p]
	clear(rows)
	for i := from; i < to; i++ {
		state := uint64(d.from+i)*0x9E3779B97F4A7C15 + 12345
		row := rows[(i-from)*d.p:][:d.p]
		for j := range row {
			for range 4 {
				state ^= state << 13
				state ^= state >> 7
				state ^= state << 17
				row[j] += math.Sqrt(3) * (float64(state>>11)/(1<<53) - 0.5)
			}
		}
	}
	return rows, nil
}

// BenchmarkSharded solves a portfolio over blocks of 50,000 atoms each, which only the blocks see.
func BenchmarkSharded(b *testing.B) {
	const blocks, size, p = 2, 50_000, 20
	engine, region := &shard.Local{}, solver.NewModel("portfolio")
	for k := range blocks {
		engine.Blocks = append(engine.Blocks, drawn{k * size, size, p})
	}
	budget := solver.Row{Bounds: solver.Equal(1)}
	for j := range p {
		budget.Columns = append(budget.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: math.Sin(float64(j))}))
		budget.Values = append(budget.Values, 1)
	}
	region.AddRow(budget)
	s := must(robust.NewSharded(engine, nil, region, sparsero.Identity(p)))(b)
	report := func(b *testing.B, s *robust.Solution) {
		b.ReportMetric(float64(s.Blocks.Rounds), "passes")
		b.ReportMetric(float64(len(s.Blocks.Pool)), "pool")
		b.ReportMetric(float64(len(s.Atoms)), "atoms")
	}
	b.Run("full", func(b *testing.B) {
		for b.Loop() {
			report(b, must(s.SolveFull(ctx, 1, nil))(b))
		}
	})
	for _, rule := range []robust.AtomRule{robust.CoverageGain, robust.MostViolated} {
		b.Run("design, "+rule.String(), func(b *testing.B) {
			for b.Loop() {
				design := must(s.Design(ctx, 60, 1, &robust.DesignOptions{Rule: rule}))(b)
				report(b, design.Solution)
				if !design.Certified {
					b.Fatal(design.Stop)
				}
			}
		})
	}
}
