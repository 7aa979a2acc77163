//go:build cgo

package corpora

import "github.com/sparsero/directions/solver/highs"

func init() { backends = append(backends, backend{"HiGHS", highs.Backend{}, false, true}) }
