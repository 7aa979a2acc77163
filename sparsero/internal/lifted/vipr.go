package lifted

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
)

// WriteVIPR writes in VIPR 1.0 that the least cost is from lower, which a proof with linear costs has to show, to
// upper, which is nil if X misses a limit:
//
//	min Σ_j Cost_j x_j + r t   over x in X, t >= 0,
//	    ⟨d_i, q(x)⟩ <= t, and ⟨Nominal_k, x⟩ + r ⟨d_i, q_k(x)⟩ <= Limit_k,
//
// is from lower - Offset to upper - Offset, for the atoms i that the proof names. Without an uncertain objective there is no t.
func WriteVIPR(w io.Writer, p *Problem, d *Decision, proof *Proof, lower float64, upper *float64) error {
	e, offset := newEvaluation(p, d), Rational(p.Model.Offset)
	v := &certificate{proof: proof, lower: difference(Rational(lower), offset), rows: map[[2]int]int{}, atoms: map[[2]int]int{}}
	region := viprPart{e.lift(nil), map[[2]int]int{}}
	v.stateColumns(region)
	v.stateRows(&p.Model)
	v.stateAtoms(p)
	v.imply(region)
	v.prove(0, region)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%% The objective leaves out the constant %s of the costs.\nVER 1.0\n", offset.RatString())
	v.writeProblem(out, p)
	if upper != nil {
		v.writeDecision(out, e, difference(Rational(*upper), offset))
	} else {
		fmt.Fprintf(out, "RTP range %s inf\nSOL 0\n", v.lower.RatString())
	}
	fmt.Fprintf(out, "DER %d\n%s", len(v.derivations), strings.Join(v.derivations, ""))
	return out.Flush()
}

// certificate is a VIPR file in the making. Constraints have indices: first those that are stated, then the derived ones.
type certificate struct {
	proof               *Proof
	lower               *big.Rat // of the objective of the certificate, which has no constant
	stated, derivations []string
	bounds              int            // how many of the stated ones are bounds of columns
	rows                map[[2]int]int // the constraint by the side and the row
	atoms               map[[2]int]int // the constraint of an atom by the robust constraint, or -1 for the objective, and the atom
}

// viprPart is a part of the region with the constraints behind the sides of its columns x and t.
type viprPart struct {
	*program
	held map[[2]int]int // by the side and the column
}

// senses are those of constraints with a lower and with an upper side.
var senses = [2]string{lowerSide: "G", upperSide: "L"}

func (v *certificate) state(name string, side int, terms []*big.Float, to *big.Float) int {
	v.stated = append(v.stated, fmt.Sprintf("%s %s %s %s\n", name, senses[side], fraction(to).RatString(), viprTerms(terms)))
	return len(v.stated) - 1
}

func (v *certificate) derive(name, sense, to, terms, reason string) int {
	v.derivations = append(v.derivations, fmt.Sprintf("%s %s %s %s { %s } -1\n", name, sense, to, terms, reason))
	return len(v.stated) + len(v.derivations) - 1
}

// viprTerms writes a linear form: the number of its coefficients that are not 0, and each with its column.
func viprTerms(terms []*big.Float) string {
	var b strings.Builder
	count := 0
	for j, value := range terms {
		if value != nil && value.Sign() != 0 {
			count++
			fmt.Fprintf(&b, " %d %s", j, fraction(value).RatString())
		}
	}
	return fmt.Sprint(count) + b.String()
}

// column is x_j as a linear form.
func column(j int) []*big.Float { return append(make([]*big.Float, j), dyadic(1)) }

// stateColumns states the bounds of columns.
func (v *certificate) stateColumns(region viprPart) {
	for side, name := range [2]string{"lower", "upper"} {
		for j, to := range region.sides[side][:region.worst()] {
			if to != nil {
				region.held[[2]int{side, j}] = v.state(fmt.Sprint(name, j), side, column(j), to)
			}
		}
	}
	if t := region.worst(); region.problem.Objective != nil {
		region.held[[2]int{lowerSide, t}] = v.state("lower_t", lowerSide, column(t), dyadic(0))
	}
	v.bounds = len(v.stated)
}

