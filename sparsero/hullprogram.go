package sparsero

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// separationTolerance is how far, in units in which the largest entry of each
	// coordinate is about 1, a direction must separate an atom from a hull to count
	// without a proof. It is above the rounding error of a scalar product.
	separationTolerance = 1e-9
	// negligible is the size in these units below which an entry is left out of linear
	// programs; only their proposals can be worse for it.
	negligible = 1e-12
	// seedLimit bounds the multiplications spent on finding vertices without
	// linear programs.
	seedLimit = 2e8
)

// vertexSearch finds the vertices of conv(D ∪ {0}) in any dimension (Clarkson
// 1994). Each atom is either separated from the hull of the vertices found so
// far, and then the farthest atom in the separating direction is a new vertex,
// or its gauge proves that it lies inside and it is dropped. The separating direction solves
//
//	max <s,d_i> - t  subject to  <s,d_j> <= t for known vertices j, t >= 0, |s| <= 1,
//
// one polyhedron with changing objectives.
type vertexSearch struct {
	dictionary *Dictionary
	scaled     *mat.Dense // atoms with each coordinate brought to largest entry about 1
	session    *solver.Session
	vertices   []int
	rows       map[int]int // row of each vertex in the program
	suspects   []int       // vertices that are not proven to be some
	gauge      *Gauge      // of the vertices, nil until it is asked for
}

func verticesByPrograms(ctx context.Context, d *Dictionary) (vertices []int, err error) {
	v := &vertexSearch{dictionary: d, scaled: mat.NewDense(d.Size(), d.Dim(), nil), rows: map[int]int{}}
	v.scaled.Apply(func(_, j int, value float64) float64 {
		_, exponent := math.Frexp(d.reach[j])
		return math.Ldexp(value, -exponent)
	}, d.atoms)
	if err := v.open(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.session.Close(), v.closeGauge()) }()
	if err := v.seed(); err != nil {
		return nil, err
	}
	for i := range d.Size() {
		if err := v.settle(ctx, i); err != nil {
			return nil, err
		}
	}
	if err := v.review(ctx); err != nil {
		return nil, err
	}
	slices.Sort(v.vertices)
	return v.vertices, nil
}

// open starts the program without rows: columns s_1..s_p in [-1,1] and t >= 0.
func (v *vertexSearch) open() error {
	model := solver.NewModel("vertex search")
	model.SetSense(solver.Maximize)
	for j := range v.dictionary.Dim() {
		model.AddColumn(solver.Column{Name: "s " + v.dictionary.Column(j), Bounds: solver.Between(-1, 1)})
	}
	model.AddColumn(solver.Column{Name: "t", Bounds: solver.AtLeast(0), Cost: -1})
	var err error
	if v.session, err = solver.Open(model, nil); err != nil {
		return fmt.Errorf("sparsero: cannot open the vertex search: %w", err)
	}
	return nil
}

// seed finds vertices without programs, as maximisers in the coordinate
// directions and, while it is cheap, in the directions of the atoms.
func (v *vertexSearch) seed() error {
	n, p := v.scaled.Dims()
	direction := make([]float64, p)
	for j := range p {
		for _, sign := range []float64{1, -1} {
			direction[j] = sign
			if err := v.addFarthest(direction); err != nil {
				return err
			}
		}
		direction[j] = 0
	}
	if float64(n)*float64(n)*float64(p) > seedLimit {
		return nil
	}
	for i := range n {
		if err := v.addFarthest(v.scaled.RawRowView(i)); err != nil {
			return err
		}
	}
	return nil
}

// settle decides atom i: it becomes a vertex or is found inside the hull.
func (v *vertexSearch) settle(ctx context.Context, i int) error {
	for {
		if _, known := v.rows[i]; known {
			return nil
		}
		inside, err := v.isInside(ctx, i, (*Gauge).proposed)
		if err != nil || inside {
			return err
		}
		direction, err := v.separate(ctx, i)
		if err != nil {
			return err
		}
		if direction != nil {
			if err := v.addFarthest(direction); err != nil {
				return err
			}
			continue
		}
		if inside, err = v.isInside(ctx, i, (*Gauge).Of); err != nil || inside {
			return err
		}
		v.suspects = append(v.suspects, i)
		return v.add(i)
	}
}

