package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// Sharded is a robust program, as [Problem], whose N atoms lie in blocks on one machine or
// many. The centre has a pool of few atoms. It solves with these; then all blocks verify the
// result, and atoms that object join the pool. Only the pool takes memory at the centre, and
// each round is one pass over the blocks. Build it with [NewSharded]; it does not change.
type Sharded struct {
	engine shard.Engine
	parts  *Problem     // over the null atom alone
	known  []shard.Atom // in the order of their indices
}

// Verification says what the blocks of a [Sharded] confirmed.
type Verification struct {
	// Pool are the atoms at the centre. Row k of the Dictionary of the solution's Problem is
	// Pool[k], with the label "d" and its index; for an empty pool it is the null atom. Given
	// to NewSharded, they save rounds.
	Pool []shard.Atom
	// Indices are the chosen atoms in the whole dictionary; Atoms of the solution are their
	// positions in Pool.
	Indices []int
	// Size is N, and Rounds counts how often all blocks were asked.
	Size, Rounds int
	// Verified tells that no atom outside Pool changes the outcome. Without it a limit ended
	// the rounds: the outcome is Partial, but what it says about X and about bounds still
	// holds against all N atoms.
	Verified bool
}

// ShardedSolution is a solution that the blocks verified. Value, certificates, constraints
// and GapBound hold against all N atoms: outside the pool none has a larger alignment at X in
// float64, and GapBound counts what float64 may have lost.
type ShardedSolution struct {
	Solution *Solution
	Verification
}

// NewSharded checks the parts as [NewProblem] does. The atoms known at the centre from the
// beginning may be nil; the engine asks for the others. It is an error if the engine is nil,
// or if a known atom has a wrong index or dimension or comes twice.
func NewSharded(engine shard.Engine, known []shard.Atom, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*Sharded, error) {
	if engine == nil {
		return nil, errors.New("robust: engine is nil; give one of package shard")
	}
	n, dimension := engine.Size(), engine.Dim()
	if n < 1 || dimension < 1 {
		return nil, fmt.Errorf("robust: the engine has %d atoms of dimension %d; give it blocks", n, dimension)
	}
	null, err := pooled(nil, dimension)
	if err != nil {
		return nil, err
	}
	parts, err := NewProblem(null, region, q, constraints...)
	if err != nil {
		return nil, err
	}
	s := &Sharded{engine, parts, nil}
	for _, atom := range known {
		if atom.Index < 0 || atom.Index >= n {
			return nil, fmt.Errorf("robust: known atom %d is outside [0,%d); use indices in the whole dictionary", atom.Index, n)
		}
	}
	if s.known = joined(nil, known); len(s.known) < len(known) {
		return nil, errors.New("robust: a known atom comes twice; give each once")
	}
	_, err = s.over(s.known, nil)
	return s, err
}

// MarshalJSON is an error: blocks do not travel.
func (s *Sharded) MarshalJSON() ([]byte, error) {
	return nil, errors.New("robust: the blocks of a Sharded do not travel; write its results")
}

// Save writes the solution as [Solution.Save] does. The dictionary of the file is the pool:
// that no other atom matters, which a note says, cannot be checked from the file.
func (s *ShardedSolution) Save(path string, record *Record) error {
	return s.Solution.Save(path, s.record(record))
}

// record adds to a record what a file does not prove.
func (v *Verification) record(given *Record) *Record {
	var record Record
	if given != nil {
		record = *given
		record.Note += "\n"
	}
	record.Note += fmt.Sprintf("All atoms of this file are the pool of %d atoms out of %d, labelled by their indices. The blocks of the others were asked %d times and found, in float64, none with a larger alignment at the decision. A check of this file proves its claims about the pool, not this comparison.",
		len(v.Pool), v.Size, v.Rounds)
	return &record
}

// pooled returns the dictionary of a pool, of the null atom if it is empty.
func pooled(pool []shard.Atom, dimension int) (*sparsero.Dictionary, error) {
	if len(pool) == 0 {
		pool = []shard.Atom{{Index: sparsero.NullAtom, Values: make([]float64, dimension)}}
	}
	rows, labels := mat.NewDense(len(pool), dimension, nil), make([]string, len(pool))
	for k, atom := range pool {
		if len(atom.Values) != dimension {
			return nil, fmt.Errorf("robust: atom %d has %d coordinates, the engine's atoms have %d", atom.Index, len(atom.Values), dimension)
		}
		rows.SetRow(k, atom.Values)
		if labels[k] = "d" + strconv.Itoa(atom.Index); atom.Index == sparsero.NullAtom {
			labels[k] = "null"
		}
	}
	return sparsero.NewDictionary(rows, &sparsero.DictionaryOptions{Labels: labels})
}

