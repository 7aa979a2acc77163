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
	all := features.Digits()
	if err := all.Check(); err != nil {
		t.Fatal(err)
	}
	if got := counts(all); got != [2]int{178 + 177 + 181 + 181 + 174, 182 + 183 + 182 + 179 + 180} {
		t.Errorf("counts %v", got)
	}
	if len(all.Y) != 1797 || all.Dimension() != 64 || mat.Min(all.X) != 0 || mat.Max(all.X) != 16 || all.X.At(0, 2) != 5 || all.Y[0] != -1 || all.Y[1] != 1 {
		t.Errorf("%v: values from %g to %g, first labels %v", all, mat.Min(all.X), mat.Max(all.X), all.Y[:2])
	}
}
