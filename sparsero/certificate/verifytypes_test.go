package certificate_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/exact"
)

// resealed is a file with changed bytes and the seal of them.
func resealed(data []byte) []byte {
	end := bytes.LastIndex(data, []byte(`"seal"`))
	if end < 0 {
		return data
	}
	sum := sha256.Sum256(data[:end])
	return fmt.Appendf(data[:end:end], "\"seal\": %q}\n", hex.EncodeToString(sum[:]))
}

// simplest is a file of one column, one row, one atom and one robust constraint whose proof has one leaf.
func simplest() map[string]any {
	q := instanceMap{matrix: [][]float64{{1}}, constant: []float64{0}}
	p := &instance{
		columns: []instanceColumn{{upper: 5, cost: 1}}, atoms: [][]float64{{1}}, chosen: []int{0}, x: []float64{1}, radius: 1,
		rows:        []exact.Row{{Columns: []int{0}, Values: []float64{1}, Upper: 2}},
		constraints: []instanceConstraint{{q, []float64{0}, 9}},
	}
	proof := map[string]any{"rows": []any{}, "objective": []any{}, "constraints": []any{}}
	return p.design(proof, new(big.Rat), new(big.Rat))
}

// place returns the object or list at a path of keys and indices.
func place(d any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			d = d.(map[string]any)[step]
		case int:
			d = d.([]any)[step]
		}
	}
	return d
}

// TestVerifyHoldsToTheTypesOfTheFormat puts a value of another type into one place; only what the format lets be null or
// absent may be.
func TestVerifyHoldsToTheTypesOfTheFormat(t *testing.T) {
	both := newAgreement(t)
	plain := copied(t, simplest())
	for _, test := range []struct {
		path     []any
		optional bool // null stands for what is not given, or for an empty list, on which nothing else in the file leans
	}{
		{[]any{"format"}, false}, {[]any{"version"}, false}, {[]any{"kind"}, false}, {[]any{"radius"}, false},
		{[]any{"dictionary"}, false}, {[]any{"dictionary", "atoms"}, false}, {[]any{"dictionary", "dimension"}, false},
		{[]any{"dictionary", "sha256"}, false}, {[]any{"dictionary", "values"}, false}, {[]any{"dictionary", "values", 0}, false},
		{[]any{"dictionary", "values", 0, 0}, false}, {[]any{"model"}, false}, {[]any{"model", "offset"}, false},
		{[]any{"model", "columns"}, false}, {[]any{"model", "columns", 0}, false}, {[]any{"model", "columns", 0, "cost"}, false},
		{[]any{"model", "columns", 0, "lower"}, false}, {[]any{"model", "columns", 0, "upper"}, true}, {[]any{"model", "columns", 0, "integer"}, false},
		{[]any{"model", "rows"}, false}, {[]any{"model", "rows", 0}, false}, {[]any{"model", "rows", 0, "lower"}, true},
		{[]any{"model", "rows", 0, "columns"}, false}, {[]any{"model", "rows", 0, "columns", 0}, false}, {[]any{"model", "rows", 0, "values"}, false},
		{[]any{"model", "rows", 0, "values", 0}, false}, {[]any{"model", "quadratic"}, true}, {[]any{"model", "quadratic", 0}, false},
		{[]any{"model", "quadratic", 0, 0}, false}, {[]any{"model", "quadratic", 0, 2}, false}, {[]any{"model", "sense"}, true},
		{[]any{"objective"}, true}, {[]any{"constraints"}, false}, {[]any{"constraints", 0}, false}, {[]any{"constraints", 0, "matrix"}, false},
		{[]any{"constraints", 0, "matrix", 0}, false}, {[]any{"constraints", 0, "constant"}, true}, {[]any{"constraints", 0, "constant", 0}, false},
		{[]any{"constraints", 0, "nominal"}, true}, {[]any{"constraints", 0, "limit"}, false}, {[]any{"chosen"}, true}, {[]any{"chosen", 0}, false},
		{[]any{"decision"}, false}, {[]any{"decision", 0}, false}, {[]any{"claims"}, false}, {[]any{"claims", "full"}, false},
		{[]any{"claims", "missed"}, false}, {[]any{"implied"}, true}, {[]any{"implied", 0}, false}, {[]any{"implied", 0, 2}, false},
		{[]any{"proof", "rows"}, true}, {[]any{"proof", "rows", 0}, false}, {[]any{"proof", "rows", 0, 0}, false}, {[]any{"proof", "rows", 0, 1}, false},
		{[]any{"proof", "objective"}, true}, {[]any{"proof", "constraints"}, true}, {[]any{"proof", "constraints", 0, 1}, false},
		{[]any{"proof", "constraints", 0, 2}, false}, {[]any{"proof", "tangent"}, true}, {[]any{"proof", "tangent", 0}, false},
		{[]any{"proof", "empty"}, true}, {[]any{"proof", "column"}, true},
	} {
		for _, value := range []any{nil, true, false, "no", "", 0.5, []any{}, []any{nil}, []any{true}, map[string]any{}, map[string]any{"a": 1}} {
			d := copied(t, plain)
			d["implied"] = []any{[]any{0.0, 0.0, 1.0}}
			d["model"].(map[string]any)["quadratic"] = []any{[]any{0.0, 0.0, 0.0}}
			proof := d["proof"].(map[string]any)
			proof["rows"], proof["constraints"], proof["tangent"] = []any{[]any{0.0, 0.0}}, []any{[]any{0.0, 0.0, 0.0}}, []any{1.0}
			last := len(test.path) - 1
			switch holder := place(d, test.path[:last]...).(type) {
			case map[string]any:
				holder[test.path[last].(string)] = value
			case []any:
				holder[test.path[last].(int)] = value
			}
			state(d)
			data := sealed(t, d)
			got := verdict(t, data, nil)
			if null := value == nil; null && test.optional && got == "2" || null && !test.optional && got == "0" {
				t.Errorf("null in %v gets %q", test.path, got)
			}
			if truth, isBool := value.(bool); isBool && test.path[last] != "empty" && test.path[last] != "integer" && got != "2" {
				t.Errorf("%v in %v gets %q", truth, test.path, got)
			}
			both.add(t, got, data, nil)
		}
	}
	both.check(t)
}

