package calibration

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// falseAlarm is the probability with which each statistical comparison of this
// file would reject a correct program under fresh seeds. The seeds are fixed,
// so that a failure repeats.
const falseAlarm = 1e-6

// repetitions returns how often a statistical experiment is repeated: a few
// times in the fast tests, many with DIRECTIONS_LONG=1.
func repetitions(quick, long int) int {
	if os.Getenv("DIRECTIONS_LONG") != "" {
		return long
	}
	return quick
}

// checkAtMost fails if so many successes have a probability below falseAlarm
// when each occurs with probability at most p.
func checkAtMost(t *testing.T, name string, count, trials int, p float64) {
	t.Helper()
	t.Logf("%s: %d of %d = %.5f, bound %.5f", name, count, trials, float64(count)/float64(trials), p)
	if logBinomialUpper(trials, count, p) < math.Log(falseAlarm) {
		t.Errorf("%s: %d of %d trials, more than probability %g allows", name, count, trials, p)
	}
}

// checkEquals fails if the count is too far from trials·p on either side.
func checkEquals(t *testing.T, name string, count, trials int, p float64) {
	t.Helper()
	checkAtMost(t, name, count, trials, p)
	if logBinomialCDF(trials, count, p) < math.Log(falseAlarm) {
		t.Errorf("%s: %d of %d trials, fewer than probability %g explains", name, count, trials, p)
	}
}

// distribution is a score distribution with its distribution function.
type distribution struct {
	name string
	draw func(r *rand.Rand) float64
	cdf  func(z float64) float64
}

// distributions returns one continuous distribution, which stands for all of
// them (ranks do not change under increasing maps), a die with ties, and a coin
// whose lower face has a mass just short of 1-alpha, the hardest case with
// ties.
func distributions(alpha float64) []distribution {
	lower := 1 - alpha - 0.002
	return []distribution{
		{"uniform", (*rand.Rand).Float64, func(z float64) float64 { return math.Min(1, math.Max(0, z)) }},
		{
			"die", func(r *rand.Rand) float64 { return float64(r.IntN(30)) },
			func(z float64) float64 { return math.Min(1, math.Floor(z+1)/30) },
		},
		{
			"coin", func(r *rand.Rand) float64 {
				if r.Float64() < lower {
					return 0
				}
				return 1
			},
			func(z float64) float64 {
				if z < 1 {
					return lower
				}
				return 1
			},
		},
	}
}

// Every rule that promises for one set fails with probability at most delta,
// on continuous scores and on ties; the order statistic with exactly its
// binomial tail on continuous ones.
func TestFailureProbabilityOfEachRule(t *testing.T) {
	trials := repetitions(1000, 40000)
	for _, alpha := range []float64{0.05, 0.1} {
		const delta, m = 0.1, 400
		for _, rule := range []Rule{
			OrderStatistic{Alpha: alpha, Delta: delta},
			DKW{Alpha: alpha, Delta: delta},
		} {
			rank, err := rule.Rank(m)
			if need, _ := rule.MinSamples(); need > m {
				continue // DKW at alpha = 0.05 needs 600 samples; covered at 0.1
			} else if err != nil {
				t.Fatal(err)
			}
			for i, law := range distributions(alpha) {
				random := rand.New(rand.NewPCG(uint64(rank), uint64(i)))
				failures := 0
				scores := make([]float64, m)
				for range trials {
					for j := range scores {
						scores[j] = law.draw(random)
					}
					if law.cdf(mustCalibrate(t, rule, scores).Value.Float()) < 1-alpha-1e-12 {
						failures++
					}
				}
				name := rule.recipe().name + " on " + law.name
				checkAtMost(t, name, failures, trials, delta)
				if law.name == "uniform" {
					exact, err := FailureProbability(m, rank, alpha)
					if err != nil {
						t.Fatal(err)
					}
					checkEquals(t, name+", exact tail", failures, trials, exact.Float())
				}
			}
		}
	}
}

// Twelve sets with independent scores (atoms e_1..e_12, independent
// coordinates), the worst of them picked after calibration. With the family
// that counts them the failure probability is 1-(1-f)^12 <= delta; the promise
// for one fixed set breaks.
func TestUnionCoversTheWorstOfManySets(t *testing.T) {
	const sets, m, alpha, delta = 12, 200, 0.1, 0.1
	trials := repetitions(500, 20000)
	for _, test := range []struct {
		family Family
		keeps  bool
	}{{Candidates(sets), true}, {Family{}, false}} {
		rule := OrderStatistic{Alpha: alpha, Delta: delta, Family: test.family}
		rank, err := rule.Rank(m)
		if err != nil {
			t.Fatal(err)
		}
		single, err := FailureProbability(m, rank, alpha)
		if err != nil {
			t.Fatal(err)
		}
		exact := 1 - math.Pow(1-single.Float(), sets)
		if (exact <= delta) != test.keeps {
			t.Fatalf("%v: exact failure probability %g", test.family, exact)
		}
		random := rand.New(rand.NewPCG(5, uint64(rank)))
		failures := 0
		scores := make([]float64, m)
		for range trials {
			failed := false
			for range sets {
				for j := range scores {
					scores[j] = random.Float64()
				}
				failed = failed || mustCalibrate(t, rule, scores).Value.Float() < 1-alpha
			}
			if failed {
				failures++
			}
		}
		checkEquals(t, test.family.String(), failures, trials, exact)
	}
}