// over returns the program with the atoms of a pool, as a part of atoms of the given sizes.
func (s *Sharded) over(pool []shard.Atom, sizes []float64) (*Problem, error) {
	atoms, err := pooled(pool, s.engine.Dim())
	if err == nil && sizes != nil {
		atoms, err = atoms.AsPart(sizes)
	}
	if err != nil {
		return nil, err
	}
	problem := *s.parts
	problem.dictionary, problem.part = atoms, true
	return &problem, nil
}

// joined returns a pool in the order of the indices with the atoms that it does not have yet.
func joined(pool, atoms []shard.Atom) []shard.Atom {
	all := slices.Concat(pool, atoms)
	slices.SortStableFunc(all, func(a, b shard.Atom) int { return cmp.Compare(a.Index, b.Index) })
	return slices.CompactFunc(all, func(a, b shard.Atom) bool { return a.Index == b.Index })
}

// rounds is the work of a method: it alternates between the pool and the blocks.
type rounds struct {
	*Sharded
	options Options
	pool    []shard.Atom // in the order of their indices
	sizes   []float64    // of the coordinates of all N atoms, nil before the first round
	number  int
}

func (s *Sharded) newRounds(o *Options) (*rounds, error) {
	if s == nil || s.parts == nil {
		return nil, errors.New("robust: the sharded problem is nil or empty; build it with NewSharded")
	}
	options, err := o.withDefaults()
	return &rounds{Sharded: s, options: options, pool: s.known}, err
}

// positions returns where atoms are in the pool.
func (r *rounds) positions(indices []int) ([]int, error) {
	places := make([]int, len(indices))
	for k, index := range indices {
		place, found := slices.BinarySearchFunc(r.pool, index, func(a shard.Atom, i int) int { return cmp.Compare(a.Index, i) })
		if !found {
			return nil, fmt.Errorf("robust: Start: the centre does not know atom %d; give it to NewSharded", index)
		}
		places[k] = place
	}
	return places, nil
}

// indices returns which atoms are at positions of the pool.
func (r *rounds) indices(positions []int) []int {
	found := make([]int, len(positions))
	for k, place := range positions {
		found[k] = r.pool[place].Index
	}
	return found
}

// verify asks all blocks. It returns the problem over the pool and, behind it, the atoms that
// object, and takes these into the pool.
func (r *rounds) verify(ctx context.Context, problem *Problem, directions *mat.Dense, task *shard.Task) (*Problem, Verification, error) {
	m, _ := directions.Dims()
	for j := range m {
		known := problem.dictionary.Support(directions.RawRowView(j))
		task.Known = append(task.Known, math.Nextafter(known, 0)) // so that equals of lower index come, too
	}
	n := r.engine.Size()
	answer, err := r.engine.Run(ctx, task)
	if err != nil {
		return nil, Verification{}, fmt.Errorf("robust: round %d over the blocks: %w", r.number+1, err)
	}
	if len(answer.Full) != m || !slices.Equal(answer.Ranges, []shard.Range{{From: 0, To: n}}) {
		return nil, Verification{}, fmt.Errorf("robust: the blocks answered for atoms %v of %d in %d of %d directions; ask every block", answer.Ranges, n, len(answer.Full), m)
	}
	behind := slices.Clone(r.pool)
	for _, atom := range answer.Challengers {
		if !slices.ContainsFunc(r.pool, func(a shard.Atom) bool { return a.Index == atom.Index }) {
			behind = append(behind, atom)
		}
	}
	grown, err := r.over(behind, answer.Sizes)
	if err != nil {
		return nil, Verification{}, err
	}
	for j, full := range answer.Full {
		if reached := grown.dictionary.Support(directions.RawRowView(j)); reached != full {
			return nil, Verification{}, fmt.Errorf("robust: the blocks report the support %v in direction %d, but their atoms reach %v; let all workers run one version on the same atoms", full, j, reached)
		}
	}
	verified := len(behind) == len(r.pool)
	r.pool, r.sizes, r.number = joined(nil, behind), answer.Sizes, r.number+1
	return grown, Verification{Pool: behind, Size: n, Rounds: r.number, Verified: verified}, nil
}
