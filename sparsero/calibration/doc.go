// Package calibration chooses the radius of an atomic uncertainty set from samples, so that a stated share of new samples
// stays inside, and measures the risk of a decision on samples held out for that purpose.
//
// Where things are:
//
//	scores                               numbers of samples: directional, gauge
//	datasplit                            which samples may be used for what, and which nobody has seen
//	rule, radius                         what rules share: parameters, smallest sample, what a smaller one gets (floors of m·alpha: internal/rank/share.go); the radius and its promise
//	orderstatistic, dkw, splitconformal  the rules by one order statistic, a file each: its rank, how many samples are enough
//	additive                             the paper's tables, without a guarantee
//	family                               many sets at once
//	groups, adaptive, weighted           groups of samples; days that drift; old days that weigh less
//	compression                          promises that cost no samples
//	violation                            outcomes on held-out samples; the share of violations and its interval (Clopper, Pearson)
//	monitor                              whether a promise is still kept, day after day
//	binomial                             tails of the binomial distribution
//	errors                               the words for samples that are too small (weights that are: weighted) or used twice
//
// # From samples to a radius
//
// A score turns a sample u into one number: the smallest radius at which the set passes some test. This package has two,
// package robust a third:
//
//	Z_S(u)     = max_{i in S ∪ {0}} <d_i, u>          DirectionalScores
//	gamma_S(u) = min{1'a : sum_{i in S} a_i d_i = u, a >= 0}   GaugeScores
//	rho_x(u)   = <u, q(x)> / max_{i in S ∪ {0}} <d_i, q(x)>    robust.Solution.RequiredRadii
//
// Only the gauge says that u lies in U_S(r): gamma_S(u) <= r holds exactly when u is in the set, and then f(x,u) <= Phi_S(x)
// for every x. Z_S(u) <= r is membership in the polar of conv(S_0); it is what Theorem 3.2 of the paper controls, and it
// does not imply that constraints hold (see the example DirectionalScores_notMembership). The gauge is +Inf outside cone(S),
// where most samples are when S is small beside the dimension. The third score asks for less: that the robust value covers
// what u does to one decision x, fixed before the samples were seen; solving again with the radius that it gives is another
// decision, without a promise.
//
// A rule picks one order statistic of the scores as the radius. With F the distribution of the score, alpha the tolerated
// share of violations, delta the tolerated probability of an unlucky sample and M the number of sets among which the sample
// may have been used to choose, and m samples, it is for instance the smallest k with M P(Bin(m,1-alpha) >= k) <= delta.
//
// # Which rule
//
//	what you know of the set               rule                              need
//	the set does not know the samples      OrderStatistic{}                  225
//	it may know them; scores Z_[N]         OrderStatistic{Family: Envelope}  225
//	it is a prefix of a path, fixed before OrderStatistic{Family: Prefixes}  268
//	it is any set of up to 9 of 2,000      OrderStatistic{Family: Subsets}   1309
//	the same, by the printed theorem       DKW{Family: Subsets}              13560
//	it is all N atoms, of which some serve OrderStatistic{}, robust's Tune   225
//	an average over samples will do        SplitConformal{}                  19
//	to repeat the tables of the paper      Additive{Family: Subsets}         1
//	its atoms are the samples themselves   Compression{} (robust's OutOfSample)   none more
//	samples of several groups              Groups{Rule: OrderStatistic{}}    225 in each
//	samples that drift, day after day      Adaptive{}                        none
//	the same, the drift is bounded         WeightedConformal{}               weights of 19
//
// Need is the smallest number of samples at alpha = 0.05 and delta = 1e-5. Tutorial 36 compares the rules over many
// seeds. MinSamples and Rank compare them before a sample is drawn.
//
// Ranks are integers throughout: a rank says how many scores may exceed the radius, and a count j is allowed where j/m, as a
// float64, is at most alpha. No tolerance takes part. Turning a rank k into a probability k/m and asking a quantile routine
// for it returns the wrong order statistic for some (m, k), for instance the 8th of 25 in place of the 7th.
//
// Units do not matter: scores, atoms, samples and outcomes times a power of two scale every radius and every risk and change
// no rank, count or statement. Additive alone depends on them.
//
// # Time and groups
//
// Every rule takes samples that are independent draws from one law, SplitConformal exchangeable ones. Days that follow one
// another are neither: Adaptive assumes nothing and promises less, WeightedConformal needs a bound on the distance between
// the laws of days, and Groups knows beforehand what changes (a market, calm or stormy weather).
//
// A nil context stands for context.Background(), and nil options for the defaults.
package calibration
