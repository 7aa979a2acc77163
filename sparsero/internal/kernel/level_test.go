package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// levelInput is what Quantize reads.
type levelInput struct {
	rows      []float32
	stride    int
	weight, e []float32
	perStep   float32
}

// drawLevels draws rows of every size, and e weight from 0 to 16 MaxLevel.
func drawLevels(t *rapid.T) levelInput {
	n := ColumnMultiple * rapid.IntRange(1, 4).Draw(t, "multiple")
	in := levelInput{
		stride:  n + rapid.IntRange(0, 20).Draw(t, "gap"),
		perStep: rapid.SampledFrom([]float32{1, 1.0 / 3, 77.7, 0x1p-20, 1e12, math.MaxFloat32}).Draw(t, "per step"),
	}
	in.rows = narrowed(drawVector(t, "rows", (LevelRows-1)*in.stride+n))
	source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "errors"), 3))
	most := rapid.SampledFrom([]float64{0, 1e-3, 1, MaxLevel, 16 * MaxLevel}).Draw(t, "largest error")
	for range LevelRows {
		in.e = append(in.e, float32(most*source.Float64()))
	}
	for range n {
		in.weight = append(in.weight, float32(source.Float64()))
	}
	return in
}

// exact returns what is rounded up for atom k and direction j, and how far the roundings to float32 may move it.
func (in levelInput) exact(k, j int) (steps, slack float64) {
	product := float64(in.perStep) * float64(in.rows[k*in.stride+j])
	widening := float64(in.e[k]) * float64(in.weight[j])
	return product + widening, 0x1p-22 * (math.Abs(product) + widening + levelMargin)
}

// levelAbove returns the least level that is at least so many steps.
func levelAbove(steps float64) uint8 { return uint8(max(0, min(MaxLevel, math.Ceil(steps)))) }

// checkLevel compares one level with float64. Kernels whose levels pass are within one level of each other, and equal
// where rounding does not move what is rounded up past a whole number.
func (in levelInput) checkLevel(t *rapid.T, k, j int, level uint8) {
	steps, slack := in.exact(k, j)
	if level < levelAbove(steps) {
		t.Fatalf("atom %d, direction %d: level %d, but %v steps", k, j, level, steps)
	}
	least, most := levelAbove(steps+levelMargin-slack), levelAbove(steps+levelMargin+slack)
	if level < least || level > most {
		t.Fatalf("atom %d, direction %d: level %d for %v steps, want from %d to %d", k, j, level, steps, least, most)
	}
}

func TestQuantizeAgreesWithFloat64(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		in := drawLevels(t)
		n, quarter := len(in.weight), rapid.IntRange(0, TileAtoms/LevelRows-1).Draw(t, "quarter")
		const before, canary = 5, 0xA5
		buffer := slices.Repeat([]uint8{canary}, before+TileAtoms*n+before)
		start := before + quarter*LevelRows
		tile, top := buffer[start:][:TileAtoms*(n-1)+LevelRows], slices.Repeat([]uint8{rapid.Uint8().Draw(t, "top")}, LevelRows)
		largest := slices.Clone(top)
		k.Quantize(tile, in.rows, in.stride, in.weight, in.e, in.perStep, top)
		for i, level := range buffer {
			at := i - start
			if at < 0 || at >= len(tile) || at%TileAtoms >= LevelRows {
				if level != canary {
					t.Fatalf("byte %d of %d, outside of the rows, was set to %d", i, len(buffer), level)
				}
				continue
			}
			atom := at % TileAtoms
			in.checkLevel(t, atom, at/TileAtoms, level)
			largest[atom] = max(largest[atom], level)
		}
		if !slices.Equal(top, largest) {
			t.Fatalf("largest levels %v, want %v", top, largest)
		}
	})
}

