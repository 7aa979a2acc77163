package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomRows(n, p int, seed uint64) []float32 {
	source := rand.New(rand.NewPCG(seed, 1))
	rows := make([]float32, n*p)
	for i := range rows {
		rows[i] = float32(source.NormFloat64())
	}
	return rows
}

// pack lays out the M×p matrix t, stored by rows, for this kernel.
func pack(k *Kernel, t []float32, m, p int) *Panels {
	b := NewPanels(k, m, p)
	b.Fill(t, 0, m)
	return b
}

// BenchmarkTile multiplies one tile out of the first level of cache: the peak
// of the kernel.
func BenchmarkTile(b *testing.B) {
	for _, k := range All() {
		b.Run(k.Name(), func(b *testing.B) {
			const p = 256
			left, panels := randomRows(RowMultiple, p, 1), pack(k, randomRows(ColumnMultiple, p, 2), ColumnMultiple, p)
			c := make([]float32, RowMultiple*ColumnMultiple)
			for b.Loop() {
				k.tile.multiply(p, &left[0], p, &panels.data[0], &c[0], ColumnMultiple, false)
			}
			reportRate(b, 2*p*k.tile.rows*k.tile.columns)
		})
	}
}

// BenchmarkMultiply is one thread on a block of 480 rows against 1000
// directions in 512 dimensions.
func BenchmarkMultiply(b *testing.B) {
	for _, k := range All() {
		b.Run(k.Name(), func(b *testing.B) {
			const rows, m, p = 480, 1000, 512
			left, panels := randomRows(rows, p, 1), pack(k, randomRows(m, p, 2), m, p)
			stride := panels.Columns() + 16
			c := make([]float32, rows*stride)
			for b.Loop() {
				Multiply(c, stride, left, p, rows, panels)
			}
			reportRate(b, 2*rows*m*p)
		})
	}
}

func BenchmarkExcess(b *testing.B) {
	for _, k := range All() {
		b.Run(k.Name(), func(b *testing.B) {
			row, floor, weight := make([]Half, 1024), randomRows(1, 1024, 2), randomRows(1, 1024, 3)
			k.Halve(row, randomRows(1, 1024, 1))
			for b.Loop() {
				k.Excess(row, floor, weight, 1e-6, &row[0])
			}
			b.SetBytes(2048)
		})
	}
}

// BenchmarkQuantize rounds 16 rows of a product with 1,000 directions.
func BenchmarkQuantize(b *testing.B) {
	const columns, stride = 1024, 1024 + 16
	for _, k := range All() {
		b.Run(k.Name(), func(b *testing.B) {
			rows, weight, e := randomRows(LevelRows, stride, 1), make([]float32, columns), make([]float32, LevelRows)
			tile, top := make([]uint8, TileAtoms*columns), make([]uint8, LevelRows)
			for b.Loop() {
				k.Quantize(tile, rows, stride, weight, e, MaxLevel/4, top)
			}
			b.SetBytes(4 * LevelRows * columns)
		})
	}
}

// BenchmarkCover goes through four tiles of 1,024 directions: through all of them, and through 30.
func BenchmarkCover(b *testing.B) {
	const count, directions = 4, 1024
	source := rand.New(rand.NewPCG(1, 2))
	tiles := randomLevels(source, count*directions*TileAtoms)
	from, to := make([]uint8, directions), slices.Repeat([]uint8{MaxLevel}, directions)
	for _, length := range []int{directions, 30} {
		list := make([]int32, length)
		for i := range list {
			list[i] = int32(i * directions / length)
		}
		for _, k := range All() {
			b.Run(fmt.Sprintf("%d/%s", length, k.Name()), func(b *testing.B) {
				sums := make([]uint32, count*TileAtoms)
				for b.Loop() {
					k.Cover(sums, tiles, list, from, to)
				}
				b.SetBytes(int64(count * length * TileAtoms))
			})
		}
	}
}

func reportRate(b *testing.B, operations int) {
	b.ReportMetric(float64(operations)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
