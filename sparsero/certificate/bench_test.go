package certificate_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"gonum.org/v1/gonum/mat"
)

// randomSet draws N isotropic Gaussian atoms of dimension p and chooses the first k.
func randomSet(b *testing.B, n, p, k int) *sparsero.AtomicSet {
	source := rand.New(rand.NewPCG(1, 2))
	d := must(sparsero.NewDictionary(gaussian(source, n, p), nil))(b)
	indices := make([]int, k)
	for i := range indices {
		indices[i] = i
	}
	return must(sparsero.NewAtomicSet(d, indices, 1))(b)
}

func gaussian(source *rand.Rand, rows, columns int) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	for i := range rows {
		for j := range columns {
			m.Set(i, j, source.NormFloat64())
		}
	}
	return m
}

// The exact uniform certificate for N = 2000, p = n = 10, |S| = 20; the aim is 10 s.
func BenchmarkUniform(b *testing.B) {
	set := randomSet(b, 2000, 10, 20)
	for b.Loop() {
		u := must(certificate.SolveUniform(ctx, set, box(10, -1, 1), sparsero.Identity(10), nil))(b)
		b.ReportMetric(float64(u.Solves), "programs")
	}
}

// The same over a polytope with 20 dense random rows, where bounds say less.
func BenchmarkUniformWithRows(b *testing.B) {
	set, region := randomSet(b, 2000, 10, 20), box(10, -1, 1)
	rows := gaussian(rand.New(rand.NewPCG(3, 4)), 20, 10)
	for i := range 20 {
		row := solver.Row{Bounds: solver.AtMost(0.5), Values: rows.RawRowView(i)}
		for j := range 10 {
			row.Columns = append(row.Columns, j)
		}
		region.AddRow(row)
	}
	for b.Loop() {
		u := must(certificate.SolveUniform(ctx, set, region, sparsero.Identity(10), nil))(b)
		b.ReportMetric(float64(u.Solves), "programs")
	}
}

// The inflation factor of the same dictionary with 60 atoms chosen, enough to span a cone.
func BenchmarkInflation(b *testing.B) {
	set := randomSet(b, 2000, 10, 60)
	for b.Loop() {
		f := must(certificate.SolveInflation(ctx, set))(b)
		b.ReportMetric(float64(f.Solves), "programs")
	}
}

// Net bound for |T| = 4000 directions and N = 2000 atoms.
func BenchmarkNetBound(b *testing.B) {
	for _, p := range []int{2, 10} {
		set := randomSet(b, 2000, p, 1500)
		net := segmentNet(b, set.Dictionary(), 4000)
		if p == 2 {
			net = must(certificate.GridNet(ctx, set.Dictionary(), box(2, -1, 1), sparsero.Identity(2), set.Dictionary().MaxNorm()/45, nil))(b)
		}
		b.Run(fmt.Sprintf("p=%d,T=%d", p, net.Size()), func(b *testing.B) {
			for b.Loop() {
				must(certificate.NewNetBound(set, net))(b)
			}
		})
	}
}

// segmentNet is a net of m directions of no particular order: only its size matters.
func segmentNet(b *testing.B, d *sparsero.Dictionary, m int) *certificate.Net {
	source := rand.New(rand.NewPCG(5, 6))
	q := certificate.LipschitzMap{Constant: 1, Apply: func([]float64) []float64 { return mat.Row(nil, 0, gaussian(source, 1, d.Dim())) }}
	segment := interval{Lower: []float64{0}, Upper: []float64{1}}
	epsilon := d.MaxNorm() / (2 * float64(m)) * (1 + 1e-9)
	return must(lipschitzNet(d, segment, q, epsilon, nil))(b)
}
