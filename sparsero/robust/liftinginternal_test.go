package robust

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// Equations are solved exactly: more unknowns than equations, equations that follow from others, long fractions.
func TestEquationsAreSolvedExactly(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		rows, columns := 1+random.IntN(6), 1+random.IntN(8)
		point := zeros(columns)
		for j := range point {
			point[j].SetFrac64(random.Int64N(1e15)-5e14, 1+random.Int64N(1e12))
		}
		system := make([][]*big.Rat, rows)
		for i := range system {
			system[i] = zeros(columns + 1)
			for j := range columns {
				switch {
				case i > 0 && i%3 == 0: // twice the equation before
					system[i][j].Add(system[i-1][j], system[i-1][j])
				case random.IntN(3) > 0:
					system[i][j].SetFloat64(random.NormFloat64())
				}
				addProduct(system[i][columns], system[i][j], point[j])
			}
		}
		solution := solve(system)
		for i, equation := range system {
			sum := new(big.Rat)
			for j := range columns {
				addProduct(sum, equation[j], solution[j])
			}
			if sum.Cmp(equation[columns]) != 0 {
				t.Fatalf("equation %d of %d with %d unknowns: %v, want %v", i, rows, columns, sum, equation[columns])
			}
		}
	}
}
