package compare

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values times
		want   float64
	}{{times{3}, 3}, {times{3, 1, 2}, 2}, {times{4, 1, 3, 2}, 2.5}} {
		before := slices.Clone(test.values)
		if got := test.values.median(); got != test.want || !slices.Equal(before, test.values) {
			t.Errorf("median of %v is %v, want %v", before, got, test.want)
		}
	}
}

func TestSidesTakeTurns(t *testing.T) {
	var order []int
	turn := func(k int) side {
		return func() (float64, error) { order = append(order, k); return float64(len(order)), nil }
	}
	measured, err := inTurn(context.Background(), 2, turn(0), turn(1), turn(2))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(order, []int{0, 1, 2, 0, 1, 2}) || !slices.Equal(measured[1], times{2, 5}) {
		t.Errorf("order %v, times %v", order, measured)
	}
}

func TestShortWorkloadsAreRepeatedWithinATurn(t *testing.T) {
	runs := 0
	short := func() (float64, error) { runs++; return 0.03 + float64(runs)*0.001, nil }
	measured, err := inTurn(context.Background(), 2, short)
	if err != nil {
		t.Fatal(err)
	}
	// 31 + 32 + 33 + 34 ms to warm up, then 35 + 36 + 37 ms; 38 + 39 + 40 ms, then 41 + 42 + 43 ms.
	if runs != 13 || math.Abs(measured[0][0]-0.036) > 1e-12 || math.Abs(measured[0][1]-0.042) > 1e-12 {
		t.Errorf("%d runs with the medians %v, want 13 with 0.036 and 0.042", runs, measured[0])
	}
	if _, err := inTurn(context.Background(), 1, short); err != nil || runs != 14 {
		t.Errorf("%d runs (%v), want one more where a turn is not repeated", runs, err)
	}
}

func TestSlopeOfAPowerLaw(t *testing.T) {
	var points []Point
	for _, n := range GrowthSizes {
		points = append(points, Point{Atoms: n, Median: 3 * math.Pow(float64(n), 0.9)})
	}
	if slope := Slope(points); math.Abs(slope-0.9) > 1e-12 {
		t.Errorf("slope %v, want 0.9", slope)
	}
}

func TestRowsSayWhetherTheTargetIsMet(t *testing.T) {
	rows := []Row{
		{Key: "a", Workload: "first", Unit: "ms", Limit: 10, PeerValue: 100, Ours: 14, Target: Target{Limit: 1.5}},
		{Key: "b", Workload: "second", Unit: "ms", Limit: math.NaN(), PeerValue: 100, Ours: 14, Target: Target{Ratio: 10}},
		{Key: "c", Workload: "third", Unit: "MB", Limit: 10, PeerValue: math.NaN(), Ours: 14},
	}
	if !rows[0].Met() || rows[1].Met() || !rows[2].Met() {
		t.Error("14 of 10 is within 1.5, 100 of 14 is not 10 times, and no target is met")
	}
	var table, text bytes.Buffer
	if err := WriteCSV(&table, rows); err != nil {
		t.Fatal(err)
	}
	if err := WriteText(&text, rows); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"first", "<= 1.5 limit", "7.14", "yes", "no"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
	if lines := strings.Count(table.String(), "\n"); lines != 4 {
		t.Errorf("the CSV has %d lines, want 4", lines)
	}
}

func TestAgreementIsRefused(t *testing.T) {
	ours := choice{[]int{1, 2, 3}, 1}
	for name, test := range map[string]struct {
		theirs    choice
		tolerance float64
		ok        bool
	}{
		"the same":               {choice{[]int{1, 2, 3}, 1}, doubleTolerance, true},
		"another value":          {choice{[]int{1, 2, 3}, 1.1}, singleTolerance, false},
		"no value":               {choice{[]int{1, 2, 3}, math.NaN()}, singleTolerance, false},
		"a near tie in float32":  {choice{[]int{1, 3, 2}, 1}, singleTolerance, true},
		"other picks in float64": {choice{[]int{1, 3, 2}, 1}, doubleTolerance, false},
		"fewer picks":            {choice{[]int{1}, 1}, singleTolerance, false},
	} {
		if _, err := agree(test.theirs, ours, test.tolerance); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
