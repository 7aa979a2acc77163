package designfile_test

import (
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver/proof"
)

// attackDraws is how many corrupted files TestVerifySurvivesCorruption judges.
func attackDraws() int {
	if os.Getenv("DIRECTIONS_LONG") == "all" {
		return 10_000
	}
	return 10 * len(corruptions)
}

// TestVerifySurvivesCorruption corrupts valid files in one or two places, by each kind of corruption in turn. Each is
// rejected, or what it claims is true by another exact computation: a change of the problem makes a new problem. Both
// checkers judge every file, and agree in the exit code and the false claim.
func TestVerifySurvivesCorruption(t *testing.T) {
	cases, both, counts := fileCases(t), newAgreement(t), map[string]int{}
	random := rand.New(rand.NewPCG(20261123, 1))
	for draw := range attackDraws() {
		k := corruptions[draw%len(corruptions)]
		c := cases[random.IntN(len(cases))]
		f := &corrupted{Rand: random, d: copied(t, c.design), table: c.dictionary}
		if random.IntN(3) == 0 { // of two kinds at once
			first := corruptions[random.IntN(len(corruptions))]
			if first.change != nil {
				first.change(f)
			}
		}
		if k.change != nil {
			k.change(f)
		}
		if random.IntN(2) == 0 {
			loosen(f.d, math.Abs(short(random.NormFloat64())))
		}
		data := sealed(t, f.d)
		if k.text != nil {
			if data = k.text(random, data); random.IntN(4) > 0 {
				data = resealed(data)
			}
		}
		got := verdict(t, data, f.table)
		counts[got]++
		if got == "0" {
			counts["0 after "+k.name]++
			judgeAccepted(t, random, counts, data)
		}
		both.add(t, got, data, f.table)
		if t.Failed() {
			t.Fatalf("draw %d, %s in %s:\n%.3000s", draw, k.name, c.name, data)
		}
	}
	for _, verdict := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-40s %d", verdict, counts[verdict])
	}
	both.check(t)
}

// judgeAccepted computes the truth about a file that was found valid.
func judgeAccepted(t *testing.T, random *rand.Rand, counts map[string]int, data []byte) {
	t.Helper()
	var d map[string]any
	if err := json.Unmarshal(data, &d); err != nil {
		t.Errorf("the file is accepted but is not JSON: %v", err)
		return
	}
	p := instanceOf(t, d)
	claims := d["claims"].(map[string]any)
	atMost := func(key string, truth *big.Rat) {
		if v, isNumber := claims[key].(float64); isNumber && fractionOf(v).Cmp(truth) < 0 {
			t.Errorf("the claim %s = %v is accepted but the truth is %v", key, v, truth.FloatString(20))
		}
	}
	full := p.value(p.every())
	atMost("restricted", p.value(p.chosen))
	atMost("full", full)
	atMost("missed", p.missed())
	p.judgeByPoints(t, random, counts, claims["lower"])
	least, known := p.minimum(p.every())
	if !known {
		counts["no minimum known"]++
		return
	}
	counts["minimum known"]++
	if v, isNumber := claims["lower"].(float64); isNumber && fractionOf(v).Cmp(least) > 0 {
		t.Errorf("the claim lower = %v is accepted but the minimum is %v", v, least.FloatString(20))
	}
	atMost("regret", new(big.Rat).Sub(full, least))
	if restricted, known := p.minimum(p.chosen); known && p.missed().Sign() == 0 {
		counts["gap known"]++
		atMost("gap", restricted.Sub(least, restricted))
	}
}

// judgeByPoints compares a lower bound with points near the decision that are feasible, for problems whose minimum is not known
// as well.
func (p *instance) judgeByPoints(t *testing.T, random *rand.Rand, counts map[string]int, lower any) {
	bound, claimed := lower.(float64)
	if !claimed {
		return
	}
	for range 20 {
		moved := *p
		moved.x = slices.Clone(p.x)
		for j, c := range p.columns {
			step := float64(random.IntN(9)-4) / 4
			if c.integer {
				step = math.Round(step)
			}
			moved.x[j] = min(max(moved.x[j]+step, c.lower), c.upper)
		}
		if moved.missed().Sign() == 0 {
			counts["feasible points"]++
			if value := moved.value(p.every()); fractionOf(bound).Cmp(value) > 0 {
				t.Errorf("the claim lower = %v is accepted, but %v costs %v", bound, moved.x, value.FloatString(20))
			}
		}
	}
}

