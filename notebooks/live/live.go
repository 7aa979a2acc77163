// Package live is what the panels of the book compute. Its functions take JSON and give JSON, and all mathematics is the
// library's; package main in wasm lets a page call them. They depend on the request alone.
//
// Where things are:
//
//	live             what a page can ask for, how errors reach it, and an answer as JSON, with bounds on their safe side
//	atoms            the dictionary of a request
//	choose, certify  picks of greedy; what a problem loses with them
//	radii            what calibration rules make of drawn samples
//	own              a reader's own table, from prices or rows to a decision and its guarantee (its form: tools/book/assets/live/playground.js)
package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// functions are what a page can ask for.
var functions = map[string]func([]byte) any{
	"atoms": on(showAtoms), "choose": on(choose), "certify": on(certify), "steps": on(steps),
	"ladder": on(ladder), "radii": on(radii), "own": on(own),
}

// Call answers a request to a function by its name. The answer holds the fields of the result under their names, NaN and the
// infinities as strings, or one key, "Error", that says what is wrong with the request.
func Call(name string, request []byte) (answer []byte) {
	defer func() {
		if reason := recover(); reason != nil {
			answer, _ = json.Marshal(map[string]string{"Error": fmt.Sprint(reason)})
		}
	}()
	function, known := functions[name]
	if !known {
		panic(fmt.Sprintf("live: there is no function %q", name))
	}
	var text bytes.Buffer
	encode(&text, reflect.ValueOf(function(request)))
	return text.Bytes()
}

// on reads a request for a function.
func on[Request any](function func(*Request) any) func([]byte) any {
	return func(text []byte) any {
		request, decoder := new(Request), json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		check(decoder.Decode(request))
		return function(request)
	}
}

// background is the context of all calls: a page waits for each.
var background = context.Background()

// check ends a call with an error, if there is one.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// must returns a value that came without an error, which would end the call.
func must[T any](value T, err error) T {
	check(err)
	return value
}

// encode writes an answer as JSON: structs with their fields under their names, numbers to the bit, NaN and the infinities as
// strings. What writes itself does so, as bounds do, on their safe side. It panics for what has no form in JSON and for a field
// that is not exported.
func encode(text *bytes.Buffer, v reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		number := strconv.AppendFloat(nil, v.Float(), 'g', -1, 64)
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			number = strconv.AppendQuote(nil, string(number))
		}
		text.Write(number)
		return
	case reflect.Pointer:
		encode(text, v.Elem())
		return
	}
	_, writesItself := v.Interface().(json.Marshaler)
	switch {
	case v.Kind() == reflect.Struct && !writesItself:
		encodeList(text, "{}", v.NumField(), func(i int) {
			text.WriteString(strconv.Quote(v.Type().Field(i).Name) + ":")
			encode(text, v.Field(i))
		})
	case v.Kind() == reflect.Slice && !v.IsNil():
		encodeList(text, "[]", v.Len(), func(i int) { encode(text, v.Index(i)) })
	default:
		text.Write(must(json.Marshal(v.Interface())))
	}
}

// encodeList writes entries between brackets.
func encodeList(text *bytes.Buffer, brackets string, length int, entry func(int)) {
	text.WriteByte(brackets[0])
	for i := range length {
		if i > 0 {
			text.WriteByte(',')
		}
		entry(i)
	}
	text.WriteByte(brackets[1])
}
