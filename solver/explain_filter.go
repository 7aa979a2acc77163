package solver

import (
	"context"
	"math"
)

// subset is a session in which some constraints of a model, the candidates, are switched on
// and off; the others stay.
type subset struct {
	session    *Session
	model      *Model
	candidates []Member
}

// activate switches exactly the given candidates on.
func (s *subset) activate(members []Member) error {
	rows, columns := make([]Bounds, len(s.model.rows)), make([]Bounds, len(s.model.columns))
	for i := range rows {
		rows[i] = s.model.RowBounds(i)
	}
	for j, c := range s.model.columns {
		columns[j] = c.Bounds
	}
	for _, candidate := range s.candidates {
		for _, i := range candidate.Rows {
			rows[i] = Bounds{}
		}
		switch j := candidate.Column; candidate.Kind {
		case LowerBound:
			columns[j] = AtMost(columns[j].Upper())
		case UpperBound:
			columns[j] = AtLeast(columns[j].Lower())
		}
	}
	for _, member := range members {
		for _, i := range member.Rows {
			rows[i] = s.model.RowBounds(i)
		}
		switch j := member.Column; member.Kind {
		case LowerBound:
			columns[j] = Between(s.model.columns[j].Lower(), columns[j].Upper())
		case UpperBound:
			columns[j] = Between(columns[j].Lower(), s.model.columns[j].Upper())
		}
	}
	for i, b := range rows {
		if err := s.session.SetRowBounds(i, b); err != nil {
			return err
		}
	}
	for j, b := range columns {
		if err := s.session.SetColumnBounds(j, b); err != nil {
			return err
		}
	}
	return nil
}

// infeasible solves the model with only these candidates. When the answer is yes, needed
// tells for each of them whether the proof uses it.
func (s *subset) infeasible(ctx context.Context, members []Member) (answer tristate, needed []bool, err error) {
	if err := s.activate(members); err != nil {
		return unknown, nil, err
	}
	res, err := s.session.Solve(ctx)
	if err != nil {
		return unknown, nil, err
	}
	switch res.Status {
	case Infeasible:
		return yes, s.neededBy(res.Farkas, members), nil
	case Optimal, FeasibleLimit:
		return no, nil, nil
	}
	return unknown, nil, nil
}

// neededBy tells which candidates have a multiplier, all where none are known. In the bound
// of weak duality a column with a positive reduced cost rests on its lower bound.
func (s *subset) neededBy(farkas []float64, members []Member) []bool {
	needed := make([]bool, len(members))
	var d, terms []float64 // reduced costs, the model has no costs; largest terms of the columns
	if farkas != nil {
		d = s.model.program().ReducedCosts(make([]float64, len(s.model.columns)), farkas)
		terms = s.largestTerms(farkas)
	}
	for k, member := range members {
		needed[k] = farkas == nil || member.Kind == LowerBound && d[member.Column] > 0 || member.Kind == UpperBound && d[member.Column] < 0
		for _, i := range member.Rows {
			needed[k] = needed[k] || s.takesPart(i, farkas[i], terms)
		}
	}
	return needed
}

// largestTerms returns max_i |y_i a_ij| for each column j.
func (s *subset) largestTerms(farkas []float64) []float64 {
	terms := make([]float64, len(s.model.columns))
	for i, row := range s.model.rows {
		for k, j := range row.Columns {
			terms[j] = math.Max(terms[j], math.Abs(farkas[i]*row.Values[k]))
		}
	}
	return terms
}

// takesPart tells whether a row has a term that counts beside the largest of its column, which
// does not depend on the units of rows and columns.
func (s *subset) takesPart(i int, multiplier float64, terms []float64) bool {
	row := &s.model.rows[i]
	for k, j := range row.Columns {
		if math.Abs(multiplier*row.Values[k]) > multiplierTolerance*terms[j] {
			return true
		}
	}
	return false
}

// multiplierTolerance is the term of a multiplier, relative to the largest of its column, below which
// a row is guessed to take no part in a proof; the guess is confirmed by another solve.
const multiplierTolerance = 1e-11
