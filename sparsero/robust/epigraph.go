package robust

import (
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
)

const (
	// epigraphName is the name of the column t that stands for the worst alignment.
	epigraphName = "worst alignment"
	// robustGroup is the row group of the objective's robust rows.
	robustGroup = "robust objective"
)

// cut identifies one robust row: the exposure it protects and the atom against which it does so.
type cut struct{ exposure, atom int }

// Model returns the restricted model as a solver model in epigraph form, with one robust row per atom and exposure in which
// it counts, and one more per constraint for the null atom. The columns of the region come first; if the objective is
// uncertain, the last column is t = max(0, max_{i in S} ⟨d_i, q(x)⟩), not scaled by the radius, whose bound t >= 0 stands
// for the null atom. Its WriteMPS hands a design to other solvers. Pass every index for the full model in one piece. It is
// an error if an index is out of range or repeated, or the radius negative or not finite.
func (p *Problem) Model(indices []int, radius float64) (*solver.Model, error) {
	if err := p.checkSet(indices, radius); err != nil {
		return nil, err
	}
	model, _ := p.epigraphOf(slices.Concat(p.nominalCuts(), p.cutsOf(indices)), radius)
	return model, nil
}

func (p *Problem) nominalCuts() (cuts []cut) {
	for k := range p.constraints {
		cuts = append(cuts, cut{k, sparsero.NullAtom})
	}
	return cuts
}

// cutsOf protects every exposure against the atoms that count there.
func (p *Problem) cutsOf(atoms []int) (cuts []cut) {
	for _, atom := range atoms {
		for _, exposure := range p.met(atom) {
			cuts = append(cuts, cut{exposure, atom})
		}
	}
	return cuts
}

// epigraphOf writes rows in epigraph form, and tells whether all of them are relaxations of the exact ones.
func (p *Problem) epigraphOf(cuts []cut, radius float64) (model *solver.Model, relaxes bool) {
	model, relaxes = p.region.Clone(), true
	if p.q.Matrix != nil {
		model.AddColumn(solver.Column{Name: epigraphName, Bounds: solver.Between(0, p.ceiling), Cost: radius})
	}
	coefficients := make([]directed.Sum, p.region.Columns())
	for _, c := range cuts {
		row, holds := p.relaxed(c, radius, coefficients)
		model.AddRow(row)
		relaxes = relaxes && holds
	}
	return model, relaxes
}

// met lists the exposures in which an atom counts.
func (p *Problem) met(atom int) []int {
	return slices.DeleteFunc(slices.Clone(p.dictionary.holding(atom).exposures), func(exposure int) bool {
		return !p.pullbacks[exposure+1].meets(p.dictionary.row(exposure, atom))
	})
}

// robustRow is the row that protects an exposure against an atom, as relaxed has it.
func (p *Problem) robustRow(c cut, radius float64) solver.Row {
	row, _ := p.relaxed(c, radius, make([]directed.Sum, p.region.Columns()))
	return row
}

