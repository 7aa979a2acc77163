package exercise_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/notebooks/exercise"
)

// recorder is a testing.TB that remembers how a check ended.
type recorder struct {
	testing.TB
	outcome string
}

func (r *recorder) Helper()                      {}
func (r *recorder) Logf(format string, a ...any) { r.outcome = fmt.Sprintf(format, a...) }
func (r *recorder) Errorf(format string, a ...any) {
	r.outcome = "wrong: " + fmt.Sprintf(format, a...)
}
func (r *recorder) Skip(...any)    { r.outcome = "open"; panic(r) }
func (r *recorder) Fatal(a ...any) { r.outcome = "fatal: " + fmt.Sprint(a...); panic(r) }

// outcome runs a check against a recorder.
func outcome(check func(t testing.TB)) (text string) {
	r := &recorder{}
	defer func() {
		if recover() != nil {
			text = r.outcome
		}
	}()
	check(r)
	return r.outcome
}

func number(answer float64, key string) string {
	return outcome(func(t testing.TB) { exercise.Number(t, answer, key) })
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		value    float64
		decimals int
	}{{-7.25, 1}, {0.333333, 4}, {812, 0}} {
		key, unit := exercise.NumberKey(c.value, c.decimals), math.Pow10(-c.decimals)
		for _, near := range []float64{c.value, c.value + 0.49*unit, c.value - 0.49*unit} {
			if got := number(near, key); !strings.HasPrefix(got, "right") {
				t.Errorf("%v for %v: %s", near, c.value, got)
			}
		}
		for _, far := range []float64{c.value + 2.1*unit, math.Inf(1)} {
			if got := number(far, key); !strings.HasPrefix(got, "wrong") {
				t.Errorf("%v for %v: %s", far, c.value, got)
			}
		}
	}
	if got := number(-1e-9, exercise.NumberKey(0, 3)); !strings.HasPrefix(got, "right: 0.000") {
		t.Errorf("negative zero: %s", got)
	}
}

func TestEqualAnswersHaveDifferentKeys(t *testing.T) {
	if a, b := exercise.NumberKey(2, 1), exercise.NumberKey(2, 1); a == b || a[len(a)-12:] == b[len(b)-12:] {
		t.Errorf("the keys are %s and %s", a, b)
	}
	if a, b := exercise.TextKey("one"), exercise.TextKey("one"); a == b {
		t.Errorf("both keys are %s", a)
	}
}

func TestNumbers(t *testing.T) {
	keys := []string{exercise.NumberKey(1, 1), exercise.NumberKey(2, 1)}
	check := func(answers ...float64) string {
		return outcome(func(t testing.TB) { exercise.Numbers(t, answers, keys...) })
	}
	for want, answers := range map[string][]float64{
		"right: 2.0": {1, 2}, "wrong: 3": {1, 3}, "wrong: 1 numbers": {1}, "open": {},
	} {
		if got := check(answers...); !strings.HasPrefix(got, want) {
			t.Errorf("%v: %s, want %s", answers, got, want)
		}
	}
}

func TestText(t *testing.T) {
	key := exercise.TextKey("SetCover")
	check := func(answer string) string {
		return outcome(func(t testing.TB) { exercise.Text(t, answer, key) })
	}
	for answer, want := range map[string]string{" setcover ": "right", "MaxGap": "wrong", " ": "open"} {
		if got := check(answer); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", answer, got, want)
		}
	}
}

func TestOpen(t *testing.T) {
	var pointer *int
	for _, open := range []any{exercise.Open, "", []int(nil), []float64{}, [][]float64{}, nil, pointer, (func())(nil)} {
		if got := outcome(func(t testing.TB) { exercise.Answered(t, open) }); got != "open" {
			t.Errorf("%v: %q", open, got)
		}
	}
	for _, done := range []any{1.0, "a", []int{0}, []float64{0}, true, new(int), math.Inf(1)} {
		if got := outcome(func(t testing.TB) { exercise.Answered(t, done) }); got != "" {
			t.Errorf("%v: %q", done, got)
		}
	}
}

func TestBadKeys(t *testing.T) {
	for _, key := range []string{"", "3", "x:00000000:000000000000", "13:00000000:000000000000", "3:00", "3:000000000000"} {
		if got := number(1, key); !strings.Contains(got, "NumberKey") {
			t.Errorf("%q: %s", key, got)
		}
	}
	for _, bad := range []func(){
		func() { exercise.NumberKey(math.NaN(), 1) },
		func() { exercise.NumberKey(1, -1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			bad()
		}()
	}
}

// TestWithheldKeys: a key without its secret takes any answer, and none where marks are given.
func TestWithheldKeys(t *testing.T) {
	text := func(answer string) string {
		return outcome(func(t testing.TB) { exercise.Text(t, answer, "") })
	}
	if a, b := number(7, "1:"), text("north"); a != "handed in: 7 (1 decimals count)" || b != "handed in: north" {
		t.Errorf("%q, %q", a, b)
	}
	t.Setenv("DIRECTIONS_GRADING", "1")
	if a, b := number(7, "1:"), text("north"); !strings.HasPrefix(a, "fatal") || !strings.HasPrefix(b, "wrong") {
		t.Errorf("graded: %q, %q", a, b)
	}
	if a, b := number(exercise.Open, "1:"), text(""); a != "fatal: not answered" || b != a {
		t.Errorf("open: %q, %q", a, b)
	}
}
