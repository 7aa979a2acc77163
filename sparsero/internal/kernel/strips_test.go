package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func randomStrips(source *rand.Rand, n int) []Strip {
	strips := make([]Strip, n)
	for k := range strips {
		for w := range strips[k] {
			strips[k][w] = source.Uint64()
		}
	}
	return strips
}

// counter reads counter i out of its planes.
func counter(planes []Strip, i int) (value uint64) {
	for d := range planes {
		if planes[d].Has(i) {
			value |= 1 << d
		}
	}
	return value
}

func TestSubtractTakesEveryBit(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		before := randomStrips(source, rapid.IntRange(LeastPlanes, 12).Draw(t, "planes"))
		matrix := randomStrips(source, rapid.IntRange(1, 20).Draw(t, "strips"))
		rows := make([]int32, StripMultiple*rapid.IntRange(0, 5).Draw(t, "eights"))
		for r := range rows {
			rows[r] = int32(source.IntN(len(matrix)))
		}
		after := append([]Strip(nil), before...)
		k.Subtract(after, matrix, rows, &matrix[0])
		for i := range StripBits {
			want := counter(before, i)
			for _, row := range rows {
				if matrix[row].Has(i) {
					want--
				}
			}
			if want &= 1<<len(before) - 1; counter(after, i) != want {
				t.Fatalf("counter %d is %d, want %d", i, counter(after, i), want)
			}
		}
	})
}

func TestLargestIsOfTheCountersThatHaveIt(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		planes := randomStrips(source, rapid.IntRange(0, 12).Draw(t, "planes"))
		for d := range rapid.IntRange(0, len(planes)).Draw(t, "planes without a bit") {
			planes[len(planes)-1-d] = Strip{}
		}
		var having Strip
		got, want := k.Largest(planes, &having), uint64(0)
		for i := range StripBits {
			want = max(want, counter(planes, i))
		}
		if uint64(got) != want {
			t.Fatalf("largest value %d, want %d", got, want)
		}
		for i := range StripBits {
			if has := counter(planes, i) == want; having.Has(i) != has {
				t.Fatalf("counter %d is %d and the largest %d, but having says %v", i, counter(planes, i), want, !has)
			}
		}
	})
}

func TestReachComparesWithFloors(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		n := ColumnMultiple * rapid.IntRange(1, 5).Draw(t, "columns/32")
		number := rapid.SampledFrom([]float32{-MaxHalf, -3, -0x1p-24, -0x1p-30, 0, 0x1p-25, 0x1p-24, 0x1p-15, 1, 1 + 0x1p-10, 1 + 0x1p-11, 3, MaxHalf})
		row, floors, least := make([]Half, n), make([]Floor, n), make([]float32, n)
		for j := range row {
			row[j], least[j] = halfAbove(number.Draw(t, "number")), number.Draw(t, "least")
			floors[j] = FloorAt(least[j])
		}
		stride := rapid.IntRange(1, 3).Draw(t, "stride")
		mask := make([]uint64, (n+63)/64*stride)
		for w := range mask {
			mask[w] = math.MaxUint64
		}
		k.Reach(mask, stride, row, floors)
		for j, h := range row {
			want := least[j] <= 0 || h.Float32() >= least[j]
			if got := mask[j/64*stride]>>(j%64)&1 == 1; got != want || (floors[j].ReachedBy(h) == 1) != want {
				t.Fatalf("%v at least %v: %v, want %v", h.Float32(), least[j], got, want)
			}
			if beyond := mask[len(mask)-stride] >> (n % 64); n%64 != 0 && beyond != math.MaxUint64>>(n%64) {
				t.Fatalf("bits beyond the row are %b", beyond)
			}
			if Unreachable.ReachedBy(h) != 0 {
				t.Fatalf("%v reaches Unreachable", h.Float32())
			}
		}
	})
}

// A negative zero has the bits of the least integer, below all other numbers.
func TestNegativeZeroReachesNoFloor(t *testing.T) {
	const negativeZero = Half(0x8000)
	row, floors, mask := make([]Half, ColumnMultiple), make([]Floor, ColumnMultiple), make([]uint64, 1)
	for j := range row {
		row[j], floors[j] = negativeZero, FloorAt(0)
	}
	floors[1] = FloorAt(0x1p-24)
	for _, k := range All() {
		if k.Reach(mask, 1, row, floors); mask[0] != 1<<ColumnMultiple-1-2 {
			t.Errorf("%s: mask %b", k.Name(), mask[0])
		}
	}
}

func TestFloorsFollowTheNumbers(t *testing.T) {
	for h := Half(0); h.Float32() < MaxHalf; h++ {
		between := float32(math.Nextafter32(h.Float32(), MaxHalf))
		if f := FloorAt(between); f.ReachedBy(h) != 0 || f.ReachedBy(h+1) != 1 {
			t.Fatalf("the floor of %v separates %v from %v wrongly", between, h.Float32(), (h + 1).Float32())
		}
	}
}

func TestTransposeExchangesRowsAndColumns(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		var a, b [64]uint64
		for r := range a {
			a[r] = source.Uint64()
		}
		b = a
		k.Transpose(&b)
		for r := range a {
			for c := range b {
				if a[r]>>c&1 != b[c]>>r&1 {
					t.Fatalf("bit (%d,%d) is %d, transposed %d", r, c, a[r]>>c&1, b[c]>>r&1)
				}
			}
		}
	})
}
