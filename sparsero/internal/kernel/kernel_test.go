package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// eachKernel runs a property for every kernel of this processor.
func eachKernel(t *testing.T, property func(t *rapid.T, k *Kernel)) {
	for _, k := range All() {
		t.Run(k.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { property(t, k) })
		})
	}
}

// drawVector draws n numbers of one of three kinds: generic, small integers with
// many ties, and numbers of very different sizes.
func drawVector(t *rapid.T, name string, n int) []float64 {
	kind := rapid.IntRange(0, 2).Draw(t, name+" kind")
	source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, name), 7))
	values := make([]float64, n)
	for i := range values {
		switch kind {
		case 0:
			values[i] = source.NormFloat64()
		case 1:
			values[i] = float64(source.IntN(5) - 2)
		default:
			values[i] = math.Ldexp(source.Float64()-0.5, source.IntN(40)-20)
		}
	}
	return values
}

func narrowed(values []float64) []float32 {
	out := make([]float32, len(values))
	for i, v := range values {
		out[i] = float32(v)
	}
	return out
}

func norm(values []float64) float64 {
	squares := 0.0
	for _, v := range values {
		squares += v * v
	}
	return math.Sqrt(squares)
}

// exactDot returns the dot product to about 100 bits, rounded to float64: sums
// and products are split without error (Ogita, Rump and Oishi 2005, Dot2).
func exactDot(a, b []float64) float64 {
	sum, rest := 0.0, 0.0
	for i, x := range a {
		product := x * b[i]
		rest += math.FMA(x, b[i], -product)
		next := sum + product
		part := next - sum
		rest += (sum - (next - part)) + (product - part)
		sum = next
	}
	return sum + rest
}

// rowInput is what Excess and Above read.
type rowInput struct {
	row           []Half
	floor, weight []float32
	e             float32
}

func drawRow(t *rapid.T) rowInput {
	n := ColumnMultiple * rapid.IntRange(1, 9).Draw(t, "length")
	in := rowInput{
		row:    make([]Half, n),
		floor:  narrowed(drawVector(t, "floor", n)),
		weight: narrowed(drawVector(t, "weight", n)),
		e:      rapid.SampledFrom([]float32{0, 1e-6, 1e-3, 0.5}).Draw(t, "e"),
	}
	values := narrowed(drawVector(t, "row", n))
	for i := range values {
		values[i] /= 32 // below MaxHalf
	}
	portable.Halve(in.row, values)
	return in
}

// difference returns row[j] + e weight[j] - floor[j] and how far rounding may
// move it.
func (in rowInput) difference(j int) (value, slack float64) {
	widened := float64(in.row[j].Float32()) + float64(in.e)*float64(in.weight[j])
	value = widened - float64(in.floor[j])
	return value, 0x1p-23*(math.Abs(widened)+math.Abs(float64(in.e)*float64(in.weight[j]))+math.Abs(value)) + 0x1p-149
}

func TestExcessAgreesWithFloat64(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		in := drawRow(t)
		want, slack := 0.0, 0.0
		for j := range in.row {
			value, rounding := in.difference(j)
			want += max(0, value)
			slack += rounding
		}
		slack += float64(len(in.row)) * 0x1p-24 * want
		if got := float64(k.Excess(in.row, in.floor, in.weight, in.e, &in.row[0])); math.Abs(got-want) > slack {
			t.Fatalf("excess %v, want %v within %v", got, want, slack)
		}
	})
}

func TestAboveAgreesWithFloat64(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		in := drawRow(t)
		mask := make([]uint64, (len(in.row)+63)/64)
		k.Above(mask, in.row, in.floor, in.weight, in.e, &in.row[0])
		listed := map[int32]bool{}
		for _, j := range Positions(nil, mask, len(in.row)) {
			listed[j] = true
		}
		for j := range in.row {
			value, slack := in.difference(j)
			certain := in.e == 0 || math.Abs(value) > slack // without e nothing is rounded
			if listed[int32(j)] != (value > 0) && certain {
				t.Fatalf("column %d: difference %v, listed %v", j, value, listed[int32(j)])
			}
		}
	})
}

// A column at its floor is not above it, and a mask tells of every column, whatever it held.
func TestAboveAtTheFloor(t *testing.T) {
	for _, k := range All() {
		row, floor, mask := make([]Half, 96), make([]float32, 96), []uint64{^uint64(0), 1 << 7}
		want := [2]uint64{}
		values := make([]float32, len(row))
		for j := range values {
			values[j] = float32(j%5) - 2
			floor[j] = float32(j%3) - 1
			if values[j] > floor[j] {
				want[j/64] |= 1 << (j % 64)
			}
		}
		k.Halve(row, values)
		if k.Above(mask, row, floor, make([]float32, 96), 0, &row[0]); [2]uint64(mask) != want {
			t.Errorf("%s: mask %x, want %x", k.Name(), mask, want)
		}
	}
}

