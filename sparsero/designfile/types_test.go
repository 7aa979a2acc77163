package designfile_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
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
		rows:        []proof.Row{{Columns: []int{0}, Values: []float64{1}, Upper: 2}},
		constraints: []instanceConstraint{{q, []float64{0}, 9}},
	}
	return p.design(p.leaf([]*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat), new(big.Rat)}, false), new(big.Rat), new(big.Rat))
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

// places lists the paths to all values of a file.
func places(value any, path []any) (all [][]any) {
	visit := func(step, child any) {
		here := append(slices.Clone(path), step)
		all = append(append(all, here), places(child, here)...)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			visit(key, value[key])
		}
	case []any:
		for k := range value {
			visit(k, value[k])
		}
	}
	return all
}

// mayBeNull are the ends of the paths at which null stands for what is missing; null stands for an empty list, too.
var mayBeNull = []string{"lower", "upper", "regret", "gap", "objective", "curvature", "proof"}

// TestVerifyHoldsToTheTypesOfTheFormat puts values of other types into each place, and leaves each key out.
func TestVerifyHoldsToTheTypesOfTheFormat(t *testing.T) {
	both := newAgreement(t)
	plain := copied(t, simplest())
	place(plain, "problem", "model").(map[string]any)["quadratic"] = copied(t, map[string]any{"i": []any{0}, "j": []any{0}, "values": []any{0}})
	proof := plain["proof"].(map[string]any)
	proof["implied"], proof["curvature"] = []any{[]any{0.0, 0.0, 1.0}}, copied(t, squares(1, []any{1, 0}))
	leaf := place(proof, "leaves", 0).(map[string]any)
	leaf["rows"], leaf["constraints"], leaf["tangent"] = copied(t, multipliers([2]any{0, 0})), []any{copied(t, multipliers([2]any{0, 0}))}, []any{1.0}
	for _, path := range places(plain, nil) {
		last := path[len(path)-1]
		for _, value := range []any{nil, true, false, "no", "", 0.5, []any{}, []any{nil}, []any{true}, map[string]any{}, map[string]any{"a": 1}, missing} {
			d := copied(t, plain)
			old := place(d, path...)
			switch holder := place(d, path[:len(path)-1]...).(type) {
			case map[string]any:
				if holder[last.(string)] = value; value == missing {
					delete(holder, last.(string))
				}
			case []any:
				if value == missing {
					continue
				}
				holder[last.(int)] = value
			}
			data := sealed(t, d)
			got := verdict(t, data, nil)
			key, _ := last.(string)
			_, list := old.([]any)
			if value == nil && !list && !slices.Contains(mayBeNull, key) && got != "2" || value == missing && got != "2" {
				t.Errorf("%v in the place of %v gets %q", value, path, got)
			}
			if _, isBool := old.(bool); (value == true || value == false) && !isBool && got != "2" {
				t.Errorf("%v in %v gets %q", value, path, got)
			}
			both.add(t, got, data, nil)
		}
	}
	both.check(t)
}

// missing stands for a key that is left out.
const missing = "(missing)"

