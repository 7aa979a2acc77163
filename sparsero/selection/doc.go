// Package selection chooses the few atoms of a dictionary that matter for a finite set T of probe directions.
//
// Where things are:
//
//	coverage, storage, npy   the objective F; how its alignments are held; atoms in a file
//	policy                   what a rule is, the path that it records, which of equal gains wins (Greedy with Plain)
//	greedy                   the rule; the best atom by a look at all; its lazy search: internal/screen/search.go (which of equal values comes first, for every rule: internal/rank/tie.go)
//	swap, knapsack           exchanges of atoms; atoms with costs
//	exact                    the optimum, by branch and bound
//	maxgap, setcover         the worst direction, atom by atom; with a guarantee
//	baseline                 random choice and rankings
//	maxcoverage              the reduction to and from maximum coverage; greedy's guarantees
//	selection, bounds        the chosen path; how near the optimum it is
//
// [Coverage] is the objective, the average support over the probe directions,
//
//	F(S;T) = (1/|T|) sum_{s in T} max_{i in S or i = 0} <d_i,s>,
//
// which is monotone and submodular in S, for a dictionary in memory or a file, in one of two kinds of [Storage]. Every rule
// that chooses atoms is a [Policy] and returns a [Selection], a path of nested sets, one atom longer at each step. For each
// length it carries coverage, worst deficit and an upper bound on what any set of that size could reach, so that the quality
// of a choice is known after the fact without knowing the optimum.
//
// # Which policy
//
//	what you are after                       policy
//	the mean over the probes, with a proof   Greedy{}
//	the same for one size, a little better   Swap{}
//	the worst probe, with a guarantee        SetCover{}
//	the worst probe, atom by atom            MaxGap{ByGain: true}
//	the baseline of the paper                MaxGap{}
//	a ranking by the probes                  TopActivation{}
//	a static ranking by the probes           MaxGamma{}
//	nothing: long atoms need not matter      MaxNorm{}
//
// Tutorials 36 and 38 compare them over many seeds. Where the optimum itself is wanted, [Exact] finds it for small and
// middle-sized dictionaries; where atoms have costs, [Knapsack] spends a budget on them.
//
// Ties are always broken by the lowest atom index unless a rule says otherwise, and the same input gives the same picks,
// values and bounds in every storage, on any processor and any number of cores. Units do not matter: a power of two on all
// atoms or all directions scales every value exactly, one on a coordinate of the atoms and its inverse on that of the
// directions changes nothing. A cancelled context is not an error: the selection holds the atoms chosen so far and is marked
// Partial.
//
// A nil context stands for context.Background(), and nil options for the defaults.
package selection
