package designfile

import (
	"errors"
	"fmt"
	"io"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// WriteVIPR writes the proof of the claim lower in VIPR 1.0, the certificate format of SCIP for mixed-integer linear programs:
//
//	min Σ_j Cost_j x_j + r t   over x in X, t >= 0,
//	    ⟨d_i, q(x)⟩ <= t, and ⟨Nominal_k, x⟩ + r ⟨d_i, q_k(x)⟩ <= Limit_k,
//
// for the atoms i that the proof names, is at least Lower - Offset; with all atoms it is not less. A decision that keeps to all
// limits is the solution of the certificate, which is at most Full - Offset. Without an uncertain objective there is no t. All
// numbers are fractions, without rounding. It is an error if the file proves no lower bound, is over a convex set, or if costs are
// quadratic.
//
// Source: Cheung, Gleixner and Steffy 2017.
func (c *Checked) WriteVIPR(w io.Writer) error {
	if c == nil || c.Seal() == "" {
		return errors.New("designfile: the file is nil or empty; hand over what Verify returned")
	}
	f := &c.file
	if f.Claims.Lower == nil {
		return errors.New("designfile: the file proves no lower bound, which is what VIPR certifies; give the columns of the model bounds, and save the design again")
	}
	if f.Problem.Set != nil {
		return errors.New("designfile: the problem is over a convex set, whose points VIPR cannot tell to be of it; hand on the design file itself, which verify.py checks")
	}
	if f.Proof.Curvature != nil || len(f.Problem.Model.Quadratic.Values) > 0 {
		return errors.New("designfile: the costs are quadratic, and VIPR knows linear ones alone; hand on the design file itself, which verify.py checks")
	}
	upper := &f.Claims.Full
	if f.Claims.Missed > 0 {
		upper = nil
	}
	if _, err := fmt.Fprintf(w, "%% The lower bound of the design file with the seal %s.\n", f.Seal); err != nil {
		return err
	}
	return lifted.WriteVIPR(w, &f.Problem, &f.Decision, f.Proof, *f.Claims.Lower, upper)
}