// finitePopulation is a population of 2-D samples whose violation shares are
// counted, not estimated, and every set of at most two of its nine atoms.
type finitePopulation struct {
	dictionary *sparsero.Dictionary
	full       []float64   // Z_[N] of each member
	sets       [][]float64 // Z_S of each member, for each set
}

func newFinitePopulation(t *testing.T) finitePopulation {
	t.Helper()
	random := rand.New(rand.NewPCG(11, 12))
	atoms := mat.NewDense(9, 2, nil)
	for i := range 9 {
		angle := 2 * math.Pi * float64(i) / 9
		length := 0.5 + random.Float64()
		atoms.SetRow(i, []float64{length * math.Cos(angle), length * math.Sin(angle)})
	}
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	members := mat.NewDense(3000, 2, nil)
	for i := range 3000 {
		members.SetRow(i, []float64{random.NormFloat64(), random.ExpFloat64()})
	}
	population := finitePopulation{dictionary: d}
	if population.full, err = fullScores(d, members); err != nil {
		t.Fatal(err)
	}
	for i := range 9 {
		for j := i; j < 9; j++ {
			set, err := sparsero.NewAtomicSet(d, slices.Compact([]int{i, j}), 1)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := DirectionalScores(set, members)
			if err != nil {
				t.Fatal(err)
			}
			population.sets = append(population.sets, scores)
		}
	}
	return population
}

// breaks reports a share of members above the radius that exceeds alpha.
func breaks(scores []float64, radius, alpha float64) bool {
	return float64(countAbove(scores, radius)) > alpha*float64(len(scores))
}

// The envelope and the union hold for all sets at once: a trial
// fails if any of the 45 sets of at most two atoms breaks the promise.
func TestSimultaneousRulesOnAFinitePopulation(t *testing.T) {
	const m, alpha, delta = 300, 0.1, 0.1
	trials := repetitions(60, 3000)
	population := newFinitePopulation(t)
	family := Subsets(9, 2)
	envelope := OrderStatistic{Alpha: alpha, Delta: delta} // of the full scores
	union := OrderStatistic{Alpha: alpha, Delta: delta, Family: family}
	random := rand.New(rand.NewPCG(13, 14))
	failures := map[string]int{}
	pick, full, part := make([]int, m), make([]float64, m), make([]float64, m)
	for range trials {
		for j := range pick {
			pick[j] = random.IntN(len(population.full))
			full[j] = population.full[pick[j]]
		}
		failed := map[string]bool{}
		outer := mustCalibrate(t, envelope, full).Value.Float()
		for _, scores := range population.sets {
			for j, member := range pick {
				part[j] = scores[member]
			}
			failed["envelope"] = failed["envelope"] || breaks(scores, outer, alpha)
			failed["union"] = failed["union"] || breaks(scores, mustCalibrate(t, union, part).Value.Float(), alpha)
		}
		for name, bad := range failed {
			if bad {
				failures[name]++
			}
		}
	}
	for _, name := range []string{"envelope", "union"} {
		checkAtMost(t, name, failures[name], trials, delta)
	}
}

// Split conformal coverage is k/(m+1) on average and Beta(k, m+1-k) over
// samples: a Kolmogorov-Smirnov test whose bound is the DKW inequality itself.
func TestConformalCoverageFollowsItsBetaLaw(t *testing.T) {
	const m, alpha = 99, 0.1
	trials := repetitions(2000, 100000)
	rule := SplitConformal{Alpha: alpha}
	rank, err := rule.Rank(m)
	if err != nil {
		t.Fatal(err)
	}
	law := distuv.Beta{Alpha: float64(rank), Beta: float64(m + 1 - rank)}
	random := rand.New(rand.NewPCG(21, 22))
	coverages := make([]float64, trials)
	scores := make([]float64, m)
	sum := 0.
	for i := range coverages {
		for j := range scores {
			scores[j] = random.Float64()
		}
		coverages[i] = mustCalibrate(t, rule, scores).Value.Float() // F(r) = r
		sum += coverages[i]
	}
	checkBetaLaw(t, law, coverages)
	mean, want := sum/float64(trials), 0.9 // k/(m+1) = 90/100
	limit := 4.9 * law.StdDev() / math.Sqrt(float64(trials))
	t.Logf("mean coverage %.5f, k/(m+1) = %.5f", mean, want)
	if math.Abs(law.Mean()-want) > 1e-12 || math.Abs(mean-want) > limit {
		t.Errorf("mean coverage %g, law %g, want %g within %g", mean, law.Mean(), want, limit)
	}
}

