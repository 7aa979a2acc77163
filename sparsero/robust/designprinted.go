package robust

import "context"

func (run *designRun) printed(ctx context.Context) error {
	stop := budgetExhausted
	for len(run.probes.atoms) < run.budget {
		iteration, err := run.solve(ctx)
		if err != nil {
			return err
		}
		run.revealSolution()
		atom, _ := run.best()
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
			stop = printedRule
			break
		}
		if !improved {
			stop = earlyValidation
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
