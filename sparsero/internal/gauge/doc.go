// Package gauge proposes how a point is put together from few of many atoms, for one point u after another.
//
// Where things are:
//
//	program   the pool of atoms, units, one point after another
//	simplex   which atom enters and leaves
//	basis     the inverse of the basis
//	evidence  weights and direction, and how wrong they may be
//
// It solves
//
//	min { Σ_k a_k : Σ_k a_k d_k = u, a >= 0 },
//
// by the simplex method on a pool of columns: all atoms where they are few, and otherwise those that are near the point
// or whose reduced costs ask for them. Nothing here is a claim: what it proposes, a basis or a direction that keeps u
// away from all atoms, is proven by the caller.
package gauge
