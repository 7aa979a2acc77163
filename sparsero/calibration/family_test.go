package calibration

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// The radii of a family are those of its sets, one by one: the prefixes as so many candidates, the envelope as the whole dictionary.
// Nothing else takes these two promises, so that no other score can have them.
func TestFamiliesThatNameTheirSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n, p, m := rapid.IntRange(1, 9).Draw(t, "atoms"), rapid.IntRange(1, 3).Draw(t, "dimension"), rapid.IntRange(20, 60).Draw(t, "samples")
		d, err := sparsero.NewDictionary(normalSamples(random, n, p), nil)
		check(t, err)
		path, samples := random.Perm(n)[:1+random.IntN(n)], normalSamples(random, m, p)
		promise := OrderStatistic{Alpha: 0.3, Delta: 0.2}
		as := func(family Family) Rule { promise.Family = family; return promise }

		radii, err := CalibrateFamily(as(Prefixes(path)), d, samples)
		check(t, err)
		for b := range path {
			set, err := sparsero.NewAtomicSet(d, path[:b+1], 1)
			check(t, err)
			scores, err := DirectionalScores(set, samples)
			check(t, err)
			want, err := as(Candidates(len(path))).Calibrate(scores)
			if err != nil || len(radii) != len(path) || radii[b].Value != want.Value || radii[b].Family != Prefixes(path) {
				t.Fatalf("prefix %d of %v: %+v, want %+v, %v", b, path, radii[b], want, err)
			}
		}
		full, err := fullScores(d, samples)
		check(t, err)
		every, err := CalibrateFamily(as(Envelope()), d, samples)
		check(t, err)
		want, err := as(Family{}).Calibrate(full)
		if err != nil || len(every) != 1 || every[0].Value != want.Value || every[0].Family != Envelope() {
			t.Fatalf("envelope: %+v, want %+v, %v", every, want, err)
		}

		split, err := SplitByIndex(m, []int{0}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []int{11})
		check(t, err)
		parts, err := split.Take(samples)
		check(t, err)
		for _, family := range []Family{Prefixes(path), Envelope()} {
			refused := func(radius Radius, err error) {
				if err == nil || radius.Check() == nil || !strings.Contains(err.Error(), "CalibrateFamily") {
					t.Fatalf("%v of any scores: %+v, %v", family, radius, err)
				}
			}
			refused(as(family).Calibrate(full))
			if radius, _ := as(family).Calibrate(full); radius.Rank != m+1 {
				t.Fatalf("%v of any scores: rank %d", family, radius.Rank)
			}
			refused(parts.Calibration.Calibrate(as(family), func(mat.Matrix) ([]float64, error) { return full[:10], nil }))
		}
		promise.Alpha = 0.9
		once, err := parts.Calibration.CalibrateFamily(as(Envelope()), d)
		if rows := samples.Slice(1, 11, 0, p); err != nil || once[0].Value != mustFamily(t, as(Envelope()), d, rows)[0].Value {
			t.Fatalf("calibration rows: %+v, %v", once, err)
		}
		if _, err := parts.Calibration.CalibrateFamily(as(Envelope()), d); !errors.Is(err, ErrReuse) {
			t.Fatalf("calibration rows used twice: %v", err)
		}
	})
}

func mustFamily(t *rapid.T, rule Rule, d *sparsero.Dictionary, samples mat.Matrix) []Radius {
	radii, err := CalibrateFamily(rule, d, samples)
	check(t, err)
	return radii
}

// Which sets a promise covers, before and after the samples were used.
func TestCheckSet(t *testing.T) {
	marginal := Parameters{Alpha: 0.1, Guarantee: marginal}
	of := func(f Family) Parameters {
		return Parameters{Alpha: 0.1, Delta: 0.1, Family: f, Guarantee: simultaneous}
	}
	for name, test := range map[string]struct {
		promise       Parameters
		atoms         []int
		before, later bool
	}{
		"one set":              {of(Family{}), []int{4, 2}, true, false},
		"candidates":           {of(Candidates(9)), []int{4, 2}, true, false},
		"on average":           {marginal, []int{4, 2}, true, false},
		"no promise":           {Parameters{}, []int{4, 2}, true, true},
		"a prefix":             {of(Prefixes([]int{4, 2, 0})), []int{4, 2}, true, true},
		"the path":             {of(Prefixes([]int{4, 2, 0})), []int{4, 2, 0}, true, true},
		"no prefix":            {of(Prefixes([]int{4, 2, 0})), []int{4, 0}, false, false},
		"another order":        {of(Prefixes([]int{4, 2, 0})), []int{2, 4}, false, false},
		"digits are no prefix": {of(Prefixes([]int{42, 2, 0})), []int{4}, false, false},
		"beyond the path":      {of(Prefixes([]int{4, 2})), []int{4, 2, 0}, false, false},
		"subsets":              {of(Subsets(5, 2)), []int{4, 2}, true, true},
		"too many":             {of(Subsets(5, 2)), []int{4, 2, 0}, false, false},
		"another dictionary":   {of(Subsets(6, 2)), []int{4, 2}, false, false},
		"envelope":             {of(Envelope()), []int{4, 2}, true, true},
	} {
		for later, want := range map[bool]bool{false: test.before, true: test.later} {
			err := test.promise.CheckSet(test.atoms, 5, later)
			if (err == nil) != want || err != nil && !errors.Is(err, ErrReuse) {
				t.Errorf("%s, later %v: %v", name, later, err)
			}
			if err != nil && strings.Contains(err.Error(), "chosen after a calibration") != later {
				t.Errorf("%s, later %v: the reason is another: %v", name, later, err)
			}
		}
	}
}

