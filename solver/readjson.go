package solver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// byteOrderMark begins files that some editors write.
const byteOrderMark = "\ufeff"

// ReadJSON decodes JSON that a person wrote as package encoding/json does, behind a byte order mark too, and refuses
// what that passes over: keys that the value does not know, that stand twice or in capitals, null in the place of a
// number, numbers so small that float64 has 0 for them, and text behind the end. The error names the place, and for an
// unknown key the one that was meant.
func ReadJSON(text []byte, value any) error {
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	if err := json.Unmarshal(text, new(json.RawMessage)); err != nil {
		return located(text, err)
	}
	keys := map[string]bool{}
	addKeys(keys, reflect.TypeOf(value), map[reflect.Type]bool{})
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // numbers beyond float64 are told by the second reading
	if f := inspect(decoder, "", keys); f != nil {
		return fmt.Errorf("%s %s", cmp.Or(strings.TrimPrefix(f.place, "."), "it"), f.words)
	}
	decoder = json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(value)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		given := "a " + wrong.Value
		if given == "a array" || given == "a object" {
			given = "an" + given[1:]
		}
		return fmt.Errorf("%s is %s; give %s", cmp.Or(keyed(wrong.Field), "it"), given, cmp.Or(kinds[wrong.Type.Kind()], "what a "+wrong.Type.String()+" holds"))
	case err != nil:
		_, quoted, unknown := strings.Cut(err.Error(), "json: unknown field ")
		if key, bad := strconv.Unquote(quoted); unknown && bad == nil {
			return fmt.Errorf("the key %q is unknown here; %s", key, meant(key, slices.Sorted(maps.Keys(keys))))
		}
	}
	return err
}

// located says where a text is not one value of JSON: lines and columns, of characters, count from 1.
func located(text []byte, err error) error {
	var wrong *json.SyntaxError
	if !errors.As(err, &wrong) || wrong.Offset == 0 {
		return fmt.Errorf("it is not one value of JSON: %w", err)
	}
	before := text[:wrong.Offset-1]
	advice := ""
	switch text[len(before)] {
	case 'I', 'N':
		advice = "; there is no Infinity or NaN, and null is no bound"
	case '%':
		advice = "; write 1% as 0.01"
	}
	start := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Errorf("it is not one value of JSON in line %d, column %d: %w%s", 1+bytes.Count(before, []byte{'\n'}), 1+utf8.RuneCount(before[start:]), err, advice)
}

// kinds are the values of JSON that types hold.
var kinds = map[reflect.Kind]string{
	reflect.Float64: "a number that float64 holds", reflect.Int: "a whole number", reflect.String: "a text", reflect.Bool: "true or false",
	reflect.Slice: "a list", reflect.Struct: "an object", reflect.Map: "an object", reflect.Array: "a list",
}

// keyed is the place of a field as JSON writes it, without embedded types.
func keyed(field string) string {
	keys := strings.Split(field, ".")
	return strings.Join(slices.DeleteFunc(keys, func(key string) bool { return key == "sides" || key != strings.ToLower(key) }), ".")
}

// addKeys adds the keys of a type and of the objects in it, and whether an object behind one has names in the place of keys.
func addKeys(keys map[string]bool, t reflect.Type, seen map[reflect.Type]bool) {
	for t != nil && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	for k := range t.NumField() {
		field := t.Field(k)
		key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if key == "-" {
			continue
		}
		if key != "" {
			keys[key] = field.Type.Kind() == reflect.Map
		}
		if key != "" || field.Anonymous {
			addKeys(keys, field.Type, seen)
		}
	}
}

// nullable are the keys at which null stands for none: no bound, no limit of a norm, no entries.
var nullable = []string{"lower", "upper", "norm", "columns", "values", "rows", "quadratic", "labels"}

// fault is what is wrong at a place such as .rows[2].
type fault struct{ place, words string }

// within is the fault as it is seen from further outside.
func (f *fault) within(place string) *fault { return &fault{place + f.place, f.words} }

