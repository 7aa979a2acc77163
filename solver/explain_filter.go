package solver

import (
	"context"
	"math"
)

// tightening is a session in which constraints can be switched on and off.
type tightening struct {
	session *Session
	model   *Model
	// rowSides lists the session's rows of each row of the model.
	rowSides [][]rowSide
	rows     map[int]bool    // active rows
	bounds   map[[2]int]bool // active bounds, by kind and column
}

// activate switches exactly the given members on. Bounds of columns that no
// member may own (integer columns of a feasibility test) are left alone.
func (t *tightening) activate(members []Member, boundsOfIntegers bool) error {
	rows := make(map[int]bool)
	bounds := make(map[[2]int]bool)
	for _, member := range members {
		for _, i := range member.Rows {
			rows[i] = true
		}
		if member.Column >= 0 {
			bounds[[2]int{int(member.Kind), member.Column}] = true
		}
	}
	for i, sides := range t.rowSides {
		if rows[i] == t.rows[i] {
			continue
		}
		for _, side := range sides {
			lower, upper := side.lower, side.upper
			if !rows[i] {
				lower, upper = math.Inf(-1), math.Inf(1)
			}
			if err := t.session.SetRowBounds(side.index, Between(lower, upper)); err != nil {
				return err
			}
		}
	}
	for j, c := range t.model.columns {
		if c.Integer && !boundsOfIntegers {
			continue
		}
		low, high := [2]int{int(LowerBound), j}, [2]int{int(UpperBound), j}
		if bounds[low] == t.bounds[low] && bounds[high] == t.bounds[high] {
			continue
		}
		lower, upper := math.Inf(-1), math.Inf(1)
		if bounds[low] {
			lower = c.Lower()
		}
		if bounds[high] {
			upper = c.Upper()
		}
		if err := t.session.SetColumnBounds(j, Between(lower, upper)); err != nil {
			return err
		}
	}
	t.rows, t.bounds = rows, bounds
	return nil
}

// allActive is the state of a fresh session.
func (t *tightening) allActive() {
	t.rows, t.bounds = make(map[int]bool), make(map[[2]int]bool)
	for i := range t.model.rows {
		t.rows[i] = true
	}
	for j, c := range t.model.columns {
		if !math.IsInf(c.Lower(), -1) {
			t.bounds[[2]int{int(LowerBound), j}] = true
		}
		if !math.IsInf(c.Upper(), 1) {
			t.bounds[[2]int{int(UpperBound), j}] = true
		}
	}
}

func (t *tightening) close() error { return t.session.Close() }

// elasticTest decides by min t over the rows relaxed by t.
type elasticTest struct {
	tightening
	tolerance float64
}

// newElasticTest opens the elastic model.
func newElasticTest(m *Model, o *Options) (conflictTest, error) {
	e, sides := m.elastic()
	session, err := Open(e, o)
	if err != nil {
		return nil, err
	}
	filled := o.Filled()
	test := &elasticTest{tightening: tightening{session: session, model: m, rowSides: sides}, tolerance: filled.FeasibilityTolerance}
	test.allActive()
	return test, nil
}

// infeasible solves the elastic model; members without a multiplier take no
// part in the proof that t must be positive.
func (t *elasticTest) infeasible(ctx context.Context, members []Member) (tristate, []bool, error) {
	if err := t.activate(members, true); err != nil {
		return unknown, nil, err
	}
	res, err := t.session.Solve(ctx)
	if err != nil {
		return unknown, nil, err
	}
	if res.Status != Optimal {
		return unknown, nil, nil
	}
	if res.Objective <= t.tolerance {
		return no, nil, nil
	}
	needed := make([]bool, len(members))
	for k, member := range members {
		for _, i := range member.Rows {
			for _, side := range t.rowSides[i] {
				needed[k] = needed[k] || math.Abs(res.RowDuals[side.index]) > multiplierTolerance
			}
		}
		switch member.Kind {
		case LowerBound:
			needed[k] = res.ColumnDuals[member.Column] > multiplierTolerance
		case UpperBound:
			needed[k] = res.ColumnDuals[member.Column] < -multiplierTolerance
		}
	}
	return yes, needed, nil
}

// multiplierTolerance is the multiplier below which a constraint is guessed to
// take no part in a proof; the guess is confirmed by another solve.
const multiplierTolerance = 1e-11

// feasibilityTest decides by plain solves, for integer models.
type feasibilityTest struct{ tightening }

func newFeasibilityTest(m *Model, o *Options) (conflictTest, error) {
	session, err := Open(m, o)
	if err != nil {
		return nil, err
	}
	sides := make([][]rowSide, len(m.rows))
	for i, r := range m.rows {
		sides[i] = []rowSide{{i, r.Lower, r.Upper}}
	}
	test := &feasibilityTest{tightening{session: session, model: m, rowSides: sides}}
	test.allActive()
	return test, nil
}

func (t *feasibilityTest) infeasible(ctx context.Context, members []Member) (tristate, []bool, error) {
	if err := t.activate(members, false); err != nil {
		return unknown, nil, err
	}
	res, err := t.session.Solve(ctx)
	if err != nil {
		return unknown, nil, err
	}
	switch res.Status {
	case Infeasible:
		needed := make([]bool, len(members))
		for k := range needed {
			needed[k] = true
		}
		return yes, needed, nil
	case Optimal, FeasibleLimit:
		return no, nil, nil
	}
	return unknown, nil, nil
}
