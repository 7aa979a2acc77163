package designfile_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// corrupted is a file that is being corrupted, with the file of its dictionary, nil for none.
type corrupted struct {
	*rand.Rand
	d     map[string]any
	table []byte
}

// corruption is one kind: a change of the values of a file, or of its text.
type corruption struct {
	name   string
	change func(f *corrupted)
	text   func(random *rand.Rand, data []byte) []byte
}

var corruptions = slices.Concat(textual, structural)

// textual are those of a text, whatever it says.
var textual = []corruption{
	{"a bit flipped", nil, func(r *rand.Rand, data []byte) []byte { data[r.IntN(len(data))] ^= 1 << r.IntN(8); return data }},
	{"a digit overwritten", nil, func(r *rand.Rand, data []byte) []byte {
		at := r.IntN(len(data))
		if digit := bytes.IndexAny(data[at:], "0123456789"); digit >= 0 {
			data[at+digit] = byte('0' + r.IntN(10))
		}
		return data
	}},
	{"a stretch repeated", nil, func(r *rand.Rand, data []byte) []byte {
		at, length := stretch(r, data)
		return slices.Concat(data[:at+length], data[at:])
	}},
	{"a stretch dropped", nil, func(r *rand.Rand, data []byte) []byte {
		at, length := stretch(r, data)
		return slices.Delete(data, at, at+length)
	}},
	{"a fragment inserted", nil, func(r *rand.Rand, data []byte) []byte {
		return slices.Insert(data, r.IntN(len(data)), []byte(drawn(r, fragments))...)
	}},
	{"a fragment for a value", nil, func(r *rand.Rand, data []byte) []byte {
		at := r.IntN(len(data))
		end := bytes.IndexAny(data[at:], ",]}")
		if end < 0 {
			return data
		}
		start := bytes.LastIndexAny(data[:at+end], ",[:") + 1
		return slices.Replace(data, start, at+end, []byte(drawn(r, fragments))...)
	}},
	{"cut off", nil, func(r *rand.Rand, data []byte) []byte { return data[:r.IntN(len(data))] }},
	{"more at the end", nil, func(r *rand.Rand, data []byte) []byte { return append(data, drawn(r, fragments)...) }},
	{"another note under the seal", nil, func(_ *rand.Rand, data []byte) []byte {
		return bytes.Replace(data, []byte("by hand"), []byte("by mail"), 1)
	}},
	{"spaces between", nil, func(r *rand.Rand, data []byte) []byte {
		return bytes.ReplaceAll(data, []byte(","), []byte(drawn(r, []string{" ,", ",\t", "\r\n,", ",\x0c", ",\u00a0"})))
	}},
	{"another spelling of numbers", nil, func(r *rand.Rand, data []byte) []byte {
		return bytes.ReplaceAll(data, []byte(":0,"), []byte(drawn(r, []string{":0.0,", ":-0,", ":0e5,", ":00,", ":+0,", ":.0,", ":0x0,"})))
	}},
	{"a key twice", nil, func(r *rand.Rand, data []byte) []byte {
		key := drawn(r, []string{`"note":`, `"radius":`, `"x":`, `"full":`, `"leaves":`, `"cost":`, `"version":`})
		return bytes.Replace(data, []byte(key), []byte(key+drawn(r, []string{"1,", "null,", "[],", `"",`})+key), 1)
	}},
	{"an escaped key", nil, func(r *rand.Rand, data []byte) []byte {
		return bytes.Replace(data, []byte(`"radius"`), []byte(drawn(r, []string{`"r\u0061dius"`, `"\u0052adius"`, `"radiu\u017f"`, `"radius\u0000"`, `"\ud800radius"`})), 1)
	}},
}

