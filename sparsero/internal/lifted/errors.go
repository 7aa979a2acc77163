package lifted

import (
	"errors"
	"fmt"
)

// ErrNotCheckable is what errors about statements wrap that cannot be judged: those whose parts do not fit together.
var ErrNotCheckable = errors.New("designfile: the design file is not checkable")

// FalseClaimError says which claim is false.
type FalseClaimError struct {
	// Claim is the key in the file: full, restricted, missed, lower, regret or gap of its claims, or seal, dictionary,
	// decision, set, quadratic or proof.
	Claim string
	// Claimed is what the file says and Exact what is true: decimal numbers of up to 25 digits, or words.
	Claimed, Exact string
}

// Error names the claim, its value and the exact one.
func (e *FalseClaimError) Error() string {
	return fmt.Sprintf("designfile: the design file is false: %s is %s by the file, but %s; ask its author for a corrected file", e.Claim, e.Claimed, e.Exact)
}

// finding ends a check with the error that Checked returns.
type finding struct{ error }

// Need ends the check of what is not as the format demands.
func Need(fits bool, format string, arguments ...any) {
	if !fits {
		panic(finding{fmt.Errorf("%w: %s", ErrNotCheckable, fmt.Sprintf(format, arguments...))})
	}
}

// Ensure ends the check of a claim that does not hold.
func Ensure(holds bool, claim, claimed, exact string) {
	if !holds {
		panic(finding{&FalseClaimError{claim, claimed, exact}})
	}
}

// Checked runs a check and returns how it ended.
func Checked(check func()) (err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case finding:
			err = reason.error
		default:
			panic(reason)
		}
	}()
	check()
	return nil
}
