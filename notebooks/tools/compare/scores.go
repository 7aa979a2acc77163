package compare

import (
	"fmt"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/large"
	"gonum.org/v1/gonum/mat"
)

const (
	// greedyTarget is how many times faster than lazy NumPy greedy is to be.
	greedyTarget = 10
	// productTarget is how many times the best product scores and greedy may take.
	productTarget = 1.5
	// gapTarget is how many times faster than NumPy's full scan max-gap is to be.
	gapTarget = 20
)

// data is a dictionary with its probe directions, known to both sides.
type data struct {
	name                 string
	atoms, directions    array[float32]
	source               large.Atoms
	dense                *mat.Dense // directions
	budget               int
	names                arguments // of the arrays, as multiply wants them
	sizes                string
	float64Scores, given string // names of the scores that the peers hold
}

// prepare shares a dictionary with the peers, which compute its scores. Each side
// holds the same numbers in the type it is used with: NumPy float32, we a
// [sparsero.Dictionary].
func (c *comparison) prepare(name string, atoms, directions array[float32], budget int) (*data, error) {
	dictionary, err := sparsero.NewDictionary(atoms.dense())
	if err != nil {
		return nil, err
	}
	d := &data{
		name: name, atoms: atoms, directions: directions, source: large.FromDictionary(dictionary), dense: directions.dense(), budget: budget,
		names:         arguments{"atoms": "atoms", "directions": "directions", "scores": "scores"},
		sizes:         fmt.Sprintf("N=%s, M=%s, p=%d, B=%d", thousands(atoms.rows), thousands(directions.rows), atoms.columns, budget),
		float64Scores: "wide", given: "scores",
	}
	if err := c.share("atoms", atoms); err != nil {
		return nil, err
	}
	if err := c.share("directions", directions); err != nil {
		return nil, err
	}
	return d, c.peers.each("multiply", d.names)
}

// coverage computes our scores with the given number of threads.
func (d *data) coverage(c *comparison, threads int) (*large.Coverage, error) {
	return large.NewCoverage(c.ctx, d.source, d.dense, &large.Options{Workers: threads})
}

// planar compares greedy on the X-shaped data of the paper.
func (c *comparison) planar() error {
	x, err := datasets.NewXShape(datasets.XShapeOptions{Seed: 26})
	if err != nil {
		return err
	}
	d, err := c.prepare("X-shaped", narrow(x.Dictionary.Matrix()), narrow(x.Directions), c.scale.PlanarBudget)
	if err != nil {
		return err
	}
	return c.greedyOnScores(d, "heap", "batches", "naive")
}

// highDimensional compares everything about scores on isotropic and clustered
// atoms.
func (c *comparison) highDimensional() error {
	for _, kind := range []struct {
		name     string
		clusters int
	}{{"isotropic", 0}, {"clustered", 200}} {
		s := c.scale
		all := cloud(5, s.Atoms+s.Directions, s.Dimension, kind.clusters)
		d, err := c.prepare(kind.name, all.slice(0, s.Atoms), all.slice(s.Atoms, s.Atoms+s.Directions), s.Budget)
		if err != nil {
			return err
		}
		if kind.clusters == 0 { // the product is the same for both kinds; one thread once will do
			if err := c.scoresAndGreedy(d, 1); err != nil {
				return err
			}
		}
		if err := c.scoresAndGreedy(d, 2); err != nil {
			return err
		}
		if err := c.greedyOnScores(d, "heap", "batches"); err != nil {
			return err
		}
		if err := c.gaps(d); err != nil {
			return err
		}
	}
	return nil
}

// call makes a side of a function of a peer.
func (c *comparison) call(p *peer, name string, with arguments, result any) side {
	return func() (float64, error) { return p.call(name, with, result) }
}

// selected turns a selection into a choice by its coverage.
func selected(s *selection.Selection) choice {
	return choice{s.Atoms, s.Coverage[s.Len()-1]}
}

