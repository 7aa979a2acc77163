package blocks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/screen"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// usualRounds is how many rounds a selection takes at most unless it is told otherwise; three to eight are seen.
const usualRounds = 20

var errNoAtoms = errors.New("blocks: the engine is nil or has no atoms; use a Folder or a Beam with blocks")

// Options tune [Select]. Nil and the zero value work.
type Options struct {
	// Rounds is how many paths are verified at most. Default 0, 20.
	Rounds int
	// Propose is how many atoms a block proposes. Default 0, the budget.
	Propose int
	// SkipBounds leaves the bounds at F([N];T). They take most of the time and nearly all of
	// the answers. Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each round.
	Progress func(Round)
}

// Result is a selection from all blocks.
type Result struct {
	// Selection is the path. Its Atoms are indices in the whole dictionary; coverage, worst deficit and bounds are over
	// all N atoms, and the bounds hold whether or not the path is verified. OracleCalls are those of the centre.
	Selection *selection.Selection
	// Chosen are the atoms of the path with their coordinates, of which [Dictionary] makes a dictionary.
	Chosen []Atom
	// Same is up to which budget the path is proven to be that of selection.Greedy{StopAtFull: true} on one machine
	// with all atoms, the same to the last bit.
	Same int
	// Verified tells that all of the path is, and that it ends where that of one machine does.
	Verified bool
	// Rounds is the log.
	Rounds []Round
}

// Round is a greedy path at the centre and its verification.
type Round struct {
	Number     int
	Candidates int           // atoms that the centre chose from
	Same       int           // picks that no atom of any block beats
	Joined     int           // atoms that beat a pick and join the candidates
	Elapsed    time.Duration // since the start
}

// Select chooses at most budget atoms that greedy on all blocks together would choose, and stops where no atom gains.
// Blocks propose atoms, the centre runs greedy on the proposals, blocks verify its path, and better atoms join until
// none is left or Options.Rounds are over. T is given as M×p directions. The centre holds the proposals alone: memory
// O((B K + M) p) for K blocks.
//
// It is an error if the directions are missing, not finite or of another dimension, if the
// budget is outside 1..N, or if the engine fails or leaves out a block.
func Select(ctx context.Context, engine Engine, directions mat.Matrix, budget int, o *Options) (*Result, error) {
	if input.Missing(engine) || engine.Size() < 1 {
		return nil, errNoAtoms
	}
	if n := engine.Size(); budget < 1 || budget > n {
		return nil, fmt.Errorf("blocks: budget %d for %d atoms; use between 1 and %d", budget, n, n)
	}
	task, err := NewTask(directions)
	if err != nil {
		return nil, err
	}
	c := &centre{engine: engine, directions: mat.DenseCopyOf(directions), budget: budget, started: time.Now()}
	if o != nil {
		c.options = *o
	}
	if c.options.Rounds == 0 {
		c.options.Rounds = usualRounds
	}
	if task.Propose = c.options.Propose; task.Propose == 0 {
		task.Propose = budget
	}
	if c.options.Rounds < 1 || task.Propose < 1 {
		return nil, fmt.Errorf("blocks: %d rounds, %d proposals; use positive counts, or 0 for the defaults", c.options.Rounds, task.Propose)
	}
	proposals, err := Ask(ctx, engine, task)
	if err != nil {
		return nil, err
	}
	c.candidates, c.full = proposals.Proposed, proposals.Full
	spread := screen.Spread{Largest: proposals.Sizes, Last: proposals.Bits}
	c.rounding = spread.Rounding(engine.Size(), task.Directions)
	for {
		if err := c.round(ctx); err != nil {
			return nil, err
		}
		if last := c.result.Rounds[len(c.result.Rounds)-1]; last.Joined == 0 || last.Number == c.options.Rounds {
			return &c.result, nil
		}
	}
}

// centre is what the centre of a selection knows.
type centre struct {
	engine     Engine
	options    Options
	directions *mat.Dense
	budget     int
	candidates []Atom // in the order of their indices
	full       []float64
	rounding   screen.Rounding
	result     Result
	started    time.Time
}