// Whole numbers, ends of the range and what no 32-bit integer holds, one a row.
func TestQuantizeAtTheEnds(t *testing.T) {
	inf := float32(math.Inf(1))
	cases := []struct {
		value, e float32
		want     uint8
	}{
		{0, 0, 1}, {-levelMargin, 0, 0}, {-1, 0, 0}, {-0.5, 0, 0}, {-0x1p-30, 0, 1}, {1, 0, 2}, {254.5, 0, 255}, {255, 0, 255},
		{255.5, 0, 255}, {0x1p31, 0, 255}, {0x1p40, MaxLevel, 255}, {inf, 0, 255}, {-0x1p31, 0, 0}, {-0x1p40, MaxLevel, 0},
		{-inf, MaxLevel, 0}, {-100, 110.5, 11},
	}
	const n = ColumnMultiple
	for _, k := range All() {
		rows, e, weight := make([]float32, LevelRows*n), make([]float32, LevelRows), slices.Repeat([]float32{1}, n)
		for i, c := range cases {
			e[i] = c.e
			for j := range n {
				rows[i*n+j] = c.value
			}
		}
		tile, top := make([]uint8, TileAtoms*n), make([]uint8, LevelRows)
		k.Quantize(tile, rows, n, weight, e, 1, top)
		for i, c := range cases {
			for j := range n {
				if got := tile[TileAtoms*j+i]; got != c.want || top[i] != c.want {
					t.Fatalf("%s: %v steps and %v, direction %d: level %d, largest %d, want %d", k.Name(), c.value, c.e, j, got, top[i], c.want)
				}
			}
		}
	}
}

// coverOneByOne is Cover by its formula.
func coverOneByOne(sums []uint32, tiles []uint8, list []int32, from, to []uint8) {
	for s := range sums {
		for _, j := range list {
			level := int(tiles[(s/TileAtoms*len(from)+int(j))*TileAtoms+s%TileAtoms])
			sums[s] += uint32(max(0, min(level, int(to[j]))-int(from[j])))
		}
	}
}

func randomLevels(source *rand.Rand, n int) []uint8 {
	levels := make([]uint8, n)
	for i := range levels {
		levels[i] = uint8(source.UintN(256))
	}
	return levels
}

func TestCoverOneByOne(t *testing.T) {
	lengths := []int{0, 1, 2, 15, 16, 17, 31, 255, 256, 257, 511, 512, 513, 611}
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		count, directions := rapid.IntRange(0, 5).Draw(t, "tiles"), rapid.SampledFrom([]int{1, 3, 32, 300}).Draw(t, "directions")
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "levels"), 5))
		tiles := randomLevels(source, count*directions*TileAtoms)
		from, to := randomLevels(source, directions), randomLevels(source, directions)
		if rapid.Bool().Draw(t, "all levels are the highest") {
			tiles = slices.Repeat([]uint8{MaxLevel}, len(tiles))
			from, to = make([]uint8, directions), slices.Repeat([]uint8{MaxLevel}, directions)
		}
		const canary = 7
		got := slices.Repeat([]uint32{canary}, (count+1)*TileAtoms)
		want := slices.Clone(got)
		for range rapid.IntRange(1, 3).Draw(t, "calls") {
			list := make([]int32, rapid.SampledFrom(lengths).Draw(t, "length"))
			for i := range list {
				list[i] = source.Int32N(int32(directions)) // in any order, and some more than once
			}
			given := slices.Clone(list)
			k.Cover(got[:count*TileAtoms], tiles, list, from, to)
			coverOneByOne(want[:count*TileAtoms], tiles, list, from, to)
			if !slices.Equal(list, given) {
				t.Fatal("the list was changed")
			}
		}
		for s := range want {
			if got[s] != want[s] {
				t.Fatalf("sum %d is %d, one by one %d", s, got[s], want[s])
			}
		}
	})
}

