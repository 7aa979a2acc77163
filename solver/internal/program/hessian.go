package program

import "gonum.org/v1/gonum/mat"

// Hessian returns the Hessian of the objective over the columns that have quadratic terms, and these columns.
func Hessian(p *Program) (*mat.SymDense, []int) {
	position, columns := make(map[int]int), []int(nil)
	for _, t := range p.Quadratic {
		for _, column := range [2]int{t.I, t.J} {
			if _, found := position[column]; !found {
				position[column] = len(columns)
				columns = append(columns, column)
			}
		}
	}
	hessian := mat.NewSymDense(len(columns), nil)
	for _, t := range p.Quadratic {
		value := t.Value
		if t.I == t.J {
			value *= 2
		}
		hessian.SetSym(position[t.I], position[t.J], value)
	}
	return hessian, columns
}
