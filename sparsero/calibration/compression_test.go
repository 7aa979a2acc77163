package calibration_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/calibration"
	"pgregory.net/rapid"
)

// compressionSum is Delta/N · sum_{m=k}^{last} C(m,k)/C(N,k) (1-ε)^(m-N), exactly.
func compressionSum(n, k, last int, epsilon, delta float64) *big.Rat {
	keep := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFloat64(epsilon))
	power := big.NewRat(1, 1) // (1-ε)^(m-N), from m = N down
	sum := new(big.Rat)
	for m := n - 1; m >= k; m-- {
		power.Quo(power, keep)
		if m > last {
			continue
		}
		count := new(big.Rat).SetInt(new(big.Int).Binomial(int64(m), int64(k)))
		sum.Add(sum, count.Mul(count, power))
	}
	sum.Mul(sum, new(big.Rat).SetFloat64(delta))
	sum.Quo(sum, new(big.Rat).SetInt64(int64(n)))
	return sum.Quo(sum, new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k))))
}

// TestCompressionIsExact compares both promises with rational arithmetic: they are never below the root,
// and not above it by more than rounding.
func TestCompressionIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "N")
		k := rapid.IntRange(0, n-1).Draw(t, "k")
		delta := math.Pow(10, rapid.Float64Range(-9, -0.01).Draw(t, "log delta"))
		for _, preference := range []bool{false, true} {
			last := k
			if preference {
				last = n - 1
			}
			upper, err := calibration.Compression{Delta: delta, Preference: preference}.Violation(n, k)
			if err != nil {
				t.Fatal(err)
			}
			epsilon := upper.Float()
			one := big.NewRat(1, 1)
			if epsilon < 1 && compressionSum(n, k, last, epsilon, delta).Cmp(one) < 0 {
				t.Fatalf("N=%d k=%d preference=%v: ε=%v is below the root", n, k, preference, epsilon)
			}
			if below := epsilon * (1 - 1e-10); compressionSum(n, k, last, below, delta).Cmp(one) > 0 {
				t.Fatalf("N=%d k=%d preference=%v: ε=%v is above the root by more than 1e-10 of it", n, k, preference, epsilon)
			}
		}
	})
}

// levelSum is C(N,k) P(Bin(N-k,ε) < levels) N/Delta, exactly.
func levelSum(n, k, levels int, epsilon, delta float64) *big.Rat {
	hit := new(big.Rat).SetFloat64(epsilon)
	miss := new(big.Rat).Sub(big.NewRat(1, 1), hit)
	sum := new(big.Rat)
	for i := 0; i < levels && i <= n-k; i++ {
		term := new(big.Rat).SetInt(new(big.Int).Binomial(int64(n-k), int64(i)))
		for j := range n - k {
			if j < i {
				term.Mul(term, hit)
			} else {
				term.Mul(term, miss)
			}
		}
		sum.Add(sum, term)
	}
	sum.Mul(sum, new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k))))
	sum.Mul(sum, big.NewRat(int64(n), 1))
	return sum.Quo(sum, new(big.Rat).SetFloat64(delta))
}

// TestCompressionOfLevelsIsExact compares the promise about several maxima with rational arithmetic; one level is the
// union, more cost more.
func TestCompressionOfLevelsIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "N")
		k := rapid.IntRange(0, n-1).Draw(t, "k")
		levels := rapid.IntRange(1, 6).Draw(t, "levels")
		delta := math.Pow(10, rapid.Float64Range(-9, -0.01).Draw(t, "log delta"))
		violation := func(levels int) float64 {
			epsilon, err := calibration.Compression{Delta: delta, Levels: levels}.Violation(n, k)
			if err != nil {
				t.Fatal(err)
			}
			return epsilon.Float()
		}
		epsilon, one := violation(levels), big.NewRat(1, 1)
		if epsilon < 1 && levelSum(n, k, levels, epsilon, delta).Cmp(one) > 0 {
			t.Fatalf("N=%d k=%d levels=%d: ε=%v is below the root", n, k, levels, epsilon)
		}
		if levelSum(n, k, levels, epsilon*(1-1e-8), delta).Cmp(one) < 0 {
			t.Fatalf("N=%d k=%d levels=%d: ε=%v is above the root by more than 1e-8 of it", n, k, levels, epsilon)
		}
		if violation(1) != violation(0) || violation(levels+1) < epsilon {
			t.Fatalf("N=%d k=%d: %v for no number of levels, %v for one, %v for %d, %v for one more", n, k, violation(0), violation(1), epsilon, levels, violation(levels+1))
		}
	})
}

