package live

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
)

// drawing asks for fresh samples of a normal law in the plane and the radius of each rule, for the atoms ±e_1, ±e_2. Atoms and
// Budget count the sets of the rules for all subsets.
type drawing struct {
	Samples, Atoms, Budget int
	Seed                   uint64
	Alpha, Delta           float64
}

// ruled is what a rule answers.
type ruled struct {
	Rule, Family string
	Need, Rank   int // the rank is 0 where the samples are too few
	Radius       proof.Upper
	Coverage     float64 // the true share of new samples within the radius
}

// drawn is the answer.
type drawn struct {
	Scores []float64 // ascending
	Rules  []ruled
}

func radii(d *drawing) any {
	if d.Samples < 1 || d.Samples > largestRequest/2 {
		panic(fmt.Sprintf("live: %d samples; give 1 to %d", d.Samples, largestRequest/2))
	}
	set := must(sparsero.FullSet(must(datasets.CrossPolytope(2)), 1))
	scores := must(calibration.DirectionalScores(set, must(datasets.Gaussian(d.Samples, 2, d.Seed))))
	slices.Sort(scores)
	answer := &drawn{Scores: scores}
	one, all := calibration.Family{}, calibration.Subsets(d.Atoms, d.Budget)
	for _, rule := range []calibration.Rule{
		calibration.SplitConformal{Alpha: d.Alpha},
		calibration.OrderStatistic{Alpha: d.Alpha, Delta: d.Delta, Family: one},
		calibration.OrderStatistic{Alpha: d.Alpha, Delta: d.Delta, Family: all},
		calibration.DKW{Alpha: d.Alpha, Delta: d.Delta, Family: one},
		calibration.DKW{Alpha: d.Alpha, Delta: d.Delta, Family: all},
	} {
		radius, err := rule.Calibrate(scores)
		if errors.Is(err, calibration.ErrSampleTooSmall) {
			radius.Rank, err = 0, nil
		}
		check(err)
		answer.Rules = append(answer.Rules, ruled{
			Rule: radius.Rule, Family: radius.Family.String(), Need: must(rule.MinSamples()),
			Rank: radius.Rank, Radius: radius.Value, Coverage: math.Pow(math.Erf(radius.Value.Float()/math.Sqrt2), 2),
		})
	}
	return answer
}
