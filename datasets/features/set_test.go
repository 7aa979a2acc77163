package features_test

import (
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// numbered returns a set whose single feature is the row number, so that parts
// can be traced, with the given number of examples of each class.
func numbered(t require, negative, positive int) *features.Set {
	n := negative + positive
	x, labels := mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		x.Set(i, 0, float64(i))
		if i >= negative {
			labels[i] = 1
		}
	}
	s, err := features.NewSet("numbered", x, labels)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// require is what a test and a property have in common.
type require interface{ Fatal(...any) }

// The parts of a split are disjoint, hold every example once when the fractions
// sum to 1, and take from each class its rounded share.
func TestSplitIsAStratifiedPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		negative, positive := rapid.IntRange(20, 80).Draw(t, "negative"), rapid.IntRange(20, 80).Draw(t, "positive")
		fractions := rapid.SampledFrom([][]float64{{0.5, 0.2, 0.15, 0.15}, {1}, {0.5, 0.5}, {0.1, 0.2, 0.7}, {1. / 3, 1. / 3, 1. / 3}}).Draw(t, "fractions")
		s := numbered(t, negative, positive)
		parts, err := s.Split(fractions, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		seen := make([]int, len(s.Y))
		sum := 0.0
		for k, part := range parts {
			if err := part.Check(); err != nil {
				t.Fatal(err)
			}
			for i := range len(part.Y) {
				row := int(part.X.At(i, 0))
				seen[row]++
				if part.Y[i] != s.Y[row] {
					t.Fatalf("row %d changed its label", row)
				}
			}
			from, to := sum, min(sum+fractions[k], 1)
			for class, count := range counts(s) {
				want := int(math.Round(to*float64(count)) - math.Round(from*float64(count)))
				if got := counts(part)[class]; got != want {
					t.Fatalf("part %d has %d of class %d, want %d", k, got, class, want)
				}
			}
			sum += fractions[k]
		}
		for row, count := range seen {
			if count != 1 {
				t.Fatalf("row %d is in %d parts", row, count)
			}
		}
	})
}

