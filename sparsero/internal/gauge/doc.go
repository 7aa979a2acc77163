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
// by the simplex method on a pool of columns. Atoms enter the pool when their reduced
// costs ask for them and stay for the points that follow. Nothing here is a claim: what it proposes, a basis or a direction
// that keeps u away from all atoms, is proven by the caller.
package gauge
