// Package datasets draws the data of the experiments of sections 5.1 and 5.3 and reads tables of prices: dictionaries of
// uncertainty directions, evaluation directions, samples.
//
// Where things are:
//
//	prices, pricewarnings     tables of prices, how they are read (marks of missing ones, words for a bad cell: sparsero/internal/input/table.go); what is doubtful
//	dates                     how days are recognised and written
//	returns, window           tables of returns, losses, the atoms of the worst days; prices turned into returns, and days and assets dropped for a gap
//	generatedprices           artificial prices, with crashes and missing cells
//	xshape                    the X-shaped data of section 5.1
//	integer                   how the integer programs of section 5.3 are drawn, and what one holds
//	elementary                cross-polytope, hypercube, Gaussian samples, circle
//
// [ReadPrices] loads daily closing prices, [PriceTable.CompleteReturns] turns them into returns, [StressDictionary] the
// worst days into atoms that are labelled with their dates.
//
// Package features below this one holds the frozen features of section 5.2 (attacks on them are in
// notebooks/studies/adversarial), package grid reads power grids. Package dow30 holds real prices; this package reads them
// (prices.go).
//
// Every generator takes a seed; the same seed gives the same data on every machine and any number of cores.
package datasets
