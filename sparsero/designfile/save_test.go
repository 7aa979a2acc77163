package designfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// small is a problem of one column and one atom with a proof that 0 is optimal.
func small() *Content {
	zero, one := 0.0, 1.0
	return &Content{
		Problem: lifted.Problem{
			Dictionary: lifted.Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}},
			Model:      lifted.Model{Columns: []lifted.Column{{Lower: &zero, Upper: &one, Cost: 1}}},
			Objective:  &lifted.Map{Matrix: []lifted.Entries{{Columns: []int{0}, Values: []float64{1}}}},
			Radius:     1,
		},
		Decision: lifted.Decision{X: []float64{0}, Atoms: []int{0}},
		Proof:    &lifted.Proof{Leaves: []lifted.Leaf{{Scale: lifted.Float(1)}}},
	}
}

// TestSaveRefusesWhatNobodyCouldCheck with an error, before a file is touched.
func TestSaveRefusesWhatNobodyCouldCheck(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "design.json")
	c := small()
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(path)
	if checked, failed := Verify(bytes.NewReader(old), nil); err != nil || failed != nil || checked.Claims().Lower.Float() != 0 || checked.Claims().Gap.Float() != 0 {
		t.Fatal(err, failed)
	}
	long := lifted.Whole(strings.Repeat("f", mostDigits+1))
	for name, change := range map[string]func(c *Content){
		"nothing":        func(c *Content) { *c = Content{} },
		"no atoms":       func(c *Content) { c.Problem.Dictionary.Values = nil },
		"no columns":     func(c *Content) { c.Problem.Model.Columns = nil },
		"short decision": func(c *Content) { c.Decision.X = nil },
		"an atom beyond": func(c *Content) { c.Decision.Atoms = []int{1} },
		"half a bound": func(c *Content) {
			half := 0.5
			c.Problem.Model.Columns[0].Upper, c.Problem.Model.Columns[0].Integer = &half, true
		},
		"half an item":     func(c *Content) { c.Decision.X[0], c.Problem.Model.Columns[0].Integer = 0.5, true },
		"a row beyond":     func(c *Content) { c.Problem.Model.Rows = []lifted.Row{{Columns: []int{7}, Values: []float64{1}}} },
		"a long row":       func(c *Content) { c.Problem.Model.Rows = []lifted.Row{{Columns: []int{0}, Values: []float64{1, 2}}} },
		"a map of no rows": func(c *Content) { c.Problem.Objective.Matrix = nil },
		"a term beyond": func(c *Content) {
			c.Problem.Model.Quadratic = lifted.Quadratic{I: []int{0}, J: []int{1}, Values: []float64{1}}
		},
		"terms of no value": func(c *Content) { c.Problem.Model.Quadratic = lifted.Quadratic{I: []int{0}, J: []int{0}, Values: nil} },
		"a label more":      func(c *Content) { c.Problem.Dictionary.Labels = []string{"a", "b"} },
		"a negative radius": func(c *Content) { c.Problem.Radius = -1 },
		"an infinite cost":  func(c *Content) { c.Problem.Model.Columns[0].Cost = math.Inf(1) },
		"a nominal too long": func(c *Content) {
			c.Problem.Constraints = []lifted.Constraint{{Nominal: []float64{1, 2}, Map: *c.Problem.Objective}}
		},
		"no leaf":  func(c *Content) { c.Proof.Leaves = nil },
		"no scale": func(c *Content) { c.Proof.Leaves[0].Scale = lifted.Number{} },
		"a long number": func(c *Content) {
			c.Proof.Leaves[0].Objective = lifted.Multipliers{Of: []int{0}, Values: []lifted.Number{long}}
		},
		"a multiplier of 2": func(c *Content) {
			c.Proof.Leaves[0].Objective = lifted.Multipliers{Of: []int{0}, Values: []lifted.Number{lifted.Float(2)}}
		},
		"infinite claims": func(c *Content) { c.Problem.Model.Columns[0].Cost, c.Decision.X[0] = 1e300, 1e300 },
		"no UTF-8":        func(c *Content) { c.Problem.Model.Name = "caf\xe9" },
		"a false convexity": func(c *Content) {
			c.Problem.Model.Quadratic = lifted.Quadratic{I: []int{0}, J: []int{0}, Values: []float64{-1}}
			c.Proof.Curvature = &lifted.Curvature{Columns: []int{0}, Slack: []float64{0.5}}
		},
	} {
		c := small()
		change(c)
		err := c.Save(path)
		var wrong *FalseClaimError
		if !errors.Is(err, ErrNotCheckable) && !errors.As(err, &wrong) && !strings.Contains(name, "UTF-8") && !strings.Contains(name, "infinite") || err == nil {
			t.Errorf("%s: %v", name, err)
		}
		var written bytes.Buffer
		if failed := c.Write(&written); failed == nil || failed.Error() != err.Error() || written.Len() > 0 {
			t.Errorf("%s: Write says %v after %d bytes, Save %v", name, failed, written.Len(), err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, old) {
			t.Fatalf("%s: the old file is gone, %v", name, err)
		}
	}
}

