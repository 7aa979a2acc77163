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
	// separationTolerance is how far, relative to the largest entry of the atoms,
	// a direction must separate an atom from a hull to count. It is above the
	// rounding error of a scalar product and below the tolerance of the solvers.
	separationTolerance = 1e-9
	// seedLimit bounds the multiplications spent on finding vertices without
	// linear programs.
	seedLimit = 2e8
)

// vertexSearch finds the vertices of conv(D ∪ {0}) in any dimension (Clarkson
// 1994). Each atom is either separated from the hull of the vertices found so
// far, and then the farthest atom in the separating direction is a new vertex,
// or it lies inside and is dropped. The separating direction solves
//
//	max <s,d_i> - t  subject to  <s,d_j> <= t for known vertices j, t >= 0, |s| <= 1,
//
// one polyhedron with changing objectives.
type vertexSearch struct {
	dictionary *Dictionary
	scaled     *mat.Dense // atoms divided by their largest absolute entry
	session    solver.Session
	vertices   []int
	rows       map[int]int // row of each vertex in the program
	suspects   []int       // vertices that nearly tied with another atom when found
}

func verticesByPrograms(ctx context.Context, d *Dictionary) (vertices []int, err error) {
	scale := 0.0
	for i := range d.Size() {
		scale = max(scale, floats.Norm(d.atoms.RawRowView(i), math.Inf(1)))
	}
	if scale == 0 {
		return nil, nil
	}
	v := &vertexSearch{dictionary: d, scaled: mat.NewDense(d.Size(), d.Dim(), nil), rows: map[int]int{}}
	v.scaled.Apply(func(_, _ int, value float64) float64 { return chop(value / scale) }, d.atoms)
	if err := v.open(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.session.Close()) }()
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
		model.AddColumn(solver.Column{Name: "s " + v.dictionary.Column(j), Lower: -1, Upper: 1})
	}
	model.AddColumn(solver.Column{Name: "t", Upper: math.Inf(1), Cost: -1})
	var err error
	if v.session, err = solver.OpenWarm(model, nil); err != nil {
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
		direction, separated, err := v.separate(ctx, i)
		if err != nil || !separated {
			return err
		}
		if err := v.addFarthest(direction); err != nil {
			return err
		}
	}
}

// separate looks for a direction in which atom i is farther out than every
// vertex but itself, and than the origin.
func (v *vertexSearch) separate(ctx context.Context, i int) (direction []float64, separated bool, err error) {
	atom := v.scaled.RawRowView(i)
	for j, value := range atom {
		if err := v.session.SetCost(j, value); err != nil {
			return nil, false, err
		}
	}
	result, err := v.session.Solve(ctx)
	if err == nil {
		err = result.Check()
	}
	if err != nil {
		return nil, false, fmt.Errorf("sparsero: vertex search at atom %d: %w", i, errors.Join(err, ctx.Err()))
	}
	direction = result.X[:len(atom)]
	reach := 0.0
	for _, j := range v.vertices {
		if j != i {
			reach = max(reach, floats.Dot(v.scaled.RawRowView(j), direction))
		}
	}
	// The answer of the solver is only a proposal: what counts is the separation.
	return direction, floats.Dot(atom, direction)-reach > separationTolerance, nil
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
	row := solver.Row{Lower: math.Inf(-1), Columns: make([]int, p+1), Values: append(slices.Clone(v.scaled.RawRowView(i)), -1)}
	for j := range row.Columns {
		row.Columns[j] = j
	}
	index, err := v.session.AddRow(row)
	if err != nil {
		return fmt.Errorf("sparsero: vertex search at atom %d: %w", i, err)
	}
	v.rows[i] = index
	v.vertices = append(v.vertices, i)
	return nil
}

// review drops the suspects that lie in the hull of the other vertices: points
// of an edge or face that rounding made look like corners.
func (v *vertexSearch) review(ctx context.Context) error {
	for _, i := range v.suspects {
		row := v.rows[i]
		if err := v.session.SetRowBounds(row, math.Inf(-1), math.Inf(1)); err != nil {
			return err
		}
		_, separated, err := v.separate(ctx, i)
		if err != nil {
			return err
		}
		if separated {
			if err := v.session.SetRowBounds(row, math.Inf(-1), 0); err != nil {
				return err
			}
			continue
		}
		v.vertices = slices.DeleteFunc(v.vertices, func(j int) bool { return j == i })
	}
	return nil
}

// negligible is the size below which a scaled entry of an atom, whose largest entry
// is 1, is taken as zero in the search.
const negligible = 1e-12

// chop replaces negligible numbers by zero.
func chop(v float64) float64 {
	if math.Abs(v) < negligible {
		return 0
	}
	return v
}
