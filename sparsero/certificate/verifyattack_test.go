package certificate_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/exact"
)

// attackDraws is how many corrupted files TestVerifySurvivesCorruption judges.
func attackDraws() int {
	if os.Getenv("DIRECTIONS_LONG") == "all" {
		return 10_000
	}
	return 500
}

// TestVerifySurvivesCorruption corrupts valid files, with the seal broken or made anew. Each is rejected, or what it
// claims is true by another exact computation: a change of the problem makes a new problem. Both checkers judge every file.
func TestVerifySurvivesCorruption(t *testing.T) {
	cases, both, counts := fileCases(t), newAgreement(t), map[string]int{}
	random := rand.New(rand.NewPCG(20261123, 1))
	for draw := range attackDraws() {
		c := cases[random.IntN(len(cases))]
		data := corrupted(t, random, c)
		if c.dictionary != nil && random.IntN(2) == 0 {
			c.dictionary = corruptedTable(random, c.dictionary)
		}
		got := verdict(t, data, c.dictionary)
		counts[got]++
		if got == "0" {
			judgeAccepted(t, counts, data)
		}
		both.add(t, got, data, c.dictionary)
		if t.Failed() {
			t.Fatalf("draw %d, from %s:\n%.3000s", draw, c.name, data)
		}
	}
	for _, verdict := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-14s %d", verdict, counts[verdict])
	}
	both.check(t)
}

// corrupted changes a file in one to three places.
func corrupted(t testing.TB, random *rand.Rand, c fileCase) []byte {
	d := copied(t, c.design)
	if random.IntN(4) == 0 {
		data := corruptedBytes(random, sealed(t, d))
		if random.IntN(4) > 0 {
			data = resealed(data)
		}
		return data
	}
	if random.IntN(4) == 0 { // and nothing else, so that what a checker overlooks stays valid
		o := drawn(random, objects(d))
		o[drawn(random, append(slices.Sorted(maps.Keys(o)), formatKeys...))] = drawn(random, foreign)
		return sealed(t, d)
	}
	for range 1 + random.IntN(2) {
		if random.IntN(4) == 0 {
			corruptTree(random, d)
			continue
		}
		places := numberPlaces(d, nil)
		place := places[random.IntN(len(places))]
		place.set(corruptedValue(random, place.value))
	}
	if random.IntN(2) == 0 {
		rehash(d)
	}
	if _, isObject := d["claims"].(map[string]any); isObject && random.IntN(2) == 0 {
		if random.IntN(2) == 0 {
			loosen(d, math.Abs(short(random.NormFloat64())))
		}
		state(d)
	}
	data := sealed(t, d)
	if random.IntN(10) == 0 {
		data = bytes.Replace(data, []byte("by hand"), []byte("by mail"), 1) // breaks the seal
	}
	return data
}

// corruptedBytes flips a bit, overwrites a digit, repeats or drops a stretch, writes a fragment or cuts the file off.
func corruptedBytes(random *rand.Rand, data []byte) []byte {
	at := random.IntN(len(data))
	length := min(1+random.IntN(30), len(data)-at)
	switch random.IntN(7) {
	case 0:
		data[at] ^= 1 << random.IntN(8)
	case 1:
		if digit := bytes.IndexAny(data[at:], "0123456789"); digit >= 0 {
			data[at+digit] = byte('0' + random.IntN(10))
		}
	case 2:
		data = slices.Concat(data[:at+length], data[at:])
	case 3:
		data = slices.Delete(data, at, at+length)
	case 4:
		data = slices.Insert(data, at, []byte(drawn(random, fragments))...)
	case 5: // in place of a value
		if end := bytes.IndexAny(data[at:], ",]}"); end >= 0 {
			start := bytes.LastIndexAny(data[:at+end], ",[:") + 1
			data = slices.Replace(data, start, at+end, []byte(drawn(random, fragments))...)
		}
	default:
		data = data[:at]
	}
	return data
}

// fragments are texts that readers of JSON and of numbers may take in different ways.
var fragments = []string{
	"null", "true", "false", "[]", "{}", `""`, "-0", "1e400", "01", "1.", ".5", "+1", "0x1p0", "1_0", "NaN", "Infinity", " ", "\t", "\r", "\n", "\x0c", "\v", "\x00",
	"\u2028", "\u0085", "\u00a0", "\u0661", "\ufeff", `\ud800`, `\ude00`, `\ud83d\ude00`, `\u0000`, `\`, `"`, `"\ud800":1,"\ud801":1,`, `"integer":true,`, `"terms":[],`, "/**/",
}

func drawn[T any](random *rand.Rand, values []T) T { return values[random.IntN(len(values))] }

// corruptedTable changes a dictionary in NPY or CSV in one place.
func corruptedTable(random *rand.Rand, table []byte) []byte {
	at := random.IntN(len(table))
	switch random.IntN(4) {
	case 0:
		return corruptedBytes(random, bytes.Clone(table))
	case 1:
		return bytes.ReplaceAll(table, []byte("\n"), []byte(drawn(random, fragments)+"\n"))
	case 2: // beside a number
		if comma := bytes.IndexByte(table[at:], ','); comma >= 0 {
			at += comma + random.IntN(2)
		}
	}
	return slices.Insert(bytes.Clone(table), at, []byte(drawn(random, fragments))...)
}

// numberPlace is a number in a file.
type numberPlace struct {
	value float64
	set   func(any)
}

// numberPlaces lists the numbers of a file.
func numberPlaces(value any, places []numberPlace) []numberPlace {
	visit := func(child any, set func(any)) {
		if number, isNumber := child.(float64); isNumber {
			places = append(places, numberPlace{number, set})
		} else {
			places = numberPlaces(child, places)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			visit(value[key], func(v any) { value[key] = v })
		}
	case []any:
		for k := range value {
			visit(value[k], func(v any) { value[k] = v })
		}
	}
	return places
}

