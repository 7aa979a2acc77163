// Package live is what the panels of the book compute. Its functions take JSON and give JSON, and all mathematics is the
// library's; package main in wasm lets a page call them. They depend on the request alone.
//
// Where things are:
//
//	live             what a page can ask for, and how errors reach it
//	atoms            the dictionary of a request
//	choose, certify  picks of greedy; what a problem loses with them
//	radii            what calibration rules make of drawn samples
//	encode           an answer as JSON, with bounds on their safe side
//	own              a reader's own table, from prices or rows to a decision and its guarantee (its form: tools/book/assets/live/playground.js)
package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
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