// isInside tells whether atom i, which is no vertex, is proven to lie in the hull of the
// vertices and 0: its gauge is at most 1.
func (v *vertexSearch) isInside(ctx context.Context, i int, of func(*Gauge, context.Context, []float64) (float64, []float64, error)) (bool, error) {
	if v.gauge == nil {
		var err error
		if v.gauge, err = NewGauge(&AtomicSet{dictionary: v.dictionary, atoms: slices.Clone(v.vertices)}, nil); err != nil {
			return false, err
		}
	}
	value, _, err := of(v.gauge, ctx, v.dictionary.atoms.RawRowView(i))
	return value <= 1, err
}

func (v *vertexSearch) closeGauge() error {
	if v.gauge == nil {
		return nil
	}
	gauge := v.gauge
	v.gauge = nil
	return gauge.Close()
}

// separate looks for a direction in which atom i is farther out than every vertex but
// itself, and than the origin; nil if it finds none.
func (v *vertexSearch) separate(ctx context.Context, i int) ([]float64, error) {
	atom := v.scaled.RawRowView(i)
	for j, value := range atom {
		if err := v.session.SetCost(j, value); err != nil {
			return nil, err
		}
	}
	result, err := v.session.Solve(ctx)
	if err == nil {
		err = result.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("sparsero: vertex search at atom %d: %w", i, errors.Join(err, ctx.Err()))
	}
	direction := result.X[:len(atom)]
	reach := 0.0
	for _, j := range v.vertices {
		if j != i {
			reach = max(reach, floats.Dot(v.scaled.RawRowView(j), direction))
		}
	}
	// The answer of the solver is only a proposal: what counts is the separation.
	if floats.Dot(atom, direction)-reach > separationTolerance {
		return direction, nil
	}
	return nil, nil
}

// addFarthest adds the farthest atom in a direction to the vertices. Among atoms
// that tie exactly the lexicographically largest is a vertex of their face.
func (v *vertexSearch) addFarthest(direction []float64) error {
	best, reach, second := NullAtom, 0.0, 0.0
	for i := range v.dictionary.Size() {
		atom := v.scaled.RawRowView(i)
		value := floats.Dot(atom, direction)
		order := 0
		if best != NullAtom {
			order = slices.Compare(atom, v.scaled.RawRowView(best))
		}
		switch {
		case value > reach || value == reach && best != NullAtom && order > 0:
			best, reach, second = i, value, reach
		case best == NullAtom || order != 0:
			second = max(second, value)
		}
	}
	if _, known := v.rows[best]; known || best == NullAtom {
		return nil
	}
	if reach-second <= separationTolerance {
		v.suspects = append(v.suspects, best)
	}
	return v.add(best)
}

func (v *vertexSearch) add(i int) error {
	p := v.dictionary.Dim()
	row := solver.Row{Bounds: solver.AtMost(0), Columns: make([]int, p+1), Values: append(slices.Clone(v.scaled.RawRowView(i)), -1)}
	for j := range row.Columns {
		row.Columns[j] = j
		if math.Abs(row.Values[j]) < negligible {
			row.Values[j] = 0
		}
	}
	index, err := v.session.AddRow(row)
	if err != nil {
		return fmt.Errorf("sparsero: vertex search at atom %d: %w", i, err)
	}
	v.rows[i] = index
	v.vertices = append(v.vertices, i)
	return v.closeGauge() // it was that of fewer vertices
}

// review drops the suspects that are proven to lie in the hull of the other vertices:
// points of an edge or face that rounding made look like corners.
func (v *vertexSearch) review(ctx context.Context) error {
	for _, i := range v.suspects {
		row := v.rows[i]
		if err := v.session.SetRowBounds(row, solver.Bounds{}); err != nil {
			return err
		}
		direction, err := v.separate(ctx, i)
		if err != nil {
			return err
		}
		if err := v.closeGauge(); err != nil { // it holds the suspect itself
			return err
		}
		known := v.vertices
		v.vertices = slices.DeleteFunc(slices.Clone(known), func(j int) bool { return j == i })
		inside := false
		if direction == nil {
			inside, err = v.isInside(ctx, i, (*Gauge).Of)
		}
		if err = errors.Join(err, v.closeGauge()); err != nil {
			return err
		}
		if !inside {
			v.vertices = known
			if err := v.session.SetRowBounds(row, solver.AtMost(0)); err != nil {
				return err
			}
		}
	}
	return nil
}
