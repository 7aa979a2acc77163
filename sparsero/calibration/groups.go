package calibration

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sparsero/directions/solver/proof/directed"
)

// Groups gives each group of samples a radius of its own, by a rule applied to the scores of that group alone (Mondrian
// conformal prediction: Vovk, Lindsay, Nouretdinov and Gammerman 2003). What the rule promises then holds among the new
// samples of each group: where samples are independent draws, label included, the scores of a group are, given the
// labels, independent draws from its own law. One radius for all promises for the mixture, and may be violated far too
// often in one group. A label must be known without the score of its sample: a market, a season, yesterday's volatility.
type Groups struct {
	// Rule is applied in each group. Required.
	Rule Rule
	// Joint makes the promise for all groups at once, except with probability Delta of the rule: each of G
	// groups gets Delta/G (a union over the groups). Otherwise each promise fails with probability Delta.
	Joint bool
}

// Calibrate returns a radius for each of the groups that the labels name, in the order of their names, one label for
// each score. O(m log m). It is an error if the numbers of scores and labels differ, if a score is NaN or -Inf, if the
// rule's parameters are out of range, and if Joint cannot share its Delta; where groups are too small, a
// *SampleTooSmallError names the smallest.
func (g Groups) Calibrate(scores []float64, labels []string) ([]Radius, error) {
	if g.Rule == nil {
		return nil, errNilRule
	}
	members, err := groupScores(scores, labels)
	if err != nil {
		return nil, err
	}
	rule := g.Rule
	if g.Joint {
		if rule, err = shareDelta(rule, len(members)); err != nil {
			return nil, err
		}
	}
	names := slices.Sorted(maps.Keys(members))
	smallest := slices.MinFunc(names, func(a, b string) int { return len(members[a]) - len(members[b]) })
	// What the smallest group has enough of, all have.
	if _, err := rule.Rank(len(members[smallest])); err != nil {
		var small *SampleTooSmallError
		if errors.As(err, &small) {
			small.Group = smallest
		}
		return nil, err
	}
	radii := make([]Radius, 0, len(names))
	for _, name := range names {
		radius, err := rule.Calibrate(members[name])
		if err != nil {
			return nil, err
		}
		radius.Group = name
		radii = append(radii, radius)
	}
	return radii, nil
}

// groupScores sorts scores, which must be comparable, by their labels.
func groupScores(scores []float64, labels []string) (map[string][]float64, error) {
	if err := checkScores("scores", scores); err != nil {
		return nil, err
	}
	if len(labels) != len(scores) {
		return nil, fmt.Errorf("calibration: %d labels for %d scores; give one label for each score", len(labels), len(scores))
	}
	members := map[string][]float64{}
	for j, label := range labels {
		members[label] = append(members[label], scores[j])
	}
	return members, nil
}

// shareDelta returns the rule with its share of Delta.
func shareDelta(rule Rule, groups int) (Rule, error) {
	// Rounded down, so that the shares sum to Delta at most.
	share := func(delta float64) float64 { return -directed.QuotientUpper(-delta, float64(groups)) }
	if groups == 1 {
		return rule, nil
	}
	switch r := rule.(type) {
	case OrderStatistic:
		r.Delta = share(r.Delta)
		return r, nil
	case DKW:
		r.Delta = share(r.Delta)
		return r, nil
	}
	return nil, fmt.Errorf("calibration: the %q rule has no delta that %d groups can share; use OrderStatistic or DKW, or set Joint to false",
		rule.recipe().name, groups)
}

// inGroup names a group where there are groups.
func inGroup(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" in group %q", name)
}