// TestCompressionOfVeryMany: with one chosen sample the union is 1 - (Delta/N^2)^(1/(N-1)), which holds for N up to 2^40.
func TestCompressionOfVeryMany(t *testing.T) {
	random := rand.New(rand.NewPCG(40, 1))
	for range 2000 {
		n := int(math.Exp2(10 + 30*random.Float64()))
		upper, err := calibration.Compression{Delta: 1e-6}.Violation(n, 1)
		got := upper.Float()
		want := -math.Expm1((math.Log(1e-6) - 2*math.Log(float64(n))) / float64(n-1))
		if err != nil || got < want || got > want*(1+5e-13) {
			t.Fatalf("N=%d: %v, %v, want %v rounded up", n, got, err, want)
		}
	}
}

// TestCompressionByDirectSum adds the sum term by term where it is long.
func TestCompressionByDirectSum(t *testing.T) {
	for _, c := range []struct {
		n, k  int
		delta float64
	}{{1000, 6, 1e-5}, {500, 6, 1e-3}, {2000, 7, 1e-5}, {100_000, 40, 1e-9}, {1_000_000, 0, 1e-6}, {1_000_000, 999_000, 0.1}} {
		upper, err := calibration.Compression{Delta: c.delta, Preference: true}.Violation(c.n, c.k)
		if err != nil {
			t.Fatal(err)
		}
		epsilon := upper.Float()
		// Terms from m = N-1 down, each from the one above it.
		term, sum := float64(c.n-c.k)/float64(c.n)/(1-epsilon), 0.
		for m := c.n - 1; m >= c.k; m-- {
			sum += term
			term *= float64(m-c.k) / float64(m) / (1 - epsilon)
		}
		if got := sum * c.delta / float64(c.n); math.Abs(got-1) > 1e-6 {
			t.Errorf("N=%d k=%d: the sum at ε=%g is %g, want 1", c.n, c.k, epsilon, got)
		}
	}
}

// TestCompressionFigures holds the published size of the guarantee (Campi and Garatti's equation, solved by bisection in
// several documents) and the price of the union.
func TestCompressionFigures(t *testing.T) {
	for _, c := range []struct {
		n, k            int
		delta           float64
		preference      bool
		atLeast, atMost float64
	}{
		{n: 1000, k: 6, delta: 1e-5, preference: true, atLeast: 0.0275, atMost: 0.0285},
		{n: 500, k: 6, delta: 1e-3, preference: true, atLeast: 0.0425, atMost: 0.0435},
		{n: 2000, k: 7, delta: 1e-5, preference: true, atLeast: 0.0145, atMost: 0.0155},
		{n: 1000, k: 6, delta: 1e-5, atLeast: 0.0515, atMost: 0.0525},
	} {
		upper, err := calibration.Compression{Delta: c.delta, Preference: c.preference}.Violation(c.n, c.k)
		epsilon := upper.Float()
		if err != nil || epsilon < c.atLeast || epsilon > c.atMost {
			t.Errorf("N=%d k=%d delta=%g preference=%v: ε=%.4f, %v; want %g to %g", c.n, c.k, c.delta, c.preference, epsilon, err, c.atLeast, c.atMost)
		}
	}
}

// TestCompressionIsMonotone: more chosen samples promise less, more samples and a larger delta more, and the
// preference property never costs anything; up to 10^7 samples.
func TestCompressionIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := int(math.Pow(10, rapid.Float64Range(0.5, 7).Draw(t, "log N")))
		k := rapid.IntRange(0, n-1).Draw(t, "k")
		delta := math.Pow(10, rapid.Float64Range(-12, -0.01).Draw(t, "log delta"))
		preference := rapid.Bool().Draw(t, "preference")
		at := func(n, k int, delta float64, preference bool) float64 {
			upper, err := calibration.Compression{Delta: delta, Preference: preference}.Violation(n, k)
			epsilon := upper.Float()
			if err != nil || !(epsilon > 0 && epsilon <= 1) {
				t.Fatalf("N=%d k=%d: %v, %v", n, k, epsilon, err)
			}
			return epsilon
		}
		const rounding = 1e-11
		here := at(n, k, delta, preference) * (1 + rounding)
		if more := at(n, k+1, delta, preference); more*(1+2*rounding) < here {
			t.Fatalf("ψ(%d)=%g above ψ(%d)=%g of N=%d", k, here, k+1, more, n)
		}
		if n >= 3 {
			if more := at(n+1, k, delta, preference); more > here {
				t.Fatalf("ε=%g for N=%d, %g for N=%d", here, n, more, n+1)
			}
		}
		if loose := at(n, k, math.Sqrt(delta), preference); loose > here {
			t.Fatalf("a larger delta promises less: %g, %g", loose, here)
		}
		if at(n, k, delta, true) > at(n, k, delta, false) {
			t.Fatal("the preference property made the promise worse")
		}
	})
}