// instanceOf reads a file that was accepted, so that its types are right.
func instanceOf(t testing.TB, d map[string]any) *instance {
	problem, decision := d["problem"].(map[string]any), d["decision"].(map[string]any)
	p := &instance{radius: problem["radius"].(float64), x: floats(decision["x"], 0)}
	model, n := problem["model"].(map[string]any), len(p.x)
	p.offset = model["offset"].(float64)
	for _, c := range list(model["columns"]) {
		c := c.(map[string]any)
		p.columns = append(p.columns, instanceColumn{side(c["lower"], -1), side(c["upper"], 1), c["cost"].(float64), c["integer"].(bool)})
	}
	for _, r := range list(model["rows"]) {
		r := r.(map[string]any)
		row := proof.Row{Lower: side(r["lower"], -1), Upper: side(r["upper"], 1)}
		for k, j := range list(r["columns"]) {
			value := list(r["values"])[k].(float64)
			if at := slices.Index(row.Columns, int(j.(float64))); at >= 0 {
				row.Values[at] += value // small numbers of few digits, or 1e300, which is not rounded to something that matters
			} else {
				row.Columns, row.Values = append(row.Columns, int(j.(float64))), append(row.Values, value)
			}
		}
		p.rows = append(p.rows, row)
	}
	for k, v := range list(at(model, "quadratic", "values")) {
		i, j := list(at(model, "quadratic", "i"))[k], list(at(model, "quadratic", "j"))[k]
		p.quadratic = append(p.quadratic, [3]float64{i.(float64), j.(float64), v.(float64)})
	}
	table := problem["dictionary"].(map[string]any)
	dimension := int(table["dimension"].(float64))
	for _, atom := range list(table["values"]) {
		p.atoms = append(p.atoms, floats(atom, dimension))
	}
	if p.atoms == nil {
		p.atoms = externalCase(t).instance.atoms // whose hash was checked
	}
	mapOf := func(value map[string]any) instanceMap {
		q := instanceMap{constant: floats(value["constant"], dimension)}
		for _, entries := range list(value["matrix"]) {
			row := make([]float64, n)
			for k, j := range list(at(entries, "columns")) {
				row[int(j.(float64))] = list(at(entries, "values"))[k].(float64)
			}
			q.matrix = append(q.matrix, row)
		}
		return q
	}
	if objective, given := problem["objective"].(map[string]any); given {
		q := mapOf(objective)
		p.objective = &q
	}
	for _, c := range list(problem["constraints"]) {
		c := c.(map[string]any)
		p.constraints = append(p.constraints, instanceConstraint{mapOf(c["map"].(map[string]any)), floats(c["nominal"], n), c["limit"].(float64)})
	}
	for _, i := range list(decision["atoms"]) {
		p.chosen = append(p.chosen, int(i.(float64)))
	}
	return p
}

func list(value any) []any {
	entries, _ := value.([]any)
	return entries
}

// floats reads numbers, so many zeros for none.
func floats(value any, count int) []float64 {
	if len(list(value)) == 0 {
		return make([]float64, count)
	}
	numbers := []float64{}
	for _, v := range list(value) {
		numbers = append(numbers, v.(float64))
	}
	return numbers
}

func side(value any, sign int) float64 {
	if value == nil {
		return math.Inf(sign)
	}
	return value.(float64)
}

// FuzzVerify: no input makes the checker panic, and what it says is of one of three kinds.
func FuzzVerify(f *testing.F) {
	for _, c := range fileCases(f) {
		f.Add(sealed(f, c.design), c.dictionary)
	}
	f.Fuzz(func(t *testing.T, design, dictionary []byte) {
		verdict(t, design, dictionary)
		verdict(t, resealed(design), dictionary)
	})
}
