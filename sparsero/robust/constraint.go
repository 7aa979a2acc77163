package robust

import "github.com/sparsero/directions/sparsero"

// Constraint is one robust constraint
//
//	⟨Nominal, x⟩ + max_{u in U} ⟨u, q(x)⟩ <= Limit
//
// over the same atoms and radius as the objective, U = U_S(r), or over a set of its own. Each constraint
// has its own worst case u. An uncertain right-hand side is a map with a Constant: with q(x) = Mx + c the
// perturbation u takes ⟨u, c⟩ off the limit; where nothing else is uncertain, M is zero.
type Constraint struct {
	// Name is used in reports; empty means "constraint k", counted from 0.
	Name string
	// Nominal has length n; nil means zero.
	Nominal []float64
	// Map is the q of this constraint (p×n).
	Map sparsero.AffineMap
	// Limit is the right-hand side, finite.
	Limit float64
	// Dictionary holds the atoms of this constraint, of a dimension of their own, which is the p of Map. Nil means
	// those of the problem. Constraints with the same Dictionary and Radius share its atoms, labelled after the first
	// of them: one that is chosen protects all these rows. Costs add up over the dictionaries, but for what leads to
	// all coordinates, which costs products of N = ΣN_k, p = Σp_k and the number of rows: files, [Problem.Dictionary],
	// [Problem.Constraints], [Design.Directions], Roll and SolveSafe, and Tune with samples.
	Dictionary *sparsero.Dictionary
	// Radius is the radius of the own set at radius 1 of the problem: at radius r the atoms d_i of the constraint reach r
	// Radius d_i. The product Radius d_i is rounded to float64, and what is certified holds for the set of the rounded atoms.
	// Zero means 1; range (0, +Inf). It needs a Dictionary.
	Radius float64
}