// The order of the bytes: the level of one atom alone is not zero.
func TestCoverOfOneAtom(t *testing.T) {
	for _, k := range All() {
		for atom := range 2 * TileAtoms {
			tiles, got := make([]uint8, 2*TileAtoms), make([]uint32, 2*TileAtoms)
			want := slices.Clone(got)
			tiles[atom], want[atom] = 200, 90
			if k.Cover(got, tiles, []int32{0}, []uint8{60}, []uint8{150}); !slices.Equal(got, want) {
				t.Fatalf("%s: atom %d has 90 levels between the floors, but the sums are %v", k.Name(), atom, got)
			}
		}
	}
}

func TestLevelsOfWrongShapesPanic(t *testing.T) {
	const n = ColumnMultiple
	quantize := func(tile, rows, stride, columns, e, top int) func(k *Kernel) {
		return func(k *Kernel) {
			k.Quantize(make([]uint8, tile), make([]float32, rows), stride, make([]float32, columns), make([]float32, e), 1, make([]uint8, top))
		}
	}
	cover := func(sums, tiles int, list []int32, from, to int) func(k *Kernel) {
		return func(k *Kernel) {
			k.Cover(make([]uint32, sums), make([]uint8, tiles), list, make([]uint8, from), make([]uint8, to))
		}
	}
	cases := map[string]struct {
		call func(k *Kernel)
		fits bool
	}{
		"quantize: all fits":        {quantize(TileAtoms*(n-1)+LevelRows, LevelRows*n, n, n, LevelRows, LevelRows), true},
		"quantize: gaps fit":        {quantize(TileAtoms*n, (LevelRows-1)*(n+3)+n, n+3, n, LevelRows, LevelRows), true},
		"quantize: no columns":      {quantize(TileAtoms*n, LevelRows*n, n, 0, LevelRows, LevelRows), false},
		"quantize: ragged columns":  {quantize(TileAtoms*n, LevelRows*n, n, n-1, LevelRows, LevelRows), false},
		"quantize: rows overlap":    {quantize(TileAtoms*n, LevelRows*n, n-1, n, LevelRows, LevelRows), false},
		"quantize: too few rows":    {quantize(TileAtoms*n, LevelRows*n-1, n, n, LevelRows, LevelRows), false},
		"quantize: too few levels":  {quantize(TileAtoms*(n-1)+LevelRows-1, LevelRows*n, n, n, LevelRows, LevelRows), false},
		"quantize: too few errors":  {quantize(TileAtoms*n, LevelRows*n, n, n, LevelRows-1, LevelRows), false},
		"quantize: too many errors": {quantize(TileAtoms*n, LevelRows*n, n, n, LevelRows+1, LevelRows), false},
		"quantize: too few tops":    {quantize(TileAtoms*n, LevelRows*n, n, n, LevelRows, LevelRows-1), false},
		"quantize: too many tops":   {quantize(TileAtoms*n, LevelRows*n, n, n, LevelRows, LevelRows+1), false},
		"cover: all fits":           {cover(TileAtoms, 3*TileAtoms, []int32{2, 0}, 3, 3), true},
		"cover: nothing":            {cover(0, 0, []int32{2}, 3, 3), true},
		"cover: ragged sums":        {cover(TileAtoms+1, 3*TileAtoms, nil, 3, 3), false},
		"cover: too few levels":     {cover(TileAtoms, 3*TileAtoms-1, nil, 3, 3), false},
		"cover: too many levels":    {cover(TileAtoms, 4*TileAtoms, nil, 3, 3), false},
		"cover: floors differ":      {cover(TileAtoms, 3*TileAtoms, nil, 3, 2), false},
		"cover: direction outside":  {cover(TileAtoms, 3*TileAtoms, []int32{0, 3}, 3, 3), false},
		"cover: direction before":   {cover(TileAtoms, 3*TileAtoms, []int32{-1}, 3, 3), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, k := range All() {
				if panicked := panics(func() { c.call(k) }); panicked == c.fits {
					t.Errorf("%s: fits %v, panicked %v", k.Name(), c.fits, panicked)
				}
			}
		})
	}
}

func panics(call func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	call()
	return false
}