func TestSplitDependsOnTheSeedAlone(t *testing.T) {
	s := numbered(t, 50, 50)
	first, err := s.Split(nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Split(nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Split(nil, 5)
	if err != nil {
		t.Fatal(err)
	}
	for k := range first {
		if !mat.Equal(first[k].X, again[k].X) {
			t.Errorf("part %d differs between two calls", k)
		}
		if mat.Equal(first[k].X, other[k].X) {
			t.Errorf("part %d is the same for two seeds", k)
		}
	}
}

// A sum below 1 leaves examples out.
func TestSplitOfLess(t *testing.T) {
	parts, err := numbered(t, 100, 50).Split([]float64{0.1, 0.2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if counts(parts[0]) != [2]int{10, 5} || counts(parts[1]) != [2]int{20, 10} {
		t.Errorf("parts of %v and %v, want 10+5 and 20+10", counts(parts[0]), counts(parts[1]))
	}
}

func TestBadSets(t *testing.T) {
	build := func(values, labels []float64) error {
		_, err := features.NewSet("x", mat.NewDense(len(values), 1, values), labels)
		return err
	}
	broken := func(change func(*features.Set)) error {
		s := numbered(t, 2, 2)
		change(s)
		return s.Check()
	}
	split := func(negative, positive int, fractions ...float64) error {
		_, err := numbered(t, negative, positive).Split(fractions, 1)
		return err
	}
	standIn := func(o features.StandInOptions) error { _, err := features.StandIn(o); return err }
	subset := func(rows ...int) error { _, err := numbered(t, 2, 2).Subset(rows); return err }
	_, ofNone := (*features.Set)(nil).Subset([]int{0})
	_, ofEmpty := new(features.Set).Subset([]int{0})
	_, noMatrix := features.NewSet("x", nil, []float64{0, 1})
	for _, test := range []struct {
		name string
		err  error
		says []string
	}{
		{"no matrix", noMatrix, []string{"features: X"}},
		{"labels", build([]float64{1}, nil), []string{"0 labels for the 1 rows"}},
		{"rows of no set", ofNone, []string{"the set is nil"}},
		{"rows of an empty set", ofEmpty, []string{"features: X"}},
		{"too many labels", build([]float64{1}, []float64{0, 1}), []string{"2 labels for the 1 rows"}},
		{"one class", build([]float64{1, 2}, []float64{4, 4}), []string{"labels are 4"}},
		{"six classes", build([]float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 4, 5, 6}), []string{"(1, 2, 3, ...)"}},
		{"NaN label", build([]float64{1, 2}, []float64{math.NaN(), 1}), []string{"label 0 is NaN"}},
		{"NaN feature", build([]float64{1, math.NaN()}, []float64{0, 1}), []string{"NaN in row 1, column 0"}},
		{"infinite feature", build([]float64{math.Inf(-1), 1}, []float64{0, 1}), []string{"-Inf in row 0, column 0"}},
		{"label 0 set by hand", broken(func(s *features.Set) { s.Y[1] = 0 }), []string{"label 1 of Y is 0"}},
		{"class emptied by hand", broken(func(s *features.Set) { s.Y[2], s.Y[3] = -1, -1 }), []string{`class "1"`}},
		{"classes of one name", broken(func(s *features.Set) { s.Classes = [2]string{"cat", "cat"} }), []string{`named "cat"`}},
		{"no rows", subset(), []string{"rows is empty"}},
		{"row out of range", subset(0, 4), []string{"rows[1] = 4"}},
		{"rows of one class", subset(0, 1), []string{`class "1"`}},
		{"fraction 0", split(5, 5, 0.5, 0), []string{"fractions[1] = 0; use a value above 0"}},
		{"fraction NaN", split(5, 5, math.NaN()), []string{"fractions[0] = NaN; use a value above 0"}},
		{"a fraction below 0", split(5, 5, 0.5, -0.1), []string{"fractions[1] = -0.1; use a value above 0"}},
		{"fractions a little above 1", split(5, 5, 0.5, 0.5000001), []string{"sum to 1.00000"}},
		{"fractions above 1", split(5, 5, 0.7, 0.4), []string{"sum to 1.1"}},
		{"a part without a class", split(40, 2, 0.5, 0.1, 0.4), []string{"fractions[1] = 0.1", "2 1"}},
		{"too few generated", standIn(features.StandInOptions{Examples: 3}), []string{"Examples = 3"}},
		{"negative rank", standIn(features.StandInOptions{Rank: -1}), []string{"Rank = -1"}},
		{"NaN noise", standIn(features.StandInOptions{Noise: math.NaN()}), []string{"Noise = NaN"}},
		{"negative separation", standIn(features.StandInOptions{Separation: -2}), []string{"Separation = -2"}},
	} {
		t.Run(test.name, func(t *testing.T) { expectError(t, test.err, test.says...) })
	}
}

func expectError(t *testing.T, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

// The real features that lie beside the repository: 5,000 training and 1,000
// test images of each class, 64 features (a ResNet-56's last hidden layer).
func TestRealFeatures(t *testing.T) {
	for _, task := range []string{"cat_dog", "automobile_truck"} {
		for part, examples := range map[string]int{"train": 10_000, "test": 2_000} {
			stem := "../../../shared/data/cifar10_" + task + "_" + part
			s, err := features.LoadNPY(stem+"_x.npy", stem+"_y.npy")
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("the real features are not at ../shared/data beside the repository")
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Y) != examples || s.Dimension() != 64 || counts(s) != [2]int{examples / 2, examples / 2} {
				t.Errorf("%v, want %d examples of 64 features, half of them in each class", s, examples)
			}
			if mean, want := mat.Sum(s.X)/float64(64*examples), 0.7491833404335516; task+part == "cat_dogtrain" && math.Abs(mean-want) > 1e-12 {
				t.Errorf("the mean of %s is %.16g; NumPy gives %.16g for x.astype(float).mean()", s.Name, mean, want)
			}
		}
	}
}

// counts returns the number of examples labelled -1 and +1.
func counts(s *features.Set) (counts [2]int) {
	for _, label := range s.Y {
		counts[int(label+1)/2]++
	}
	return counts
}
