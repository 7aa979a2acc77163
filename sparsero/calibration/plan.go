package calibration

import (
	"errors"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/sparsero/internal/frame"
)

// ComparisonRow is one rule in a Comparison.
type ComparisonRow struct {
	// Rule is the name of the rule.
	Rule string
	// Parameters are what it promises.
	Parameters
	// Need is the smallest number of samples the rule accepts, Samples the
	// number at hand.
	Need, Samples int
	// Feasible reports Samples >= Need.
	Feasible bool
	// Rank and Level = Rank/Samples are the order statistic the rule would use;
	// 0 and NaN when it is not feasible.
	Rank  int
	Level float64
	// Correction is eta: of the level Rank/Samples for DKW, of the radius for Additive, 0 for the others.
	Correction float64
}

// Comparison shows what several rules make of samples of one size.
type Comparison []ComparisonRow

// StandardRules returns the rules of this package for one promise: the union
// over all subsets of at most budget atoms, over those of exactly budget atoms,
// over as many candidates (the prefixes of one path, say), one fixed set, the envelope,
// split conformal, and the two additive formulas of the paper's tables. budget must be
// at least 1 for the candidates.
func StandardRules(atoms, budget int, alpha, delta float64) []Rule {
	union, exact := Subsets(atoms, budget), exactSubsets(atoms, budget)
	return []Rule{
		DKW{Alpha: alpha, Delta: delta, Family: union},
		DKW{Alpha: alpha, Delta: delta, Family: exact},
		OrderStatistic{Alpha: alpha, Delta: delta, Family: union},
		OrderStatistic{Alpha: alpha, Delta: delta, Family: exact},
		OrderStatistic{Alpha: alpha, Delta: delta, Family: Candidates(budget)},
		DKW{Alpha: alpha, Delta: delta},
		OrderStatistic{Alpha: alpha, Delta: delta},
		OrderStatistic{Alpha: alpha, Delta: delta, Family: Envelope()},
		SplitConformal{Alpha: alpha},
		Additive{Alpha: alpha, Delta: delta, Family: union},
		Additive{Alpha: alpha, Delta: delta},
	}
}

// Plan compares the rules for a sample of size m before it is drawn: which are
// feasible, what the others would need, and which order statistic each uses. A rule
// that is nil or has parameters out of range is an error, a sample that is too small
// is not.
func Plan(m int, rules ...Rule) (Comparison, error) {
	if len(rules) == 0 {
		return nil, errors.New("calibration: no rules to compare; StandardRules lists them")
	}
	comparison := make(Comparison, 0, len(rules))
	for _, rule := range rules {
		row, err := compareRule(m, rule)
		if err != nil {
			return nil, err
		}
		comparison = append(comparison, row)
	}
	return comparison, nil
}

// compareRule fills one row of a plan.
func compareRule(m int, rule Rule) (ComparisonRow, error) {
	if rule == nil {
		return ComparisonRow{}, errNilRule
	}
	r := rule.recipe()
	if err := r.checkSize(m); err != nil {
		return ComparisonRow{}, err
	}
	row := ComparisonRow{
		Rule: r.name, Parameters: r.Parameters, Need: smallest(r.enough), Samples: m,
		Feasible: r.enough(m), Level: math.NaN(), Correction: r.eta(m),
	}
	if row.Feasible {
		row.Rank = r.rank(m)
		row.Level = float64(row.Rank) / float64(m)
	}
	return row, nil
}

// Frame returns one row for each rule, with the columns rule, family,
// guarantee, need, samples, feasible, rank, level, correction.
func (c Comparison) Frame() dataframe.DataFrame {
	rows := frame.NewRows("rule,family,guarantee,need,samples,feasible,rank,level,correction")
	for _, r := range c {
		rows.Add(r.Rule, r.Family, r.Guarantee, r.Need, r.Samples, r.Feasible, r.Rank, r.Level, r.Correction)
	}
	return rows.Frame()
}