// relaxed writes the exact row Σ v_j x_j <= w of an exposure and an atom as Σ c_j x_j <= u in float64, so that the
// model admits all that the exact one admits, and a lower bound for it holds for the exact one. What else it admits a
// decision may make use of, by rounding errors: whether X keeps to the exact row is for the reports of the solution.
//
// The row is a relaxation if for each column c_j x_j <= v_j x_j + e_j within its bounds, and u >= w + Σ e_j. With
// e_j = 0 that holds for v_j rounded down where x_j >= 0, and up where x_j <= 0, however large x_j may be. A column of
// both signs has v_j rounded to nearest and e_j the rounding error times its farther bound. Where that is not small
// beside the row, as without a bound, no c_j but v_j itself will do: e_j is 0, and the second result is false.
//
// Coefficients is room for the sum of each column, which is used again for the next row.
func (p *Problem) relaxed(c cut, radius float64, coefficients []directed.Sum) (row solver.Row, holds bool) {
	row = solver.Row{Name: p.exposureName(c.exposure) + ": nominal", Group: robustGroup}
	var atom []float64 // the null atom
	if c.atom != sparsero.NullAtom {
		row.Name, atom = p.exposureName(c.exposure)+": atom "+p.dictionary.Label(c.atom), p.dictionary.row(c.exposure, c.atom)
	}
	constant := p.pullbacks[c.exposure+1].sums(atom, coefficients)
	factor, limit := 1.0, 0.0
	if c.exposure != objectiveExposure {
		constraint := &p.constraints[c.exposure]
		row.Group, factor, limit = constraint.Name, radius, constraint.Limit
		for j, uncertain := range coefficients {
			if coefficients[j] = (directed.Sum{}); constraint.Nominal != nil {
				coefficients[j].Add(constraint.Nominal[j])
			}
			coefficients[j].AddMultiple(radius, uncertain)
		}
	}
	var side directed.Sum
	side.Add(limit)
	side.AddMultiple(-factor, constant)
	row.Bounds = solver.AtMost(side.Upper())
	row.Columns, row.Values = make([]int, 0, len(coefficients)+1), make([]float64, 0, len(coefficients)+1)
	var doubts []doubt // few coefficients have one
	for j := range coefficients {
		sum := &coefficients[j]
		value, err := sum.Rounded()
		bounds, signed := p.region.Column(j).Bounds, math.Abs(value) > err
		switch {
		case err == 0:
		case math.IsInf(err, 1):
			value = err // beyond float64, which the solver refuses: 0 in its place would make a row that no point keeps
		case signed && bounds.Lower() >= 0:
			value = sum.Lower()
		case signed && bounds.Upper() <= 0:
			value = sum.Upper()
		default:
			if !signed { // a number that may be 0 stands for 0, lest it take part in scaling the model
				value, err = 0, directed.SumUpper(err, math.Abs(value))
			}
			doubts = append(doubts, doubt{err, math.Max(math.Abs(bounds.Lower()), math.Abs(bounds.Upper()))})
		}
		if value != 0 {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, value)
		}
	}
	holds = p.relax(&row, doubts)
	if c.exposure == objectiveExposure {
		row.Columns, row.Values = append(row.Columns, p.region.Columns()), append(row.Values, -1)
	}
	return row, holds
}

// doubt is the error of a coefficient whose column takes values up to a size.
type doubt struct{ err, size float64 }

// relax moves the side of a row by what doubts can move its activity by; false if some are not small beside the row.
func (p *Problem) relax(row *solver.Row, doubts []doubt) (holds bool) {
	if len(doubts) == 0 {
		return true
	}
	side, small := row.Upper(), pointNoise*p.rowReach(*row)
	holds = true
	for _, d := range doubts {
		if moved := directed.ProductUpper(d.err, d.size); moved <= small {
			side = directed.SumUpper(side, moved)
		} else {
			holds = false
		}
	}
	row.Bounds = solver.AtMost(side)
	return holds
}

// rowReach is the sum of the terms that a row of an upper bound has over the bounds of the columns, those of open columns
// left out. What cancellation left of a coefficient is no term.
func (p *Problem) rowReach(row solver.Row) float64 {
	limit := math.Abs(row.Upper())
	room := 1 + len(row.Columns)
	coefficients, terms := append(make([]float64, 0, room), limit), append(make([]float64, 0, room), limit)
	for k, j := range row.Columns {
		bounds := p.region.Column(j)
		if size := math.Max(math.Abs(bounds.Lower()), math.Abs(bounds.Upper())); !math.IsInf(size, 1) {
			coefficients = append(coefficients, math.Abs(row.Values[k]))
			terms = append(terms, math.Abs(row.Values[k])*size)
		}
	}
	coefficient, term, sizes := cancelled*slices.Max(coefficients), cancelled*slices.Max(terms), make([]float64, 0, room)
	for k, v := range terms {
		if v > term || v > 0 && coefficients[k] > coefficient {
			sizes = append(sizes, v)
		}
	}
	slices.Sort(sizes)
	reach := 0.0
	for _, v := range sizes {
		if v <= farTerm*sizes[(len(sizes)-1)/2] {
			reach += v
		}
	}
	return reach
}
