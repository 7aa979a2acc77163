// Package sparsero holds the geometry of robust optimization over a finite
// dictionary of uncertainty directions.
//
// A [Dictionary] is a matrix whose N rows are atoms d_1, ..., d_N of dimension
// p. The null atom d_0 = 0 always belongs to it without being stored. A subset
// S of the atoms and a radius r define the [AtomicSet]
//
//	U_S(r) = { sum_{i in S} a_i d_i : a >= 0, sum_i a_i <= r }
//
// whose support function is a maximum over atoms,
//
//	h(s) = sup { <u,s> : u in U_S(r) } = r max_{i in S or i = 0} <d_i,s>.
//
// How much of the full dictionary a subset misses in a direction s is its
// alignment deficit,
//
//	Δ_S(s) = max_{i in [N] or i = 0} <d_i,s> - max_{i in S or i = 0} <d_i,s> >= 0.
//
// The packages below this one choose S (package selection), bound what the choice
// loses (certificate), set r from data (calibration) and solve the robust
// problem (robust). For users of apricot, submodlib, RSOME, PyROS and MAPIE,
// MIGRATION.md beside this file shows the same task there and here.
//
// # Symbols and identifiers
//
//	symbol            identifier                              meaning
//	D                 Dictionary                              N×p, rows are atoms
//	N, p              Dictionary.Size, Dictionary.Dim         number and dimension of atoms
//	d_i, d_0          Dictionary.Atom, NullAtom               an atom (0-based index), the null atom (-1)
//	M_[N](s)          Dictionary.Support                      max_{i in [N]_0} <d_i,s>
//	argmax            Dictionary.ActiveAtom                   the atom that attains M_[N](s)
//	d_D(s,t)          Dictionary.Pseudometric                 max_i |<d_i,s-t>|
//	D ∪ -D            Dictionary.AntipodalClosure             symmetric dictionary
//	conv(D ∪ {0})     Dictionary.SupportVertices              atoms that can be the maximiser
//	conv(D ∪ -D)      Dictionary.PseudometricVertices         atoms that define d_D
//	S, r              AtomicSet.Atoms, AtomicSet.Radius     chosen atoms and radius
//	U_S(r)            AtomicSet                               the uncertainty set
//	h_{U_S(r)}(s)     AtomicSet.Support                       support function
//	u*(s)             AtomicSet.WorstCase                     a maximiser of <u,s> over U_S(r)
//	Δ_S(s)            AtomicSet.AlignmentDeficit              what S misses in direction s (unscaled by r)
//	u in U_S(r)       AtomicSet.Contains                      membership, with the representing coefficients
//	γ_S(u)            AtomicSet.Gauge                         min{1'a : sum a_i d_i = u, a >= 0}
//	q(x)              AffineMap                               direction of the decision x
//	μ, Σ, ρ           convex.FitEllipsoid                     Mahalanobis baseline { |u-μ|_{Σ^-1} <= ρ }
//	F(S;T)            selection.Coverage.Value                average support over probe directions
//	max_T Δ_S         selection.Coverage.WorstDeficit         worst deficit over probe directions
//	F(S∪{i}) - F(S)   selection.State.Gain                    marginal gain
//	B                 budget of selection.Policy.Select       largest number of atoms
//	T, ε              certificate.Net, certificate.ProbeSet   directions with a proven radius; without one
//	μ_η               certificate.OccupancyRadii              smallest number of probes within η of a probe
//	κ(S)              certificate.Inflation                   factor by which U_S must grow to hold U_[N]
//	Φ_S(x)            robust.Problem                          robust objective b(x) + r max_{i in S_0} <d_i,q(x)>
//	r Δ_S(q(x))       robust.Solution.Certificate             bounds value gap and regret (Proposition 2.3)
//	λ, μ, v*          robust.Dual                             multipliers of rows and atoms, the worst case
//	Z_S(u)            calibration.DirectionalScores           max_{i in S_0} <d_i,u>, a score
//	r̂                 calibration.Radius                      calibrated radius with its promise
//	α, δ, η           calibration.DKW                         share of violations, bad luck, correction
//
// Atoms are numbered from 0; papers number them from 1 and reserve 0 for the
// null atom, which here is [NullAtom] = -1.
package sparsero
