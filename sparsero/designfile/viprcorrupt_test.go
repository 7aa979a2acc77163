package designfile_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
)

// viprCorruptions change a token, some tokens or a line of a certificate; they return false where they have nothing to change.
var viprCorruptions = []struct {
	name   string
	change func(random *rand.Rand, lines [][]string) ([][]string, bool)
}{
	{"a multiplier", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		return lines, alter(random, lines, func(line []string) []int { return numbersBehind(line, slices.Index(line, "lin")+2, "}") })
	}},
	{"a coefficient that is given", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		return lines, alter(random, given(lines), func(line []string) []int { return numbersBehind(line, 4, "") })
	}},
	{"a right side that is given", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		return lines, alter(random, given(lines), func([]string) []int { return []int{2} })
	}},
	{"a right side that is derived", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		return lines, alter(random, lines, func(line []string) []int { return []int{2}[:btoi(slices.Contains(line, "{"))] })
	}},
	{"the claim", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		return lines, alter(random, lines, func(line []string) []int { return []int{2, 3}[:2*btoi(line[0] == "RTP")] })
	}},
	{"the decision", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		return lines, alter(random, lines, func(line []string) []int {
			if line[0] != "decision" {
				return nil
			}
			return numbersBehind(line, 3, "")
		})
	}},
	{"an index", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		return lines, alter(random, lines, indices)
	}},
	{"two indices swapped", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		line := drawn(random, lines)
		places := indices(line)
		if len(places) < 2 {
			return lines, false
		}
		i, j := drawn(random, places), drawn(random, places)
		line[i], line[j] = line[j], line[i]
		return lines, i != j
	}},
	{"a sense", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		line := drawn(random, lines)
		if len(line) < 4 || !strings.Contains("LG", line[1]) {
			return lines, false
		}
		line[1] = drawn(random, []string{"L", "E", "G"})
		return lines, true
	}},
	{"a reason", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		line := drawn(random, lines)
		at := slices.Index(line, "{")
		if at < 0 {
			return lines, false
		}
		line[at+1] = drawn(random, []string{"asm", "lin", "rnd", "uns"})
		return lines, true
	}},
	{"a line dropped", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		at := random.IntN(len(lines))
		return recounted(slices.Delete(lines, at, at+1)), true
	}},
	{"a line twice", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		at := random.IntN(len(lines))
		return recounted(slices.Insert(lines, at, slices.Clone(lines[at]))), true
	}},
	{"two lines swapped", func(random *rand.Rand, lines [][]string) ([][]string, bool) {
		i, j := random.IntN(len(lines)), random.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return lines, i != j
	}},
}

func btoi(holds bool) int {
	if holds {
		return 1
	}
	return 0
}

// given are the lines of constraints that are no derivations.
func given(lines [][]string) [][]string {
	first := slices.IndexFunc(lines, func(line []string) bool { return line[0] == "CON" }) + 1
	last := slices.IndexFunc(lines, func(line []string) bool { return line[0] == "RTP" })
	return lines[first:last]
}

// numbersBehind are the places of every other token from one on up to an end.
func numbersBehind(line []string, from int, end string) (places []int) {
	if end != "" && !slices.Contains(line, "lin") {
		return nil
	}
	for k := from + 1; k < len(line) && line[k] != end && line[k-1] != end; k += 2 {
		places = append(places, k)
	}
	return places
}

// indices are the places of indices in reasons.
func indices(line []string) (places []int) {
	at := slices.Index(line, "{")
	switch {
	case at >= 0 && line[at+1] == "uns":
		return []int{at + 2, at + 3, at + 4, at + 5}
	case at >= 0 && line[at+1] == "lin":
		for k := at + 3; line[k] != "}"; k += 2 {
			places = append(places, k)
		}
	}
	return places
}

// alter changes a number at one of some places of a line.
func alter(random *rand.Rand, lines [][]string, places func(line []string) []int) bool {
	line := drawn(random, lines)
	if len(line) == 0 || len(places(line)) == 0 {
		return false
	}
	at := drawn(random, places(line))
	v, isNumber := new(big.Rat).SetString(line[at])
	if !isNumber {
		return false
	}
	one := big.NewRat(1, 1)
	switch random.IntN(5) {
	case 0:
		v.Neg(v)
	case 1:
		v.Add(v, one)
	case 2:
		v.Sub(v, one)
	case 3:
		v.Mul(v, big.NewRat(1025, 1024))
	case 4:
		v.SetInt64(0)
	}
	old := line[at]
	line[at] = v.RatString()
	return line[at] != old
}

// recounted has the counts of constraints and derivations that its lines have.
func recounted(lines [][]string) [][]string {
	last := len(lines)
	for at := len(lines) - 1; at >= 0; at-- {
		switch lines[at][0] {
		case "DER":
			lines[at] = []string{"DER", fmt.Sprint(last - at - 1)}
		case "RTP":
			last = at
		case "CON":
			lines[at] = []string{"CON", fmt.Sprint(last - at - 1), "0"}
		}
	}
	return lines
}