// TestVerifyAgreesOnTheText: what the format says of keys, texts, nesting and dictionaries in CSV.
func TestVerifyAgreesOnTheText(t *testing.T) {
	both := newAgreement(t)
	plain := sealed(t, simplest())
	note := func(text string) []byte { return resealed(bytes.Replace(plain, []byte(`"by hand"`), []byte(text), 1)) }
	nested := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	with := func(change func(d map[string]any)) []byte {
		d := copied(t, simplest())
		change(d)
		state(d)
		return sealed(t, d)
	}
	for _, test := range []struct {
		name, wanted string
		data         []byte
	}{
		{"a pair of escapes", "0", note(`"\ud83D\uDE00"`)}, {"half a pair", "2", note(`"\ud83d"`)}, {"the other half", "2", note(`"\ude00"`)},
		{"halves in wrong order", "2", note(`"\ude00\ud83d"`)}, {"half before text", "2", note(`"\ud83dx"`)}, {"no escape", "0", note(`"\\\\ud83d"`)},
		{"keys of halves", "2", note(`{"\ud800":1,"\ud801":2}`)}, {"keys of characters", "0", note(`{"\ud83d\ude00":1,"\ud83d\ude01":2}`)},
		{"an escaped key twice", "2", note(`{"a":1,"\u0061":2}`)},
		{"nested to the limit", "0", note(nested(1999))}, {"nested beyond", "2", note(nested(2000))}, {"nested far beyond", "2", note(nested(4000))},
		{"spaces at the end", "0", append(bytes.Clone(plain), bytes.Repeat([]byte(" "), 1<<20)...)},
		{"no proof", "0", with(func(d map[string]any) {
			claims := d["claims"].(map[string]any)
			d["proof"], claims["lower"], claims["regret"], claims["gap"] = nil, nil, nil, nil
		})},
		{"no proof, but a wrong implied bound", "2", with(func(d map[string]any) {
			claims := d["claims"].(map[string]any)
			d["proof"], claims["lower"], claims["regret"], claims["gap"] = nil, nil, nil, nil
			d["implied"] = []any{[]any{7, 0, 1}}
		})},
		{"an empty proof", "2", with(func(d map[string]any) {
			claims := d["claims"].(map[string]any)
			d["proof"], claims["lower"], claims["regret"], claims["gap"] = map[string]any{}, nil, nil, nil
		})},
		{"a row without the key values", "2", with(func(d map[string]any) {
			row := place(d, "model", "rows", 0).(map[string]any)
			row["columns"] = []any{}
			delete(row, "values")
		})},
		{"no atoms of no dimension", "2", with(func(d map[string]any) {
			dictionary := d["dictionary"].(map[string]any)
			dictionary["dimension"], dictionary["values"] = 0, []any{[]any{}}
		})},
		{"an atom without a constraint, multiplied by 0", "2", with(func(d map[string]any) {
			d["proof"].(map[string]any)["objective"] = []any{[]any{-1, 0}}
		})},
	} {
		if got := verdict(t, test.data, nil); got != test.wanted {
			_, err := verify(test.data, nil)
			t.Errorf("%s: %q, not %q (%v)", test.name, got, test.wanted, err)
		}
		both.add(t, test.wanted, test.data, nil)
	}
	c := externalCase(t)
	external := copied(t, c.design)
	delete(external["dictionary"].(map[string]any), "values")
	for _, test := range []struct{ label, before, after, line, wanted string }{
		{"", "", "", "\n", "0"}, {"", " \t", "\t \r", "\n", "0"}, {"", "", "e+0", "\n", "0"}, {"", "", "", "\r", "2"},
		{"\u2028,", "", "", "\n", "0"}, {"\u0085\x0c\r,", "", "", "\n", "0"}, {"\xff,", "", "", "\n", "0"}, {"1_0,", "", "", "\n", "0"},
		{"", "", "\x0c", "\n", "2"}, {"", "", "\u00a0", "\n", "2"}, {"", "", "p0", "\n", "2"}, {"", "", "_0", "\n", "2"}, {"", "", "\u0660", "\n", "2"},
	} {
		table := ""
		for _, atom := range c.instance.atoms {
			table += test.label
			for k, v := range atom {
				table += strings.Repeat(",", min(k, 1)) + test.before + fmt.Sprint(v) + test.after
			}
			table += test.line
		}
		data := sealed(t, external)
		if got := verdict(t, data, []byte(table)); got != test.wanted && (got == "0" || test.wanted == "0") {
			_, err := verify(data, []byte(table))
			t.Errorf("label %q, cells %q…%q, lines with %q: %q, not %q (%v)", test.label, test.before, test.after, test.line, got, test.wanted, err)
		}
		both.add(t, test.wanted, data, []byte(table))
	}
	embedded := sealed(t, c.design)
	if got := verdict(t, embedded, []byte{}); got == "0" {
		t.Error("an empty dictionary is accepted beside one in the file")
	}
	both.add(t, verdict(t, embedded, []byte{}), embedded, []byte{})
	hexadecimal := simplest()
	delete(hexadecimal["dictionary"].(map[string]any), "values")
	both.add(t, "2", sealed(t, hexadecimal), []byte("0x1p0"))
	if got := verdict(t, sealed(t, hexadecimal), []byte("0x1p0")); got != "2" {
		t.Errorf("a hexadecimal cell gets %q", got)
	}
	both.check(t)
}

