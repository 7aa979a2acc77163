package solver

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// Column describes one variable x_j of a Model. The zero value is a free variable. In a model the bounds of an integer
// column are whole numbers: they are rounded inwards when they enter, where a bound within 1e-9 of a whole number counts as
// that number; bounds that hold no whole number stay as they are.
type Column struct {
	Name    string  `json:"name"` // unique when not empty; reports fall back to "column j"
	Bounds          // of x_j
	Cost    float64 `json:"cost"`    // linear objective coefficient, finite
	Integer bool    `json:"integer"` // x_j must be a whole number
}

// normalise gives an integer column the bounds that it has in a model.
func (c *Column) normalise() {
	if lower, upper := c.wholeBounds(); c.Integer && lower <= upper {
		c.Bounds = Between(lower+0, upper+0) // no negative zeros
	}
}

func (c *Column) wholeBounds() (lower, upper float64) {
	return math.Ceil(c.Lower() - wholeTolerance), math.Floor(c.Upper() + wholeTolerance)
}

// holdsNone tells whether the bounds leave no value.
func (c *Column) holdsNone() bool {
	lower, upper := c.wholeBounds()
	return c.Lower() > c.Upper() || c.Integer && lower > upper
}

// Row describes one linear constraint of a Model:
//
//	Lower() <= sum_k Values[k] * x_{Columns[k]} <= Upper().
//
// Columns and Values have the same length. Entries that name the same column are summed, zero entries are dropped, an empty
// row is allowed. A row without bounds is free.
type Row struct {
	Name    string    `json:"name"`  // reports fall back to "row i"
	Group   string    `json:"group"` // family of rows that Explain treats as one; may be empty
	Bounds            // of the activity
	Columns []int     `json:"columns"` // 0-based column indices
	Values  []float64 `json:"values"`  // coefficients, finite
}

// Term is one quadratic term Value * x_I * x_J of an objective, with I <= J.
type Term struct {
	I, J  int
	Value float64
}

// label is what a row is called.
type label struct{ name, group string }

// Model is a linear, convex quadratic or mixed-integer program
//
//	min (or max)  offset + sum_j c_j x_j + sum_{i<=j} q_ij x_i x_j
//	subject to    rowLower <= A x <= rowUpper
//	              lower    <=  x  <= upper,   x_j whole for integer columns.
//
// Models are built without error returns: mistakes (indices out of range, NaN, wrong lengths) are collected and reported by
// Validate, Open and Solve. A Model is not safe for concurrent writing; concurrent reading is safe.
type Model struct {
	name      string
	maximize  bool
	offset    float64
	columns   []Column
	rows      []program.Row
	labels    []label // of the rows
	quadratic map[[2]int]float64
	mistakes  []error
	revision  int // counts the changes that an open session must start anew for
}

// NewModel returns an empty minimisation model. The name appears in reports.
func NewModel(name string) *Model { return &Model{name: name} }

// Name returns the name given to NewModel.
func (m *Model) Name() string { return m.name }

// AddColumn appends a variable and returns its 0-based index.
func (m *Model) AddColumn(c Column) int {
	index := len(m.columns)
	m.note(checkColumn(index, c))
	c.normalise()
	m.columns = append(m.columns, c)
	m.revision++
	return index
}

// AddRow appends a constraint and returns its 0-based index. The slices are copied.
func (m *Model) AddRow(r Row) int {
	if !m.note(m.addRow(r)) {
		m.addRow(Row{Name: r.Name, Group: r.Group}) // so that the indices of later rows are right
	}
	return len(m.rows) - 1
}

func (m *Model) addRow(r Row) error {
	index := len(m.rows)
	if err := checkRow(index, r, len(m.columns)); err != nil {
		return err
	}
	if !plain(r.Columns, r.Values) {
		r.Columns, r.Values = sumDuplicates(r.Columns, r.Values)
		if err := checkRow(index, r, len(m.columns)); err != nil {
			return err
		}
	}
	data := program.Row{Values: slices.Clone(r.Values), Lower: r.Lower(), Upper: r.Upper()}
	if index > 0 && slices.Equal(m.rows[index-1].Columns, r.Columns) {
		data.Columns = m.rows[index-1].Columns // dense rows repeat one list of columns: sharing it halves their memory
	} else {
		data.Columns = slices.Clone(r.Columns)
	}
	m.rows, m.labels = append(m.rows, data), append(m.labels, label{r.Name, r.Group})
	return nil
}

