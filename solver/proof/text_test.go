package proof_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
)

// number finds what a printed bound says.
var number = regexp.MustCompile(`[-+]?(Inf|0[xX][0-9a-fA-F.]+[pP][-+]?\d+|\d+p[-+]\d+|\d+(\.\d+)?([eE][-+]?\d+)?)`)

// judged compares a printed text with the number that was printed, without any code of the package: -1 if the text is below,
// 0 if it is equal, 1 if it is above.
func judged(t *testing.T, text string, v float64) int {
	t.Helper()
	found := number.FindString(text)
	if strings.HasSuffix(found, "Inf") {
		said := math.Inf(1)
		if found[0] == '-' {
			said = math.Inf(-1)
		}
		if said == v {
			return 0
		}
		return int(math.Copysign(1, said))
	}
	said, ok := new(big.Rat).SetString(found)
	if mantissa, power, isBinary := strings.Cut(found, "p"); isBinary && !strings.ContainsAny(found, "xX") {
		exponent, err := strconv.Atoi(power)
		if err != nil {
			t.Fatal(err)
		}
		said, ok = new(big.Rat).SetString(mantissa)
		scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(exponent, -exponent))))
		if exponent < 0 {
			scale.Inv(scale)
		}
		said.Mul(said, scale)
	}
	if strings.ContainsAny(found, "xX") {
		exact, err := strconv.ParseFloat(found, 64)
		said, ok = new(big.Rat).SetFloat64(exact), err == nil
	}
	if !ok {
		t.Fatalf("%q holds no number", text)
	}
	if math.IsInf(v, 0) {
		return -int(math.Copysign(1, v))
	}
	return said.Cmp(new(big.Rat).SetFloat64(v))
}

// formats are all verbs of package fmt, with the flags and widths that change what is printed.
func formats() []string {
	var all []string
	for _, verb := range "vgGeEfFsqxXbdtcUoO" {
		for _, flags := range []string{"", "+", "-14", "014", " ", "30", "#"} {
			for _, precision := range []string{"", ".0", ".1", ".2", ".3", ".6", ".12", ".17", ".30"} {
				all = append(all, "%"+flags+precision+string(verb))
			}
		}
	}
	return all
}

// drawn are numbers of all sizes and kinds.
func drawn(random *rand.Rand) float64 {
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64,
		-math.SmallestNonzeroFloat64, 0x1p-1022, 0.1, 0.3, 1. / 3, 9.9999995, 999999.5, -0.99995, 1e21, 1e22, 123456789012345678}
	switch random.Intn(5) {
	case 0:
		return special[random.Intn(len(special))]
	case 1:
		return math.Float64frombits(random.Uint64()&^(0x7ff<<52) | uint64(random.Intn(2047))<<52)
	case 2:
		return math.Float64frombits(random.Uint64() & (1<<63 | 1<<52 - 1)) // subnormal
	case 3:
		return float64(random.Intn(20001)-10000) / 1000
	}
	return random.NormFloat64()
}