// TestVerifyTakesBoundsBeyondFloat64: exact values may be beyond all floats where nothing is claimed of them.
func TestVerifyTakesBoundsBeyondFloat64(t *testing.T) {
	both := newAgreement(t)
	huge := "1" + strings.Repeat("0", 400) + "/1"
	for name, change := range map[string]func(d, claims map[string]any){
		"the bound": func(d, claims map[string]any) {
			d["proof"].(map[string]any)["rows"] = []any{[]any{0, huge}}
		},
		"the cost, without a bound": func(d, claims map[string]any) {
			place(d, "model", "columns", 0).(map[string]any)["cost"] = -1e300
			d["decision"] = []any{1e300}
			d["proof"], claims["restricted"], claims["full"], claims["missed"] = nil, -1e300, -1e300, 3e300
		},
	} {
		d := copied(t, simplest())
		claims := d["claims"].(map[string]any)
		claims["lower"], claims["regret"], claims["gap"] = nil, nil, nil
		place(d, "model", "rows", 0).(map[string]any)["lower"] = 1.0
		change(d, claims)
		state(d)
		data := sealed(t, d)
		if _, err := verify(data, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		both.add(t, "0", data, nil)
		claims["lower"] = 1e9
		state(d)
		data = sealed(t, d)
		both.add(t, verdict(t, data, nil), data, nil)
	}
	both.check(t)
}
