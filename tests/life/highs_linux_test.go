//go:build cgo

package life

import "github.com/sparsero/directions/solver/highs"

func init() { memoryBackends["HiGHS"] = highs.Backend{} }