// TestVerifyAgreesOnTheText: what the format says of keys, texts, nesting and dictionaries in CSV.
func TestVerifyAgreesOnTheText(t *testing.T) {
	both := newAgreement(t)
	plain := sealed(t, simplest())
	note := func(text string) []byte { return resealed(bytes.Replace(plain, []byte(`"by hand"`), []byte(text), 1)) }
	key := func(text string) []byte { return resealed(bytes.Replace(plain, []byte(`"note"`), []byte(text), 1)) }
	nested := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	with := func(change func(d map[string]any)) []byte {
		d := copied(t, simplest())
		change(d)
		return sealed(t, d)
	}
	for _, test := range []struct {
		name, wanted string
		data         []byte
	}{
		{"a pair of escapes", "0", note(`"\ud83D\uDE00"`)}, {"half a pair", "0", note(`"\ud83d"`)}, {"halves in wrong order", "0", note(`"\ude00\ud83d"`)},
		{"an object for a text", "2", note(`{"\ud800":1}`)}, {"a list for a text", "2", note(nested(1999))}, {"far nested", "2", note(nested(4000))},
		{"an escaped key", "0", key(`"not\u0065"`)}, {"an escaped key twice", "2", key(`"note":"","not\u0065"`)}, {"half a key", "2", key(`"\ud83d"`)},
		{"spaces at the end", "0", append(bytes.Clone(plain), bytes.Repeat([]byte(" "), 1<<20)...)},
		{"no proof", "0", with(func(d map[string]any) {
			claims := d["claims"].(map[string]any)
			d["proof"], claims["lower"], claims["regret"], claims["gap"] = nil, nil, nil, nil
		})},
		{"a wrong implied bound", "2", with(func(d map[string]any) {
			claims := d["claims"].(map[string]any)
			d["proof"], claims["lower"], claims["regret"], claims["gap"] = nil, nil, nil, nil
			d["proof"] = copied(t, simplest())["proof"]
			place(d, "proof").(map[string]any)["implied"] = []any{[]any{7, 0, 1}}
		})},
		{"an empty proof", "2", with(func(d map[string]any) {
			claims := d["claims"].(map[string]any)
			d["proof"], claims["lower"], claims["regret"], claims["gap"] = map[string]any{}, nil, nil, nil
		})},
		{"a row without the key values", "2", with(func(d map[string]any) {
			delete(place(d, "problem", "model", "rows", 0).(map[string]any), "values")
		})},
		{"no atoms of no dimension", "2", with(func(d map[string]any) {
			dictionary := place(d, "problem", "dictionary").(map[string]any)
			dictionary["dimension"], dictionary["values"] = 0, []any{[]any{}}
		})},
		{"an atom below the null one", "2", with(func(d map[string]any) {
			place(d, "proof", "leaves", 0).(map[string]any)["constraints"] = []any{multipliers([2]any{-2, 0})}
		})},
		{"an atom without a constraint, multiplied by 0", "2", with(func(d map[string]any) {
			place(d, "proof", "leaves", 0).(map[string]any)["objective"] = multipliers([2]any{-1, 0})
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
	place(external, "problem", "dictionary").(map[string]any)["values"] = nil
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
		if got := verdict(t, data, []byte(table)); got != test.wanted {
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
	place(hexadecimal, "problem", "dictionary").(map[string]any)["values"] = nil
	both.add(t, "2", sealed(t, hexadecimal), []byte("0x1p0"))
	if got := verdict(t, sealed(t, hexadecimal), []byte("0x1p0")); got != "2" {
		t.Errorf("a hexadecimal cell gets %q", got)
	}
	both.check(t)
}

// TestVerifyTakesBoundsBeyondFloat64: exact values may be beyond all floats where nothing is claimed of them.
func TestVerifyTakesBoundsBeyondFloat64(t *testing.T) {
	both := newAgreement(t)
	huge := "1" + strings.Repeat("0", 400)
	for name, change := range map[string]func(d, claims map[string]any){
		"the bound": func(d, claims map[string]any) {
			place(d, "proof", "leaves", 0).(map[string]any)["rows"] = multipliers([2]any{0, huge})
		},
		"the cost, without a bound": func(d, claims map[string]any) {
			place(d, "problem", "model", "columns", 0).(map[string]any)["cost"] = -1e300
			d["decision"].(map[string]any)["x"] = []any{1e300}
			d["proof"], claims["restricted"], claims["full"], claims["missed"] = nil, -1e300, -1e300, 3e300
		},
	} {
		d := copied(t, simplest())
		claims := d["claims"].(map[string]any)
		claims["lower"], claims["regret"], claims["gap"] = nil, nil, nil
		place(d, "problem", "model", "rows", 0).(map[string]any)["lower"] = 1.0
		change(d, claims)
		data := sealed(t, d)
		if _, err := verify(data, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		both.add(t, "0", data, nil)
		claims["lower"] = 1e9
		data = sealed(t, d)
		both.add(t, verdict(t, data, nil), data, nil)
	}
	both.check(t)
}