func (v *certificate) stateRows(m *Model) {
	for i, row := range m.Rows {
		terms := make([]*big.Float, len(m.Columns))
		for k, j := range row.Columns {
			terms[j] = dyadic(row.Values[k])
		}
		for side, to := range [2]*float64{row.Lower, row.Upper} {
			if to != nil {
				v.rows[[2]int{side, i}] = v.state(fmt.Sprintf("row%d%s", i, senses[side]), side, terms, dyadic(*to))
			}
		}
	}
}

// stateAtoms states the rows of the atoms that the proof names.
func (v *certificate) stateAtoms(p *Problem) {
	for l := range v.proof.Leaves {
		v.proof.Leaves[l].eachAtom(func(k, atom int, _ *big.Float) {
			if _, known := v.atoms[[2]int{k, atom}]; !known {
				v.atoms[[2]int{k, atom}] = v.stateAtom(p, k, atom)
			}
		})
	}
}

// eachAtom visits the multipliers of atoms that are not 0, with the robust constraint, or -1 for the objective.
func (l *Leaf) eachAtom(visit func(k, atom int, y *big.Float)) {
	for k, m := range append([]Multipliers{l.Objective}, l.Constraints...) {
		for e, atom := range m.Of {
			if y := m.Values[e].float(); y.Sign() != 0 {
				visit(k-1, atom, y)
			}
		}
	}
}

// stateAtom states the row of an atom, or of the null atom, for a robust constraint or for the objective.
func (v *certificate) stateAtom(p *Problem, k, atom int) int {
	n := len(p.Model.Columns)
	terms, to, q, factor, name := dyadics(make([]float64, n+1)), dyadic(0), p.Objective, dyadic(1), "objective"
	if k < 0 {
		terms[n] = dyadic(-1)
	} else {
		c := &p.Constraints[k]
		q, factor, name = &c.Map, dyadic(p.Radius), fmt.Sprint("limit", k)
		copy(terms, dyadics(c.Nominal))
		to.SetFloat64(c.Limit)
	}
	if atom >= 0 {
		for i, d := range p.Dictionary.Values[atom] {
			scaled := product(factor, dyadic(d))
			row, constant := q.Row(i)
			for e, j := range row.Columns {
				add(terms[j], product(scaled, dyadic(row.Values[e])))
			}
			to.Sub(to, product(scaled, dyadic(constant)))
		}
	}
	return v.state(fmt.Sprintf("%s_atom%d", name, atom), upperSide, terms, to)
}

// writeProblem writes what is stated.
func (v *certificate) writeProblem(w io.Writer, p *Problem) {
	names, integers, costs := []string{}, []string{}, []*big.Float{}
	for j, c := range p.Model.Columns {
		names, costs = append(names, fmt.Sprint("x", j)), append(costs, dyadic(c.Cost))
		if c.Integer {
			integers = append(integers, fmt.Sprint(j))
		}
	}
	if p.Objective != nil {
		names, costs = append(names, "t"), append(costs, dyadic(p.Radius))
	}
	fmt.Fprintf(w, "VAR %d\n%s\nINT %d\n%s\n", len(names), strings.Join(names, " "), len(integers), strings.Join(integers, " "))
	fmt.Fprintf(w, "OBJ min\n%s\nCON %d %d\n%s", viprTerms(costs), len(v.stated), v.bounds, strings.Join(v.stated, ""))
}

// writeDecision writes what is to be proven, with the decision as the solution that attains the upper bound.
func (v *certificate) writeDecision(w io.Writer, e *evaluation, upper *big.Rat) {
	x := e.x
	if e.Objective != nil {
		x = append(slices.Clone(x), e.worst(e.Objective, 0, e.x))
	}
	fmt.Fprintf(w, "RTP range %s %s\nSOL 1\ndecision %s\n", v.lower.RatString(), upper.RatString(), viprTerms(x))
}
