package solver

import "math"

// draft is the model half of a pure-Go session: a private copy that changes
// are checked against and applied to.
type draft struct {
	model  *Model
	closed bool
}

// AddRow checks and appends a row.
func (d *draft) AddRow(r Row) (int, error) {
	if d.closed {
		return -1, ErrClosed
	}
	if err := d.model.CheckRow(r); err != nil {
		return -1, err
	}
	return d.model.AddRow(r), nil
}

// SetCost checks and replaces a cost.
func (d *draft) SetCost(column int, cost float64) error {
	if d.closed {
		return ErrClosed
	}
	if err := d.model.CheckCost(column, cost); err != nil {
		return err
	}
	d.model.SetCost(column, cost)
	return nil
}

// SetOffset checks and replaces the constant term.
func (d *draft) SetOffset(offset float64) error {
	if d.closed {
		return ErrClosed
	}
	if err := d.model.CheckOffset(offset); err != nil {
		return err
	}
	d.model.SetOffset(offset)
	return nil
}

// SetRowBounds checks and replaces row bounds.
func (d *draft) SetRowBounds(row int, lower, upper float64) error {
	if d.closed {
		return ErrClosed
	}
	if err := d.model.CheckRowBounds(row, lower, upper); err != nil {
		return err
	}
	d.model.SetRowBounds(row, lower, upper)
	return nil
}

// SetColumnBounds checks and replaces column bounds.
func (d *draft) SetColumnBounds(column int, lower, upper float64) error {
	if d.closed {
		return ErrClosed
	}
	if err := d.model.CheckColumnBounds(column, lower, upper); err != nil {
		return err
	}
	d.model.SetColumnBounds(column, lower, upper)
	return nil
}

// Close drops the model.
func (d *draft) Close() error {
	d.closed, d.model = true, nil
	return nil
}

// newResult returns a result in which nothing is known yet.
func newResult(m *Model, solver string) *Result {
	return &Result{Objective: math.NaN(), Bound: math.NaN(), Gap: math.Inf(1), Solver: solver, Model: m.String()}
}

// setOptimum fills in a verified optimum with duals in the model's sense.
func (r *Result) setOptimum(m *Model, x, rowDuals, columnDuals []float64) {
	r.Status, r.X, r.RowDuals, r.ColumnDuals = Optimal, x, rowDuals, columnDuals
	r.Objective = m.Objective(x)
	r.Bound, r.Gap = r.Objective, 0
}