// round runs greedy on the candidates, has the path verified, and lets better atoms join.
func (c *centre) round(ctx context.Context) error {
	path, chosen, err := c.greedy(ctx)
	if err != nil {
		return err
	}
	task, err := NewTask(c.directions)
	if err != nil {
		return err
	}
	task.Largest = challengersPerState
	if !c.options.SkipBounds {
		task.Largest = max(challengersPerState, path.Len())
	}
	for t, atom := range chosen {
		task.Path = append(task.Path, Step{Atom: atom, Gain: path.Gains[t]})
	}
	if len(chosen) < c.budget {
		task.Path = append(task.Path, Step{Atom: Atom{Index: NoAtom}})
	}
	answer, err := Ask(ctx, c.engine, task)
	if err != nil {
		return err
	}
	same := answer.verified()
	round := Round{
		Number: len(c.result.Rounds) + 1, Candidates: len(c.candidates), Same: min(same, path.Len()), Joined: len(answer.Challengers), Elapsed: time.Since(c.started),
	}
	c.finish(path, task, answer.States)
	c.result.Selection, c.result.Chosen = path, chosen
	c.result.Same, c.result.Verified = round.Same, same == len(answer.States)
	c.result.Rounds = append(c.result.Rounds, round)
	if c.options.Progress != nil {
		c.options.Progress(round)
	}
	c.candidates, err = joinAtoms(c.candidates, answer.Challengers)
	return err
}

// verified returns before how many steps of the path no atom beats the pick; the end counts as
// one, if the path ends early.
func (a *Answer) verified() int {
	if t := slices.IndexFunc(a.States, func(gains []Entry) bool { return len(gains) > 0 && gains[0].Beats }); t >= 0 {
		return t
	}
	return len(a.States)
}

// Dictionary returns atoms as a dictionary, with the labels that their indices have in the whole one.
// It is an error if there are none, or if they differ in dimension or are not finite.
func Dictionary(atoms []Atom) (*sparsero.Dictionary, error) {
	if len(atoms) == 0 {
		return nil, errors.New("blocks: there are no atoms; give those of a Result, or of an Answer")
	}
	p := len(atoms[0].Values)
	values, labels := make([]float64, 0, len(atoms)*p), make([]string, len(atoms))
	for k, atom := range atoms {
		if len(atom.Values) != p || p == 0 {
			return nil, fmt.Errorf("blocks: atom %d has %d coordinates, atom %d has %d; use equal numbers", atom.Index, len(atom.Values), atoms[0].Index, p)
		}
		values = append(values, atom.Values...)
		labels[k] = label(atom.Index)
	}
	dictionary, err := sparsero.NewDictionary(mat.NewDense(len(atoms), p, values), &sparsero.DictionaryOptions{Labels: labels})
	if err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	return dictionary, nil
}

// greedy runs greedy on the candidates.
func (c *centre) greedy(ctx context.Context) (*selection.Selection, []Atom, error) {
	if len(c.candidates) == 0 {
		return &selection.Selection{Policy: "greedy"}, nil, nil
	}
	dictionary, err := Dictionary(c.candidates)
	if err != nil {
		return nil, nil, err
	}
	coverage, err := selection.NewCoverage(dictionary, c.directions, &selection.CoverageOptions{Context: ctx})
	if err != nil {
		return nil, nil, err
	}
	rule := selection.Greedy{StopAtFull: true, SkipBounds: true}
	path, err := rule.Select(ctx, coverage, min(c.budget, len(c.candidates)))
	if err != nil {
		return nil, nil, err
	}
	if path.Partial {
		return nil, nil, ctx.Err()
	}
	chosen := make([]Atom, path.Len())
	for t, k := range path.Atoms {
		chosen[t] = c.candidates[k]
	}
	return path, chosen, nil
}

// finish makes a path of the candidates one of the whole dictionary.
func (c *centre) finish(path *selection.Selection, task *Task, states [][]Entry) {
	path.FullCoverage = screen.Mean(c.full)
	bounds := slices.Repeat([]float64{c.rounding.AtMost(path.FullCoverage)}, path.Len())
	path.WorstDeficit = make([]float64, path.Len())
	current := make([]float64, len(c.full))
	for t := range path.Atoms {
		path.Atoms[t] = task.Path[t].Atom.Index
		task.raise(current, task.Path[t].Atom.Values)
		for s, full := range c.full {
			path.WorstDeficit[t] = max(path.WorstDeficit[t], full-current[s])
		}
	}
	if c.options.SkipBounds {
		states = nil
	}
	value := 0.0
	for t, state := range states[:min(len(states), path.Len()+1)] {
		gains := make([]float64, len(state))
		for k, entry := range state {
			gains[k] = entry.Value
		}
		c.rounding.Tighten(bounds, value, gains)
		if t < path.Len() {
			value = path.Coverage[t]
		}
	}
	path.Bounds = make([]proof.Upper, path.Len())
	for t, bound := range bounds {
		path.Bounds[t] = proof.AtMost(bound)
	}
}