// checkBetaLaw compares values with a law at the false-alarm level.
func checkBetaLaw(t *testing.T, law distuv.Beta, values []float64) {
	t.Helper()
	slices.Sort(values)
	n := float64(len(values))
	distance := 0.
	for i, v := range values {
		f := law.CDF(v)
		distance = max(distance, f-float64(i)/n, float64(i+1)/n-f)
	}
	limit := math.Sqrt(math.Log(2/falseAlarm) / (2 * n))
	t.Logf("Kolmogorov distance %.5f, limit %.5f", distance, limit)
	if distance > limit {
		t.Errorf("Kolmogorov distance %g exceeds %g", distance, limit)
	}
}

// The paper's theorem controls the polar, not the set. For Rademacher U in
// {-1,+1}^p and D = {±e_i}: Z_S(U) = 1 always, so that every sound rule returns
// r = 1 and P(Z > r) = 0; but at q(x) = (1,...,1) the constraint f <= Phi_S
// breaks when sum U > 1, and U never lies in U_S(1), whose points have
// sum |u_i| <= 1.
//
// P(sum U > 1) = (1 - P(sum U = 0))/2 for even p: .2500, .3770 and .4439 for
// p = 2, 10, 50 (.250, .377, .442 were found by simulation).
func TestPolarIsNotMembership(t *testing.T) {
	trials := repetitions(5000, 200000)
	for p, printed := range map[int]float64{2: 0.250, 10: 0.377, 50: 0.442} {
		exact := (1 - math.Exp(logBinomialPMF(p, p/2, 0.5, 0.5))) / 2
		if math.Abs(exact-printed) > 0.0025 {
			t.Fatalf("p=%d: exact violation probability %.4f, known value %.3f", p, exact, printed)
		}
		set := crossPolytope(t, p)
		random := rand.New(rand.NewPCG(31, uint64(p)))
		samples := mat.NewDense(trials, p, nil)
		for i := range samples.RawMatrix().Data {
			samples.RawMatrix().Data[i] = float64(2*random.IntN(2) - 1)
		}
		scores, err := DirectionalScores(set, samples)
		if err != nil {
			t.Fatal(err)
		}
		radius := mustCalibrate(t, OrderStatistic{Alpha: 0.05, Delta: 1e-5}, scores)
		if radius.Value.Float() != 1 {
			t.Fatalf("p=%d: radius %g, want 1", p, radius.Value)
		}
		if rate, err := CountViolations(scores, radius.Value.Float(), 0.95); err != nil || rate.Violations != 0 {
			t.Errorf("p=%d: P(Z > r) = %v, %v; want 0", p, rate, err)
		}
		ones := make([]float64, p)
		for i := range ones {
			ones[i] = 1
		}
		scaled, err := set.WithRadius(radius.Value.Float())
		if err != nil {
			t.Fatal(err)
		}
		outcomes, err := Outcomes(0, ones, samples)
		if err != nil {
			t.Fatal(err)
		}
		rate, err := CountViolations(outcomes, scaled.Support(ones), 0.95)
		if err != nil {
			t.Fatal(err)
		}
		checkEquals(t, "violations at q=(1,...,1)", rate.Violations, trials, exact)
	}
}

// crossPolytope is the set of all ±e_i in R^p at radius 1, whose gauge is the
// l1 norm and whose support function is the maximum norm.
func crossPolytope(t testing.TB, p int) *sparsero.AtomicSet {
	t.Helper()
	unit := mat.NewDense(p, p, nil)
	for i := range p {
		unit.Set(i, i, 1)
	}
	d, err := sparsero.NewDictionary(unit, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.FullSet(d.AntipodalClosure(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestLevelsOfAnyChoice lets an adversary choose three of twelve samples after looking. Each choice decides for a
// coordinate of its own, uniform in [0,1] and at rest in the chosen samples, and promises that a new one stays between the
// least and the largest of the others: two levels. For this number of chosen samples alone the promise fails with
// probability Delta/N at most, and nearly so often; that of a single level fails more often.
func TestLevelsOfAnyChoice(t *testing.T) {
	const samples, chosen, choices, delta = 12, 3, 220, 0.9
	violation := func(levels int) float64 {
		epsilon, err := Compression{Delta: delta, Levels: levels}.Violation(samples, chosen)
		if err != nil {
			t.Fatal(err)
		}
		return epsilon.Float()
	}
	two, one := violation(2), violation(1)
	trials := repetitions(1000, 20_000)
	broken, careless := 0, 0
	for seed := range trials {
		r := rand.New(rand.NewPCG(uint64(seed), 21))
		worst := 0.0
		for range choices {
			least, largest := 1.0, 0.0
			for range samples - chosen {
				u := r.Float64()
				least, largest = math.Min(least, u), math.Max(largest, u)
			}
			worst = math.Max(worst, 1-(largest-least))
		}
		if worst > two {
			broken++
		}
		if worst > one {
			careless++
		}
	}
	checkEquals(t, "two levels", broken, trials, 1-math.Pow(1-delta/samples/choices, choices))
	if logBinomialUpper(trials, careless, delta/samples) > math.Log(falseAlarm) {
		t.Errorf("as one level: %d of %d broken, so that the comparison cannot fail", careless, trials)
	}
}
