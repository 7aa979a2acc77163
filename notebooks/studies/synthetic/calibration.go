package synthetic

import (
	"errors"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"gonum.org/v1/gonum/mat"
)

// Method names a calibration rule of the ablation.
type Method string

// The methods. The first two are the formulas behind the paper's tables, under the paper's names; they have no
// guarantee (see calibration.Additive). The others keep what they promise.
const (
	// dkwUnion adds the union correction to the radius.
	dkwUnion Method = "DKW union"
	// split adds the correction of a single set to the radius.
	split Method = "Split"
	// theorem32 is Theorem 3.2 as stated: the correction shifts the level.
	theorem32 Method = "Theorem 3.2"
	// unionOrder is the exact order statistic over all sets of at most B atoms.
	unionOrder Method = "Order statistic, union"
	// fixedOrder is the exact order statistic of the one set, which was chosen
	// from D and T without the calibration samples.
	fixedOrder Method = "Order statistic, fixed set"
	// envelope is the exact order statistic of Z_[N], valid for all sets at once.
	envelope Method = "Envelope"
	// conformal is split conformal calibration, a promise on average.
	conformal Method = "Split conformal"
)

// methods lists all methods, those of the paper first.
var methods = []Method{dkwUnion, split, theorem32, unionOrder, fixedOrder, envelope, conformal}

// rule returns the calibration rule of a method. That of the envelope is for the scores of the whole dictionary.
func (m Method) rule(atoms, budget int, alpha, delta float64) calibration.Rule {
	var family calibration.Family // one set
	if m == dkwUnion || m == theorem32 || m == unionOrder {
		family = calibration.Subsets(atoms, budget)
	}
	switch {
	case m.additive():
		return calibration.Additive{Alpha: alpha, Delta: delta, Family: family}
	case m == theorem32:
		return calibration.DKW{Alpha: alpha, Delta: delta, Family: family}
	case m == conformal:
		return calibration.SplitConformal{Alpha: alpha}
	}
	return calibration.OrderStatistic{Alpha: alpha, Delta: delta, Family: family}
}

// ablationCell is one configuration of the ablation, for the first B atoms of greedy coverage.
type ablationCell struct {
	Scale        float64
	B            int
	Alpha, Delta float64
	Method       Method
	// Refused says that the rule cannot keep its promise with so few samples; the other numbers are then 0.
	Refused bool `json:",omitempty"`
	// Quantile is the order statistic before anything is added, Correction what
	// the rule adds (to the radius, or to the level for Theorem32), Radius the result.
	Quantile, Correction, Radius float64
	// Violation is the share of test samples with Z_S above the radius.
	Violation float64
}

// The levels and confidence parameters of the ablation (the paper's), and what multiplies the samples, as a change
// of units does.
var (
	alphas = []float64{0.01, 0.03, 0.05, 0.1}
	deltas = []float64{1e-5, 1e-4, 1e-3}
	scales = []float64{1, 10}
)

// The level and the confidence of the radius by budget (the paper's).
const (
	radiusAlpha = 0.05
	radiusDelta = 1e-5
)

// scores are the statistics of one set of samples at one scale.
type scores struct {
	path *mat.Dense // samples × budgets
	full []float64
}

func newScores(d *sparsero.Dictionary, path []int, samples *mat.Dense, scale float64) (scores, error) {
	scaled := mat.NewDense(samples.RawMatrix().Rows, 2, nil)
	scaled.Scale(scale, samples)
	prefixes, err := calibration.PrefixScores(d, path, scaled)
	if err != nil {
		return scores{}, err
	}
	all, err := sparsero.FullSet(d, 1)
	if err != nil {
		return scores{}, err
	}
	full, err := calibration.DirectionalScores(all, scaled)
	return scores{prefixes, full}, err
}

// of returns the scores that a method calibrates at a budget.
func (s scores) of(m Method, budget int) []float64 {
	if m == envelope {
		return s.full
	}
	return mat.Col(nil, budget-1, s.path)
}

// calibrate carries out the ablation and the radius by budget.
func (u *unit) calibrate(path []int, o *Outcome) (err error) {
	for _, scale := range scales {
		settings, err := u.ablation(path, scale, u.config.CalibrationBudgets, alphas, deltas)
		if err != nil {
			return err
		}
		o.Calibration = append(o.Calibration, settings...)
	}
	o.Radii, err = u.ablation(path, 1, u.config.Budgets, []float64{radiusAlpha}, []float64{radiusDelta})
	return err
}

// ablation evaluates every method in every setting at one scale.
func (u *unit) ablation(path []int, scale float64, budgets []int, alphas, deltas []float64) (settings []ablationCell, err error) {
	sample, err := newScores(u.data.Dictionary, path, u.data.Calibration, scale)
	if err != nil {
		return nil, err
	}
	test, err := newScores(u.data.Dictionary, path, u.data.Test, scale)
	if err != nil {
		return nil, err
	}
	for _, b := range budgets {
		for _, alpha := range alphas {
			for _, delta := range deltas {
				for _, m := range methods {
					c := ablationCell{Scale: scale, B: b, Alpha: alpha, Delta: delta, Method: m}
					if err := c.evaluate(u.data.Dictionary.Size(), sample, test); err != nil {
						return nil, err
					}
					settings = append(settings, c)
				}
			}
		}
	}
	return settings, nil
}

// evaluate sets the radius and counts violations of the set itself.
func (c *ablationCell) evaluate(atoms int, sample, test scores) error {
	rule := c.Method.rule(atoms, c.B, c.Alpha, c.Delta)
	radius, err := rule.Calibrate(sample.of(c.Method, c.B))
	if errors.Is(err, calibration.ErrSampleTooSmall) {
		c.Refused = true
		return nil
	}
	if err != nil {
		return err
	}
	c.Radius, c.Quantile, c.Correction = radius.Value.Float(), radius.Value.Float(), radius.Correction
	if c.Method.additive() {
		c.Quantile -= radius.Correction
	}
	const confidence = 0.95
	rate, err := calibration.CountViolations(mat.Col(nil, c.B-1, test.path), c.Radius, confidence)
	c.Violation = rate.Rate
	return err
}

// additive tells whether the method adds its correction to the radius.
func (m Method) additive() bool { return m == dkwUnion || m == split }