// scoresAndGreedy compares one product of the BLAS, scores and greedy by NumPy,
// and ours, as shipped and with the best core type.
func (c *comparison) scoresAndGreedy(d *data, threads int) error {
	if err := c.peers.each("threads", arguments{"count": threads}); err != nil {
		return err
	}
	var mine choice
	sides := []side{
		ours(func() error { _, err := d.coverage(c, threads); return err }),
		ours(func() error {
			coverage, err := d.coverage(c, threads)
			if err != nil {
				return err
			}
			s, err := large.Greedy{SkipBounds: true}.Select(c.ctx, coverage, d.budget)
			if err == nil {
				mine = selected(s)
			}
			return err
		}),
	}
	processes := c.peers.processes()
	theirs := make([]choice, len(processes))
	for k, p := range processes {
		sides = append(sides, c.call(p, "multiply", d.names, nil), c.call(p, "multiply_and_greedy",
			arguments{"atoms": "atoms", "directions": "directions", "rule": "batches", "budget": d.budget}, &theirs[k]))
	}
	measured, err := inTurn(c.ctx, c.scale.Repetitions, sides...)
	if err != nil {
		return err
	}
	scores, whole := measured[0], measured[1]
	limit := 1e3 * measured[2+2*(len(processes)-1)].median() // the product by the best core type
	for k, p := range processes {
		verdict, err := agree(theirs[k], mine, singleTolerance)
		if err != nil {
			return err
		}
		which, name := "best", c.peers.name(p) // the last process; the first one alone is both
		if k < len(processes)-1 {
			which = "shipped"
		}
		product := timed(key("scores", d.name, threads, which), fmt.Sprintf("scores, %s, %s, %s", d.name, d.sizes, threadCount(threads)), measured[2+2*k], scores)
		product.Peer, product.Agreement = "one SGEMM, "+name, "through the picks of greedy"
		greedy := timed(key("scores_greedy", d.name, threads, which), fmt.Sprintf("scores + greedy, %s, %s, %s", d.name, d.sizes, threadCount(threads)), measured[3+2*k], whole)
		greedy.Peer, greedy.Agreement = "NumPy SGEMM + lazy greedy, "+name, verdict
		for _, r := range []*Row{&product, &greedy} {
			r.LimitName, r.Limit = "one SGEMM by the best core type", limit
		}
		if threads == 2 {
			greedy.Target = Target{Limit: productTarget}
		}
		c.add(product, greedy)
	}
	return nil
}

// greedyOnScores compares greedy on scores that both sides have, the first gains
// included.
func (c *comparison) greedyOnScores(d *data, rules ...string) error {
	coverage, err := d.coverage(c, 2)
	if err != nil {
		return err
	}
	if err := c.peers.each("threads", arguments{"count": 2}); err != nil {
		return err
	}
	var mine choice
	theirs := make([]choice, len(rules))
	sides := []side{ours(func() error {
		s, err := large.Greedy{SkipBounds: true}.Select(c.ctx, coverage, d.budget)
		if err == nil {
			mine = selected(s)
		}
		return err
	}), c.call(c.peers.best, "one_pass", arguments{"scores": d.given}, nil)}
	for k, rule := range rules {
		sides = append(sides, c.call(c.peers.best, "greedy", arguments{"scores": d.given, "rule": rule, "budget": d.budget}, &theirs[k]))
	}
	measured, err := inTurn(c.ctx, c.scale.Repetitions, sides...)
	if err != nil {
		return err
	}
	for k, rule := range rules {
		r := timed(key("greedy", d.name, rule), fmt.Sprintf("greedy on given scores, %s, %s", d.name, d.sizes), measured[2+k], measured[0])
		r.LimitName, r.Limit = "one pass over the scores by the best core type", 1e3*measured[1].median()
		r.Peer = map[string]string{"heap": "NumPy lazy, heap", "batches": "NumPy lazy, batches", "naive": "NumPy naive"}[rule]
		if rule != "naive" {
			r.Target = Target{Ratio: greedyTarget}
		}
		if r.Agreement, err = agree(theirs[k], mine, singleTolerance); err != nil {
			return err
		}
		c.add(r)
	}
	return nil
}

func threadCount(threads int) string {
	if threads == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", threads)
}