// structural are those of the values in a file.
var structural = []corruption{
	{"a key left out", func(f *corrupted) { o := f.object(); delete(o, f.key(o)) }, nil},
	{"a key in capitals", func(f *corrupted) {
		o := f.object()
		key := f.key(o)
		o[strings.ToUpper(key)] = o[key]
		if f.IntN(2) == 0 {
			delete(o, key)
		}
	}, nil},
	{"a foreign key", func(f *corrupted) { f.object()[drawn(f.Rand, formatKeys)] = drawn(f.Rand, foreign) }, nil},
	{"two values swapped", func(f *corrupted) {
		o := f.object()
		a, b := f.key(o), f.key(o)
		o[a], o[b] = o[b], o[a]
	}, nil},
	{"null for a value", func(f *corrupted) { f.place().set(nil) }, nil},
	{"a truth value", func(f *corrupted) { f.place().set(f.IntN(2) == 0) }, nil},
	{"a text", func(f *corrupted) {
		f.place().set(drawn(f.Rand, []string{"", "no", "1/2", "ff", "FF", "-1", "0x1", "1_0", "+1", " 1"}))
	}, nil},
	{"a list", func(f *corrupted) {
		f.place().set(drawn(f.Rand, []any{[]any{}, []any{nil}, []any{1.0}, []any{[]any{}}}))
	}, nil},
	{"an object", func(f *corrupted) { f.place().set(map[string]any{}) }, nil},

	{"the other sign", func(f *corrupted) { f.number(func(v float64) float64 { return -v }) }, nil},
	{"twice as much", func(f *corrupted) { f.number(func(v float64) float64 { return 2 * v }) }, nil},
	{"zero", func(f *corrupted) { f.number(func(float64) float64 { return 0 }) }, nil},
	{"one", func(f *corrupted) { f.number(func(float64) float64 { return 1 }) }, nil},
	{"one more", func(f *corrupted) { f.number(func(v float64) float64 { return v + 1 }) }, nil},
	{"one less", func(f *corrupted) { f.number(func(v float64) float64 { return v - 1 }) }, nil},
	{"a half more", func(f *corrupted) { f.number(func(v float64) float64 { return v + 0.5 }) }, nil},
	{"the next float64", func(f *corrupted) {
		f.number(func(v float64) float64 { return math.Nextafter(v, drawn(f.Rand, []float64{-1e300, 1e300})) })
	}, nil},
	{"a unit of the twelfth digit", func(f *corrupted) { f.number(func(v float64) float64 { return stepped(short(v), 2*f.IntN(2)-1) }) }, nil},
	{"huge", func(f *corrupted) {
		f.number(func(float64) float64 { return drawn(f.Rand, []float64{1e300, -1e300, math.MaxFloat64}) })
	}, nil},
	{"tiny", func(f *corrupted) {
		f.number(func(float64) float64 { return drawn(f.Rand, []float64{1e-300, -1e-300, 5e-324}) })
	}, nil},
	{"drawn", func(f *corrupted) { f.number(func(float64) float64 { return short(f.NormFloat64()) }) }, nil},
	{"a truth value turned", func(f *corrupted) {
		f.some(func(v any) bool { _, is := v.(bool); return is }, func(p valuePlace) { p.set(p.value != true) })
	}, nil},

	{"an entry repeated", func(f *corrupted) { f.list(func(l []any) []any { return append(slices.Clone(l), drawn(f.Rand, l)) }) }, nil},
	{"an entry dropped", func(f *corrupted) {
		f.list(func(l []any) []any { k := f.IntN(len(l)); return slices.Delete(slices.Clone(l), k, k+1) })
	}, nil},
	{"entries swapped", func(f *corrupted) {
		f.list(func(l []any) []any {
			l, a, b := slices.Clone(l), f.IntN(len(l)), f.IntN(len(l))
			l[a], l[b] = l[b], l[a]
			return l
		})
	}, nil},
	{"a list emptied", func(f *corrupted) { f.list(func([]any) []any { return []any{} }) }, nil},

	{"a claim stronger", func(f *corrupted) { f.claim(func(v float64, sign int) any { return stepped(v, -sign) }) }, nil},
	{"a claim weaker", func(f *corrupted) { f.claim(func(v float64, sign int) any { return stepped(v, sign) }) }, nil},
	{"a claim withheld", func(f *corrupted) { f.claim(func(float64, int) any { return nil }) }, nil},
	{"an atom under a new hash", func(f *corrupted) { f.in("problem", "dictionary", "values"); rehash(f.d) }, nil},
	{"the model", func(f *corrupted) { f.in("problem", "model") }, nil},
	{"the decision", func(f *corrupted) { f.in("decision") }, nil},
	{"a leaf", func(f *corrupted) { f.in("proof", "leaves") }, nil},
	{"the branches", func(f *corrupted) { f.in("proof", "branches") }, nil},
	{"the curvature", func(f *corrupted) { f.in("proof", "curvature") }, nil},
	{"an implied bound more", func(f *corrupted) {
		if proof, given := f.d["proof"].(map[string]any); given {
			implied, _ := proof["implied"].([]any)
			proof["implied"] = append(slices.Clone(implied), []any{float64(f.IntN(4)), float64(f.IntN(6)), float64(f.IntN(3) - 1)})
		}
	}, nil},
	{"a multiplier as text", func(f *corrupted) {
		if leaves, given := at(f.d, "proof", "leaves").([]any); given && len(leaves) > 0 {
			f.change(drawn(f.Rand, leaves), func(v float64) any { return fmt.Sprintf("%x", int(v)) })
		}
	}, nil},
	{"a table of atoms", func(f *corrupted) {
		if f.table != nil {
			f.table = corruptedTable(f.Rand, f.table)
		}
	}, nil},
}

func drawn[T any](random *rand.Rand, values []T) T { return values[random.IntN(len(values))] }

// stretch is a part of a text of up to 30 bytes.
func stretch(random *rand.Rand, data []byte) (at, length int) {
	at = random.IntN(len(data))
	return at, min(1+random.IntN(30), len(data)-at)
}

