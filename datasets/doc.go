// Package datasets draws the data of the experiments of sections 5.1 and 5.3 and reads tables of prices: dictionaries
// of uncertainty directions, evaluation directions, samples.
//
// [NewXShape] draws the two-dimensional X-shaped data of section 5.1 of the
// paper, [NewIntegerInstance] the robust integer programs of section 5.3.
// [ReadPrices] loads a table of daily closing prices (and [LoadReturns] one of returns), [PriceTable.CompleteReturns]
// turns it into returns with an explicit treatment of missing values, and
// [StressDictionary] turns the worst days into a dictionary whose atoms are
// labelled with their dates. [GeneratePrices] makes a table of the same form
// where no real one is at hand. [CrossPolytope], [Hypercube], [Gaussian] and
// [Circle] are elementary sets of atoms for worked examples.
//
// Package features below this one holds the frozen features of section 5.2; the directions that attacks
// on features give stand with the experiment (package notebooks/studies/adversarial). Package dow30 holds real prices, package
// grid reads power grids.
//
// Every generator takes a seed; the same seed gives the same data on every
// machine and any number of cores.
//
// Where things are:
//
//	prices, dates, pricewarnings          tables of prices as they come; cells, separators and missing marks are read by sparsero/internal/input
//	window, returns                       returns without a gap, and the dictionary of the worst days
//	xshape, integer_instance, elementary  generated data; generate_prices makes prices
package datasets
