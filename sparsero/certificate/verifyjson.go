package certificate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"math"
	"regexp"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Limits of a design file, so that reading one takes bounded memory.
const (
	mostBytes   = 256 << 20
	mostValues  = 8_000_000 // commas and opening brackets
	mostObjects = 1_000_000 // opening braces
	mostKeys    = 4_000_000 // colons
	mostLevels  = 2_000     // of nesting
)

// readWhole reads a file that is not too large.
func readWhole(name string, reader io.Reader) []byte {
	need(reader != nil, "there is no %s; hand over a reader of it", name)
	data, err := io.ReadAll(io.LimitReader(reader, mostBytes+1))
	need(err == nil, "the %s cannot be read: %v", name, err)
	need(len(data) <= mostBytes, "the %s has more than 256 MB", name)
	return data
}

// object is one of JSON; lists are []any and numbers float64.
type object = map[string]any

// parseJSON reads an object strictly: UTF-8, whole characters, keys once and as they are spelled, finite numbers, nothing
// behind the end.
func parseJSON(data []byte) object {
	need(utf8.Valid(data) && wholeCharacters(data), "it is not text in UTF-8")
	objects, keys := bytes.Count(data, []byte("{")), bytes.Count(data, []byte(":"))
	values := objects + bytes.Count(data, []byte("[")) + bytes.Count(data, []byte(","))
	need(values <= mostValues && objects <= mostObjects && keys <= mostKeys,
		"it holds more than %d values, %d objects or %d keys", mostValues, mostObjects, mostKeys)
	p := tokens{json.NewDecoder(bytes.NewReader(data))}
	p.UseNumber()
	root, isObject := p.value(0).(object)
	_, err := p.Token()
	need(isObject && err == io.EOF, "it is not one object of JSON and nothing else")
	return root
}

// wholeCharacters tells whether the escapes \ud800 to \udfff come in pairs, each of which is a character. The decoder
// takes others for the same sign, so that two keys may become one.
func wholeCharacters(data []byte) bool {
	for {
		start := bytes.IndexByte(data, '\\')
		if start < 0 {
			return true
		}
		data = data[start:]
		first := escaped(data)
		switch {
		case !utf16.IsSurrogate(first):
			data = data[min(2, len(data)):]
		case utf16.DecodeRune(first, escaped(data[6:])) == utf8.RuneError:
			return false
		default:
			data = data[12:]
		}
	}
}

// escaped returns the number of an escape \u with four digits at the start of a text, 0 for anything else.
func escaped(data []byte) rune {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0
	}
	number, _ := strconv.ParseUint(string(data[2:6]), 16, 16)
	return rune(number)
}

type tokens struct{ *json.Decoder }

// next returns a token.
func (p tokens) next() json.Token {
	token, err := p.Token()
	if err != nil {
		need(false, "it is not JSON near byte %d: %v", p.InputOffset(), err)
	}
	return token
}

func (p tokens) value(level int) any {
	switch token := p.next().(type) {
	case json.Number:
		number, err := strconv.ParseFloat(string(token), 64)
		need(err == nil, "a number is beyond float64")
		return number + 0 // -0 counts as 0
	case json.Delim:
		need(level < mostLevels, "it is nested more than 2,000 levels deep")
		if token == '{' {
			return p.object(level + 1)
		}
		list := []any{}
		for p.More() {
			list = append(list, p.value(level+1))
		}
		p.next()
		return list
	default:
		return token // a string, a truth value or null
	}
}

func (p tokens) object(level int) object {
	o := object{}
	for p.More() {
		key, _ := p.next().(string)
		_, twice := o[key]
		need(!twice, "an object has the key %.40q twice", key)
		o[key] = p.value(level)
	}
	p.next()
	return o
}

// as returns a value of the type that the format gives it.
func as[T any](value any, name string) T {
	typed, fits := value.(T)
	if !fits {
		need(false, "%s is %.40v, of another type than the format says", name, value)
	}
	return typed
}

// list returns the entries of a list, which must be there; null is empty.
func list(o object, key string) []any {
	value, found := o[key]
	need(found, "%s is missing", key)
	if value == nil {
		return nil
	}
	return as[[]any](value, key)
}

// tuple returns the entries of a list of so many.
func tuple(value any, name string, length int) []any {
	if value == nil && length == 0 {
		return nil
	}
	values := as[[]any](value, name)
	if len(values) != length {
		need(false, "%s has %d entries, not %d", name, len(values), length)
	}
	return values
}

// numbers returns a list of so many.
func numbers(value any, name string, length int) []float64 {
	typed := make([]float64, 0, min(length, mostValues))
	for _, v := range tuple(value, name, length) {
		typed = append(typed, as[float64](v, name))
	}
	return typed
}

// index returns a whole number from low to below high.
func index(value any, name string, low, high int) int {
	number := as[float64](value, name)
	if number != math.Trunc(number) || number < float64(low) || number >= float64(high) {
		need(false, "%s is %v, not a whole number from %d to %d", name, number, low, high-1)
	}
	return int(number)
}

// indices returns a list of distinct ones from 0 to below high.
func indices(o object, key string, high int) []int {
	var typed []int
	known := map[int]bool{}
	for _, v := range list(o, key) {
		i := index(v, key, 0, high)
		typed, known[i] = append(typed, i), true
	}
	need(len(known) == len(typed), "%s names one twice", key)
	return typed
}

// sealAtEnd is the last key of a file.
var sealAtEnd = regexp.MustCompile(`^"seal"[ \t\r\n]*:[ \t\r\n]*"[0-9a-f]{64}"[ \t\r\n]*\}[ \t\r\n]*$`)

// readSeal returns the SHA-256 of what precedes the key "seal", which must be the last one.
func (f *designFile) readSeal(data []byte) string {
	end := max(0, bytes.LastIndex(data, []byte(`"seal"`)))
	need(sealAtEnd.Match(data[end:]), "its last key is not seal with 64 hexadecimal digits; it may be cut off, ask for the whole file")
	sum := sha256.Sum256(data[:end])
	return hex.EncodeToString(sum[:])
}
