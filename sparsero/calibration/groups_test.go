package calibration

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Each group has the radius that the rule gives to its own scores; jointly, that of the rule with its share of delta.
func TestGroupsAreCalibratedAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"calm", "storm", "third"}[:rapid.IntRange(1, 3).Draw(t, "groups")]
		own, scores, labels := map[string][]float64{}, []float64{}, []string{}
		for j := range 40 * len(names) {
			name, score := names[j%len(names)], rapid.Float64Range(0, 9).Draw(t, "score")
			scores, labels = append(scores, score), append(labels, name)
			own[name] = append(own[name], score)
		}
		for _, rule := range append(soundRules(0.6, 0.4, Family{}), Additive{Alpha: 0.5, Delta: 0.1}) {
			radii, err := Groups{Rule: rule}.Calibrate(scores, labels)
			check(t, err)
			for k, name := range names {
				want, err := rule.Calibrate(own[name])
				check(t, err)
				want.Group = name
				got, err := radiusOf(radii, name)
				if err != nil || got != want || radii[k].Group != name {
					t.Fatalf("%s in %s: %+v, %v; want %+v", rule.recipe().name, name, got, err, want)
				}
			}
		}
		for _, rule := range []func(delta float64) Rule{
			func(delta float64) Rule { return OrderStatistic{Alpha: 0.6, Delta: delta, Family: Candidates(2)} },
			func(delta float64) Rule { return DKW{Alpha: 0.6, Delta: delta} },
			func(delta float64) Rule { return OrderStatistic{Alpha: 0.6, Delta: delta, Family: Subsets(5, 1)} },
		} {
			radii, err := Groups{Rule: rule(0.4), Joint: true}.Calibrate(scores, labels)
			check(t, err)
			total := 0.
			for _, r := range radii {
				share := r.Delta
				total += share
				want, err := rule(share).Calibrate(own[r.Group])
				check(t, err)
				want.Group = r.Group
				if r != want || math.Abs(share*float64(len(names))/0.4-1) > 1e-12 {
					t.Fatalf("%s jointly: %+v, want %+v", r.Group, r, want)
				}
			}
			if total > 0.4 {
				t.Fatalf("the shares of delta sum to %.17g", total)
			}
		}
	})
}

// A group whose sample is too small is named with its need: the smallest, which has the largest lack.
func TestGroupTooSmall(t *testing.T) {
	scores, labels := make([]float64, 250), slices.Repeat([]string{"calm"}, 250)
	copy(labels, []string{"storm", "storm", "storm", "crash", "crash"})
	rule := OrderStatistic{Alpha: 0.05, Delta: 1e-5}
	_, err := Groups{Rule: rule}.Calibrate(scores, labels)
	var small *SampleTooSmallError
	if !errors.As(err, &small) || small.Group != "crash" || small.Need != 225 || small.Got != 2 || !errors.Is(err, ErrSampleTooSmall) {
		t.Fatalf("%v", err)
	}
	if text := err.Error(); !strings.HasPrefix(text, `calibration: in group "crash" alpha=0.05 needs m >= 225 samples`) {
		t.Error(text)
	}
	// Three groups share delta: ln(3e5)/-ln 0.95 = 245.9.
	if _, err := (Groups{Rule: rule, Joint: true}).Calibrate(scores, labels); !errors.As(err, &small) || small.Need != 246 {
		t.Errorf("%v", err)
	}
}

// laws of the groups of the simulations: their shares of the samples, and their scores.
var groupLaws = []struct {
	name  string
	share float64
	scale float64
}{{"calm", 0.7, 1}, {"rough", 0.2, 2}, {"storm", 0.1, 4}}

// drawGroups draws scores with exponential laws of three scales, labels included.
func drawGroups(random *rand.Rand, scores []float64, labels []string) {
	for j := range scores {
		k, u := 0, random.Float64()
		for ; u > groupLaws[k].share && k < len(groupLaws)-1; k++ {
			u -= groupLaws[k].share
		}
		scores[j], labels[j] = groupLaws[k].scale*random.ExpFloat64(), groupLaws[k].name
	}
}

// TestPromisePerGroup repeats the draw of a sample: in each group the true share of violations exceeds alpha with probability at
// most delta, jointly in any group at all; the exact probability is the binomial tail. One radius for all keeps its
// promise for the mixture, and breaks it in the storm, nearly always. False alarms: falseAlarm each.
func TestPromisePerGroup(t *testing.T) {
	const m, alpha, delta = 1000, 0.1, 0.1
	trials := repetitions(400, 20000)
	random := rand.New(rand.NewPCG(41, 42))
	scores, labels := make([]float64, m), make([]string, m)
	rule := OrderStatistic{Alpha: alpha, Delta: delta}
	alone, joint, mixture, storm := map[string]int{}, 0, 0, 0
	for range trials {
		drawGroups(random, scores, labels)
		each, err := Groups{Rule: rule}.Calibrate(scores, labels)
		if err != nil {
			t.Fatal(err)
		}
		together, err := Groups{Rule: rule, Joint: true}.Calibrate(scores, labels)
		if err != nil {
			t.Fatal(err)
		}
		one := mustCalibrate(t, rule, scores).Value.Float()
		anyBroken, overall := false, 0.
		for k, law := range groupLaws {
			// P(scale·Exp > r) = exp(-r/scale).
			if math.Exp(-each[k].Value.Float()/law.scale) > alpha {
				alone[law.name]++
			}
			anyBroken = anyBroken || math.Exp(-together[k].Value.Float()/law.scale) > alpha
			overall += law.share * math.Exp(-one/law.scale)
		}
		if anyBroken {
			joint++
		}
		if overall > alpha {
			mixture++
		}
		if math.Exp(-one/4) > 2*alpha {
			storm++
		}
	}
	for _, law := range groupLaws {
		checkAtMost(t, "the radius of "+law.name, alone[law.name], trials, delta)
	}
	checkAtMost(t, "the radii of all groups at once", joint, trials, delta)
	checkAtMost(t, "one radius, over all", mixture, trials, delta)
	if t.Logf("one radius, twice alpha in the storm: %d of %d", storm, trials); storm < trials*9/10 {
		t.Errorf("one radius breaks its promise in the storm in %d of %d samples only", storm, trials)
	}
}

// radiusOf returns the radius of a group.
func radiusOf(radii []Radius, group string) (Radius, error) {
	k := slices.IndexFunc(radii, func(r Radius) bool { return r.Group == group })
	if k < 0 {
		return Radius{}, errors.New("no radius of " + group)
	}
	return radii[k], nil
}

func TestGroupRefusals(t *testing.T) {
	three, labels := []float64{1, 2, 3}, []string{"a", "a", "b"}
	half := Groups{Rule: SplitConformal{Alpha: 0.5}}
	if _, err := (Groups{Rule: SplitConformal{Alpha: 0.5}, Joint: true}).Calibrate(three, []string{"a", "a", "a"}); err != nil {
		t.Errorf("one group shares nothing: %v", err)
	}
	for word, err := range map[string]error{
		"rule":            second(Groups{}.Calibrate(three, labels)),
		"scores":          second(half.Calibrate(nil, nil)),
		"scores[1]=NaN":   second(half.Calibrate([]float64{1, math.NaN(), 2}, labels)),
		"2 labels":        second(half.Calibrate(three, labels[:2])),
		"alpha=0":         second(Groups{Rule: SplitConformal{}}.Calibrate(three, labels)),
		"split-conformal": second(Groups{Rule: SplitConformal{Alpha: 0.5}, Joint: true}.Calibrate(three, labels)),
	} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in: %v", word, err)
		}
	}
}
