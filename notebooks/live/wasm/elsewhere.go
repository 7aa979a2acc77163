//go:build !(js && wasm)

package main

import "log"

func main() { log.Fatal("wasm: this program runs in a browser; make book builds it") }