// TestPrintedBoundsAreSafe prints 10,000 bounds in every form and reads the texts back: none is on the wrong side.
func TestPrintedBoundsAreSafe(t *testing.T) {
	random, all := rand.New(rand.NewSource(7)), formats()
	wrong := 0
	check := func(form, text string, v float64, side int) {
		if judged(t, text, v)*side < 0 {
			if wrong++; wrong < 20 {
				t.Errorf("%s: %q of %v (%d) is on the wrong side", form, text, v, side)
			}
		}
	}
	count := 10_000
	if testing.Short() {
		count = 100
	}
	for k := range count {
		v := drawn(random)
		upper, lower := proof.AtMost(v), proof.AtLeast(v)
		for range 6 {
			form := all[random.Intn(len(all))]
			check(form, fmt.Sprintf(form, upper), upper.Float(), 1)
			check(form, fmt.Sprintf(form, lower), lower.Float(), -1)
		}
		check("String", upper.String(), upper.Float(), 1)
		check("String", lower.String(), lower.Float(), -1)
		form := struct {
			Upper proof.Upper
			Lower proof.Lower
		}{upper, lower}
		text, err := json.Marshal(form)
		if err != nil {
			t.Fatal(err)
		}
		first, second, _ := strings.Cut(string(text), ",")
		check("JSON", first, upper.Float(), 1)
		check("JSON", second, lower.Float(), -1)
		if k%1000 == 0 { // every form
			for _, form := range all {
				check(form, fmt.Sprintf(form, upper), upper.Float(), 1)
				check(form, fmt.Sprintf(form, lower), lower.Float(), -1)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d texts are on the wrong side", wrong)
	}
}

// TestHiddenFieldsShowNoNumber: what prints a field without its methods shows no digits of a bound.
func TestHiddenFieldsShowNoNumber(t *testing.T) {
	hidden := struct {
		upper proof.Upper
		lower proof.Lower
	}{proof.AtMost(0.2718), proof.AtLeast(-0.2718)}
	for _, form := range []string{"%v", "%+v", "%g", "%#v", "%p"} {
		if text := fmt.Sprintf(form, hidden); strings.Contains(text, "0.27") || strings.Contains(text, "2718") {
			t.Errorf("%s: %s", form, text)
		}
	}
}

// TestBoundsPrintAsNumbersDo: where the nearest text is safe, it is the one of package fmt, and otherwise the next one.
func TestBoundsPrintAsNumbersDo(t *testing.T) {
	third := 1. / 3
	for _, c := range []struct{ got, want string }{
		{fmt.Sprintf("%.3g", proof.AtMost(1.21481)), "1.22"}, {fmt.Sprintf("%.3g", proof.AtLeast(1.21481)), "1.21"},
		{fmt.Sprintf("%.2f", proof.AtMost(9.991)), "10.00"}, {fmt.Sprintf("%.1e", proof.AtMost(9.97)), "1.0e+01"},
		{fmt.Sprintf("%.3g", proof.AtLeast(-1.21481)), "-1.22"}, {fmt.Sprintf("%.3g", proof.AtMost(-1.21481)), "-1.21"},
		{fmt.Sprintf("%v", proof.AtMost(0.5)), "0.5"}, {fmt.Sprintf("%6.2f|", proof.AtMost(0.5)), "  0.50|"},
		{fmt.Sprintf("%-7.1f|", proof.AtMost(0.5)), "0.5    |"}, {fmt.Sprintf("%+07.2f", proof.AtMost(0.5)), "+000.50"},
		{fmt.Sprintf("%07.2f", proof.AtMost(-0.5)), "-000.50"}, {fmt.Sprintf("% .2f", proof.AtMost(0.5)), " 0.50"},
		{fmt.Sprintf("%.2F", proof.AtMost(0.5)), "0.50"}, {fmt.Sprintf("%.2E", proof.AtMost(0.5)), "5.00E-01"},
		{fmt.Sprintf("%G", proof.AtMost(1e-9)), "1.0000000000000001E-09"}, {fmt.Sprintf("%f", proof.AtLeast(third)), "0.333333"},
		{fmt.Sprintf("%f", proof.AtMost(third)), "0.333334"}, {fmt.Sprintf("%.3s", proof.AtMost(third)), "0.334"},
		{fmt.Sprintf("%q", proof.AtMost(0.5)), `"0.5"`}, {fmt.Sprintf("%#v", proof.AtLeast(0.5)), "proof.AtLeast(0.5)"},
		{fmt.Sprintf("%#v", proof.AtMost(0.5)), "proof.AtMost(0.5)"}, {fmt.Sprintf("%+v", proof.AtMost(0.5)), "0.5"},
		{fmt.Sprintf("%x", proof.AtMost(0.5)), "0x1p-01"}, {fmt.Sprintf("%X", proof.AtMost(0.5)), "0X1P-01"},
		{fmt.Sprintf("%d", proof.AtMost(0.5)), "%!d(proof.Upper=0.5)"}, {fmt.Sprintf("%t", proof.AtLeast(0.5)), "%!t(proof.Lower=0.5)"},
		{proof.AtMost(math.NaN()).String(), "+Inf"}, {proof.AtLeast(math.NaN()).String(), "-Inf"},
		{proof.Upper{}.String(), "+Inf"}, {proof.Lower{}.String(), "-Inf"}, {fmt.Sprintf("%06.1f", proof.Upper{}), "  +Inf"},
		{fmt.Sprintf("%E", proof.Upper{}), "+Inf"}, {proof.AtMost(math.Copysign(0, -1)).String(), "0"},
		{proof.AtMost(0.1).String(), "0.10000000000000001"}, {proof.AtLeast(0.1).String(), "0.1"},
		{fmt.Sprintf("%.0g", proof.AtMost(1.2)), "2"}, {fmt.Sprintf("%.0f", proof.AtMost(1.2)), "2"}, {fmt.Sprintf("%.0e", proof.AtMost(9.2)), "1e+01"},
	} {
		if c.got != c.want {
			t.Errorf("printed %q, want %q", c.got, c.want)
		}
	}
}

// mantissa is a number without its exponent.
func mantissa(text string) string {
	text, _, _ = strings.Cut(text, "e")
	return text
}

// TestStringsReadBack as the same number, on either side, with 17 digits at the most.
func TestStringsReadBack(t *testing.T) {
	random := rand.New(rand.NewSource(4))
	for range 1000 {
		v := random.NormFloat64()
		for _, text := range []string{proof.AtMost(v).String(), proof.AtLeast(v).String()} {
			if back, err := strconv.ParseFloat(text, 64); err != nil || back != v || len(strings.Trim(mantissa(text), "-0.")) > 18 {
				t.Errorf("%v is written %s", v, text)
			}
		}
	}
}

// TestReadingProvesNothing: no text in JSON makes a bound, not even what a bound wrote.
func TestReadingProvesNothing(t *testing.T) {
	for _, text := range []string{`1`, `"-Inf"`, `"x"`, `null`, `{}`, `{"bits":1,"proven":true}`} {
		var upper proof.Upper
		var lower proof.Lower
		for _, bound := range []any{&upper, &lower} {
			_ = json.Unmarshal([]byte(text), bound) // an error or not, nothing is proven
		}
		if upper != (proof.Upper{}) || lower != (proof.Lower{}) {
			t.Errorf("%s proves %v and %v", text, upper, lower)
		}
	}
}

// TestArithmeticKeepsItsSide compares sums, differences and multiples of bounds with fractions.
func TestArithmeticKeepsItsSide(t *testing.T) {
	random := rand.New(rand.NewSource(11))
	exactly := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	for range 20_000 {
		a, b, factor := drawn(random), drawn(random), math.Abs(drawn(random))
		if math.IsInf(a, 0) || math.IsInf(b, 0) || math.IsInf(factor, 0) {
			continue
		}
		upper, lower := proof.AtMost(a), proof.AtLeast(b)
		for _, c := range []struct {
			name  string
			upper proof.Upper
			lower proof.Lower
			truth *big.Rat
		}{
			{"sum", upper.Plus(proof.AtMost(b)), lower.Negated().Plus(proof.AtMost(-a)).Negated(), new(big.Rat).Add(exactly(a), exactly(b))},
			{"difference", upper.Plus(lower.Negated()), proof.AtMost(-a).Plus(proof.AtMost(b)).Negated(), new(big.Rat).Sub(exactly(a), exactly(b))},
			{"multiple", upper.Times(factor), proof.AtLeast(a).Times(factor), new(big.Rat).Mul(exactly(a), exactly(factor))},
			{"negative", lower.Negated(), proof.AtMost(b).Negated(), new(big.Rat).Neg(exactly(b))},
			{"itself", proof.UpperOf(exactly(a)), proof.LowerOf(exactly(a)), exactly(a)},
		} {
			for _, v := range []struct {
				value float64
				side  int
			}{{c.upper.Float(), 1}, {c.lower.Float(), -1}} {
				if !math.IsInf(v.value, v.side) && (math.IsInf(v.value, 0) || exactly(v.value).Cmp(c.truth)*v.side < 0) {
					t.Fatalf("%s of %v, %v, %v: %v is on the wrong side of %v", c.name, a, b, factor, v.value, c.truth.FloatString(30))
				}
				nearest, _ := c.truth.Float64()
				if !math.IsInf(v.value, v.side) && math.Abs(v.value-nearest) > 0x1p-51*math.Abs(nearest)+0x1p-1073 {
					t.Fatalf("%s of %v, %v, %v: %v is far from %v", c.name, a, b, factor, v.value, nearest)
				}
			}
		}
	}
}

// TestLeastIsTheSharpestBound: of several bounds the least holds, wherever it stands, and of none nothing does.
func TestLeastIsTheSharpestBound(t *testing.T) {
	if one, two := proof.AtMost(1), proof.AtMost(2); proof.Least(two, one, proof.Upper{}) != one || proof.Least(one, two) != one {
		t.Errorf("least of 1 and 2: %v, %v", proof.Least(two, one, proof.Upper{}), proof.Least(one, two))
	}
	if proof.Least() != (proof.Upper{}) {
		t.Errorf("least of nothing: %v", proof.Least())
	}
}

// TestNothingProvenStaysUnproven: a bound that is not there is not made by arithmetic, and negative factors are refused.
func TestNothingProvenStaysUnproven(t *testing.T) {
	none, some := proof.Upper{}, proof.AtMost(math.Inf(-1))
	for name, bound := range map[string]proof.Upper{
		"sum": none.Plus(some), "other sum": some.Plus(none), "multiple": none.Times(2), "difference": some.Plus(proof.Lower{}.Negated()),
		"nil": proof.UpperOf(nil), "negative": proof.LowerOf(nil).Negated(),
	} {
		if bound != none {
			t.Errorf("%s: %v", name, bound)
		}
	}
	if got := none.Times(0); got != proof.AtMost(0) {
		t.Errorf("0 times a finite quantity: %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a negative factor was taken")
		}
	}()
	none.Times(-1)
}

// TestManyDecimals: with 319 decimals, too, a bound is written within one unit of the last.
func TestManyDecimals(t *testing.T) {
	unit, _ := new(big.Rat).SetString("1e-319")
	random := rand.New(rand.NewSource(5))
	for range 20 {
		v := (1 + random.Float64()) * 1e-300
		written, _ := new(big.Rat).SetString(fmt.Sprintf("%.319f", proof.AtMost(v)))
		if above := written.Sub(written, new(big.Rat).SetFloat64(v)); above.Sign() < 0 || above.Cmp(unit) > 0 {
			t.Errorf("%v is written %v too large", v, above.FloatString(330))
		}
	}
}

// TestPrintedBoundsBelowAPowerOfTen have as many digits as others: a bound just below 0.1 was once written as 0.099999.
func TestPrintedBoundsBelowAPowerOfTen(t *testing.T) {
	for v, want := range map[float64]string{math.Nextafter(0.1, 0): "0.0999999", math.Nextafter(1, 0): "0.999999", math.Nextafter(1000, 0): "999.999"} {
		lower, upper := fmt.Sprintf("%.6g", proof.AtLeast(v)), fmt.Sprintf("%.6g", proof.AtMost(-v))
		if lower != want || upper != "-"+want {
			t.Errorf("%v is written %s, its negative %s, want %s", v, lower, upper, want)
		}
	}
}
