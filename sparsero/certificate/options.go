package certificate

import (
	"cmp"
	"fmt"

	"github.com/sparsero/directions/solver"
)

// defaultMaxPoints is the largest net that is built unless the options say otherwise.
const defaultMaxPoints = 200_000

// Options are the settings of [SolveUniform], [GridNet] and [LipschitzNet]. The zero value works, and so does nil.
type Options struct {
	// Solver is passed to the solver; nil means its defaults.
	Solver *solver.Options
	// MaxPoints bounds the directions of a net. Zero means 200000.
	MaxPoints int
}

// filled returns the options with the default in place of a zero.
func (o *Options) filled() (Options, error) {
	f := *cmp.Or(o, &Options{})
	if f.MaxPoints < 0 {
		return f, fmt.Errorf("certificate: MaxPoints %d is negative; use 0 for the default %d", f.MaxPoints, defaultMaxPoints)
	}
	f.MaxPoints = cmp.Or(f.MaxPoints, defaultMaxPoints)
	return f, nil
}