// note collects a mistake for Validate and tells whether there is none.
func (m *Model) note(mistake error) (none bool) {
	if mistake != nil {
		m.mistakes = append(m.mistakes, mistake)
	}
	return mistake == nil
}

// SetMaximize chooses between minimisation (false, the default) and maximisation.
func (m *Model) SetMaximize(maximize bool) {
	m.maximize = maximize
	m.revision++
}

// SetOffset sets the constant term of the objective (default 0).
func (m *Model) SetOffset(offset float64) {
	if m.note(checkFinite("objective offset", offset)) {
		m.offset = offset
	}
}

// SetCost replaces the linear objective coefficient of a column.
func (m *Model) SetCost(column int, cost float64) {
	if m.note(m.checkColumnIndex(column)) && m.note(checkFinite("cost of "+m.ColumnName(column), cost)) {
		m.columns[column].Cost = cost
	}
}

// AddQuadratic adds value * x_i * x_j to the objective. Calls accumulate, and the order of i and j does not matter. In the
// convention 1/2 x'Hx the call adds 2*value to H_ii when i == j, and value to both H_ij and H_ji otherwise: a variance x'Cx
// is entered by AddQuadratic(i, i, C_ii) and AddQuadratic(i, j, 2*C_ij) for i < j.
func (m *Model) AddQuadratic(i, j int, value float64) {
	for _, column := range [2]int{i, j} {
		if column < 0 || column >= len(m.columns) {
			m.note(fmt.Errorf("solver: quadratic term (%d, %d) names column %d but the model has %d columns; add the columns first", i, j, column, len(m.columns)))
			return
		}
	}
	at := [2]int{min(i, j), max(i, j)}
	sum := m.quadratic[at] + value
	name := fmt.Sprintf("quadratic term (%d, %d)", i, j)
	if !m.note(checkFinite(name, value)) || !m.note(checkFinite("the sum of "+name, sum)) {
		return
	}
	if m.quadratic == nil {
		m.quadratic = make(map[[2]int]float64)
	}
	if m.quadratic[at] = sum; sum == 0 {
		delete(m.quadratic, at)
	}
	m.revision++
}

// Columns returns the number of variables.
func (m *Model) Columns() int { return len(m.columns) }

// Rows returns the number of constraints.
func (m *Model) Rows() int { return len(m.rows) }

// column returns variable j, row constraint i; they panic with a sentence if there is none.
func (m *Model) column(j int) *Column {
	if err := m.checkColumnIndex(j); err != nil {
		panic(err.Error())
	}
	return &m.columns[j]
}

func (m *Model) row(i int) *program.Row {
	if err := m.checkRowIndex(i); err != nil {
		panic(err.Error())
	}
	return &m.rows[i]
}

// Column returns variable j. It panics when j is out of range.
func (m *Model) Column(j int) Column { return *m.column(j) }

// Row returns a copy of constraint i: entries sorted by column, duplicates
// summed, zeros dropped. It panics when i is out of range.
func (m *Model) Row(i int) Row {
	r := m.row(i)
	return Row{
		Name: m.labels[i].name, Group: m.labels[i].group, Bounds: m.RowBounds(i),
		Columns: slices.Clone(r.Columns), Values: slices.Clone(r.Values),
	}
}

// RowTerms returns the entries of constraint i without copying: columns in increasing order and their coefficients. The
// caller must not write to them. It panics when i is out of range.
func (m *Model) RowTerms(i int) (columns []int, values []float64) {
	r := m.row(i)
	return r.Columns, r.Values
}

// RowBounds returns the bounds of constraint i. It panics when i is out of range.
func (m *Model) RowBounds(i int) Bounds {
	r := m.row(i)
	return Between(r.Lower, r.Upper)
}

// SetRowBounds replaces the bounds of constraint i.
func (m *Model) SetRowBounds(row int, b Bounds) {
	if m.note(m.checkRowIndex(row)) && m.note(checkBounds(m.rowName(row), b)) {
		m.rows[row].Lower, m.rows[row].Upper = b.Lower(), b.Upper()
	}
}

// SetColumnBounds replaces the bounds of variable j.
func (m *Model) SetColumnBounds(column int, b Bounds) {
	if m.note(m.checkColumnIndex(column)) && m.note(checkBounds(m.ColumnName(column), b)) {
		m.columns[column].Bounds = b
		m.columns[column].normalise()
	}
}

