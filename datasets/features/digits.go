package features

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// digitsFile holds 1,797 images of handwritten digits; digits/SOURCE.md names source and licence.
//
//go:embed digits/digits.csv.gz
var digitsFile []byte

// digitPixels is the number of pixels of an image, which are its features.
const digitPixels = 64

// Digits returns images of handwritten digits, real data of 1,797 × 64 in all: the grey values, from 0 to 16, of 8 × 8
// pixels. Images of a digit in negative have the label -1, those of one in positive +1, others are left out. The order
// is that of the file. Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine
// Learning Repository, 1998 (test set), CC BY 4.0.
//
// It returns an error when a list is empty or holds something else than 0 to 9, or when a digit stands twice.
func Digits(negative, positive []int) (*Set, error) {
	seen := map[int]bool{}
	for _, digit := range slices.Concat(negative, positive) {
		if digit < 0 || digit > 9 || seen[digit] {
			return nil, fmt.Errorf("features: digit %d is out of range or listed twice; list each of 0 to 9 at most once", digit)
		}
		seen[digit] = true
	}
	if len(negative) == 0 || len(positive) == 0 {
		return nil, fmt.Errorf("features: %d negative and %d positive digits; list at least one of each", len(negative), len(positive))
	}
	images, err := readDigits()
	if err != nil {
		return nil, fmt.Errorf("features: the embedded digits: %w", err)
	}
	s := &Set{Name: "handwritten digits (UCI)", Classes: [2]string{"digits " + listed(negative), "digits " + listed(positive)}}
	var rows []float64
	for _, image := range images {
		if digit := int(image[digitPixels]); seen[digit] {
			label := 1.0
			if slices.Contains(negative, digit) {
				label = -1
			}
			rows, s.Y = append(rows, image[:digitPixels]...), append(s.Y, label)
		}
	}
	s.X = mat.NewDense(len(s.Y), digitPixels, rows)
	return checked(s)
}

func readDigits() (images [][]float64, err error) {
	unpacked, err := gzip.NewReader(bytes.NewReader(digitsFile))
	if err != nil {
		return nil, err
	}
	reader := csv.NewReader(unpacked)
	reader.FieldsPerRecord = digitPixels + 1
	records, err := reader.ReadAll()
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

func listed(digits []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(digits), " ", ", "), "[]")
}
