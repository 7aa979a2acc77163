package features

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// digitsFile holds 1,797 images of handwritten digits; digits/SOURCE.md names source and licence.
//
//go:embed digits/digits.csv.gz
var digitsFile []byte

// digitPixels is the number of pixels of an image, which are its features.
const digitPixels = 64

// Digits returns images of handwritten digits, real data of 1,797 × 64: the grey values, from 0 to 16, of 8 × 8 pixels.
// Images of an even digit have the label -1, those of an odd one +1. The order is that of the file. Source: E. Alpaydin
// and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998 (test set), CC BY 4.0.
func Digits() *Set {
	unpacked, _ := gzip.NewReader(bytes.NewReader(digitsFile)) // the file is part of the program, and has no error
	images, _ := csv.NewReader(unpacked).ReadAll()
	s := &Set{
		Name: "handwritten digits (UCI)", Classes: [2]string{"digits 0, 2, 4, 6, 8", "digits 1, 3, 5, 7, 9"},
		X: mat.NewDense(len(images), digitPixels, nil), Y: make([]float64, len(images)),
	}
	for i, image := range images {
		for k := range digitPixels {
			value, _ := strconv.ParseFloat(image[k], 64)
			s.X.Set(i, k, value)
		}
		digit, _ := strconv.Atoi(image[digitPixels])
		s.Y[i] = float64(2*(digit%2) - 1)
	}
	return s
}
