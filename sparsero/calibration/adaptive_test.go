package calibration

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawAdaptive draws options of every kind, steps from far too small to far too large.
func drawAdaptive(t *rapid.T) Adaptive {
	return Adaptive{
		Alpha:  rapid.Float64Range(0.001, 0.999).Draw(t, "alpha"),
		Gamma:  math.Pow(10, rapid.Float64Range(-4, 2).Draw(t, "log gamma")),
		Window: rapid.SampledFrom([]int{0, 1, 2, 7, 30}).Draw(t, "window"),
	}
}

// adversaries choose the score of the day after they have seen its radius.
var adversaries = map[string]func(r *rand.Rand, radius float64) float64{
	"anything": func(r *rand.Rand, _ float64) float64 {
		return []float64{0, 0, 1, r.ExpFloat64(), 1e300, math.Inf(1)}[r.IntN(6)]
	},
	"just above": func(_ *rand.Rand, radius float64) float64 {
		return math.Nextafter(math.Max(0, radius), math.Inf(1))
	},
	"always inside": func(_ *rand.Rand, radius float64) float64 { return math.Max(0, math.Min(radius, 1)) },
	"zero":          func(*rand.Rand, float64) float64 { return 0 },
	"infinite":      func(*rand.Rand, float64) float64 { return math.Inf(1) },
	"jumping": func(r *rand.Rand, radius float64) float64 {
		if r.IntN(2) == 0 || math.IsInf(radius, 0) {
			return r.ExpFloat64()
		}
		return 10 * radius
	},
	"in turns": func(r *rand.Rand, radius float64) float64 { // long spells of violations and of calm
		if math.IsInf(radius, 0) || r.IntN(40) > 0 && radius < 1e6 {
			return 0
		}
		return 2*radius + 1
	},
}

// withinExactly reports |violations/days - alpha| <= bound, in rational arithmetic.
func withinExactly(violations, days int, alpha, bound float64) bool {
	distance := new(big.Rat).Sub(big.NewRat(int64(violations), int64(days)), new(big.Rat).SetFloat64(alpha))
	return distance.Abs(distance).Cmp(new(big.Rat).SetFloat64(bound)) <= 0
}

// TestAdaptiveBoundHoldsForEverySequence is the theorem: against every adversary, on every day the share of violations is within
// its bound, and so is that of every stretch of days.
func TestAdaptiveBoundHoldsForEverySequence(t *testing.T) {
	for name, adversary := range adversaries {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				options := drawAdaptive(t)
				random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
				stream, err := options.Begin(make([]float64, rapid.IntRange(0, 40).Draw(t, "past")))
				check(t, err)
				days := rapid.IntRange(1, 300).Draw(t, "days")
				violations := []int{0}
				for day := 1; day <= days; day++ {
					step, err := stream.Next(adversary(random, stream.Radius()))
					check(t, err)
					violations = append(violations, violations[day-1])
					if !step.Covered {
						violations[day]++
					}
					bound, err := options.Bound(day)
					check(t, err)
					if !withinExactly(violations[day], day, options.Alpha, bound.Float()) {
						t.Fatalf("%+v: %d violations in %d days, bound %g", options, violations[day], day, bound)
					}
				}
				first := rapid.IntRange(0, days-1).Draw(t, "first")
				stretch := days - first
				stretchBound := (1/options.Gamma+1)/float64(stretch)*(1+boundSlack) + boundSlack
				if !withinExactly(violations[days]-violations[first], stretch, options.Alpha, stretchBound) {
					t.Fatalf("%+v: %d violations in the days from %d to %d, bound %g", options, violations[days]-violations[first], first, days, stretchBound)
				}
			})
		})
	}
}

