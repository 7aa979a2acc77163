package certificate

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
)

// ErrNotCheckable is what errors of [Verify] wrap about files that it cannot judge: malformed or too large ones, an
// unknown version, a dictionary that is not at hand.
var ErrNotCheckable = errors.New("certificate: the design file is not checkable")

// FalseClaimError says which claim of a design file is false.
type FalseClaimError struct {
	// Claim is the key in the file: restricted, full, missed, lower, regret or gap of its claims, or seal,
	// dictionary, quadratic, decision, proof or statements.
	Claim string
	// Claimed is what the file says and Exact what is true: decimal numbers of up to 25 digits, or words.
	Claimed, Exact string
}

// Error names the claim, its value and the exact one.
func (e *FalseClaimError) Error() string {
	return fmt.Sprintf("certificate: the design file is false: %s is %s by the file, but %s; ask its author for a corrected file", e.Claim, e.Claimed, e.Exact)
}

// Verdict is what [Verify] found true, with the exact values behind the claims.
type Verdict struct {
	// Kind is solution, design or tuned.
	Kind string
	// Statements are the claims in words; every one is true.
	Statements []string
	// Restricted and Full are Φ_S(X) and Φ_N(X), Missed how far X is out of bounds, rows and robust constraints.
	Restricted, Full, Missed *big.Rat
	// Lower is the bound of the proof, Regret is Full - Lower and Gap the same where what X misses is moved to X;
	// nil where the file has no proof or claims no gap.
	Lower, Regret, Gap *big.Rat
	// Unchecked lists what the file states and nobody can check from it.
	Unchecked []string
}

// String says in words what was checked and what was not.
func (v *Verdict) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "The file of kind %q is valid. Checked with fractions, without rounding:\n", v.Kind)
	for _, statement := range v.Statements {
		fmt.Fprintf(&b, "  %s\n", statement)
	}
	fmt.Fprintf(&b, "Not checked: %s.", strings.Join(v.Unchecked, "; "))
	return b.String()
}

// unchecked is the same for every file.
var unchecked = []string{
	"that the model, the dictionary and the radius are those of your problem", "the promise of a calibration",
	"labels, names, seeds and notes", "the field result, which only rebuilds the solution in Go",
}

// Verify checks every claim of a design file by the rules of FORMAT.md in exact arithmetic; it shares no code with
// what writes the files. The dictionary may be nil if the file holds it, otherwise it is the NPY file (float64 or
// float32) or the CSV file with the atoms. A claim that is false is a [FalseClaimError]; a file that cannot be judged
// is an error that wraps [ErrNotCheckable]. Each of the two files may have up to 256 MB.
func Verify(design, dictionary io.Reader) (verdict *Verdict, err error) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case finding:
			verdict, err = nil, reason.error
		default:
			panic(reason)
		}
	}()
	data := readWhole("design file", design)
	f := readDesign(parseJSON(data))
	seal := f.readSeal(data)
	tables := f.readTables(dictionary)
	ensure(seal == f.seal, "seal", f.seal, seal+" by the bytes of the file, which has changed since it was sealed")
	for _, table := range tables {
		f.checkHash(table)
	}
	f.table = tables[0]
	return f.judge(), nil
}

// finding ends the check with the error that Verify returns.
type finding struct{ error }

// need ends the check of a file that is not as the format demands.
func need(fits bool, format string, arguments ...any) {
	if !fits {
		panic(finding{fmt.Errorf("%w: %s", ErrNotCheckable, fmt.Sprintf(format, arguments...))})
	}
}

// ensure ends the check of a file with a claim that does not hold.
func ensure(holds bool, claim, claimed, exact string) {
	if !holds {
		panic(finding{&FalseClaimError{claim, claimed, exact}})
	}
}
