//go:build js && wasm

// Command wasm gives live.Call to a page, as the function sparsero of two strings.
package main

import (
	"syscall/js"

	"github.com/sparsero/directions/notebooks/live"
)

func main() {
	js.Global().Set("sparsero", js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		return string(live.Call(arguments[0].String(), []byte(arguments[1].String())))
	}))
	select {}
}
