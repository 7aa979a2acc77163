package integer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"github.com/sparsero/directions/solver"
)

// Outcome is everything a study keeps of one seed.
type Outcome struct {
	Seed uint64
	// Atoms is N, Decisions the number of choices of K items that satisfy the rows without uncertainty.
	Atoms, Decisions int
	// Nominal and Full tell whether the program is feasible without atoms and with the whole dictionary at r = 1;
	// NominalValue and FullValue are the optimal costs, 0 when infeasible.
	Nominal, Full           bool
	NominalValue, FullValue float64
	// Baseline tells whether the seed is counted in the tables of section 5.3: it is feasible with the whole
	// dictionary, and that optimum violates no held-out scenario.
	Baseline bool
	// Runs are the deterministic policies under each protocol.
	Runs []policyRun
	// Random are the random sets under each protocol that has them.
	Random []randomCells
}

// policyRun is one deterministic policy under one protocol.
type policyRun struct {
	Protocol Protocol
	Policy   Policy
	// Cells has one entry per budget of the grid.
	Cells []cell
	// NonNested counts the budgets whose set does not contain that of the budget before.
	NonNested int
	// Atoms is the set of the largest budget, in the order of choice.
	Atoms []int
}

// cell is one robust program, for the set of one policy at one budget.
type cell struct {
	// Size is |S|, at most the budget.
	Size int
	// Feasible tells whether some decision satisfies the rows for S.
	Feasible bool
	// Value is the optimal cost, 0 when infeasible.
	Value float64
	// HeldOut tells whether the optimum violates no row for any held-out scenario (at r = 1): this is success.
	// Dictionary tells the same of the atoms of the dictionary.
	HeldOut, Dictionary bool
}

// randomCells is the random policy under one protocol.
type randomCells struct {
	Protocol Protocol
	// Feasible and HeldOut count the random sets, out of Config.Draws, with that
	// property; one entry per budget of the grid.
	Feasible, HeldOut []int
}

// unit is the work on one seed.
type unit struct {
	config   *Config
	seed     uint64
	instance *datasets.IntegerInstance
	programs *Enumeration
	solve    func(ctx context.Context, atoms []int, radius float64) (*Decision, error) // by enumeration, but in a test
}

// newUnit enumerates the instance of a seed.
func newUnit(i *datasets.IntegerInstance, c *Config, seed uint64) (*unit, error) {
	atoms := i.Dictionary.Size()
	if most := c.Budgets[len(c.Budgets)-1]; most > atoms {
		return nil, fmt.Errorf("integer: budget %d exceeds the %d atoms of the dictionary of seed %d; use at most %d", most, atoms, seed, atoms)
	}
	programs, err := NewEnumeration(i)
	if err != nil {
		return nil, err
	}
	u := &unit{config: c, seed: seed, instance: i, programs: programs}
	u.solve = u.enumerated
	return u, nil
}

// atoms returns the number of atoms.
func (u *unit) atoms() int { return u.instance.Dictionary.Size() }

// enumerated returns the optimum for the atoms at a radius, nil if there is none.
func (u *unit) enumerated(ctx context.Context, atoms []int, radius float64) (*Decision, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d, err := u.programs.Solve(atoms, radius)
	if errors.Is(err, solver.ErrInfeasible) {
		return nil, nil
	}
	return d, err
}

// outcome runs all policies under all protocols.
func (u *unit) outcome(ctx context.Context) (Outcome, error) {
	o := Outcome{Seed: u.seed, Atoms: u.atoms(), Decisions: len(u.programs.decisions)}
	if err := u.baseline(ctx, &o); err != nil {
		return o, err
	}
	for _, protocol := range u.config.Protocols {
		for _, policy := range protocol.policies() {
			run, err := u.run(ctx, protocol, policy)
			if err != nil {
				return o, err
			}
			o.Runs = append(o.Runs, run)
		}
		if protocol.nested() {
			run, err := u.randomRun(ctx, protocol)
			if err != nil {
				return o, err
			}
			o.Random = append(o.Random, run)
		}
	}
	return o, nil
}