// TestCompressionInverse: the smallest sample and the most atoms are where the promise turns.
func TestCompressionInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := calibration.Compression{
			Delta:      math.Pow(10, rapid.Float64Range(-9, -0.5).Draw(t, "log delta")),
			Preference: rapid.Bool().Draw(t, "preference"),
		}
		if !c.Preference {
			c.Levels = rapid.IntRange(0, 4).Draw(t, "levels")
		}
		alpha := math.Pow(10, rapid.Float64Range(-5, -0.1).Draw(t, "log alpha"))
		k := rapid.IntRange(0, 50).Draw(t, "k")
		samples, err := c.MinSamples(k, alpha)
		if err != nil {
			t.Fatal(err)
		}
		promise := func(n, k int) float64 {
			epsilon, err := c.Violation(n, k)
			if err != nil {
				t.Fatal(err)
			}
			return epsilon.Float()
		}
		if promise(samples, k) > alpha {
			t.Fatalf("%d samples promise %g, not %g", samples, promise(samples, k), alpha)
		}
		if samples > max(k+1, 3) && promise(samples-1, k) <= alpha {
			t.Fatalf("%d samples would do as well as %d", samples-1, samples)
		}
		most, err := c.MaxAtoms(samples, alpha)
		if err != nil || most < k || promise(samples, most) > alpha || promise(samples, most+1) <= alpha {
			t.Fatalf("MaxAtoms(%d, %g) = %d, %v; %d atoms need so many samples", samples, alpha, most, err, k)
		}
	})
}

// TestFewestSamplesOfAll: k+1 samples promise something, and where that is enough no more are asked for.
func TestFewestSamplesOfAll(t *testing.T) {
	for k, want := range map[int]int{0: 3, 1: 3, 2: 3, 5: 6} {
		if samples, err := (calibration.Compression{Delta: 0.1}).MinSamples(k, 0.999); err != nil || samples != want {
			t.Errorf("k=%d: %d samples, %v; want %d", k, samples, err, want)
		}
	}
}

// TestCompressionRefuses names what is out of range, and how many samples would do.
func TestCompressionRefuses(t *testing.T) {
	good := calibration.Compression{Delta: 1e-5, Preference: true}
	for _, c := range []calibration.Compression{{}, {Delta: 1}, {Delta: math.NaN()}, {Delta: 0.1, Levels: -1}, {Delta: 0.1, Levels: 1, Preference: true}} {
		if _, err := c.Violation(10, 1); err == nil {
			t.Errorf("%+v is accepted", c)
		}
		if _, err := c.MinSamples(1, 0.1); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	for _, numbers := range [][2]int{{0, 0}, {5, 6}, {5, -1}, {1<<40 + 1, 1}} {
		if _, err := good.Violation(numbers[0], numbers[1]); err == nil {
			t.Errorf("k=%d of N=%d is accepted", numbers[1], numbers[0])
		}
	}
	for _, alpha := range []float64{0, 1, math.NaN()} {
		if _, err := good.MinSamples(1, alpha); err == nil {
			t.Errorf("alpha=%g is accepted", alpha)
		}
		if _, err := good.MaxAtoms(10, alpha); err == nil {
			t.Errorf("alpha=%g is accepted", alpha)
		}
	}
	if _, err := good.MinSamples(-1, 0.1); err == nil {
		t.Error("k=-1 is accepted")
	}
	if _, err := good.MinSamples(3, 1e-12); err == nil {
		t.Error("alpha=1e-12 would need more than 2^40 samples")
	}
	var small *calibration.SampleTooSmallError
	if _, err := good.MaxAtoms(20, 1e-12); err == nil || errors.As(err, &small) {
		t.Errorf("no number of samples would do, and it is said: %v", err)
	}
	_, err := good.MaxAtoms(20, 0.05)
	if !errors.As(err, &small) || small.Got != 20 || !strings.Contains(err.Error(), " samples for k=0 chosen samples, delta=") {
		t.Fatalf("20 samples: %v", err)
	}
	if enough, err := good.MaxAtoms(small.Need, 0.05); err != nil || enough != 0 {
		t.Errorf("the error says that %d samples do; they give %d, %v", small.Need, enough, err)
	}
	if whole, err := good.Violation(7, 7); err != nil || whole.Float() != 1 {
		t.Errorf("all samples chosen promise %g, %v; want 1", whole, err)
	}
}