// TestAdaptiveBoundIsReached: an adversary who violates as long as there is a finite radius brings the share
// of violations to within 2 % of the bound.
func TestAdaptiveBoundIsReached(t *testing.T) {
	options := Adaptive{Alpha: 0.5, Gamma: 0.01}
	stream, err := options.Begin(make([]float64, 1000))
	if err != nil {
		t.Fatal(err)
	}
	days, score := 0, 1.
	for ; !math.IsInf(stream.Radius(), 1); days++ {
		if step, err := stream.Next(score); step.Covered || err != nil {
			t.Fatalf("day %d: %+v, %v", days, step, err)
		}
		score *= 2
	}
	upper, err := options.Bound(days)
	bound := upper.Float()
	if distance := 1 - options.Alpha; err != nil || distance > bound || distance < 0.97*bound {
		t.Errorf("%d violations in %d days: distance %g, bound %g, %v", days, days, distance, bound, err)
	}
	if want := (0.5 + 0.01) / (0.01 * float64(days)); math.Abs(bound/want-1) > 1e-12 || bound < want {
		t.Errorf("bound %.17g, want %.17g rounded up", bound, want)
	}
}

// TestAdaptiveByTwoRoads compares a stream with the recursion of the paper and with split conformal calibration of the
// scores that count, day by day.
func TestAdaptiveByTwoRoads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		options := drawAdaptive(t)
		options.Gamma = math.Min(options.Gamma, 0.5)
		scores := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.5, 1, 2, 3, 4, 5, math.Inf(1)}), 1, 120).Draw(t, "scores")
		past := rapid.SliceOfN(rapid.Float64Range(0, 5), 0, 40).Draw(t, "past")
		path, err := options.Run(past, scores)
		check(t, err)
		level := options.Alpha
		for day, step := range path {
			counting := slices.Concat(past, scores[:day])
			if options.Window > 0 {
				counting = counting[max(0, len(counting)-options.Window):]
			}
			if math.Abs(step.Level-level) > 1e-9 {
				t.Fatalf("day %d: level %g, by the recursion %g", day, step.Level, level)
			}
			if want := splitRadius(t, step.Level, counting); step.Radius != want || step.Score != scores[day] {
				t.Fatalf("day %d: %+v, want radius %g for score %g", day, step, want, scores[day])
			}
			violated := 0.
			if step.Score > step.Radius {
				violated = 1
			}
			if step.Covered != (violated == 0) {
				t.Fatalf("day %d: %+v", day, step)
			}
			level += options.Gamma * (options.Alpha - violated)
		}
	})
}

// splitRadius is the split-conformal radius at any level.
func splitRadius(t *rapid.T, level float64, scores []float64) float64 {
	switch {
	case level >= 1:
		return math.Inf(-1)
	case level <= 0 || len(scores) == 0:
		return math.Inf(1)
	}
	radius, err := SplitConformal{Alpha: level}.Calibrate(scores)
	if err != nil && !errors.Is(err, ErrSampleTooSmall) {
		t.Fatal(err)
	}
	return radius.Value.Float()
}

// TestAdaptiveByHand follows five days on paper.
func TestAdaptiveByHand(t *testing.T) {
	// Levels: 0.5, then 0.5-0.25·0.5 after a violation and +0.25·0.5 after a covered day.
	path, err := Adaptive{Alpha: 0.5, Gamma: 0.25}.Run([]float64{1, 2, 3}, []float64{4, 2, 2, 0, 9})
	if err != nil {
		t.Fatal(err)
	}
	want := AdaptivePath{
		{Score: 4, Radius: 2, Level: 0.5},                  // 2nd of 1 2 3
		{Score: 2, Radius: 4, Level: 0.375, Covered: true}, // 4th of 1 2 3 4: one of five may exceed
		{Score: 2, Radius: 2, Level: 0.5, Covered: true},   // 3rd of 1 2 2 3 4
		{Score: 0, Radius: 2, Level: 0.625, Covered: true}, // 3rd of 1 2 2 2 3 4: four of seven
		{Score: 9, Radius: 1, Level: 0.75, Covered: false}, // 2nd of 0 1 2 2 2 3 4: six of eight
	}
	if !slices.Equal(path, want) {
		t.Errorf("%+v\nwant %+v", path, want)
	}
	if path.Rate() != 0.4 || !math.IsNaN(AdaptivePath{}.Rate()) {
		t.Errorf("rates %g and %g", path.Rate(), AdaptivePath{}.Rate())
	}
	if f := path.Frame(); !slices.Equal(f.Names(), []string{"score", "radius", "level", "covered"}) || f.Nrow() != 5 || f.Elem(1, 1).Float() != 4 {
		t.Errorf("%v", f)
	}
}