// baseline solves without atoms and with all of them.
func (u *unit) baseline(ctx context.Context, o *Outcome) error {
	nominal, err := u.solve(ctx, nil, 1)
	if err != nil {
		return err
	}
	full, err := u.cell(ctx, tally.UpTo(u.atoms()), 1)
	if err != nil {
		return err
	}
	if nominal != nil {
		o.Nominal, o.NominalValue = true, nominal.Value
	}
	o.Full, o.FullValue, o.Baseline = full.Feasible, full.Value, full.HeldOut
	return nil
}

// cell solves the robust program of a set and tests its optimum.
func (u *unit) cell(ctx context.Context, atoms []int, radius float64) (cell, error) {
	optimum, err := u.solve(ctx, atoms, radius)
	if err != nil || optimum == nil {
		return cell{Size: len(atoms)}, err
	}
	return cell{
		Size: len(atoms), Feasible: true, Value: optimum.Value,
		HeldOut:    !overflows(u.instance, u.instance.HeldOut, optimum.Items),
		Dictionary: !overflows(u.instance, u.programs.atoms, optimum.Items),
	}, nil
}

// run solves one deterministic policy at all budgets.
func (u *unit) run(ctx context.Context, protocol Protocol, policy Policy) (policyRun, error) {
	run := policyRun{Protocol: protocol, Policy: policy}
	sets, err := u.sets(ctx, protocol, policy)
	if err != nil {
		return run, err
	}
	for k, set := range sets {
		if k > 0 && slices.ContainsFunc(sets[k-1], func(atom int) bool { return !slices.Contains(set, atom) }) {
			run.NonNested++
		}
		cell, err := u.cell(ctx, set, u.config.Radius(protocol, u.atoms(), u.config.Budgets[k]))
		if err != nil {
			return run, err
		}
		run.Cells = append(run.Cells, cell)
	}
	run.Atoms = sets[len(sets)-1]
	return run, nil
}

// sets returns the set of each budget.
func (u *unit) sets(ctx context.Context, protocol Protocol, policy Policy) ([][]int, error) {
	budgets := u.config.Budgets
	sets := make([][]int, len(budgets))
	if !protocol.nested() {
		nominal, err := u.solve(ctx, nil, 1)
		if nominal == nil || err != nil {
			return sets, err // no decision to start from, and no set helps
		}
		for k, budget := range budgets {
			set, err := u.path(ctx, policy, u.startDecisions(budget), u.config.Radius(protocol, u.atoms(), budget), budget)
			if err != nil {
				return nil, err
			}
			sets[k] = set
		}
		return sets, nil
	}
	var order []int
	var err error
	if policy == greedyMaxGap || policy == greedyCoverage {
		order, err = u.path(ctx, policy, nil, 1, budgets[len(budgets)-1])
	} else {
		order, err = u.ranking(ctx, policy)
	}
	for k, budget := range budgets {
		sets[k] = order[:min(budget, len(order))]
	}
	return sets, err
}

// randomRun solves the random sets at all budgets. All protocols see the same sets.
func (u *unit) randomRun(ctx context.Context, protocol Protocol) (randomCells, error) {
	run := randomCells{Protocol: protocol}
	for _, budget := range u.config.Budgets {
		random := u.random(streamSets, budget)
		radius := u.config.Radius(protocol, u.atoms(), budget)
		var feasible, heldOut int
		for range u.config.Draws {
			cell, err := u.cell(ctx, random.Perm(u.atoms())[:budget], radius)
			if err != nil {
				return run, err
			}
			feasible += int(indicator(cell.Feasible))
			heldOut += int(indicator(cell.HeldOut))
		}
		run.Feasible = append(run.Feasible, feasible)
		run.HeldOut = append(run.HeldOut, heldOut)
	}
	return run, nil
}

func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