// fragments are texts that readers of JSON and of numbers may take in different ways.
var fragments = []string{
	"null", "true", "false", "[]", "{}", `""`, "-0", "1e400", "01", "1.", ".5", "+1", "0x1p0", "1_0", "NaN", "Infinity", " ", "\t", "\r", "\n", "\x0c", "\v", "\x00",
	"\u2028", "\u0085", "\u00a0", "\u0661", "\ufeff", `\ud800`, `\ude00`, `\ud83d\ude00`, `\u0000`, `\`, `"`, `"\ud800":1,"\ud801":1,`, `"integer":true,`, `"terms":[],`, "/**/",
}

// formatKeys are keys of some object of the format, in this version or in another.
var formatKeys = []string{
	"integer", "lower", "upper", "cost", "columns", "values", "limit", "nominal", "matrix", "constant", "column", "at", "below", "above",
	"rows", "objective", "constraints", "tangent", "empty", "sense", "implied", "proof", "labels", "sampled", "quadratic", "result", "statements", "kind", "Radius", "MODEL",
}

// foreign are values of each type.
var foreign = []any{nil, true, false, 0.0, 1.0, 0.5, "", "no", "1/2", []any{}, []any{nil}, []any{1.0}, map[string]any{}}

// valuePlace is a value in a file.
type valuePlace struct {
	value any
	set   func(any)
}

// valuePlaces lists the values in a value.
func valuePlaces(value any) (all []valuePlace) {
	visit := func(child any, set func(any)) {
		all = append(append(all, valuePlace{child, set}), valuePlaces(child)...)
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
	return all
}

func (f *corrupted) place() valuePlace { return drawn(f.Rand, valuePlaces(f.d)) }

// some changes one of the values that fit, if there is one.
func (f *corrupted) some(fits func(v any) bool, change func(p valuePlace)) {
	f.someIn(f.d, fits, change)
}

func (f *corrupted) someIn(value any, fits func(v any) bool, change func(p valuePlace)) {
	all := slices.DeleteFunc(valuePlaces(value), func(p valuePlace) bool { return !fits(p.value) })
	if len(all) > 0 {
		change(drawn(f.Rand, all))
	}
}

func isNumber(v any) bool { _, is := v.(float64); return is }

func (f *corrupted) number(change func(v float64) float64) {
	f.some(isNumber, func(p valuePlace) { p.set(change(p.value.(float64))) })
}

// change changes a number in a value.
func (f *corrupted) change(value any, change func(v float64) any) {
	f.someIn(value, isNumber, func(p valuePlace) { p.set(change(p.value.(float64))) })
}

// in draws another number for one in a part of the file.
func (f *corrupted) in(path ...string) {
	f.change(at(f.d, path...), func(v float64) any {
		return drawn(f.Rand, []float64{-v, 2 * v, v + 1, v - 1, 0, 1, v + 0.125, short(f.NormFloat64()), math.Nextafter(v, 1e300)})
	})
}

// at is the value at a path, nil if there is none.
func at(value any, path ...string) any {
	for _, key := range path {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}

func (f *corrupted) list(change func(l []any) []any) {
	f.some(func(v any) bool { l, is := v.([]any); return is && len(l) > 0 }, func(p valuePlace) { p.set(change(p.value.([]any))) })
}

// claim changes a claim, whose sign is 1 if it must not be too small.
func (f *corrupted) claim(change func(v float64, sign int) any) {
	claims, _ := f.d["claims"].(map[string]any)
	for _, key := range []string{"lower", "gap", "regret", "full", "missed", "restricted"} {
		if v, claimed := claims[key].(float64); claimed && f.IntN(3) == 0 {
			sign := 1
			if key == "lower" {
				sign = -1
			}
			claims[key] = change(v, sign)
			return
		}
	}
}

// object draws an object of the file.
func (f *corrupted) object() map[string]any {
	all := []map[string]any{f.d}
	for _, p := range valuePlaces(f.d) {
		if o, is := p.value.(map[string]any); is {
			all = append(all, o)
		}
	}
	return drawn(f.Rand, all)
}

// key draws a key of an object, "a" if there is none.
func (f *corrupted) key(o map[string]any) string {
	return drawn(f.Rand, append(slices.Sorted(maps.Keys(o)), "a")[:max(1, len(o))])
}

// corruptedTable changes a dictionary in NPY or CSV in one place.
func corruptedTable(random *rand.Rand, table []byte) []byte {
	at := random.IntN(len(table))
	switch random.IntN(4) {
	case 0:
		return textual[random.IntN(8)].text(random, bytes.Clone(table))
	case 1:
		return bytes.ReplaceAll(table, []byte("\n"), []byte(drawn(random, fragments)+"\n"))
	case 2: // beside a number
		if comma := bytes.IndexByte(table[at:], ','); comma >= 0 {
			at += comma + random.IntN(2)
		}
	}
	return slices.Insert(bytes.Clone(table), at, []byte(drawn(random, fragments))...)
}

// rehash gives the dictionary the hash of its values where it can.
func rehash(d map[string]any) {
	dictionary, _ := at(d, "problem", "dictionary").(map[string]any)
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
