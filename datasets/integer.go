package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// streamInteger is the stream of the integer instances, which draw everything from one generator.
const streamInteger uint64 = 0x696e7465

const (
	// packingRows is p, the number of rows of the system that scenarios satisfy.
	packingRows = 3
	// packingCapacity is tau, the share of the total weight that a scenario may use in each packing row.
	packingCapacity = 0.4
	// profiles is C, the number of clusters of scenarios.
	profiles = 5
	// spread is sigma, the standard deviation of the logarithm of a scenario's item weights around its profile.
	spread = 0.3
	// jitter is the standard deviation of the logarithm of an instance's tightness.
	jitter = 0.2
	// triesPerAtom bounds the scenarios that are drawn to find distinct atoms.
	triesPerAtom = 20
)

// IntegerOptions describes a family of robust integer programs for section 5.3.
// The zero value gives the sizes of the paper (n = q = 30, m = p = 3, rhs = 0.9).
//
// The paper's generator is not public; this is a family of our own with the same sizes and roles. Defaults that the
// paper does not give were chosen with a prototype before any study was run, Reserve so that about 60 of 100 instances
// are feasible with the whole dictionary and without violations, as in the paper: that share is no finding.
type IntegerOptions struct {
	Seed        uint64 // default 0
	Items       int    // n, items to choose from; default 30
	Rows        int    // m, robust rows; default 3
	Cardinality int    // K, items to choose; default 5
	Atoms       int    // N, distinct scenarios in the dictionary; default 60
	HeldOut     int    // M, further scenarios to test decisions on; default 50

	// Capacity is rhs, the share of the reference use that a row allows; lower is tighter. Default 0.9, range (0, ∞).
	Capacity float64
	// Reserve is phi, the share of the largest extra use that the reference use includes. Default 0.4, range (0, ∞).
	Reserve float64
	// Homogeneous gives all instances the same tightness. Default false.
	Homogeneous bool
}

// NewIntegerInstance draws a robust integer program: choose K of n items at
// least cost so that no row overflows in any scenario of the dictionary.
//
// Everything is drawn from one PCG generator in this order: base use a_kj ~ U{10..50} and shares e_kj ~ U(0.2, 0.6)
// (m×n each, row by row; the largest extra use is h_kj = a_kj e_kj); costs c_j ~ U(10, 60); packing weights G_ij ~
// U{1..20} (p×n, p = 3; capacities g_i = floor(0.4 sum_j G_ij)); profiles w^c_j ~ Exp(1) (C×n, C = 5); the tightness t
// = exp(0.2 N(0,1)), drawn even if Homogeneous sets it to 1; scenarios for the dictionary; held-out scenarios. The
// capacity of row k is
//
//	Capacity t (K/n) sum_j (a_kj + Reserve h_kj),
//
// and the row is divided by it, so that every row reads "at most 1".
//
// A scenario is a maximal packing u in {0,1}^n with Gu <= g: a profile c is drawn with probability proportional to 1/c,
// items are weighted by w^c_j exp(0.3 N(0,1)) and visited by decreasing weight per use of capacity, sum_i G_ij/g_i; an
// item that fits is taken. The dictionary holds the first N distinct scenarios, fewer if 20N draws do not suffice; the
// M held-out scenarios are the next draws, repetitions and atoms included.
//
// It returns an error when an option is out of its range.
func NewIntegerInstance(o IntegerOptions) (*IntegerInstance, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(o.Seed, streamInteger))
	base, extra := o.uses(random)
	cost := make([]float64, o.Items)
	for j := range cost {
		cost[j] = uniform(random, 10, 60)
	}
	scenarios := o.newScenarios(random)
	o.scaleRows(random, base, extra)
	dictionary, err := sparsero.NewDictionary(scenarios.distinct(random, o.Atoms), nil)
	if err != nil {
		return nil, err
	}
	heldOut := mat.NewDense(o.HeldOut, o.Items, nil)
	for v := range o.HeldOut {
		heldOut.SetRow(v, scenarios.draw(random))
	}
	return &IntegerInstance{
		Cost: cost, Cardinality: o.Cardinality, Base: base, Extra: extra, Dictionary: dictionary, HeldOut: heldOut,
	}, nil
}

