package published

// table holds the numbers. The order is that of README.md.
var table = []source{
	{"Ben-Tal, El Ghaoui, Nemirovski: Robust Optimization (2009), example 1.1.1; numbers of Berkeley's EE127 book, exa_lp_drug_manuf_rob2", []example{
		{title: "drug production", compute: drugs, numbers: append(plain("nominal cost", "-8819.658", "raw material II", "438.789", "drug I", "17.552"),
			number{what: "robust cost", printed: "-8294.566", within: 1e-3}, number{what: "raw material I", printed: "877.7319"}, number{what: "drug I, robust", printed: "17.4669"})},
	}},
	{"Postek, Zocca, Gromicho, Kantor: Hands-On Mathematical Optimization with Python (MO-book), notebook 8.1", []example{
		{title: "chips, box", compute: chipsInBox, numbers: plain("nominal profit", "17700", "logic", "650", "memory", "1100",
			"profit at 0.05", "17568.75", "logic at 0.05", "606.25", "memory at 0.05", "1143.75",
			"whole chips at 0", "17700", "whole chips at 0.025", "17634", "whole chips at 0.05", "17568", "whole chips at 0.075", "17502", "whole chips at 0.1", "17436", "whole chips at 0.125", "17370",
			"whole chips at 0.15", "17304", "whole chips at 0.175", "17238", "whole chips at 0.2", "17175", "whole chips at 0.225", "17109", "whole chips at 0.25", "17043", "whole chips at 0.275", "16977")},
		{title: "chips, measured box", compute: chipsInMeasuredBox, numbers: plain("profit", "17587.20", "logic", "612.4", "memory", "1137.6",
			"whole chips", "17586", "whole logic", "612", "whole memory", "1138")},
		{title: "chips, budget of 2", compute: chipsInBudget, numbers: plain("whole chips", "17673", "logic", "641", "memory", "1109")},
		{title: "chips, ball of 0.05", compute: chipsInBall, numbers: plain("profit", "17603.26", "logic", "617.755", "memory", "1132.245",
			"whole chips", "17601", "whole logic", "617", "whole memory", "1133")},
		{title: "chips, 20 % and budget of 1.5", compute: chipsAdversarial, numbers: []number{
			{what: "profit", printed: "13950", right: "16650", why: "the book's master problem adds the scenario (1, 0.5) without the factor 0.2; by hand 4·300 + 2·1450 + 0.4·1450 + 0.5·0.8·300 = 4800, all the copper there is."},
			{what: "logic", printed: "37.5", right: "300", why: "as above."}, {what: "memory", printed: "1500", right: "1450", why: "as above."}}},
		{title: "the same with the book's mistake", compute: chipsMistaken, numbers: plain("profit", "13950", "logic", "37.5", "memory", "1500")},
	}},
	{"Bertsimas, Sim: The price of robustness (2004), section 6.2, printed by RSOME, example_ro_portfolio", []example{
		{title: "150 stocks, Γ = 5", compute: priceOfRobustness, numbers: plain("return", "1.17089")},
	}},
	{"Ben-Tal, Nemirovski (1999), printed by RSOME, example_mv_portfolio", []example{
		{title: "150 stocks, mean and variance", compute: meanVariance, numbers: plain("value", "1.1853")},
	}},
	{"cvxro, documentation, getting_started/my_first_robust", []example{
		// The columns there are free; ours are bounded, and the point misses the ball by the tolerance of the solver.
		{title: "two columns over a ball", compute: firstOfCvxro, numbers: []number{{what: "value", printed: "-20.76298271930384", within: 1e-4},
			{what: "first column", printed: "-1.83921308", within: 1e-2}, {what: "second column", printed: "-17.08455655", within: 1e-2}}},
	}},
	{"Mohajerin Esfahani, Kuhn: Data-driven distributionally robust optimization using the Wasserstein metric (2018), corollary 5.1, printed by RSOME, example_dro_wass_portfolio", []example{
		{title: "mean and CVaR of 10 assets", compute: wasserstein, numbers: plain("value", "-1.1362073575769465")},
	}},
	{"Long, Sim, Zhou: Robust satisficing (2022), theorem 9, printed by RSOME, example_dro_rs_portfolio", []example{
		{title: "10 assets", compute: satisficing, numbers: plain("second asset", "0.08771868", "third asset", "0.11403517", "value of the robust form", "22.921068194932346")},
	}},
	{"Ben-Tal, Goryashko, Guslitzer, Nemirovski: Adjustable robust solutions (2004); de Ruiter, Brekelmans, den Hertog (2016), table 1; printed by RSOME, example_ro_inv", []example{
		{title: "production over 24 periods, affine rules", slow: true, compute: inventory, numbers: []number{
			{what: "worst cost", printed: "44272.82749311939"}, {what: "cost of the mean demands at that worst cost", printed: "35076.73675839575", within: 1e-3}}},
	}},
	{"Dunning: JuMPeR.jl, the numbers of its tests (uncsets_*.jl, adp_newsvendor.jl)", []example{
		{title: "two intervals", compute: twoIntervals, numbers: plain("x1", "8/3", "x2", "2/3")},
		{title: "two intervals, whole numbers", compute: wholeNumbers, numbers: plain("x1", "3", "x2", "0")},
		{title: "polyhedron", compute: polyhedralSet, numbers: plain("x1", "2", "x2", "10/11")},
		{title: "budget of 1", compute: budgetSet, numbers: plain("x1", "0", "x2", "3")},
		{title: "1-norm", compute: oneNorm, numbers: plain("x1", "2", "x2", "4", "x3", "6", "x4", "8", "x5", "4/3")},
		{title: "2-norm", compute: twoNorm, numbers: plain("x1", "2", "x2", "4", "x3", "6", "x4", "8", "x5", "1.283")},
		{title: "maximum norm", compute: maximumNorm, numbers: plain("x1", "2", "x2", "4", "x3", "41/7", "x4", "8", "x5", "0")},
		{title: "two factors", compute: twoFactors, numbers: plain("x", "2/7", "y", "2")},
		{title: "two stockists", compute: stockists, numbers: plain("B1 at 1.5", "5", "B2 at 1.5", "2.5", "B1 at 1", "10", "B2 at 1", "5",
			"B1 of at most 8", "8", "B2 beside it", "5", "B1 with half of the demand", "5", "B2 beside it", "5")},
		{title: "newsvendor of five places", compute: newsvendor, numbers: plain("profit, fixed sales", "46", "stock, fixed sales", "92",
			"profit, affine sales", "70.5", "stock, affine sales", "141")},
	}},
	{"Birge, Louveaux: Introduction to Stochastic Programming, sections 1.1 and 1.2 (the second printed by RSOME, example_dro_finpl)", []example{
		{title: "the farmer", compute: farmer, numbers: append(plain("profit of mean yields", "118600", "recourse problem", "108390", "plan for mean yields", "107240"),
			number{what: "wait and see", printed: "115406", within: 0.5})},
		{title: "financial planning", compute: planning, numbers: plain("value", "-1.514", "stocks", "41.479", "bonds", "13.521")},
	}},
	{"PGLib-OPF v23.07, BASELINE.md, column DC ($/h, by PowerModels)", []example{
		{title: "DC optimal power flow", compute: grids, numbers: plain("case5_pjm", "1.7480e+04", "case14_ieee", "2.0515e+03", "case30_ieee", "7.4728e+03",
			"case57_ieee", "3.4773e+04", "case118_ieee", "9.3101e+04", "case300_ieee", "5.1785e+05")},
	}},
	{"Alsac, Stott (1974), printed by PGLib-OPF, case30_as; MATPOWER 8.0b1, rundcopf('case14')", []example{
		{title: "DC optimal power flow, embedded", compute: embeddedGrids, numbers: plain("30 buses", "7.6760e+02", "14 buses", "7642.59177699")},
	}},
	{"Beasley: OR-Library, pmedopt (1985)", []example{
		{title: "p-median", compute: medians("pmed1", "pmed4", "pmed5"), numbers: plain("pmed1", "5819", "pmed4", "3034", "pmed5", "1355")},
		{title: "p-median, larger", slow: true, compute: medians("pmed2", "pmed3", "pmed8", "pmed10", "pmed15", "pmed20"), numbers: plain("pmed2", "4093", "pmed3", "4250",
			"pmed8", "4445", "pmed10", "1255", "pmed15", "1729", "pmed20", "1789")},
	}},
	{"MAPIE, pull request 973: the rank of a split-conformal radius", []example{
		{title: "n = 5 to 200, α of 1, 5, 10, 20, 30 and 50 %", compute: ranks, numbers: plain("cells with a finite radius", "1064", "cells in which np.quantile is one rank too high", "225",
			"cells in which we are", "0")},
	}},
	{"R, help of binom.test (Clopper, Pearson 1934; data of Conover 1971)", []example{
		{title: "682 of 925, 95 % interval", compute: interval, numbers: plain("lower end", "0.7076683", "upper end", "0.7654066")},
	}},
}
