//go:build !cgo

package solver

// highsRemedy is the next step where a pure-Go backend cannot go on.
const highsRemedy = "build with cgo, which is off (CGO_ENABLED=1 and a C++ compiler), and import github.com/sparsero/directions/solver/highs, which needs HiGHS (make setup in the project's folder; make -s env there tells Go where it is)"
