//go:build cgo

package formula_test

import _ "github.com/sparsero/directions/solver/highs"

func init() { solvesIntegers = true }
