package certificate

import (
	"math/big"
	"slices"
)

// sides are the lower and upper sides of a problem, nil where there is none: those of the columns, then those of the
// rows, then the limits of the robust constraints.
type sides struct{ lower, upper []*big.Rat }

// sides returns those of the file, for integer columns rounded inwards.
func (f *designFile) sides() *sides {
	s := &sides{}
	add := func(lower, upper *big.Rat) {
		s.lower, s.upper = append(s.lower, lower), append(s.upper, upper)
	}
	for _, c := range f.Model.Columns {
		lower, upper := exactlyIf(c.Lower), exactlyIf(c.Upper)
		if c.Integer && lower != nil { // Div rounds down
			least := new(big.Int).Div(new(big.Int).Neg(lower.Num()), lower.Denom())
			lower.SetInt(least.Neg(least))
		}
		if c.Integer && upper != nil {
			upper.SetInt(new(big.Int).Div(upper.Num(), upper.Denom()))
		}
		add(lower, upper)
	}
	for _, r := range f.Model.Rows {
		add(exactlyIf(r.Lower), exactlyIf(r.Upper))
	}
	for _, c := range f.Constraints {
		add(nil, exactly(c.Limit))
	}
	return s
}

// reach moves the sides that a decision misses to where it is and returns by how much it missed most.
func (s *sides) reach(position []*big.Rat) *big.Rat {
	most := new(big.Rat)
	for k, value := range position {
		if s.lower[k] != nil && value.Cmp(s.lower[k]) < 0 {
			most = maximum(most, new(big.Rat).Sub(s.lower[k], value))
			s.lower[k] = value
		}
		if s.upper[k] != nil && value.Cmp(s.upper[k]) > 0 {
			most = maximum(most, new(big.Rat).Sub(value, s.upper[k]))
			s.upper[k] = value
		}
	}
	return most
}

// imply gives columns the bounds that the file lists: the side of a row less the least, or the largest, values of its
// other columns. Whatever the list, such bounds hold.
func (s *sides) imply(f *designFile) error {
	for k, b := range f.Implied {
		row, place := &f.Model.Rows[b.Row], slices.Index(f.Model.Rows[b.Row].Columns, b.Column)
		if place < 0 || row.Values[place] == 0 {
			return notCheckable("implied bound %d is about a column that is not in the row", k)
		}
		own := row.Values[place]
		high := (b.Side > 0) == (own > 0)
		rest := []*big.Rat{s.side(len(f.Model.Columns)+b.Row, high)}
		for i, j := range row.Columns {
			if i != place && row.Values[i] != 0 {
				other := s.side(j, high != (row.Values[i] > 0))
				if other != nil {
					other = new(big.Rat).Mul(other, exactly(-row.Values[i]))
				}
				rest = append(rest, other)
			}
		}
		if slices.Contains(rest, nil) {
			return notCheckable("implied bound %d rests on one that is not there", k)
		}
		bound := total(rest)
		if b.Side > 0 {
			s.upper[b.Column] = bound.Quo(bound, exactly(own))
		} else {
			s.lower[b.Column] = bound.Quo(bound, exactly(own))
		}
	}
	return nil
}

func (s *sides) side(place int, upper bool) *big.Rat {
	if upper {
		return s.upper[place]
	}
	return s.lower[place]
}
