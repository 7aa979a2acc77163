//go:build cgo

package calibration_test

// With cgo the tests and benchmarks of this package use HiGHS, without it the
// pure-Go backend; both runs belong to `make test`.
import _ "github.com/sparsero/directions/solver/highs"