// TestAProofWithoutABoundIsLeftOut, since it would say nothing.
func TestAProofWithoutABoundIsLeftOut(t *testing.T) {
	c := small()
	c.Problem.Model.Columns[0].Lower = nil
	var data bytes.Buffer
	if err := c.Write(&data); err != nil {
		t.Fatal(err)
	}
	checked, err := Verify(&data, nil)
	if err != nil || checked.Content().Proof != nil || checked.Claims().Lower != (proof.Lower{}) || checked.Claims().Regret != (proof.Upper{}) {
		t.Errorf("%v, %+v", err, checked)
	}
}

// TestRegretAndGapAreWithheld where the author does not mean the decision to be feasible; what it misses is claimed all the same.
func TestRegretAndGapAreWithheld(t *testing.T) {
	c := small()
	c.Uncertified, c.Decision.X = true, []float64{-1}
	var data bytes.Buffer
	if err := c.Write(&data); err != nil {
		t.Fatal(err)
	}
	checked, err := Verify(&data, nil)
	if err != nil || checked.Claims().Missed.Float() != 1 || checked.Claims().Lower.Float() != 0 || checked.Claims().Regret != (proof.Upper{}) || checked.Claims().Gap != (proof.Upper{}) || !checked.Content().Uncertified {
		t.Errorf("%v, %+v", err, checked)
	}
}

// TestALargeDictionaryStaysInItsFile, and counts in the claims all the same.
func TestALargeDictionaryStaysInItsFile(t *testing.T) {
	c, rows := small(), &bytes.Buffer{}
	one := 1.0
	c.Problem.Model.Columns[0].Lower, c.Decision.X = &one, []float64{1}
	c.Problem.Dictionary.Atoms, c.Problem.Dictionary.Values = lifted.MostEmbedded+1, nil
	for i := range c.Problem.Dictionary.Atoms {
		c.Problem.Dictionary.Values = append(c.Problem.Dictionary.Values, []float64{float64(i % 3)})
		fmt.Fprintln(rows, i%3)
	}
	var data bytes.Buffer
	if err := c.Write(&data); err != nil || data.Len() > 10_000 {
		t.Fatal(data.Len(), err)
	}
	checked, err := Verify(&data, rows)
	if err != nil || checked.Claims().Full.Float() != 3 || checked.Claims().Restricted.Float() != 1 {
		t.Errorf("%v, %+v", err, checked)
	}
}

// TestADictionaryOfTheMostNumbersIsInItsFile, which needs no other.
func TestADictionaryOfTheMostNumbersIsInItsFile(t *testing.T) {
	c, data := small(), bytes.Buffer{}
	c.Problem.Dictionary.Atoms, c.Problem.Dictionary.Dimension, c.Problem.Dictionary.Values = lifted.MostEmbedded/1000, 1000, nil
	c.Problem.Objective.Matrix = slices.Repeat(c.Problem.Objective.Matrix, 1000)
	for range c.Problem.Dictionary.Atoms {
		c.Problem.Dictionary.Values = append(c.Problem.Dictionary.Values, make([]float64, 1000))
	}
	if err := c.Write(&data); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(&data, nil); err != nil {
		t.Error(err)
	}
}

// failingAt takes so many writes and refuses the next one alone.
type failingAt int

var errFull = errors.New("the disk is full")

func (f *failingAt) Write(data []byte) (int, error) {
	if *f--; *f == -1 {
		return 0, errFull
	}
	return len(data), nil
}

// No error of a writer is swallowed, whichever write it is, nor that of a folder which does not exist.
func TestEveryFailedWriteIsAnError(t *testing.T) {
	c := small()
	if err := c.Save(filepath.Join(t.TempDir(), "none", "design.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v", err)
	}
	var text bytes.Buffer
	if err := c.Write(&text); err != nil {
		t.Fatal(err)
	}
	checked, err := Verify(&text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(w *failingAt) error{
		"the file": func(w *failingAt) error { return c.Write(w) }, "the certificate": func(w *failingAt) error { return checked.WriteVIPR(w) },
	} {
		for taken := 0; ; taken++ {
			left := failingAt(taken)
			err := write(&left)
			if err == nil && left >= 0 && taken > 0 {
				break // there is no such write any more
			}
			if !errors.Is(err, errFull) {
				t.Fatalf("%s: write %d fails, error %v", name, taken, err)
			}
		}
	}
}
