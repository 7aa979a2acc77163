package exact

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
				system[i][columns].Add(system[i][columns], new(big.Rat).Mul(system[i][j], point[j]))
			}
		}
		solution := Equations(system)
		for i, equation := range system {
			sum := new(big.Rat)
			for j := range columns {
				sum.Add(sum, new(big.Rat).Mul(equation[j], solution[j]))
			}
			if sum.Cmp(equation[columns]) != 0 {
				t.Fatalf("equation %d of %d with %d unknowns: %v, want %v", i, rows, columns, sum, equation[columns])
			}
		}
	}
}

// What is left of a system without equations is nothing; an equation of rounding errors alone determines nothing.
func TestEquationsWithoutContent(t *testing.T) {
	if x := Equations(nil); x != nil {
		t.Errorf("no equations: %v", x)
	}
	if x := Equations([][]*big.Rat{{new(big.Rat), new(big.Rat), big.NewRat(1, 1)}}); len(x) != 2 || x[0].Sign() != 0 || x[1].Sign() != 0 {
		t.Errorf("0 = 1: %v", x)
	}
}

// The squares of a matrix give it back, whichever of its rows vanish; a single negative one is found.
func TestSquaresGiveTheMatrixBack(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		n, rank := 1+random.IntN(5), random.IntN(4)
		entries := make([][]float64, n)
		for i := range entries {
			entries[i] = make([]float64, n)
		}
		for range rank {
			v := make([]float64, n)
			for i := range v {
				v[i] = float64(random.IntN(5) - 2)
			}
			for i := range n {
				for j := range n {
					entries[i][j] += v[i] * v[j]
				}
			}
		}
		at := func(i, j int) float64 { return entries[i][j] }
		rows, semidefinite := Squares(n, at)
		if !semidefinite {
			t.Fatalf("%v is not semidefinite", entries)
		}
		for i := range n {
			for j := i; j < n; j++ {
				sum := new(big.Rat)
				for k := 0; k <= i; k++ {
					if rows[k][k].Sign() > 0 {
						term := new(big.Rat).Mul(rows[k][i], rows[k][j])
						sum.Add(sum, term.Quo(term, rows[k][k]))
					}
				}
				if want := new(big.Rat).SetFloat64(entries[i][j]); sum.Cmp(want) != 0 {
					t.Fatalf("entry %d, %d of %v: %v", i, j, entries, sum)
				}
			}
		}
		entries[n-1][n-1] = -1
		if _, semidefinite = Squares(n, at); semidefinite {
			t.Fatalf("%v counts as semidefinite", entries)
		}
	}
}
