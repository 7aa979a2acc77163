// Package selection chooses the few atoms of a dictionary that matter for a
// finite set T of probe directions.
//
// [Coverage] is the objective, the average support over the probe directions,
//
//	F(S;T) = (1/|T|) sum_{s in T} max_{i in S or i = 0} <d_i,s>,
//
// which is monotone and submodular in S. [State] evaluates marginal gains of a
// growing S in O(|T|) each. Every rule that chooses atoms is a [Policy]: greedy
// (lazy, plain, stochastic), max-gap, set cover, knapsack, rankings, random and
// exact optimisation all return a [Selection].
//
// A [Selection] is a path of nested sets, one atom longer at each step. For
// each length it carries coverage, worst deficit and an upper bound on what any
// set of that size could reach, so that the quality of a choice is known after
// the fact without knowing the optimum.
//
// Ties are always broken by the lowest atom index unless a rule says otherwise,
// and the same input gives the same picks on any number of cores. A cancelled
// context is not an error: the selection holds the atoms chosen so far and is
// marked Partial.
package selection
