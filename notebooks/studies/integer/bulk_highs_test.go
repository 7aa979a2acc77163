//go:build cgo

package integer_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/integer"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/robust"
)

// program is one small integer program: n = 30 binaries, three rows and three
// more for every atom.
type program struct {
	instance int
	atoms    []int
}

// bulk draws programs of the default instances with 0, 4 and 10 atoms, each as
// often: 3, 15 and 33 rows besides the cardinality.
func bulk(b *testing.B, instances, programs int) ([]*datasets.IntegerInstance, []program) {
	drawn := make([]*datasets.IntegerInstance, instances)
	for k := range drawn {
		i, err := datasets.NewIntegerInstance(datasets.IntegerOptions{Seed: uint64(5000 + k)})
		if err != nil {
			b.Fatal(err)
		}
		drawn[k] = i
	}
	random := rand.New(rand.NewPCG(1, 1))
	list := make([]program, programs)
	for k := range list {
		i := k % instances
		list[k] = program{i, random.Perm(drawn[i].Dictionary.Size())[:[]int{0, 4, 10}[k/instances%3]]}
	}
	return drawn, list
}

// BenchmarkBulk solves many small integer programs: with HiGHS one by one and on
// two workers, and by enumeration, which lists the decisions of an instance once.
// The time is per program.
func BenchmarkBulk(b *testing.B) {
	instances, programs := bulk(b, 4, 24)
	models := make([]*robust.Problem, len(instances))
	for k, i := range instances {
		p, err := integer.Problem(i)
		if err != nil {
			b.Fatal(err)
		}
		models[k] = p
	}
	for k, name := range []string{"HiGHS one by one", "HiGHS on two workers"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				solveInBulk(b, models, programs, k+1)
			}
			perProgram(b, len(programs))
		})
	}
	b.Run("enumeration", func(b *testing.B) {
		_, programs := bulk(b, len(instances), 100*len(instances))
		for b.Loop() {
			enumerateInBulk(b, instances, programs)
		}
		perProgram(b, len(programs))
	})
}

func perProgram(b *testing.B, programs int) {
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*programs), "µs/program")
}

// solveInBulk shares the programs among workers, each of which takes the next one.
func solveInBulk(b *testing.B, models []*robust.Problem, programs []program, workers int) {
	next := make(chan program)
	var group sync.WaitGroup
	for range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for p := range next {
				_, err := models[p.instance].Solve(context.Background(), p.atoms, 1, &robust.Options{Solver: &solver.Options{RelativeGap: -1}})
				if err != nil && !errors.Is(err, solver.ErrInfeasible) {
					b.Error(err)
				}
			}
		}()
	}
	for _, p := range programs {
		next <- p
	}
	close(next)
	group.Wait()
}

// enumerateInBulk lists the decisions of every instance and answers its programs.
func enumerateInBulk(b *testing.B, instances []*datasets.IntegerInstance, programs []program) {
	for k, i := range instances {
		e, err := integer.NewEnumeration(i)
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range programs {
			if p.instance != k {
				continue
			}
			if _, err := e.Solve(p.atoms, 1); err != nil && !errors.Is(err, solver.ErrInfeasible) {
				b.Fatal(err)
			}
		}
	}
}