// formatKeys are keys of some object of the format, and of what a checker may keep in one.
var formatKeys = []string{
	"integer", "lower", "upper", "cost", "columns", "values", "limit", "nominal", "matrix", "constant", "column", "at", "below", "above",
	"rows", "objective", "constraints", "tangent", "empty", "sense", "implied", "proof", "labels", "sampled", "quadratic", "terms", "table", "position",
}

// foreign are values of each type.
var foreign = []any{nil, true, false, 0.0, 1.0, 0.5, "", "no", "1/2", []any{}, []any{nil}, []any{1.0}, map[string]any{}}

// objects lists the objects of a file.
func objects(value any) (all []map[string]any) {
	switch value := value.(type) {
	case map[string]any:
		all = append(all, value)
		for _, key := range slices.Sorted(maps.Keys(value)) {
			all = append(all, objects(value[key])...)
		}
	case []any:
		for _, entry := range value {
			all = append(all, objects(entry)...)
		}
	}
	return all
}

// corruptTree walks to a random place and changes what is there.
func corruptTree(random *rand.Rand, value any) {
	switch value := value.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(value))
		if len(keys) == 0 {
			return
		}
		key := keys[random.IntN(len(keys))]
		switch random.IntN(12) {
		case 0:
			delete(value, key)
		case 1:
			other := keys[random.IntN(len(keys))]
			value[key], value[other] = value[other], value[key]
		case 2:
			value[strings.ToUpper(key)] = value[key]
		default:
			value[key] = corruptedValue(random, value[key])
		}
	case []any:
		if len(value) == 0 {
			return
		}
		k, other := random.IntN(len(value)), random.IntN(len(value))
		if random.IntN(5) == 0 {
			value[k], value[other] = value[other], value[k]
		} else {
			value[k] = corruptedValue(random, value[k])
		}
	}
}

func corruptedValue(random *rand.Rand, value any) any {
	switch old := value.(type) {
	case map[string]any:
		corruptTree(random, old)
		return old
	case []any:
		switch random.IntN(8) {
		case 0:
			return append(slices.Clone(old), slices.Clone(old[:min(1, len(old))])...)
		case 1:
			return old[:max(0, len(old)-1)]
		}
		corruptTree(random, old)
		return old
	case float64:
		choices := []float64{-old, 2 * old, 0, 1, old + 1, old - 1, math.Nextafter(old, 1e300), stepped(short(old), 1), stepped(short(old), -1), short(random.NormFloat64()), 1e-300, 1e300}
		return choices[random.IntN(len(choices))]
	case bool:
		return !old
	case nil:
		return short(3 * random.NormFloat64())
	case string:
		return []any{nil, "", "3/7", "-1/1", old + "0", 1.0}[random.IntN(6)]
	}
	return value
}

// rehash gives the dictionary the hash of its values where it can.
func rehash(d map[string]any) {
	dictionary, _ := d["dictionary"].(map[string]any)
	rows, _ := dictionary["values"].([]any)
	p := &instance{}
	for _, row := range rows {
		numbers, _ := row.([]any)
		atom := []float64{}
		for _, v := range numbers {
			number, _ := v.(float64)
			atom = append(atom, number)
		}
		p.atoms = append(p.atoms, atom)
	}
	if len(p.atoms) > 0 {
		dictionary["sha256"] = p.hash()
	}
}

// judgeAccepted computes the truth about a file that was found valid.
func judgeAccepted(t *testing.T, counts map[string]int, data []byte) {
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

// instanceOf reads a file that was accepted, so that its types are right.
func instanceOf(t testing.TB, d map[string]any) *instance {
	p := &instance{radius: d["radius"].(float64), x: floats(d["decision"], 0)}
	model, n := d["model"].(map[string]any), len(p.x)
	p.offset = model["offset"].(float64)
	for _, c := range list(model["columns"]) {
		c := c.(map[string]any)
		p.columns = append(p.columns, instanceColumn{side(c["lower"], -1), side(c["upper"], 1), c["cost"].(float64), c["integer"].(bool)})
	}
	for _, r := range list(model["rows"]) {
		r := r.(map[string]any)
		row := exact.Row{Lower: side(r["lower"], -1), Upper: side(r["upper"], 1)}
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
	for _, q := range list(model["quadratic"]) {
		p.quadratic = append(p.quadratic, [3]float64(floats(q, 3)))
	}
	table := d["dictionary"].(map[string]any)
	dimension := int(table["dimension"].(float64))
	for _, atom := range list(table["values"]) {
		p.atoms = append(p.atoms, floats(atom, dimension))
	}
	if p.atoms == nil {
		p.atoms = externalCase(t).instance.atoms // whose hash was checked
	}
	mapOf := func(value map[string]any) instanceMap {
		q := instanceMap{constant: floats(value["constant"], dimension)}
		for _, row := range list(value["matrix"]) {
			q.matrix = append(q.matrix, floats(row, n))
		}
		return q
	}
	if objective, given := d["objective"].(map[string]any); given {
		q := mapOf(objective)
		p.objective = &q
	}
	for _, c := range list(d["constraints"]) {
		c := c.(map[string]any)
		p.constraints = append(p.constraints, instanceConstraint{mapOf(c), floats(c["nominal"], n), c["limit"].(float64)})
	}
	for _, i := range list(d["chosen"]) {
		p.chosen = append(p.chosen, int(i.(float64)))
	}
	return p
}

func list(value any) []any {
	entries, _ := value.([]any)
	return entries
}

// floats reads numbers, so many zeros for null.
func floats(value any, count int) []float64 {
	if value == nil {
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
