// Package robust builds and solves the robust programs of the paper,
//
//	min_{x in X}  Φ_S(x) = b(x) + r max(0, max_{i in S} ⟨d_i, q(x)⟩),
//
// for a dictionary of atoms d_i, a polyhedron X (integer variables allowed), a
// linear or convex quadratic b, an affine q, and, besides the robust objective,
// any number of robust constraints of the same form.
//
// [Problem.Solve] solves the restricted model with the chosen atoms S,
// [Problem.SolveFull] the model with all N atoms by cutting planes, and
// [Problem.Design] chooses the atoms while it solves (Algorithm 1 in its
// corrected form). Every [Solution] carries the certificate of package
// certificate, which bounds both the value gap min Φ_N - min Φ_S and the regret
// of the solution under the full dictionary.
package robust
