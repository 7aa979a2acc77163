package synthetic

import (
	"math"
	"strconv"
	"strings"
)

// What section 5.1 and appendix F print, for the columns named paper_value, as
// text, because the digits tell how far a number was rounded.

// The budgets of the tables of appendix F.2 and F.3.
var (
	representativeBudgets = []int{1, 3, 4, 5, 9, 19, 29}
	decompositionBudgets  = []int{3, 5, 9, 19, 29}
)

// paperSummary is the table of surrogate against certificate.
const (
	paperPoints      = "124"
	paperPearson     = "0.8554"
	paperSpearman    = "0.9617"
	paperDivergences = "3"
)

// paperDiverges are the budgets {1,3,4} at which greedy coverage and max-gap diverge.
var paperDiverges = map[int]string{1: "100", 3: "100", 4: "100"}

// paperComparison is the table of greedy coverage against max-gap: ΔF,
// ΔG_score, GC F, GC G, GM F, GM G by budget.
var paperComparison = map[int][6]string{
	1:  {"0.1803", "-0.1918", "0.5193", "1.0000", "0.3390", "0.8082"},
	3:  {"0.4705", "-0.0017", "0.9924", "0.7531", "0.5219", "0.7513"},
	4:  {"0.2620", "-0.0390", "0.9962", "0.7531", "0.7342", "0.7140"},
	5:  {"0.2618", "0.4472", "0.9989", "0.2097", "0.7371", "0.6568"},
	9:  {"0.0396", "0.0857", "1.0000", "0.0000", "0.9604", "0.0857"},
	19: {"0.0000", "0.0000", "1.0000", "0.0000", "1.0000", "0.0000"},
	29: {"0.0000", "0.0000", "1.0000", "0.0000", "1.0000", "0.0000"},
}

// paperEndpoints is the table of endpoints: F start, F end, G start, G end.
var paperEndpoints = map[Policy][4]string{
	GreedyCoverage: {"0.5193", "1.0000", "1.0000", "0.0000"},
	GreedyMaxGap:   {"0.3390", "1.0000", "0.8082", "0.0000"},
	MaxNorm:        {"0.1736", "0.3737", "0.8082", "0.7514"},
	TopAct:         {"0.5193", "1.0000", "1.0000", "0.0000"},
}

// The tables of the net.
const (
	paperDirections  = "801"
	paperProbes      = "4000"
	paperMetricAtoms = "8"
	paperEstimate    = "1.824282"
	paperTwice       = "3.648563"
	paperMean        = "0.013876"
	paperQuantile    = "0.027180"
	paperReduction   = "28.51"
)

// paperRefinement is ε̂ by |T|.
var paperRefinement = map[int]string{26: "2.551961", 51: "2.530695", 101: "2.517097", 201: "2.433706", 401: "1.876200", 801: "1.824282"}

// paperDecomposition is max_T Δ_S and that plus 2ε̂ by policy and budget.
var paperDecomposition = map[Policy]map[int][2]string{
	GreedyCoverage: {
		3: {"2.438163", "6.086726"}, 5: {"0.678860", "4.327424"}, 9: {"0.000000", "3.648563"},
		19: {"0.000000", "3.648563"}, 29: {"0.000000", "3.648563"},
	},
	GreedyMaxGap: {
		3: {"2.432507", "6.081070"}, 5: {"2.126637", "5.775201"}, 9: {"0.277614", "3.926178"},
		19: {"0.000000", "3.648563"}, 29: {"0.000000", "3.648563"},
	},
}

// paperZero is the budget at which no deficit on T is left.
var paperZero = map[Policy]string{GreedyCoverage: "9", GreedyMaxGap: "17"}

// paperImpliedNorm is max_T M_N, which the paper does not print but implies:
// max_T Δ_S / G_ratio in all five rows that have both leaves [3.23763, 3.23771].
const paperImpliedNorm = "3.2377"

// setting is a row of the calibration tables.
type setting struct {
	budget int
	delta  float64
	method Method
}