// TestVIPRReaderRejectsCorruptions: of 1,000 corrupted certificates the reader rejects all that prove nothing. One that it accepts is
// no failure if what it claims is true by another computation: a claim that is not more than that of the certificate which was
// corrupted, about the same problem, or else one that holds for the exact minimum of what is given now. Each of its derivations has to
// follow as well, from the exact minimum of its left side over what is given and its assumptions.
func TestVIPRReaderRejectsCorruptions(t *testing.T) {
	var certificates []string
	for _, c := range fileCases(t) {
		if len(c.instance.quadratic) == 0 && !strings.Contains(c.name, "tiny") && c.dictionary == nil { // all numbers are float64
			certificates = append(certificates, vipr(t, &c))
		}
	}
	random, counts := rand.New(rand.NewPCG(20261127, 1)), map[string]int{}
	draws := 1000
	if testing.Short() {
		draws = 100
	}
	for draw := 0; draw < draws; {
		k := viprCorruptions[draw%len(viprCorruptions)]
		original := drawn(random, certificates)
		lines := [][]string{}
		for line := range strings.Lines(original) {
			if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "%" {
				lines = append(lines, fields)
			}
		}
		lines, changed := k.change(random, lines)
		if !changed {
			continue
		}
		draw++
		corrupted, err := readVIPR(joined(lines))
		var assumptions []map[int]bool
		if err == nil {
			assumptions, err = corrupted.check()
		}
		if err != nil {
			counts[k.name+": rejected"]++
			continue
		}
		counts[k.name+": true all the same"]++
		truth, err := readVIPR(original)
		if err != nil {
			t.Fatal(err)
		}
		if !corrupted.claimsNoMore(truth) {
			counts["another problem or claim"]++
			corrupted.judge(t, &relation{left: corrupted.objective, sense: 1, right: corrupted.lower}, nil)
		}
		for d := range corrupted.derived {
			corrupted.judge(t, &corrupted.derived[d].relation, assumptions[len(corrupted.given)+d])
		}
		if t.Failed() {
			t.Fatalf("%s:\n%s", k.name, joined(lines))
		}
	}
	rejected := 0
	for _, verdict := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-50s %d", verdict, counts[verdict])
		if strings.HasSuffix(verdict, "rejected") {
			rejected += counts[verdict]
		}
	}
	if 4*rejected < 3*draws {
		t.Errorf("of %d corruptions %d are rejected", draws, rejected)
	}
}

func joined(lines [][]string) string {
	var b strings.Builder
	for _, line := range lines {
		fmt.Fprintln(&b, strings.Join(line, " "))
	}
	return b.String()
}

// claimsNoMore tells whether a certificate is about the same problem as another one, and claims no other range.
func (f *viprFile) claimsNoMore(other *viprFile) bool {
	same := func(a, b relation) bool {
		return a.sense == b.sense && a.right.Cmp(b.right) == 0 && a.left.equals(b.left)
	}
	return slices.EqualFunc(f.given, other.given, same) && f.objective.equals(other.objective) && maps.Equal(f.integers, other.integers) &&
		f.lower != nil && f.lower.Cmp(other.lower) <= 0
}

// judge computes the exact minimum, or maximum, of the left side of a relation over what is given and some assumptions.
func (f *viprFile) judge(t *testing.T, r *relation, assumptions map[int]bool) {
	t.Helper()
	if r.right == nil {
		return
	}
	for _, sense := range []int{1, -1} {
		if r.sense == -sense {
			continue
		}
		least := f.least(t, r.left, sense, assumptions)
		if least == nil {
			continue // nothing is feasible, so that everything follows
		}
		if least.Mul(least, big.NewRat(int64(sense), 1)).Cmp(r.right)*sense < 0 {
			t.Errorf("%s is accepted, but its left side reaches %v", r.name, least)
		}
	}
}

// least is the least value of a form times a sign, nil if nothing is feasible; integer variables are enumerated.
func (f *viprFile) least(t *testing.T, left form, sign int, assumptions map[int]bool) (least *big.Rat) {
	n := len(f.variables)
	program := &proof.Program{Lower: slices.Repeat([]float64{math.Inf(-1)}, n), Upper: slices.Repeat([]float64{math.Inf(1)}, n), Cost: make([]float64, n)}
	number := func(v *big.Rat) float64 {
		near, same := v.Float64()
		if !same {
			t.Fatalf("%v is no float64", v)
		}
		return near
	}
	for j, v := range left {
		program.Cost[j] = float64(sign) * number(v)
	}
	relations := slices.Clone(f.given)
	for k := range assumptions {
		relations = append(relations, f.derived[k-len(f.given)].relation)
	}
	for _, r := range relations {
		row := proof.Row{Lower: math.Inf(-1), Upper: math.Inf(1)}
		if r.sense >= 0 {
			row.Lower = number(r.right)
		}
		if r.sense <= 0 {
			row.Upper = number(r.right)
		}
		for j, v := range r.left {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, number(v))
		}
		program.Rows = append(program.Rows, row)
	}
	f.enumerate(t, program, slices.Sorted(maps.Keys(f.integers)), func(answer *exact.Answer) {
		if answer.Status == exact.Optimal && (least == nil || answer.Objective.Cmp(least) < 0) {
			least = answer.Objective
		}
		if answer.Status == exact.Unbounded {
			t.Error("there is no least value")
		}
	})
	return least
}

// enumerate solves a program for the values from -4 to 4 of its integer variables, which have bounds between these.
func (f *viprFile) enumerate(t *testing.T, program *proof.Program, integers []int, visit func(*exact.Answer)) {
	answer := exact.Solve(context.Background(), program)
	if len(integers) == 0 || answer.Status == exact.Infeasible {
		visit(answer)
		return
	}
	for v := -4.0; v <= 4; v++ {
		part := *program
		part.Lower, part.Upper = slices.Clone(program.Lower), slices.Clone(program.Upper)
		part.Lower[integers[0]], part.Upper[integers[0]] = v, v
		f.enumerate(t, &part, integers[1:], visit)
	}
}
