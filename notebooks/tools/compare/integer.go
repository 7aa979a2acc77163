package compare

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/integer"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

const (
	// enumerationTarget is how many times faster than HiGHS one by one the
	// enumeration is to be.
	enumerationTarget = 50
	// workersTarget is what a second worker is to bring.
	workersTarget = 1.6
	// integerSeed is the first seed of the instances.
	integerSeed = 5000
	// atomsPerSet is how many atoms each integer program is robust against.
	atomsPerSet = 10
)

// integerPrograms compares many small robust integer programs of the family of
// section 5.3: random sets of atoms of a few instances.
func (c *comparison) integerPrograms() error {
	count := c.scale.Sets
	var all [4]times // SciPy, ours one by one, ours by two workers, enumeration
	for k := range c.scale.Instances {
		instance, err := datasets.NewIntegerInstance(datasets.IntegerOptions{Seed: integerSeed + uint64(k)})
		if err != nil {
			return err
		}
		measured, err := c.integerInstance(instance, uint64(k))
		if err != nil {
			return err
		}
		for side, t := range measured {
			if all[side] == nil {
				all[side] = make(times, len(t))
			}
			for repetition, seconds := range t {
				all[side][repetition] += seconds
			}
		}
	}
	sizes := fmt.Sprintf("%d small robust MILPs, n=30, %d atoms", c.scale.Instances*count, atomsPerSet)
	const verdict = "optima within 1e-7 relative, infeasible ones too"
	row := func(name, workload, peer string, theirs, ours times, target float64) {
		r := timed(key("milp", name), sizes+workload, theirs, ours)
		r.Peer, r.Agreement, r.Target = peer, verdict, Target{Ratio: target}
		c.add(r)
	}
	row("highs", ", HiGHS", "SciPy milp, HiGHS", all[0], all[1], 0)
	row("workers", ", HiGHS, two workers", "our HiGHS, one by one", all[1], all[2], workersTarget)
	row("enumeration", ", enumeration", "our HiGHS, one by one", all[1], all[3], enumerationTarget)
	row("enumeration_scipy", ", enumeration", "SciPy milp, HiGHS", all[0], all[3], enumerationTarget)
	return nil
}

// integerInstance solves one instance for all sets by all four sides.
func (c *comparison) integerInstance(instance *datasets.IntegerInstance, seed uint64) ([]times, error) {
	for name, part := range map[string]mat.Matrix{
		"cost": mat.NewDense(1, len(instance.Cost), instance.Cost), "base": instance.Base, "extra": instance.Extra,
		"scenarios": instance.Dictionary.Matrix(),
	} {
		if err := c.share(name, wide(part)); err != nil {
			return nil, err
		}
	}
	problem, err := integer.Problem(instance)
	if err != nil {
		return nil, err
	}
	source := rand.New(rand.NewPCG(seed, integerSeed))
	sets := make([][]int, c.scale.Sets)
	for k := range sets {
		sets[k] = source.Perm(instance.Dictionary.Size())[:atomsPerSet]
	}
	var theirs []*float64
	mine := [3][]*float64{}
	measured, err := inTurn(c.ctx, c.scale.Repetitions,
		c.call(c.peers.shipped, "integer_programs", arguments{
			"cost": "cost", "base": "base", "extra": "extra", "atoms": "scenarios", "cardinality": instance.Cardinality, "sets": sets,
		}, &theirs),
		ours(func() (err error) { mine[0], err = c.solveAll(problem, sets, 1); return err }),
		ours(func() (err error) { mine[1], err = c.solveAll(problem, sets, 2); return err }),
		ours(func() (err error) { mine[2], err = enumerateAll(instance, sets); return err }),
	)
	if err != nil {
		return nil, err
	}
	for _, values := range mine {
		for k := range sets {
			if (values[k] == nil) != (theirs[k] == nil) || values[k] != nil && math.Abs(*values[k]-*theirs[k]) > optimumTolerance*(1+math.Abs(*theirs[k])) {
				return nil, fmt.Errorf("compare: instance %d, set %d: the optima are %v (peer) and %v", seed, k, theirs[k], values[k])
			}
		}
	}
	return measured, nil
}

// solveAll solves the program for every set with HiGHS; nil stands for infeasible.
func (c *comparison) solveAll(problem *robust.Problem, sets [][]int, workers int) ([]*float64, error) {
	values, failed := make([]*float64, len(sets)), make([]error, workers)
	var next atomic.Int64
	var group sync.WaitGroup
	for worker := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for k := int(next.Add(1)) - 1; k < len(sets) && failed[worker] == nil; k = int(next.Add(1)) - 1 {
				values[k], failed[worker] = c.solveOne(problem, sets[k])
			}
		}()
	}
	group.Wait()
	return values, errors.Join(failed...)
}

func (c *comparison) solveOne(problem *robust.Problem, atoms []int) (*float64, error) {
	s, err := problem.Solve(c.ctx, atoms, 1, &robust.Options{Solver: &solver.Options{RelativeGap: -1}})
	if errors.Is(err, solver.ErrInfeasible) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &s.Value, nil
}

// enumerateAll lists the decisions of the instance, then looks up every set.
func enumerateAll(instance *datasets.IntegerInstance, sets [][]int) ([]*float64, error) {
	e, err := integer.NewEnumeration(instance, &integer.EnumerationOptions{Radii: []float64{1}})
	if err != nil {
		return nil, err
	}
	values := make([]*float64, len(sets))
	for k, atoms := range sets {
		decision, err := e.Solve(atoms, 1)
		if errors.Is(err, solver.ErrInfeasible) {
			continue
		}
		if err != nil {
			return nil, err
		}
		values[k] = &decision.Value
	}
	return values, nil
}
