package integer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/internal/setting"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/sparsero/calibration"
)

// Results are the outcomes of a study, one unit per finished seed.
type Results struct {
	*study.Results[Outcome]
	config Config
}

// configuration is what the units of a study depend on; the seeds are its units.
type configuration struct {
	Instances string
	Config
}

// Run carries out the integer experiment of section 5.3 on the instances of a family. Each seed is a unit; see
// [study.Run] for workers, progress, cancellation (the results are then partial) and resuming. Units take about a tenth
// of a second each at the default size.
//
// Errors: those of datasets.NewIntegerInstance and of [NewEnumeration]; a configuration
// out of range; a budget above the number of atoms; those of study.Run.
func Run(ctx context.Context, instances datasets.IntegerOptions, c Config, o study.Options) (*Results, error) {
	if instances.Seed != 0 {
		return nil, fmt.Errorf("integer: Seed = %d of the instances; leave it 0, because every seed of a study draws its own instance", instances.Seed)
	}
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	var seeds []uint64
	for _, block := range c.Seeds {
		seeds = append(seeds, block.List()...)
	}
	results, err := study.Run(ctx, study.Experiment[Outcome]{
		Name: c.Name, Version: version, Units: study.Keys(seeds),
		Configuration: configuration{instances.String(), c},
		Run: func(ctx context.Context, number int) (Outcome, error) {
			drawn := instances
			drawn.Seed = seeds[number]
			instance, err := datasets.NewIntegerInstance(drawn)
			if err != nil {
				return Outcome{}, err
			}
			u, err := newUnit(instance, &c, seeds[number])
			if err != nil {
				return Outcome{}, err
			}
			return u.outcome(ctx)
		},
	}, o)
	if err != nil {
		return nil, err
	}
	return &Results{Results: results, config: c}, nil
}

// version is the version of the code behind a study's results; it is raised whenever a result changes.
const version = "1"

// Policy names a rule that chooses atoms for an instance.
type Policy string

// The policies of section 5.3. The text does not define max-gamma; the three readings are those that fit its name.
const (
	// greedyMaxGap is Algorithm 1 with the rule of the remark below it: add the atom that minimises the worst deficit
	// over the revealed directions; equal atoms are decided by the coverage gain, then by the lower index.
	greedyMaxGap Policy = "greedy-maxgap"
	// greedyCoverage is Algorithm 1: add the atom with the largest coverage
	// gain over the revealed directions; equal atoms by the lower index.
	greedyCoverage Policy = "greedy-coverage"
	// maxGammaSum takes the atoms with the largest sum_k <d_i, q_k(1)>, the
	// total load if every item were chosen. This is the main reading.
	maxGammaSum Policy = "max-gamma-sum"
	// maxGammaMax takes the atoms with the largest max_k <d_i, q_k(1)>.
	maxGammaMax Policy = "max-gamma-max"
	// maxGammaNominal takes the atoms with the largest max_k a_k'x + <d_i, q_k(x)>
	// at the optimum x of the nominal problem.
	maxGammaNominal Policy = "max-gamma-x0"
)

// Protocol names the way in which sets and radii go together over the budgets.
type Protocol string

// The protocols.
const (
	// Nested runs a greedy policy once at r = 1; the set of budget B is the
	// first B atoms. Rankings and random sets are solved at r = 1.
	Nested Protocol = "nested"
	// CalibratedAfter chooses as Nested does and solves at the radius
	// r(B) = 1 + eta(B) of the budget (section 3.3: calibrate after selection).
	CalibratedAfter Protocol = "calibrated-after"
	// Independent runs a greedy policy for every budget anew at r = 1, from Config.StartDecisions random decisions
	// whose directions are known at the start; the sets are not nested. Rankings do not depend on that and are reported
	// under Nested.
	Independent Protocol = "independent"
	// calibratedThroughout is Independent with r(B) during the selection, too.
	// Rankings are reported under CalibratedAfter.
	calibratedThroughout Protocol = "calibrated-throughout"
)

// calibrated tells whether the radius grows with the budget.
func (p Protocol) calibrated() bool { return p == CalibratedAfter || p == calibratedThroughout }

// nested tells whether one run serves all budgets.
func (p Protocol) nested() bool { return p == Nested || p == CalibratedAfter }

// policies are the deterministic policies that are run under the protocol.
func (p Protocol) policies() []Policy {
	greedy := []Policy{greedyMaxGap, greedyCoverage}
	if p.nested() {
		return append(greedy, maxGammaSum, maxGammaMax, maxGammaNominal)
	}
	return greedy
}

// Seeds is a block of consecutive seeds that tables report together.
type Seeds = study.Seeds