// String describes the family: all options but the seed, defaults filled in.
func (o IntegerOptions) String() string {
	o = o.withDefaults()
	tightness := fmt.Sprint(jitter)
	if o.Homogeneous {
		tightness = "none"
	}
	return fmt.Sprintf("integer instances: n=%d m=%d p=%d K=%d N=%d M=%d C=%d rhs=%v phi=%v jitter=%s tau=%v sigma=%v",
		o.Items, o.Rows, packingRows, o.Cardinality, o.Atoms, o.HeldOut, profiles,
		o.Capacity, o.Reserve, tightness, packingCapacity, spread)
}

func (o IntegerOptions) withDefaults() IntegerOptions {
	o.Items, o.Rows, o.Cardinality = cmp.Or(o.Items, 30), cmp.Or(o.Rows, 3), cmp.Or(o.Cardinality, 5)
	o.Atoms, o.HeldOut = cmp.Or(o.Atoms, 60), cmp.Or(o.HeldOut, 50)
	o.Capacity, o.Reserve = cmp.Or(o.Capacity, 0.9), cmp.Or(o.Reserve, 0.4)
	return o
}

func (o IntegerOptions) validate() error {
	if err := checkOptions("IntegerOptions", map[string]int{"Items": o.Items}, 1); err != nil {
		return err
	}
	if err := checkOptions("IntegerOptions", map[string]int{
		"Rows": o.Rows, "Cardinality": o.Cardinality, "Atoms": o.Atoms, "HeldOut": o.HeldOut,
	}, o.Items); err != nil {
		return err
	}
	shares := map[string]float64{"Capacity": o.Capacity, "Reserve": o.Reserve}
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		if v := shares[name]; !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("datasets: IntegerOptions.%s = %g; use a positive finite number, or 0 for the default", name, v)
		}
	}
	if o.Cardinality > o.Items {
		return fmt.Errorf("datasets: IntegerOptions.Cardinality = %d exceeds the %d items; use at most %d", o.Cardinality, o.Items, o.Items)
	}
	return nil
}

// uniform draws from U(low, high). The conversion keeps compilers from fusing
// the product and the sum, so that every machine draws the same bits.
func uniform(random *rand.Rand, low, high float64) float64 {
	return low + float64((high-low)*random.Float64())
}

func (o IntegerOptions) uses(random *rand.Rand) (base, extra *mat.Dense) {
	base, extra = mat.NewDense(o.Rows, o.Items, nil), mat.NewDense(o.Rows, o.Items, nil)
	for k := range o.Rows {
		for j := range o.Items {
			base.Set(k, j, float64(10+random.IntN(41)))
		}
	}
	for k := range o.Rows {
		for j := range o.Items {
			extra.Set(k, j, base.At(k, j)*uniform(random, 0.2, 0.6))
		}
	}
	return base, extra
}

func (o IntegerOptions) scaleRows(random *rand.Rand, base, extra *mat.Dense) {
	tightness := math.Exp(jitter * random.NormFloat64())
	if o.Homogeneous {
		tightness = 1
	}
	for k := range o.Rows {
		reference := 0.0
		for j := range o.Items {
			reference += base.At(k, j) + float64(o.Reserve*extra.At(k, j)) // not fused, see uniform
		}
		capacity := o.Capacity * tightness * float64(o.Cardinality) / float64(o.Items) * reference
		for j := range o.Items {
			base.Set(k, j, base.At(k, j)/capacity)
			extra.Set(k, j, extra.At(k, j)/capacity)
		}
	}
}

type scenarios struct {
	weights  *mat.Dense // G, p×n
	capacity []float64  // g
	use      []float64  // sum_i G_ij/g_i
	profiles *mat.Dense // C×n
	total    float64    // sum of 1/c over the profiles
}

func (o IntegerOptions) newScenarios(random *rand.Rand) *scenarios {
	s := &scenarios{
		weights: mat.NewDense(packingRows, o.Items, nil), capacity: make([]float64, packingRows), use: make([]float64, o.Items),
		profiles: mat.NewDense(profiles, o.Items, nil),
	}
	for i := range packingRows {
		sum := 0.0
		for j := range o.Items {
			weight := float64(1 + random.IntN(20))
			s.weights.Set(i, j, weight)
			sum += weight
		}
		s.capacity[i] = math.Floor(packingCapacity * sum)
		for j := range o.Items {
			s.use[j] += s.weights.At(i, j) / s.capacity[i]
		}
	}
	for c := range profiles {
		s.total += 1 / float64(c+1)
		for j := range o.Items {
			s.profiles.Set(c, j, random.ExpFloat64())
		}
	}
	return s
}

