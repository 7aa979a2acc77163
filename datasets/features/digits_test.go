package features_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/mat"
)

// TestDigitsFile: the file is the one that SOURCE.md names.
func TestDigitsFile(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("digits", "digits.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join("digits", "SOURCE.md"))
	if err != nil || !strings.Contains(string(source), fmt.Sprintf("%x", sha256.Sum256(data))) {
		t.Errorf("SOURCE.md does not hold the SHA-256 %x of the file (%v)", sha256.Sum256(data), err)
	}
}

// TestDigits compares counts and values with those that UCI publishes for the test set: 178 zeros, 182 ones and so on.
func TestDigits(t *testing.T) {
	published := []int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}
	for digit, count := range published {
		s, err := features.Digits([]int{digit}, []int{(digit + 1) % 10})
		if err != nil {
			t.Fatal(err)
		}
		if got := counts(s); got != [2]int{count, published[(digit+1)%10]} || s.Dimension() != 64 {
			t.Errorf("digits %d: counts %v, dimension %d", digit, got, s.Dimension())
		}
	}
	all, err := features.Digits([]int{0, 2, 4, 6, 8}, []int{1, 3, 5, 7, 9})
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Y) != 1797 || mat.Min(all.X) != 0 || mat.Max(all.X) != 16 || all.X.At(0, 2) != 5 || all.Y[0] != -1 || all.Y[1] != 1 {
		t.Errorf("%v: values from %g to %g, first labels %v", all, mat.Min(all.X), mat.Max(all.X), all.Y[:2])
	}
}

func TestDigitsRefused(t *testing.T) {
	for _, lists := range [][2][]int{{nil, {1}}, {{1}, nil}, {{1}, {1}}, {{10}, {1}}, {{-1}, {1}}, {{2, 2}, {1}}} {
		if s, err := features.Digits(lists[0], lists[1]); err == nil {
			t.Errorf("%v gives %v", lists, s)
		}
	}
}
