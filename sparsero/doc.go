// Package sparsero holds the geometry of robust optimization over a finite dictionary of uncertainty directions.
//
// Where things are:
//
//	dictionary          atoms: made, cut, closed
//	csv, table          atoms as CSV and frames; tables for other rooms
//	atomicset, support  the set U_S(r); the largest alignment and the atom behind it
//	deficit             what a choice misses in a direction, and in the worst of many
//	gauge, gaugeproof   membership; how a gauge is proven
//	hull                which atoms are vertices
//	affine              directions q(x) of decisions
//
// A [Dictionary] is a matrix whose N rows are atoms d_1, ..., d_N of dimension p. The null atom d_0 = 0 always belongs to it
// without being stored. A subset S of the atoms and a radius r define the [AtomicSet]
//
//	U_S(r) = { sum_{i in S} a_i d_i : a >= 0, sum_i a_i <= r }
//
// whose support function is a maximum over atoms,
//
//	h(s) = sup { <u,s> : u in U_S(r) } = r max_{i in S or i = 0} <d_i,s>.
//
// How much of the full dictionary a subset misses in a direction s is its alignment deficit,
//
//	Δ_S(s) = max_{i in [N] or i = 0} <d_i,s> - max_{i in S or i = 0} <d_i,s> >= 0.
//
// The packages below this one choose S (package selection), bound what the choice loses (certificate), set r from data
// (calibration) and solve the robust problem (robust). For users of apricot, submodlib, RSOME, PyROS and MAPIE, MIGRATION.md
// beside this file shows the same task there and here.
//
// notebooks/GLOSSARY.md lists the symbols of the paper with the identifiers that stand for them.
//
// Atoms are numbered from 0; papers number them from 1 and reserve 0 for the null atom, which here is [NullAtom] = -1.
//
// A nil context stands for context.Background(), and nil options for the defaults.
package sparsero