// SetInteger makes variable j integer, which rounds its bounds as [Column] says, or continuous, which leaves them.
func (m *Model) SetInteger(column int, integer bool) {
	if m.note(m.checkColumnIndex(column)) {
		m.columns[column].Integer = integer
		m.columns[column].normalise()
		m.revision++
	}
}

// Maximizes tells whether the objective is maximised.
func (m *Model) Maximizes() bool { return m.maximize }

// sense names the direction of optimisation.
func (m *Model) sense() string {
	if m.maximize {
		return "maximize"
	}
	return "minimize"
}

// Offset returns the constant term of the objective.
func (m *Model) Offset() float64 { return m.offset }

// Quadratic returns the quadratic terms of the objective, I <= J, sorted by I then J, without terms that cancelled to zero.
func (m *Model) Quadratic() []Term {
	terms := make([]Term, 0, len(m.quadratic))
	for key, value := range m.quadratic {
		terms = append(terms, Term{I: key[0], J: key[1], Value: value})
	}
	slices.SortFunc(terms, func(a, b Term) int { return cmp.Or(a.I-b.I, a.J-b.J) })
	return terms
}

// isQuadratic reports whether the objective has a quadratic term.
func (m *Model) isQuadratic() bool { return len(m.quadratic) > 0 }

// IsInteger reports whether any column is integer.
func (m *Model) IsInteger() bool {
	return slices.ContainsFunc(m.columns, func(c Column) bool { return c.Integer })
}

// Clone returns an independent copy. Row entries, which never change, are
// shared, so that cloning costs O(columns + rows) whatever the density.
func (m *Model) Clone() *Model {
	c := *m
	c.columns = slices.Clone(m.columns)
	c.rows, c.labels = slices.Clone(m.rows), slices.Clone(m.labels)
	c.mistakes = slices.Clone(m.mistakes)
	c.quadratic = maps.Clone(m.quadratic)
	return &c
}

// ColumnName returns the name of variable j, or "column j" when it has none. It panics when j is out of range.
func (m *Model) ColumnName(j int) string {
	if name := m.column(j).Name; name != "" {
		return name
	}
	return fmt.Sprintf("column %d", j)
}

// ColumnNames returns the names of all variables, as [Model.ColumnName] gives them.
func (m *Model) ColumnNames() []string {
	names := make([]string, m.Columns())
	for j := range names {
		names[j] = m.ColumnName(j)
	}
	return names
}

// rowName returns the name of constraint i, or "row i" when it has none, with
// its group in front when it has one. It panics when i is out of range.
func (m *Model) rowName(i int) string {
	name, group := m.labels[i].name, m.labels[i].group
	if name == "" {
		name = fmt.Sprintf("row %d", i)
	}
	if group != "" {
		return group + "/" + name
	}
	return name
}

// String returns a one-line summary of the model's size and kind.
func (m *Model) String() string {
	entries, integers := 0, 0
	for _, r := range m.rows {
		entries += len(r.Columns)
	}
	for _, c := range m.columns {
		if c.Integer {
			integers++
		}
	}
	return fmt.Sprintf("%s: %s, %d columns (%d integer), %d rows, %d coefficients, %d quadratic terms",
		cmp.Or(m.name, "model"), m.sense(), len(m.columns), integers, len(m.rows), entries, len(m.Quadratic()))
}

// plain tells whether columns ascend and no value is 0.
func plain(columns []int, values []float64) bool {
	for k := 1; k < len(columns); k++ {
		if columns[k-1] >= columns[k] {
			return false
		}
	}
	return !slices.Contains(values, 0)
}

// sumDuplicates returns copies sorted by column, with repeated columns summed and zeros dropped.
func sumDuplicates(columns []int, values []float64) ([]int, []float64) {
	order := make([]int, len(columns))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return columns[a] - columns[b] })
	outColumns := make([]int, 0, len(columns))
	outValues := make([]float64, 0, len(columns))
	for k := 0; k < len(order); {
		column, sum := columns[order[k]], 0.0
		for ; k < len(order) && columns[order[k]] == column; k++ {
			sum += values[order[k]]
		}
		if sum != 0 {
			outColumns = append(outColumns, column)
			outValues = append(outValues, sum)
		}
	}
	return outColumns, outValues
}
