package robust

import (
	"context"
	"errors"
)

// DesignAsPrinted runs Algorithm 1 exactly as the paper prints it, for study. Its
// line 9 evaluates the deficit of x_t after the atom was added and on a T that x_t
// has just joined; started without atoms and directions, F(S_t;T_t) = F([N];T_t)
// then holds in every iteration, so the loop always stops after the first one,
// with a single atom and whatever gap is left. Line 10 (early validation) and
// line 12 (calibration and a final solve, without a check of the certificate)
// are as printed too. Rule and Tolerance of the options are honoured;
// RowBudgets, which it does not know, and the rule MostViolated are errors. Use Design
// for results: the bound of its Solution is the one to trust. It has the errors of
// Design, too.
func (p *Problem) DesignAsPrinted(ctx context.Context, budget int, radius float64, o *DesignOptions) (*Design, error) {
	if o != nil && o.Rule == MostViolated {
		return nil, errors.New("robust: the printed algorithm has no rule MostViolated; use CoverageGain or SmallestDeficit")
	}
	if o != nil && o.RowBudgets != nil {
		return nil, errors.New("robust: the printed algorithm has no RowBudgets; leave them out, or use Design")
	}
	return p.runDesign(ctx, budget, radius, o, (*designRun).printed)
}

func (run *designRun) printed(ctx context.Context) error {
	stop := BudgetExhausted
	for len(run.probes.atoms) < run.budget {
		iteration, err := run.solve(ctx)
		if err != nil {
			return err
		}
		run.revealSolution()
		atom, _ := run.next()
		iteration.Added = atom
		run.choose(atom)
		improved, err := run.validate(&iteration)
		if err != nil {
			return err
		}
		run.record(iteration)
		// Line 9: both of its conditions, no deficit at the direction just revealed and no
		// positive marginal gain of any atom, amount to F(S;T) = F([N];T).
		if restricted, full := run.probes.coverage(); full-restricted <= run.options.Tolerance*full {
			stop = PrintedRule
			break
		}
		if !improved {
			stop = EarlyValidation
			break
		}
	}
	if run.options.Calibrate != nil {
		if err := run.calibrate(); err != nil {
			return err
		}
	}
	iteration, err := run.solve(ctx)
	if err != nil {
		return err
	}
	run.record(iteration)
	run.design.Stop = stop
	return nil
}