// A count at the limit stands, one above it is counted again, and from the end on there is none.
func TestRecountAtTheEnds(t *testing.T) {
	for _, k := range All() {
		masks, open := make([]uint64, 8*8), make([]uint64, 8)
		counts := []int32{3, 4, 3, 5, 9, 9, 9, 9}
		open[0], masks[8], masks[3*8] = 7, 2, 7
		if at, renewed := k.Recount(counts, 0, masks, open, 3); at != 8 || renewed != 6 || !slices.Equal(counts, []int32{3, 1, 3, 3, 0, 0, 0, 0}) {
			t.Errorf("%s: at %d, %d renewed, counts %v", k.Name(), at, renewed, counts)
		}
		counts[7] = 9
		if at, renewed := k.Recount(counts, 8, masks, open, 3); at != 8 || renewed != 0 || counts[7] != 9 {
			t.Errorf("%s: at %d, %d renewed, the last count %d", k.Name(), at, renewed, counts[7])
		}
	}
}

func TestRecountBitByBit(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		n, words := CountMultiple*rapid.IntRange(1, 30).Draw(t, "eights"), MaskMultiple/64*rapid.IntRange(1, 3).Draw(t, "multiple")
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "words"), 6))
		draw := func(n int) []uint64 {
			list := make([]uint64, n)
			for i := range list {
				list[i] = []uint64{source.Uint64(), ^uint64(0), 0}[source.IntN(3)]
			}
			return list
		}
		masks, open := draw(n*words), draw(words)
		number := rapid.OneOf(rapid.Int32Range(-1, 64), rapid.Int32Range(0, int32(64*words)))
		counts, most := rapid.SliceOfN(number, n, n).Draw(t, "counts"), number.Draw(t, "most")
		from := rapid.IntRange(0, n).Draw(t, "from")
		want, stop, renewed := slices.Clone(counts), from, 0
		for ; stop < n; stop++ {
			if counts[stop] <= most {
				continue
			}
			want[stop], renewed = 0, renewed+1
			for j := range 64 * words {
				want[stop] += int32((masks[stop*words+j/64] & open[j/64]) >> (j % 64) & 1)
			}
			if want[stop] > most {
				break
			}
		}
		at, done := k.Recount(counts, from, masks, open, most)
		if at != stop || done != renewed || !slices.Equal(counts, want) {
			t.Fatalf("stopped at %d with %d renewed and the counts %v, one by one at %d with %d and %v", at, done, counts, stop, renewed, want)
		}
	})
}

// TestHalfIsTheLeastAbove goes through all 16-bit patterns and checks the numbers
// around each of them.
func TestHalfIsTheLeastAbove(t *testing.T) {
	for _, k := range All() {
		values := make([]float32, 0, 3<<16)
		for pattern := range 1 << 16 {
			if value := Half(pattern).Float32(); math.Abs(float64(value)) <= MaxHalf {
				values = append(values, value, math.Nextafter32(value, -MaxHalf), math.Nextafter32(value, MaxHalf))
			}
		}
		values = values[:len(values)/ColumnMultiple*ColumnMultiple]
		for i, h := range halved(k, values) {
			if h.Float32() < values[i] {
				t.Fatalf("%s: half of %v is %v", k.Name(), values[i], h.Float32())
			}
			if below := stepDown(h); below.Float32() >= values[i] && h.Float32() != values[i] {
				t.Fatalf("%s: half of %v is %v, but %v is closer", k.Name(), values[i], h.Float32(), below.Float32())
			}
		}
	}
}

// stepDown returns the next smaller half-precision number.
func stepDown(h Half) Half {
	switch {
	case h&0x7fff == 0:
		return 0x8001
	case h&0x8000 == 0:
		return h - 1
	}
	return h + 1
}

// Half precision has the values that its definition in IEEE 754 gives.
func TestHalfValues(t *testing.T) {
	if last := Half(0x7bff).Float32(); last != MaxHalf {
		t.Errorf("the last finite number is %v, not %v", last, MaxHalf)
	}
	for pattern := range 1 << 16 {
		exponent, fraction := pattern>>10&31, float64(pattern&1023)
		want := math.Ldexp(1024+fraction, exponent-25)
		if exponent == 0 {
			want = math.Ldexp(fraction, -24)
		}
		if pattern&0x8000 != 0 {
			want = -want
		}
		if got := Half(pattern).Float32(); exponent < 31 && float64(got) != want {
			t.Fatalf("pattern %#x is %v, want %v", pattern, got, want)
		}
	}
}

func TestPositionsStopAtTheLimit(t *testing.T) {
	got := Positions([]int32{7}, []uint64{1<<31 | 1, 1<<3 | 1<<5}, 68)
	if want := "[7 0 31 67]"; fmt.Sprint(got) != want {
		t.Fatalf("positions %v, want %v", got, want)
	}
}

