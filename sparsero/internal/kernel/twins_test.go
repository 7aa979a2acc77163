package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// FuzzTwins compares every kernel with the portable one on numbers of very different
// sizes, subnormal ones included, with every kind of tail: depths, columns and
// lengths that no vector divides.
func FuzzTwins(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint8(0), uint8(0))
	f.Add(uint64(2), uint8(70), uint8(100), uint8(32))
	f.Add(uint64(3), uint8(255), uint8(180), uint8(100))
	f.Fuzz(func(t *testing.T, seed uint64, depth, spread, columns uint8) {
		in := twinInput(seed, int(depth)+1, int(columns)+1, int(spread)/2)
		want := in.run(portable)
		for _, k := range All() {
			compareTwins(t, k, in.run(k), want, in)
		}
	})
}

// twins is what FuzzTwins gives to a kernel: vectors of magnitude at most one.
type twins struct {
	p, m                 int
	left, right          []float64
	floor, weight, lower []float32 // lower: of m columns rounded up, for Halve
	rows                 []float32 // LevelRows of them, for Quantize
	tile, from, to       []uint8   // for Cover
	list                 []int32
}

func twinInput(seed uint64, p, m, spread int) twins {
	source := rand.New(rand.NewPCG(seed, 11))
	draw := func(n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Ldexp(source.Float64()*2-1, source.IntN(spread+1)-spread)
		}
		return values
	}
	columns := (m + ColumnMultiple - 1) / ColumnMultiple * ColumnMultiple
	in := twins{
		p: p, m: m, left: draw(RowMultiple * p), right: draw(m * p),
		floor: narrowed(draw(columns)), weight: narrowed(draw(columns)), lower: narrowed(draw(columns)),
		rows: narrowed(draw(LevelRows * columns)),
		tile: randomLevels(source, TileAtoms*columns), from: randomLevels(source, columns), to: randomLevels(source, columns),
	}
	for range p {
		in.list = append(in.list, source.Int32N(int32(columns)))
	}
	return in
}

// twinOutput is what a kernel makes of it.
type twinOutput struct {
	product    []float32
	narrow     []float32
	squares    float64
	alignments []float64
	halves     []Half
	excess     float32
	mask       []uint64
	levels     []uint8
	sums       []uint32
}

func (in twins) run(k *Kernel) twinOutput {
	columns := len(in.floor)
	out := twinOutput{
		product: make([]float32, RowMultiple*columns),
		narrow:  make([]float32, in.p), alignments: make([]float64, in.m), mask: make([]uint64, (columns+63)/64),
	}
	Multiply(out.product, columns, narrowed(in.left), in.p, RowMultiple, pack(k, narrowed(in.right), in.m, in.p))
	out.squares = k.Narrow(out.narrow, in.left[:in.p], 0.25, make([]float64, in.p))
	all := make([]int32, in.m)
	for j := range all {
		all[j] = int32(j)
	}
	k.Alignments(out.alignments, in.left[:in.p], in.right, all)
	out.halves = halved(k, in.lower)
	out.excess = k.Excess(out.halves, in.floor, in.weight, 1e-6, &out.halves[0])
	k.Above(out.mask, out.halves, in.floor, in.weight, 0, &out.halves[0])
	out.levels, out.sums = make([]uint8, TileAtoms*columns), make([]uint32, TileAtoms)
	k.Quantize(out.levels, in.rows, columns, in.weight, make([]float32, LevelRows), MaxLevel, make([]uint8, LevelRows))
	k.Cover(out.sums, in.tile, in.list, in.from, in.to)
	return out
}

// compareTwins checks one kernel against the portable one: to the last bit, but for
// float32 sums, whose order is free, and levels, of which some kernels round the terms and some do not. Values are at
// most one in magnitude, so norms are at most sqrt(p).
func compareTwins(t *testing.T, k *Kernel, got, want twinOutput, in twins) {
	t.Helper()
	bound := 2*RoundingBound(in.p)*float64(in.p) + float64(in.p)*0x1p-148
	for i := range want.product {
		if math.Abs(float64(got.product[i])-float64(want.product[i])) > bound {
			t.Fatalf("%s: entry %d is %v, portable %v, p = %d", k.Name(), i, got.product[i], want.product[i], in.p)
		}
	}
	for _, part := range []struct {
		name string
		same bool
	}{
		{"narrowed vector", slices.Equal(got.narrow, want.narrow)},
		{"alignments", slices.Equal(got.alignments, want.alignments)},
		{"halves", slices.Equal(got.halves, want.halves)},
		{"mask", slices.Equal(got.mask, want.mask)},
		{"cover", slices.Equal(got.sums, want.sums)},
	} {
		if !part.same {
			t.Fatalf("%s: the %s differs from the portable one, M = %d, p = %d", k.Name(), part.name, in.m, in.p)
		}
	}
	for i := range want.levels {
		if difference := int(got.levels[i]) - int(want.levels[i]); difference*difference > 1 {
			t.Fatalf("%s: level %d is %d, portable %d", k.Name(), i, got.levels[i], want.levels[i])
		}
	}
	if math.Abs(got.squares-want.squares) > 1e-13*want.squares {
		t.Fatalf("%s: sum of squares %v, portable %v", k.Name(), got.squares, want.squares)
	}
	if math.Abs(float64(got.excess)-float64(want.excess)) > 1e-4*(1+math.Abs(float64(want.excess))) {
		t.Fatalf("%s: excess %v, portable %v", k.Name(), got.excess, want.excess)
	}
}
