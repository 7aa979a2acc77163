package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func ExampleNewIntegerInstance() {
	instance, err := NewIntegerInstance(IntegerOptions{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, items := instance.Base.Dims()
	heldOut, _ := instance.HeldOut.Dims()
	fmt.Printf("choose %d of %d items under %d rows; %d atoms, %d held-out scenarios\n",
		instance.Cardinality, items, rows, instance.Dictionary.Size(), heldOut)
	fmt.Println(IntegerOptions{})
	// Output:
	// choose 5 of 30 items under 3 rows; 60 atoms, 50 held-out scenarios
	// integer instances: n=30 m=3 p=3 K=5 N=60 M=50 C=5 rhs=0.9 phi=0.4 jitter=0.2 tau=0.4 sigma=0.3
}

// TestIntegerInstanceFollowsTheStatedOrder draws base uses, shares, costs and
// the tightness again from the same generator.
func TestIntegerInstanceFollowsTheStatedOrder(t *testing.T) {
	for _, homogeneous := range []bool{false, true} {
		checkStatedOrder(t, homogeneous)
	}
}

func checkStatedOrder(t *testing.T, homogeneous bool) {
	instance, err := NewIntegerInstance(IntegerOptions{Seed: 11, Homogeneous: homogeneous})
	if err != nil {
		t.Fatal(err)
	}
	if rows, _ := instance.Base.Dims(); instance.Rows() != rows || new(IntegerInstance).Rows() != 0 {
		t.Errorf("%d rows and %d without a base; want %d and 0", instance.Rows(), new(IntegerInstance).Rows(), rows)
	}
	random := rand.New(rand.NewPCG(11, streamInteger))
	const m, n, k = 3, 30, 5
	base, extra := mat.NewDense(m, n, nil), mat.NewDense(m, n, nil)
	for i := range m * n {
		base.Set(i/n, i%n, float64(10+random.IntN(41)))
	}
	for i := range m * n {
		extra.Set(i/n, i%n, base.At(i/n, i%n)*(0.2+0.4*random.Float64()))
	}
	for j, cost := range instance.Cost {
		if want := 10 + 50*random.Float64(); math.Abs(cost-want) > 1e-12 {
			t.Fatalf("cost %d = %v, want %v", j, cost, want)
		}
	}
	for range 3 * n { // packing weights
		random.IntN(20)
	}
	for range 5 * n { // profiles
		random.ExpFloat64()
	}
	tightness := math.Exp(0.2 * random.NormFloat64())
	if homogeneous {
		tightness = 1
	}
	for row := range m {
		capacity := 0.9 * tightness * k / n * (floats.Sum(base.RawRowView(row)) + 0.4*floats.Sum(extra.RawRowView(row)))
		for j := range n {
			if got, want := instance.Base.At(row, j), base.At(row, j)/capacity; math.Abs(got-want) > 1e-12 {
				t.Fatalf("Base(%d,%d) = %v, want %v", row, j, got, want)
			}
			if got, want := instance.Extra.At(row, j), extra.At(row, j)/capacity; math.Abs(got-want) > 1e-12 {
				t.Fatalf("Extra(%d,%d) = %v, want %v", row, j, got, want)
			}
		}
	}
}

func TestIntegerInstancesDependOnTheSeedAlone(t *testing.T) {
	first, err := NewIntegerInstance(IntegerOptions{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	again, err := NewIntegerInstance(IntegerOptions{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(first.Base, again.Base) || !mat.Equal(first.HeldOut, again.HeldOut) || !mat.Equal(first.Dictionary.Matrix(), again.Dictionary.Matrix()) {
		t.Error("two instances of seed 3 differ")
	}
	other, err := NewIntegerInstance(IntegerOptions{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if mat.Equal(first.Base, other.Base) {
		t.Error("seeds 3 and 4 have the same rows")
	}
	homogeneous, err := NewIntegerInstance(IntegerOptions{Seed: 3, Homogeneous: true})
	if err != nil {
		t.Fatal(err)
	}
	ratio := homogeneous.Base.At(0, 0) / first.Base.At(0, 0)
	if ratio == 1 || !mat.Equal(homogeneous.HeldOut, first.HeldOut) {
		t.Error("Homogeneous must change the tightness and nothing else")
	}
	for j := range first.Cost {
		if got := homogeneous.Base.At(2, j) / first.Base.At(2, j); math.Abs(got-ratio) > 1e-12 {
			t.Fatalf("row 2 is scaled by %v, row 0 by %v; the tightness belongs to the whole instance", got, ratio)
		}
	}
}

// TestIntegerInstancesStayTheSame: a seed names the atoms and scenarios that it named in earlier versions.
func TestIntegerInstancesStayTheSame(t *testing.T) {
	instance, err := NewIntegerInstance(IntegerOptions{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	drawn := sha256.Sum256(fmt.Append(nil, mat.Formatted(instance.Dictionary.Matrix()), mat.Formatted(instance.HeldOut)))
	if got, want := hex.EncodeToString(drawn[:8]), "0eb5b4f69365e8c5"; got != want {
		t.Errorf("atoms and scenarios have the hash %s, want %s", got, want)
	}
}

// TestScenariosAreMaximalPackings checks Gu <= g, and that no further item fits.
func TestScenariosAreMaximalPackings(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	s := IntegerOptions{}.withDefaults().newScenarios(random)
	for range 200 {
		scenario := s.draw(random)
		free := append([]float64(nil), s.capacity...)
		for j, u := range scenario {
			for i := range free {
				free[i] -= u * s.weights.At(i, j)
			}
		}
		if floats.Min(free) < 0 {
			t.Fatalf("a packing row overflows: %v left", free)
		}
		for j, u := range scenario {
			fits := true
			for i := range free {
				fits = fits && s.weights.At(i, j) <= free[i]
			}
			if u == 0 && fits {
				t.Fatalf("item %d still fits into %v", j, free)
			}
		}
		if ones := floats.Sum(scenario); ones < 8 || ones > 18 {
			t.Errorf("%v of 30 items in a scenario; about 10 to 15 are typical", ones)
		}
	}
}

// TestProfilesFollowZipf compares frequencies with 1/c over 1 + 1/2 + ... + 1/5.
func TestProfilesFollowZipf(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	s := IntegerOptions{}.withDefaults().newScenarios(random)
	const draws = 20000
	counts := make([]int, 5)
	for range draws {
		counts[s.drawProfile(random)]++
	}
	for c, count := range counts {
		p := 1 / float64(c+1) / (137.0 / 60) // the sum of the first five reciprocals
		if deviation := math.Abs(float64(count) - draws*p); deviation > 5*math.Sqrt(draws*p*(1-p)) {
			t.Errorf("profile %d was drawn %d times, expected about %.0f", c, count, draws*p)
		}
	}
}

func TestAtomsAreDistinctAndMayBeFewer(t *testing.T) {
	instance, err := NewIntegerInstance(IntegerOptions{Seed: 8})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range instance.Dictionary.Size() {
		seen[fmt.Sprint(instance.Dictionary.Atom(i))] = true
	}
	if len(seen) != 60 {
		t.Errorf("%d distinct atoms, want 60", len(seen))
	}
	few, err := NewIntegerInstance(IntegerOptions{Seed: 8, Items: 4, Cardinality: 2})
	if err != nil {
		t.Fatal(err)
	}
	if size := few.Dictionary.Size(); size < 1 || size > 15 {
		t.Errorf("four items gave %d atoms, but they have 15 subsets that are not empty", size)
	}
}

func TestIntegerOptionsOutOfRange(t *testing.T) {
	for want, o := range map[string]IntegerOptions{
		"Items = -1":       {Items: -1},
		"HeldOut = -2":     {HeldOut: -2},
		"Cardinality = 31": {Cardinality: 31},
		"Capacity = NaN":   {Capacity: math.NaN()},
		"Reserve = -0.1":   {Reserve: -0.1},
	} {
		if _, err := NewIntegerInstance(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}
}

func TestDescriptionsTellFamiliesApart(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range []IntegerOptions{
		{}, {Items: 29}, {Rows: 2}, {Cardinality: 4}, {Atoms: 59}, {HeldOut: 49},
		{Capacity: 0.8}, {Reserve: 0.1}, {Homogeneous: true},
	} {
		if seen[o.String()] {
			t.Errorf("%+v has the description of another family: %s", o, o)
		}
		seen[o.String()] = true
	}
	if (IntegerOptions{Seed: 5, Items: 30}).String() != (IntegerOptions{}).String() {
		t.Error("the seed or a default written out changed the description")
	}
}

func TestMalformedIntegerInstances(t *testing.T) {
	for want, change := range map[string]func(*IntegerInstance){
		"IntegerInstance.Extra":      func(i *IntegerInstance) { i.Extra = nil },
		"IntegerInstance.Dictionary": func(i *IntegerInstance) { i.Dictionary = nil },
		"IntegerInstance.HeldOut":    func(i *IntegerInstance) { i.HeldOut = nil },
		"Cost":                       func(i *IntegerInstance) { i.Cost = nil },
		"Cardinality = 0":            func(i *IntegerInstance) { i.Cardinality = 0 },
		"Cardinality = 7":            func(i *IntegerInstance) { i.Cardinality = 7 },
		"Extra":                      func(i *IntegerInstance) { i.Extra = mat.NewDense(1, 6, nil) },
		"2×5":                        func(i *IntegerInstance) { i.HeldOut = mat.NewDense(2, 5, nil) },
		"Base is 2×6":                func(i *IntegerInstance) { i.Cost = i.Cost[:5] },
		"Cost: sparsero":             func(i *IntegerInstance) { i.Cost[2] = math.NaN() },
		"Base":                       func(i *IntegerInstance) { i.Base.Set(1, 2, -1) },
		"HeldOut: sparsero":          func(i *IntegerInstance) { i.HeldOut.Set(1, 2, math.Inf(1)) },
	} {
		i, err := NewIntegerInstance(IntegerOptions{Items: 6, Rows: 2, Cardinality: 2, Atoms: 3, HeldOut: 2})
		if err != nil {
			t.Fatal(err)
		}
		change(i)
		if err := i.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}
}