// What a family cannot name, or does not, is refused with the next step.
func TestCalibrateFamilyRefusals(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(2, 1, []float64{1, -1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	samples := mat.NewDense(9, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	promise := func(f Family) Rule { return OrderStatistic{Alpha: 0.5, Delta: 0.5, Family: f} }
	for name, test := range map[string]struct {
		rule Rule
		d    *sparsero.Dictionary
		text string
	}{
		"no rule":       {nil, d, "rule"},
		"no dictionary": {promise(Envelope()), nil, "dictionary"},
		"one set":       {promise(Family{}), d, "Rule.Calibrate"},
		"no promise":    {Additive{Alpha: 0.5, Delta: 0.5, Family: Envelope()}, d, "Rule.Calibrate"},
		"no path":       {promise(Prefixes(nil)), d, "0 sets"},
		"outside":       {promise(Prefixes([]int{0, 2})), d, "path[1] = 2"},
		"twice":         {promise(Prefixes([]int{0, 0})), d, "twice"},
		"too few":       {OrderStatistic{Alpha: 0.01, Delta: 0.01, Family: Envelope()}, d, "459"},
		"few for paths": {OrderStatistic{Alpha: 0.01, Delta: 0.01, Family: Prefixes([]int{0})}, d, "459"},
	} {
		if radii, err := CalibrateFamily(test.rule, test.d, samples); err == nil || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %+v, %v", name, radii, err)
		}
	}
	parts := testParts(t)
	if _, err := parts.Calibration.CalibrateFamily(nil, d); err == nil {
		t.Error("no rule, no error")
	}
}

// TestRefusedFamiliesUseNothingUp: what is wrong with rule, family or dictionary is found before a sample is looked at.
func TestRefusedFamiliesUseNothingUp(t *testing.T) {
	parts := testParts(t)
	dimension := parts.Selection.RawMatrix().Cols
	fits, err := sparsero.NewDictionary(mat.NewDense(2, dimension, slices.Repeat([]float64{1, -1}, dimension)), nil)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := sparsero.NewDictionary(mat.NewDense(1, dimension+1, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	promise := func(f Family) Rule { return OrderStatistic{Alpha: 0.9, Delta: 0.9, Family: f} }
	for _, wrong := range []struct {
		rule Rule
		d    *sparsero.Dictionary
	}{
		{promise(Family{}), fits}, {promise(Prefixes([]int{0, 2})), fits}, {promise(Envelope()), nil}, {promise(Envelope()), wide},
		{Additive{Alpha: 0.5, Delta: 0.5, Family: Envelope()}, fits}, {OrderStatistic{Alpha: 1e-9, Delta: 0.1, Family: Envelope()}, fits},
	} {
		if _, err := parts.Calibration.CalibrateFamily(wrong.rule, wrong.d); err == nil || errors.Is(err, ErrReuse) {
			t.Errorf("%+v: %v", wrong.rule, err)
		}
	}
	if radii, err := parts.Calibration.CalibrateFamily(promise(Envelope()), fits); err != nil || len(radii) != 1 {
		t.Errorf("after refusals alone: %v, %v", radii, err)
	}
	if _, err := parts.Calibration.CalibrateFamily(promise(Envelope()), fits); !errors.Is(err, ErrReuse) {
		t.Errorf("a second radius: %v", err)
	}
	if _, err := new(CalibrationSamples).CalibrateFamily(promise(Envelope()), fits); err == nil || !strings.Contains(err.Error(), "Split.Take") {
		t.Errorf("no samples: %v", err)
	}
}

// TestJSONNamesTheFamily that a promise is about, in its words.
func TestJSONNamesTheFamily(t *testing.T) {
	for want, family := range map[string]Family{
		"one fixed set": {}, "7 candidate sets": Candidates(7), "2 prefixes": Prefixes([]int{5, 1}), "N=9, B=2": Subsets(9, 2), "every set": Envelope(),
	} {
		text, err := json.Marshal(Radius{Parameters: Parameters{Family: family}})
		if err != nil || !strings.Contains(string(text), `"Family":"`+want+`"`) {
			t.Errorf("%v: %s, %v", family, text, err)
		}
	}
}