func TestNarrowIsExact(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		values := drawVector(t, "values", rapid.IntRange(1, 70).Draw(t, "length"))
		scale := math.Ldexp(1, rapid.IntRange(-30, 30).Draw(t, "exponent"))
		got, sizes := make([]float32, len(values)), make([]float64, len(values))
		for i := range sizes {
			sizes[i] = float64(i % 2)
		}
		squares := k.Narrow(got, values, scale, sizes)
		want := 0.0
		for i, v := range values {
			want += scale * v * scale * v
			if size := max(float64(i%2), math.Abs(v)); sizes[i] != size {
				t.Fatalf("size %d: %v, want %v", i, sizes[i], size)
			}
			if got[i] != float32(scale*v) {
				t.Fatalf("entry %d: %v, want %v", i, got[i], float32(scale*v))
			}
		}
		if math.Abs(squares-want) > 1e-13*want {
			t.Fatalf("sum of squares %v, want %v", squares, want)
		}
	})
}

func TestAlignmentsHaveTheSameBitsEverywhere(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		p, m := rapid.IntRange(1, 100).Draw(t, "p"), rapid.IntRange(1, 40).Draw(t, "M")
		d, s := drawVector(t, "d", p), drawVector(t, "s", m*p)
		var columns []int32
		for j := range m {
			if rapid.Bool().Draw(t, "take") {
				columns = append(columns, int32(j))
			}
		}
		got := make([]float64, len(columns))
		k.Alignments(got, d, s, columns)
		for i, j := range columns {
			want := 0.0
			for c, x := range d {
				want = math.FMA(x, s[int(j)*p+c], want)
			}
			if got[i] != want {
				t.Fatalf("alignment with direction %d is %v, want %v", j, got[i], want)
			}
		}
	})
}

func halved(k *Kernel, values []float32) []Half {
	out := make([]Half, len(values))
	k.Halve(out, values)
	return out
}

func TestWrongShapesPanic(t *testing.T) {
	k := Best()
	panels := pack(k, make([]float32, 3), 1, 3)
	Multiply(make([]float32, 11*33+32), 33, make([]float32, 11*5+3), 5, 12, panels) // all fits
	cases := map[string]func(){
		"a too short by one":  func() { Multiply(make([]float32, 11*33+32), 33, make([]float32, 11*5+2), 5, 12, panels) },
		"rows not a multiple": func() { Multiply(make([]float32, 1000), 32, make([]float32, 1000), 3, 7, panels) },
		"rows of a overlap":   func() { Multiply(make([]float32, 1000), 32, make([]float32, 1000), 2, 12, panels) },
		"rows of c overlap":   func() { Multiply(make([]float32, 1000), 16, make([]float32, 1000), 3, 12, panels) },
		"a too short":         func() { Multiply(make([]float32, 1000), 32, make([]float32, 12), 3, 12, panels) },
		"c too short":         func() { Multiply(make([]float32, 12), 32, make([]float32, 1000), 3, 12, panels) },
		"c too short by one":  func() { Multiply(make([]float32, 11*33+31), 33, make([]float32, 11*5+3), 5, 12, panels) },
		"ragged halves":       func() { k.Halve(make([]Half, 33), make([]float32, 33)) },
		"short halves":        func() { k.Halve(nil, nil) },
		"few halves":          func() { k.Halve(make([]Half, 32), make([]float32, 64)) },
		"ragged row":          func() { k.Excess(make([]Half, 33), make([]float32, 33), make([]float32, 33), 0, nil) },
		"no floor":            func() { k.Excess(make([]Half, 64), make([]float32, 32), make([]float32, 64), 0, nil) },
		"ragged masks":        func() { k.Recount(make([]int32, 8), 0, make([]uint64, 72), make([]uint64, 9), 0) },
		"ragged counts":       func() { k.Recount(make([]int32, 9), 0, make([]uint64, 72), make([]uint64, 8), 0) },
		"too few masks":       func() { k.Recount(make([]int32, 16), 0, make([]uint64, 120), make([]uint64, 8), 0) },
		"from the outside":    func() { k.Recount(make([]int32, 8), 9, make([]uint64, 64), make([]uint64, 8), 0) },
		"column outside": func() {
			k.Alignments(make([]float64, 1), make([]float64, 3), make([]float64, 3), []int32{1})
		},
		"column before all": func() {
			k.Alignments(make([]float64, 1), make([]float64, 3), make([]float64, 3), []int32{-1})
		},
		"short alignments": func() {
			k.Alignments(make([]float64, 1), make([]float64, 1), make([]float64, 16), slices.Repeat([]int32{3}, 16))
		},
		"short narrow":    func() { k.Narrow(make([]float32, 15), make([]float64, 16), 1, make([]float64, 16)) },
		"short sizes":     func() { k.Narrow(make([]float32, 16), make([]float64, 16), 1, make([]float64, 15)) },
		"above no weight": func() { k.Above(make([]uint64, 1), make([]Half, 32), make([]float32, 32), nil, 0, nil) },
		"short mask": func() {
			k.Above(make([]uint64, 1), make([]Half, 96), make([]float32, 96), make([]float32, 96), 0, nil)
		},
	}
	for name, call := range cases {
		t.Run(name, func(t *testing.T) {
			defer func() {
				said := recover() // the words of this package, before any memory is touched
				if text, own := said.(string); said == nil || !strings.HasPrefix(name, "short") && !(own && strings.HasPrefix(text, "kernel: ")) {
					t.Fatalf("panic %v", said)
				}
			}()
			call()
		})
	}
}
