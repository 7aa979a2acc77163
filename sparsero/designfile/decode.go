package designfile

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// Limits of a design file, so that reading one takes bounded memory.
const (
	mostBytes   = 256 << 20
	mostValues  = 8_000_000 // commas and opening brackets
	mostObjects = 1_000_000 // opening braces
)

// decode reads a file strictly: UTF-8, the keys of the format and no others, each once and spelled as here, values of
// their types, nothing behind the end. The decoder of package encoding/json would take MODEL for model, and the last of
// two values.
func decode(data []byte) *file {
	lifted.Need(utf8.Valid(data), "it is not text in UTF-8")
	objects := bytes.Count(data, []byte("{"))
	values := objects + bytes.Count(data, []byte("[")) + bytes.Count(data, []byte(","))
	lifted.Need(values <= mostValues && objects <= mostObjects, "it holds more than %d values or %d objects", mostValues, mostObjects)
	checkVersion(newDecoder(data))
	d, f := newDecoder(data), &file{}
	d.value(reflect.ValueOf(f).Elem(), "the file", d.next())
	_, err := d.Token()
	lifted.Need(err == io.EOF, "it is not one object of JSON and nothing else")
	return f
}

// checkVersion ends the check of a file of another format or version, whatever its other keys are.
func checkVersion(d decoder) {
	begin(d.next(), '{', "the file")
	left := 2
	for left != 0 && d.More() {
		switch d.next() {
		case "format":
			name := as[string](d.next(), "format")
			lifted.Need(name == formatName, "format is %.40q, not %q; hand over a design file", name, formatName)
			left--
		case "version":
			version := float(d.next(), "version")
			lifted.Need(version == formatVersion, "version is %v, and this program knows version %d of the format; check the file with the release that wrote it, or a newer one", version, formatVersion)
			left--
		default:
			var other json.RawMessage
			err := d.Decode(&other)
			d.parsed(err)
		}
	}
	lifted.Need(left == 0, "it names no format and version; hand over a design file, which sparsero design -o writes")
}

type decoder struct{ *json.Decoder }

func newDecoder(data []byte) decoder {
	d := decoder{json.NewDecoder(bytes.NewReader(data))}
	d.UseNumber()
	return d
}

// next returns a token.
func (d decoder) next() json.Token {
	token, err := d.Token()
	d.parsed(err)
	return token
}

func (d decoder) parsed(err error) {
	if err != nil {
		lifted.Need(false, "it is not JSON near byte %d: %v; hand over a design file, which sparsero design -o writes", d.InputOffset(), err)
	}
}

// read reads the next value. Lists of numbers, of which most files consist, are taken as a whole.
func (d decoder) read(v reflect.Value, name string) {
	switch list := v.Addr().Interface().(type) {
	case *[]float64:
		*list = readList(d, name, float)
	case *[]int:
		*list = readList(d, name, whole)
	default:
		d.value(v, name, d.next())
	}
}

// readList reads a list of numbers, nil for null.
func readList[T any](d decoder, name string, number func(token json.Token, name string) T) []T {
	var text json.RawMessage
	d.parsed(d.Decode(&text))
	if string(text) == "null" {
		return nil // which is empty
	}
	if text[0] != '[' {
		lifted.Need(false, "%s is %.40s, which does not begin with [", name, text)
	}
	inside := string(bytes.TrimSpace(text[1 : len(text)-1]))
	list := make([]T, 0, 1+strings.Count(inside, ","))
	for more := inside != ""; more; {
		var part string
		part, inside, more = strings.Cut(inside, ",")
		list = append(list, number(json.Number(strings.TrimSpace(part)), name)) // what is JSON and can be parsed is a number
	}
	return list
}

// value reads the value that begins with a token.
func (d decoder) value(v reflect.Value, name string, token json.Token) {
	switch v.Kind() {
	case reflect.Float64:
		v.SetFloat(float(token, name))
	case reflect.Int:
		v.SetInt(int64(whole(token, name)))
	case reflect.Bool:
		v.SetBool(as[bool](token, name))
	case reflect.String:
		v.SetString(as[string](token, name))
	case reflect.Pointer:
		if token != nil {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem(), name, token)
		}
	case reflect.Array:
		begin(token, '[', name)
		for k := range v.Len() {
			d.read(v.Index(k), name)
		}
		lifted.Need(!d.More(), "an entry of %s has more than %d parts", name, v.Len())
		d.next()
	case reflect.Slice:
		if token == nil {
			return // which is empty
		}
		begin(token, '[', name)
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		for d.More() {
			v.Grow(1)
			v.SetLen(v.Len() + 1)
			d.read(v.Index(v.Len()-1), name)
		}
		d.next()
	case reflect.Struct:
		d.structure(v, name, token)
	}
}

func (d decoder) structure(v reflect.Value, name string, token json.Token) {
	if number, is := v.Addr().Interface().(*lifted.Number); is {
		*number = readNumber(token, name)
		return
	}
	keys := map[string]int{} // that are still to come
	for k := range v.NumField() {
		keys[keyOf(v.Type(), k)] = k
	}
	begin(token, '{', name)
	for d.More() {
		key, _ := d.next().(string) // which the decoder demands
		field, known := keys[key]
		lifted.Need(known, "%s has the key %.40q twice, or version %d of the format does not have it there", name, key, formatVersion)
		delete(keys, key)
		d.read(v.Field(field), key)
	}
	d.next()
	for k := range v.NumField() {
		_, left := keys[keyOf(v.Type(), k)]
		lifted.Need(!left || optional(v.Type(), k), "%s lacks the key %q", name, keyOf(v.Type(), k))
	}
}

// begin ends the check unless a token opens a list or an object.
func begin(token json.Token, open json.Delim, name string) {
	if token != open {
		lifted.Need(false, "%s is %.40v, which does not begin with %v", name, token, open)
	}
}

// as returns a value of a type of JSON.
func as[T any](token json.Token, name string) T {
	typed, fits := token.(T)
	if !fits {
		lifted.Need(false, "%s is %.40v, of another type than the format says", name, token)
	}
	return typed
}

func float(token json.Token, name string) float64 {
	text := string(as[json.Number](token, name))
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) > longestNumber {
		lifted.Need(false, "%s is %.40s, which is no number, or one beyond float64 or of more than %d characters", name, text, longestNumber)
	}
	return number + 0 // -0 counts as 0
}

// longestNumber bounds the characters of a decimal number. Any float64 has fewer, and of longer ones package strconv misreads
// exponents from 10,000 on that the digits make up for.
const longestNumber = 5_000

func whole(token json.Token, name string) int {
	number := float(token, name)
	if number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		lifted.Need(false, "%s is %v, not a whole number of at most 2^53", name, number)
	}
	return int(number)
}

// mostDigits bounds the characters of a whole number.
const mostDigits = 100_000

// readNumber reads a float64, or a whole number in a text.
func readNumber(token json.Token, name string) lifted.Number {
	text, isText := token.(string)
	if !isText {
		return lifted.Float(float(token, name))
	}
	digits := strings.TrimPrefix(text, "-")
	if len(text) > mostDigits || digits == "" || strings.Trim(digits, "0123456789abcdef") != "" {
		lifted.Need(false, "%s is %.40q, not a whole number of at most %d hexadecimal digits", name, text, mostDigits)
	}
	return lifted.Whole(text)
}