// Config describes a study. The zero value is the study of section 5.3 on two blocks of 100 seeds (the paper has one),
// with the paper's budgets and draws; its defaults were fixed before the study was run.
type Config struct {
	// Name is the name of the study and the first part of its tables' names. Default "integer".
	Name string `json:"-"`
	// Seeds are disjoint blocks of seeds; each seed is a unit. Default 0-99 and 1000-1099.
	Seeds []Seeds `json:"-"`
	// Budgets is the grid of B, increasing, none above the number of atoms. Default 1, 2, 3, 5, 7, 10, 15, 20, 30.
	Budgets []int
	// Protocols are run in this order. Default all four.
	Protocols []Protocol
	// Draws is the number of random sets for each budget, at least 1. Default 50.
	Draws int
	// CalibrationSamples is m in the correction eta(B), at least 1. Default 1000.
	CalibrationSamples int
	// StartDecisions is the number of random decisions that a run of the
	// protocols Independent and calibratedThroughout starts from, at least 1. Default 20.
	StartDecisions int
	// FullBudget makes greedy policies use up the budget: when no revealed direction has a deficit any more, they add
	// the atoms with the lowest index. Default false: they stop there.
	FullBudget bool
}

// DeclineConfig describes the study of how success can decline at large budgets: a small calibration sample (100), so
// that the radius grows strongly with the budget (1.29 at B = 1 to 1.52 at B = 30), greedy policies that use up the
// budget, and 100 fresh seeds (2000-2099). It belongs with a source of homogeneous tightness and a small reserve, such
// as datasets.IntegerOptions{Homogeneous: true, Reserve: 0.1}. It shows a mechanism; it does not reproduce the paper.
func DeclineConfig() Config {
	return Config{
		Name: "integer_decline", Seeds: []Seeds{{First: 2000, Count: 100}}, CalibrationSamples: 100, FullBudget: true,
		Protocols: []Protocol{Nested, CalibratedAfter, calibratedThroughout},
	}
}

// withDefaults fills in what is zero.
func (c Config) withDefaults() Config {
	c.Name = cmp.Or(c.Name, "integer")
	c.Seeds = setting.ListOr(c.Seeds, Seeds{First: 0, Count: 100}, Seeds{First: 1000, Count: 100})
	c.Budgets = setting.ListOr(c.Budgets, 1, 2, 3, 5, 7, 10, 15, 20, 30)
	c.Protocols = setting.ListOr(c.Protocols, Nested, CalibratedAfter, Independent, calibratedThroughout)
	c.Draws = cmp.Or(c.Draws, 50)
	c.CalibrationSamples = cmp.Or(c.CalibrationSamples, 1000)
	c.StartDecisions = cmp.Or(c.StartDecisions, 20)
	return c
}

// check reports a setting that is out of range, defaults filled in.
func (c Config) check() error {
	known := Config{}.withDefaults().Protocols
	for k, p := range c.Protocols {
		if !slices.Contains(known, p) || slices.Contains(c.Protocols[:k], p) {
			return fmt.Errorf("integer: Protocols[%d] = %q is unknown or repeated; use each of %q at most once", k, p, known)
		}
	}
	if len(c.Protocols) == 0 {
		return fmt.Errorf("integer: Protocols is empty; leave it nil for all, or give at least one")
	}
	return cmp.Or(
		setting.Check("integer: Budgets", 0, math.Inf(1), c.Budgets...),
		setting.Check("integer: Draws", 0, math.Inf(1), c.Draws),
		setting.Check("integer: CalibrationSamples", 0, math.Inf(1), c.CalibrationSamples),
		setting.Check("integer: StartDecisions", 0, math.Inf(1), c.StartDecisions),
	)
}

// radiusDelta is the confidence parameter of the correction (the paper's).
const radiusDelta = 1e-5

// Radius returns the radius of budget B for a dictionary of so many atoms:
// 1 without calibration and otherwise r(B) = 1 + eta(B), where
//
//	eta(B) = sqrt(ln(2 M / delta) / 2 m),  delta = 1e-5,  M = sum_{b <= B} C(atoms, b),
//
// is the correction of the paper's tables, added to a quantile of 1 (see
// calibration.Additive, which has no guarantee). 0 <= B <= atoms.
func (c Config) Radius(p Protocol, atoms, budget int) float64 {
	if !p.calibrated() {
		return 1
	}
	c = c.withDefaults()
	rule := calibration.Additive{Alpha: 0.05, Delta: radiusDelta, Family: calibration.Subsets(atoms, budget)} // eta does not depend on Alpha
	radius, err := rule.Calibrate(make([]float64, c.CalibrationSamples))
	if err != nil {
		return math.NaN()
	}
	return 1 + radius.Correction
}