func (s *scenarios) draw(random *rand.Rand) []float64 {
	profile := s.profiles.RawRowView(s.drawProfile(random))
	density := make([]float64, len(profile))
	for j, weight := range profile {
		density[j] = weight * math.Exp(spread*random.NormFloat64()) / s.use[j]
	}
	scenario, free := make([]float64, len(profile)), slices.Clone(s.capacity)
	for _, j := range rankedDescending(density) {
		if s.take(j, free) {
			scenario[j] = 1
		}
	}
	return scenario
}

// drawProfile returns c-1 with probability proportional to 1/c.
func (s *scenarios) drawProfile(random *rand.Rand) int {
	count, _ := s.profiles.Dims()
	left := s.total * random.Float64()
	for c := range count - 1 {
		if left -= 1 / float64(c+1); left < 0 {
			return c
		}
	}
	return count - 1
}

func (s *scenarios) take(j int, free []float64) bool {
	for i, capacity := range free {
		if s.weights.At(i, j) > capacity {
			return false
		}
	}
	for i := range free {
		free[i] -= s.weights.At(i, j)
	}
	return true
}

func (s *scenarios) distinct(random *rand.Rand, count int) *mat.Dense {
	var rows []float64
	seen := make(map[string]bool, count)
	for range triesPerAtom * count {
		if len(seen) == count {
			break
		}
		scenario := s.draw(random)
		if key := fmt.Sprint(scenario); !seen[key] {
			seen[key] = true
			rows = append(rows, scenario...)
		}
	}
	_, n := s.profiles.Dims()
	return mat.NewDense(len(seen), n, rows)
}

// IntegerInstance is a robust integer program: choose K of n items at least cost so that no row overflows for any atom,
//
//	min  c'x
//	s.t. sum_j x_j >= K,  x in {0,1}^n,
//	     a_k'x + r max_{i in S or i = 0} <d_i, q_k(x)> <= 1,  k = 1, ..., m,
//	     q_k(x) = (h_kj x_j)_j.
//
// Costs, rows and atoms are not negative, so that some optimum chooses exactly K items.
type IntegerInstance struct {
	// Cost is c, length n, not negative.
	Cost []float64
	// Cardinality is K, 1 <= K <= n.
	Cardinality int
	// Base (m×n) holds the rows a_k, Extra (m×n) the rows h_k, not negative, in units of the capacity of the row.
	Base, Extra *mat.Dense
	// Dictionary holds the atoms, N×n, not negative.
	Dictionary *sparsero.Dictionary
	// HeldOut are scenarios u (M×n, not negative) that a decision is tested on.
	HeldOut *mat.Dense
}

// Validate reports the first part of the instance that is missing, does not
// fit the others, is not finite or is negative.
func (i *IntegerInstance) Validate() error {
	n := len(i.Cost)
	switch {
	case i.Dictionary == nil:
		return errors.New("datasets: IntegerInstance.Dictionary is nil; build one with sparsero.NewDictionary")
	case n == 0:
		return errors.New("datasets: IntegerInstance.Cost is empty; give one cost per item")
	case i.Cardinality < 1 || i.Cardinality > n:
		return fmt.Errorf("datasets: IntegerInstance.Cardinality = %d is outside [1,%d]; it is the number of items to choose", i.Cardinality, n)
	}
	for _, part := range []struct {
		name   string
		matrix *mat.Dense
	}{
		{"Cost", mat.NewDense(1, n, i.Cost)}, {"Base", i.Base}, {"Extra", i.Extra},
		{"Dictionary", i.Dictionary.Matrix()}, {"HeldOut", i.HeldOut},
	} {
		if err := checkPart(part.name, part.matrix, n); err != nil {
			return err
		}
	}
	if extra, _ := i.Extra.Dims(); extra != i.Rows() {
		return fmt.Errorf("datasets: IntegerInstance.Extra has %d rows but Base has %d; give one of each per constraint", extra, i.Rows())
	}
	return nil
}

func checkPart(name string, matrix *mat.Dense, n int) error {
	name = "datasets: IntegerInstance." + name
	if _, err := sparsero.NewDictionary(matrix, nil); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if rows, columns := matrix.Dims(); columns != n {
		return fmt.Errorf("%s is %d×%d but there are %d costs; give rows with %d columns", name, rows, columns, n, n)
	}
	if least := mat.Min(matrix); least < 0 {
		return fmt.Errorf("%s has the value %v; use values of at least 0", name, least)
	}
	return nil
}

// Rows returns m, the number of robust rows, 0 without Base.
func (i *IntegerInstance) Rows() int {
	if i.Base == nil {
		return 0
	}
	m, _ := i.Base.Dims()
	return m
}
