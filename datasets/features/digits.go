package features

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"math"
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
// and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998, test set, CC BY 4.0.
func Digits() *Set {
	images, err := readDigits()
	if err != nil {
		panic(err) // the file is part of the program
	}
	s := &Set{
		Name: "handwritten digits (UCI)", Classes: [2]string{"digits 0, 2, 4, 6, 8", "digits 1, 3, 5, 7, 9"},
		X: mat.NewDense(len(images), digitPixels, nil), Y: make([]float64, len(images)),
	}
	for i, image := range images {
		s.X.SetRow(i, image[:digitPixels])
		s.Y[i] = 2*math.Mod(image[digitPixels], 2) - 1
	}
	return s
}

func readDigits() (images [][]float64, err error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(digitsFile))
	if err != nil {
		return nil, err
	}
	records, err := csv.NewReader(unpacked).ReadAll()
	for _, record := range records {
		image := make([]float64, len(record))
		for k, text := range record {
			if image[k], err = strconv.ParseFloat(text, 64); err != nil {
				return nil, err
			}
		}
		images = append(images, image)
	}
	return images, err
}
