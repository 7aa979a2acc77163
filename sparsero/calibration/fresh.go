package calibration

import "gonum.org/v1/gonum/mat"

// Fresh returns the samples with the declaration that they are independent draws which nothing has seen, although some of them equal
// atoms: draws of a law with few values, or from the very scenarios of the dictionary. Methods that need such draws take other
// matrices for seen where rows equal atoms.
func Fresh(samples mat.Matrix) mat.Matrix { return fresh{samples} }

// IsFresh tells whether the samples come from Fresh.
func IsFresh(samples mat.Matrix) bool {
	_, declared := samples.(fresh)
	return declared
}

type fresh struct{ mat.Matrix }