// Scores that are all 0 make the level pass 1; the empty set is violated then, and the share returns to alpha.
func TestAdaptiveKeepsTheShareOfZeroScores(t *testing.T) {
	path, err := Adaptive{Alpha: 0.2, Gamma: 0.05}.Run(make([]float64, 50), make([]float64, 4000))
	if err != nil {
		t.Fatal(err)
	}
	empty := 0
	for _, step := range path {
		if math.IsInf(step.Radius, -1) {
			empty++
		}
		if step.Covered == math.IsInf(step.Radius, -1) {
			t.Fatalf("%+v", step)
		}
	}
	if empty == 0 || math.Abs(path.Rate()-0.2) > 0.005 {
		t.Errorf("%d empty sets, share %g", empty, path.Rate())
	}
}

// Scores in other units: radii scale, levels and coverage stay.
func TestAdaptiveScalesWithTheScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, scale := drawNumbers(t, "scores", 0, 10, 1, 60), drawScale(t, "scale")
		options := drawAdaptive(t)
		base, err := options.Run(scores, scores)
		check(t, err)
		scaled, err := options.Run(times(scale, scores), times(scale, scores))
		check(t, err)
		for day := range base {
			base[day].Score, base[day].Radius = scale*base[day].Score, scale*base[day].Radius
		}
		if !slices.Equal(base, scaled) {
			t.Fatalf("%+v in the new units, %+v scaled", scaled, base)
		}
	})
}

// A bad score changes nothing, and the stream goes on.
func TestAdaptiveRefusals(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := Adaptive{Alpha: 0.1, Gamma: 0.01}
	stream, err := good.Begin([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
	if err != nil {
		t.Fatal(err)
	}
	before, level := stream.Radius(), stream.Level()
	if _, err := stream.Next(nan); err == nil || stream.Radius() != before || stream.Level() != level {
		t.Errorf("after NaN: radius %g, level %g, %v", stream.Radius(), stream.Level(), err)
	}
	var empty AdaptiveStream
	if step, _ := empty.Next(1); step.Covered || empty.Radius() != inf {
		t.Errorf("an empty stream covers: %+v, %g", step, empty.Radius())
	}
	for word, err := range map[string]error{
		"alpha=0":        second(Adaptive{Gamma: 0.1}.Begin(nil)),
		"gamma=0":        second(Adaptive{Alpha: 0.1}.Begin(nil)),
		"gamma=-1":       second(Adaptive{Alpha: 0.1, Gamma: -1}.Bound(3)),
		"gamma=NaN":      second(Adaptive{Alpha: 0.1, Gamma: nan}.Bound(3)),
		"gamma=+Inf":     second(Adaptive{Alpha: 0.1, Gamma: inf}.Bound(3)),
		"window=-1":      second(Adaptive{Alpha: 0.1, Gamma: 0.1, Window: -1}.Begin(nil)),
		"0 days":         second(good.Bound(0)),
		"past[1]=NaN":    second(good.Begin([]float64{1, nan})),
		"scores[0]=-Inf": second(good.Run(nil, []float64{-inf})),
		"scores":         second(good.Run(nil, nil)),
		"score[0]=NaN":   second(stream.Next(nan)),
		"score[0]=-Inf":  second(stream.Next(-inf)),
		"Begin":          second(empty.Next(1)),
	} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in: %v", word, err)
		}
	}
}