// paperCalibration is the table at alpha = 0.05: quantile, correction, radius,
// violation, gap.
var paperCalibration = map[setting][5]string{
	{9, 1e-5, DKWUnion}:  {"3.9942", "0.1841", "4.1783", "0.0490", "-0.0010"},
	{9, 1e-5, Split}:     {"3.9942", "0.0781", "4.0723", "0.0588", "0.0088"},
	{9, 1e-4, DKWUnion}:  {"3.9942", "0.1810", "4.1752", "0.0492", "-0.0008"},
	{9, 1e-4, Split}:     {"3.9942", "0.0704", "4.0646", "0.0600", "0.0100"},
	{9, 1e-3, DKWUnion}:  {"3.9942", "0.1778", "4.1720", "0.0492", "-0.0008"},
	{9, 1e-3, Split}:     {"3.9942", "0.0616", "4.0559", "0.0606", "0.0106"},
	{19, 1e-5, DKWUnion}: {"3.9942", "0.2421", "4.2363", "0.0432", "-0.0068"},
	{19, 1e-5, Split}:    {"3.9942", "0.0781", "4.0723", "0.0588", "0.0088"},
	{19, 1e-4, DKWUnion}: {"3.9942", "0.2397", "4.2339", "0.0438", "-0.0062"},
	{19, 1e-4, Split}:    {"3.9942", "0.0704", "4.0646", "0.0600", "0.0100"},
	{19, 1e-3, DKWUnion}: {"3.9942", "0.2373", "4.2315", "0.0438", "-0.0062"},
	{19, 1e-3, Split}:    {"3.9942", "0.0616", "4.0559", "0.0606", "0.0106"},
	{29, 1e-5, DKWUnion}: {"3.9942", "0.2839", "4.2781", "0.0390", "-0.0110"},
	{29, 1e-5, Split}:    {"3.9942", "0.0781", "4.0723", "0.0588", "0.0088"},
	{29, 1e-4, DKWUnion}: {"3.9942", "0.2819", "4.2761", "0.0392", "-0.0108"},
	{29, 1e-4, Split}:    {"3.9942", "0.0704", "4.0646", "0.0600", "0.0100"},
	{29, 1e-3, DKWUnion}: {"3.9942", "0.2798", "4.2740", "0.0396", "-0.0104"},
	{29, 1e-3, Split}:    {"3.9942", "0.0616", "4.0559", "0.0606", "0.0106"},
}

// paperByDelta is the summary by method and confidence: mean correction, mean
// radius, mean violation, mean gap, max gap, min gap.
var paperByDelta = map[setting][6]string{
	{0, 1e-5, DKWUnion}: {"0.2367", "4.4114", "0.0389", "-0.0086", "0.0000", "-0.0254"},
	{0, 1e-4, DKWUnion}: {"0.2342", "4.4089", "0.0391", "-0.0084", "0.0000", "-0.0250"},
	{0, 1e-3, DKWUnion}: {"0.2316", "4.4064", "0.0393", "-0.0082", "0.0000", "-0.0248"},
	{0, 1e-5, Split}:    {"0.0781", "4.2529", "0.0512", "0.0037", "0.0088", "0.0008"},
	{0, 1e-4, Split}:    {"0.0704", "4.2451", "0.0519", "0.0044", "0.0100", "0.0016"},
	{0, 1e-3, Split}:    {"0.0616", "4.2364", "0.0524", "0.0048", "0.0106", "0.0026"},
}

// paperByBudget is the summary by budget: mean correction, mean radius, mean
// violation, mean gap.
var paperByBudget = map[setting][4]string{
	{9, 0, DKWUnion}:  {"0.1809", "4.3557", "0.0429", "-0.0046"},
	{9, 0, Split}:     {"0.0700", "4.2448", "0.0518", "0.0043"},
	{19, 0, DKWUnion}: {"0.2397", "4.4144", "0.0385", "-0.0090"},
	{19, 0, Split}:    {"0.0700", "4.2448", "0.0518", "0.0043"},
	{29, 0, DKWUnion}: {"0.2818", "4.4566", "0.0360", "-0.0115"},
	{29, 0, Split}:    {"0.0700", "4.2448", "0.0518", "0.0043"},
}

// The comparison of DKW union with Split at the same setting: mean and largest
// ratio of the corrections, mean increase of the radius, mean change of the gap.
var paperPairs = [4]string{"3.3715", "4.5388", "0.1641", "-0.0127"}

// printed is a number as the paper prints it, with the width of its rounding.
type printed struct {
	value, rounding float64
}

// parse reads a number of the paper; "" gives NaN.
func parse(text string) printed {
	if text == "" {
		return printed{math.NaN(), 0}
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("synthetic: paper value " + strconv.Quote(text) + " is no number")
	}
	p := printed{value: value}
	if _, decimals, found := strings.Cut(text, "."); found {
		p.rounding = 0.5 * math.Pow10(-len(decimals))
	}
	return p
}
