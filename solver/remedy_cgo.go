//go:build cgo

package solver

// highsRemedy is the next step where a pure-Go backend cannot go on.
const highsRemedy = "import github.com/sparsero/directions/solver/highs, which needs HiGHS (make setup in the project's folder; make -s env there tells Go where it is)"