// inspect reads a value that stands at a key, "" for one in a list, of JSON that is known to be valid.
func inspect(d *json.Decoder, key string, keys map[string]bool) *fault {
	token, _ := d.Token()
	number, _ := token.(json.Number)
	switch {
	case vanishes(string(number)):
		return &fault{words: fmt.Sprintf("is %s, so small that float64 has 0 for it; give 0, or other units", number)}
	case token == nil && !slices.Contains(nullable, key):
		return &fault{words: "is null, which is no bound in lower and upper; elsewhere give a value, or leave the key out"}
	case token == json.Delim('['):
		for k := 0; d.More(); k++ {
			if f := inspect(d, "", keys); f != nil {
				return f.within(fmt.Sprintf("[%d]", k))
			}
		}
		_, _ = d.Token() // the end
	case token == json.Delim('{'):
		return inspectObject(d, keys[key], keys)
	}
	return nil
}

// vanishes tells that float64 has 0 for a decimal number that is none, such as 1e-400.
func vanishes(number string) bool {
	digits, _, _ := strings.Cut(strings.ToLower(number), "e")
	if !strings.ContainsAny(digits, "123456789") {
		return false
	}
	value, _ := strconv.ParseFloat(number, 64)
	return value == 0
}

// inspectObject reads an object to its end. Names may be any; the decoder takes capitals, and letters that look like
// them, for keys.
func inspectObject(d *json.Decoder, names bool, keys map[string]bool) *fault {
	seen := map[string]bool{}
	for d.More() {
		token, _ := d.Token()
		key := token.(string) // as it is valid
		small := strings.ToLower(strings.ToUpper(key))
		switch {
		case seen[key]:
			return &fault{"." + key, "stands twice; give it once"}
		case !names && key != small:
			advice := fmt.Sprintf("write %q", small)
			if _, known := keys[small]; !known {
				advice = meant(small, slices.Sorted(maps.Keys(keys)))
			}
			return &fault{"." + key, "is unknown; " + advice}
		}
		seen[key] = true
		at := key
		if names {
			at = "" // whatever it is
		}
		if f := inspect(d, at, keys); f != nil {
			return f.within("." + key)
		}
	}
	_, _ = d.Token() // the end
	return nil
}

// synonyms are words of other programs for keys of a model or of the document of a problem.
var synonyms = map[string][]string{
	"name": {"id", "label"}, "sense": {"direction", "objsense", "minimize", "maximize"}, "offset": {"constant"},
	"columns": {"variables", "vars", "index", "indices"}, "rows": {"constraints", "cons"}, "quadratic": {"q", "hessian", "quad"},
	"lower": {"lb", "lo", "min", "lower_bound", "lhs"}, "upper": {"ub", "up", "max", "upper_bound", "rhs"},
	"cost": {"obj", "objective", "c", "coef"}, "integer": {"type", "kind", "int", "vtype", "binary"}, "values": {"coefficients", "coefs", "a"},
	"model": {"region", "problem"}, "dictionary": {"atoms", "scenarios"}, "set": {"uncertainty"}, "objective": {"q"},
	"constraints": {"rows"}, "limit": {"rhs", "upper"}, "nominal": {"coefficients"}, "constant": {"offset"}, "samples": {"draws"},
	"gap": {"epsilon", "tolerance"}, "violations": {"alpha", "violation"}, "delta": {"confidence"},
}

// meant names the key that was meant: that with the least edits, if they are few, one that another program calls so, or
// all of them.
func meant(key string, keys []string) string {
	key = strings.ToLower(key)
	if key == "maximize" {
		return "leave it out and change the signs of the costs, as robust problems minimise; a model alone has \"sense\": \"maximize\""
	}
	nearest, least := "", max(1, (len(key)+1)/3)+1
	for _, right := range keys {
		edits := distance(key, right)
		if slices.Contains(synonyms[right], key) {
			edits = 1
		}
		if edits < least {
			nearest, least = right, edits
		}
	}
	switch nearest {
	case "":
		return "the keys are " + strings.Join(keys, ", ")
	case key:
		return "its place is in another object (in the document of a problem, columns and rows under \"model\", gap and budget under \"demands\")"
	}
	return fmt.Sprintf("write %q", nearest)
}

// distance is the number of letters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
