package integer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/sparsero/calibration"
)

// Results are the outcomes of a study, one unit per finished seed.
type Results struct {
	*study.Results[Outcome]
	config Config
}

// configuration is what the units of a study depend on; the seeds are
// its units.
type configuration struct {
	Instances string
	Config
	Method string // "auto": files of units say how programs were solved
}

// Run carries out the integer experiment of section 5.3 on the instances of a
// family. Each seed is a unit; see [study.Run] for workers, progress,
// cancellation (the results are then partial) and resuming. Units take about a
// tenth of a second each at the default size.
//
// Errors: those of datasets.NewIntegerInstance and of [NewEnumeration]; a configuration
// out of range; a budget above the number of atoms; those of study.Run.
func Run(ctx context.Context, instances datasets.IntegerOptions, c Config, o study.Options) (*Results, error) {
	if instances.Seed != 0 {
		return nil, fmt.Errorf("integer: Seed = %d of the instances; leave it 0, because every seed of a study draws its own instance", instances.Seed)
	}
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	var seeds []uint64
	var keys []string
	for _, block := range c.Seeds {
		for k := range block.Count {
			seeds = append(seeds, block.First+uint64(k))
			keys = append(keys, strconv.FormatUint(block.First+uint64(k), 10))
		}
	}
	results, err := study.Run(ctx, study.Experiment[Outcome]{
		Name: c.Name, Version: Version, Seed: c.Seed, Units: keys,
		Configuration: configuration{instances.String(), c, "auto"},
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
	if results == nil {
		return nil, err
	}
	return &Results{Results: results, config: c}, err
}

// Version is the version of the code behind a study's results; it is raised
// whenever a result changes.
const Version = "1"

// Policy names a rule that chooses atoms for an instance.
type Policy string

// The policies of section 5.3. The text does not define max-gamma; the three
// readings are those that fit its name.
const (
	// GreedyMaxGap is Algorithm 1 with the rule of the remark below it: add the
	// atom that minimises the worst deficit over the revealed directions; equal
	// atoms are decided by the coverage gain, then by the lower index.
	GreedyMaxGap Policy = "greedy-maxgap"
	// GreedyCoverage is Algorithm 1: add the atom with the largest coverage
	// gain over the revealed directions; equal atoms by the lower index.
	GreedyCoverage Policy = "greedy-coverage"
	// MaxGammaSum takes the atoms with the largest sum_k <d_i, q_k(1)>, the
	// total load if every item were chosen. This is the main reading.
	MaxGammaSum Policy = "max-gamma-sum"
	// MaxGammaMax takes the atoms with the largest max_k <d_i, q_k(1)>.
	MaxGammaMax Policy = "max-gamma-max"
	// MaxGammaNominal takes the atoms with the largest max_k a_k'x + <d_i, q_k(x)>
	// at the optimum x of the nominal problem.
	MaxGammaNominal Policy = "max-gamma-x0"
	// Random takes atoms uniformly without replacement, Config.Draws times.
	Random Policy = "random"
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
	// Independent runs a greedy policy for every budget anew at r = 1, from
	// Config.StartDecisions random decisions whose directions are known at the
	// start; the sets are not nested. Rankings do not depend on that and are
	// reported under Nested.
	Independent Protocol = "independent"
	// CalibratedThroughout is Independent with r(B) during the selection, too.
	// Rankings are reported under CalibratedAfter.
	CalibratedThroughout Protocol = "calibrated-throughout"
)

// calibrated tells whether the radius grows with the budget.
func (p Protocol) calibrated() bool { return p == CalibratedAfter || p == CalibratedThroughout }

// nested tells whether one run serves all budgets.
func (p Protocol) nested() bool { return p == Nested || p == CalibratedAfter }

// policies are the deterministic policies that are run under the protocol.
func (p Protocol) policies() []Policy {
	greedy := []Policy{GreedyMaxGap, GreedyCoverage}
	if p.nested() {
		return append(greedy, MaxGammaSum, MaxGammaMax, MaxGammaNominal)
	}
	return greedy
}

// Seeds is a block of consecutive seeds that tables report together.
type Seeds struct {
	First uint64
	Count int // at least 1
}

// String returns the first and last seed, such as "0-99".
func (s Seeds) String() string { return fmt.Sprintf("%d-%d", s.First, s.First+uint64(s.Count)-1) }

// Config describes a study. The zero value is the study of section 5.3 on two
// blocks of 100 seeds; its defaults were fixed before the study was run.
type Config struct {
	// Name is the name of the study and the first part of its tables' names.
	// Default "integer".
	Name string `json:"-"`
	// Seeds are disjoint blocks of seeds; each seed is a unit. Default 0-99
	// (the number in the paper) and 1000-1099.
	Seeds []Seeds `json:"-"`
	// Budgets is the grid of B, increasing, at least 1, none above the number
	// of atoms. Default 1, 2, 3, 5, 7, 10, 15, 20, 30 (the paper's).
	Budgets []int
	// Protocols are run in this order. Default all four.
	Protocols []Protocol
	// Draws is the number of random sets for each budget, at least 1.
	// Default 50 (the paper's).
	Draws int
	// CalibrationSamples is m in the correction eta(B), at least 1; Delta its
	// confidence parameter, in (0,1). Defaults 1000 and 1e-5.
	CalibrationSamples int
	Delta              float64
	// StartDecisions is the number of random decisions that a run of the
	// protocols Independent and CalibratedThroughout starts from, at least 1.
	// Default 20.
	StartDecisions int
	// FullBudget makes greedy policies use up the budget: when no revealed
	// direction has a deficit any more, they add the atoms with the lowest
	// index. Default false: they stop there.
	FullBudget bool
	// Seed starts the random sets and the random decisions. Default 0.
	Seed uint64 `json:"-"`
}

// DeclineConfig describes the study of how success can decline at large
// budgets: a small calibration sample (100), so that the radius grows strongly
// with the budget (1.29 at B = 1 to 1.52 at B = 30), greedy policies that use
// up the budget, and 100 fresh seeds (2000-2099). It belongs with a source of
// homogeneous tightness and a small reserve, such as
// datasets.IntegerOptions{Homogeneous: true, Reserve: 0.1}. It shows a
// mechanism; it does not reproduce the paper.
func DeclineConfig() Config {
	return Config{
		Name: "integer_decline", Seeds: []Seeds{{2000, 100}}, CalibrationSamples: 100, FullBudget: true,
		Protocols: []Protocol{Nested, CalibratedAfter, CalibratedThroughout},
	}
}

func (c Config) withDefaults() Config {
	c.Name = cmp.Or(c.Name, "integer")
	c.Seeds = study.OrDefault(c.Seeds, Seeds{0, 100}, Seeds{1000, 100})
	c.Budgets = study.OrDefault(c.Budgets, 1, 2, 3, 5, 7, 10, 15, 20, 30)
	c.Protocols = study.OrDefault(c.Protocols, Nested, CalibratedAfter, Independent, CalibratedThroughout)
	c.Draws, c.CalibrationSamples, c.StartDecisions = cmp.Or(c.Draws, 50), cmp.Or(c.CalibrationSamples, 1000), cmp.Or(c.StartDecisions, 20)
	c.Delta = cmp.Or(c.Delta, 1e-5)
	return c
}

// validate checks a configuration whose defaults are filled in.
func (c Config) validate() error {
	if err := study.CheckIncreasing("integer: Budgets", c.Budgets, 0, math.MaxInt); err != nil {
		return err
	}
	if len(c.Protocols) == 0 {
		return fmt.Errorf("integer: Protocols is empty; leave it nil for all, or give at least one")
	}
	for k, p := range c.Protocols {
		if !slices.Contains(Config{}.withDefaults().Protocols, p) || slices.Contains(c.Protocols[:k], p) {
			return fmt.Errorf("integer: Protocols[%d] = %q is unknown or repeated; use each of Nested, CalibratedAfter, Independent and CalibratedThroughout at most once", k, p)
		}
	}
	if err := study.CheckPositive("integer", map[string]int{"Draws": c.Draws, "CalibrationSamples": c.CalibrationSamples, "StartDecisions": c.StartDecisions}); err != nil {
		return err
	}
	if !(c.Delta > 0 && c.Delta < 1) {
		return fmt.Errorf("integer: Delta = %v is outside (0,1); use 0 for the default 1e-05", c.Delta)
	}
	return c.validateSeeds()
}

func (c Config) validateSeeds() error {
	if len(c.Seeds) == 0 {
		return fmt.Errorf("integer: Seeds is empty; leave it nil for the default, or give at least one block")
	}
	for k, block := range c.Seeds {
		if block.Count < 1 || block.First > math.MaxUint64-uint64(block.Count)+1 {
			return fmt.Errorf("integer: Seeds[%d] = {First: %d, Count: %d}; give at least one seed, and none beyond 64 bits", k, block.First, block.Count)
		}
		for l, other := range c.Seeds[:k] {
			if block.First <= other.First+uint64(other.Count)-1 && other.First <= block.First+uint64(block.Count)-1 {
				return fmt.Errorf("integer: Seeds[%d] = %v overlaps Seeds[%d] = %v; give disjoint blocks", k, block, l, other)
			}
		}
	}
	return nil
}

// Radius returns the radius of budget B for a dictionary of so many atoms:
// 1 without calibration and otherwise r(B) = 1 + eta(B), where
//
//	eta(B) = sqrt(ln(2 M / Delta) / 2 m),  M = sum_{b <= B} C(atoms, b),
//
// is the correction of the paper's tables, added to a quantile of 1 (see
// calibration.Additive, which has no guarantee). 0 <= B <= atoms.
func (c Config) Radius(p Protocol, atoms, budget int) float64 {
	if !p.calibrated() {
		return 1
	}
	c = c.withDefaults()
	rule := calibration.Additive{Alpha: 0.05, Delta: c.Delta, Family: calibration.Subsets(atoms, budget)} // eta does not depend on Alpha
	return 1 + rule.Correction(c.CalibrationSamples)
}
