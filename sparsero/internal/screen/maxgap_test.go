package screen

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestMaxGapEqualsPlainFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 70, 80)
		r := newReference(atoms, directions, p)
		warm := []int{}
		if r.n > 2 && rapid.Bool().Draw(t, "warm") {
			warm = []int{1}
		}
		budget := rapid.IntRange(1, r.n-len(warm)).Draw(t, "budget")
		byGain := rapid.Bool().Draw(t, "ties by gain")
		want := r.maxGap(warm, budget, byGain)
		for _, o := range everyOptions() {
			s := mustNew(t, Matrix64{atoms, p}, directions, o)
			comparePaths(t, o, screenMaxGap(t, s, warm, budget, byGain), want)
		}
	})
}

// Several ranges of atoms, several workers, and equal atoms in different ranges.
func TestMaxGapOverSeveralRangesEqualsPlainFloat64(t *testing.T) {
	const p = 6
	some, directions := benchmarkInstance(t, "clustered", 2500, 40, p)
	atoms := slices.Concat(some, some)
	r := newReference(atoms, directions, p)
	for _, byGain := range []bool{false, true} {
		want := r.maxGap(nil, 12, byGain)
		for _, o := range everyOptions() {
			s := mustNew(t, Matrix64{atoms, p}, directions, o)
			comparePaths(t, o, screenMaxGap(t, s, nil, 12, byGain), want)
		}
	}
}

// TestFarthestAtomIsJudgedFirst: what reaches farthest where the deficit is largest rules out all others by their bounds.
func TestFarthestAtomIsJudgedFirst(t *testing.T) {
	s := mustNew(t, Matrix64{[]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 2, 1}, 1}, []float64{1}, Options{Workers: 1})
	before := s.Cost().Alignments
	best, err := s.NewState().NewGapSearch(false).Best(context.Background())
	if looked := s.Cost().Alignments - before; best != 8 || err != nil || looked != 1 {
		t.Errorf("atom %d after %d alignments, want atom 8 after one; %v", best, looked, err)
	}
}

// TestLevelsRuleAtomsOut: where levels are held, max-gap reads fewer bytes.
func TestLevelsRuleAtomsOut(t *testing.T) {
	const n, m, p, budget = 5000, 256, 16, 10
	source := rand.New(rand.NewPCG(3, 9))
	atoms, directions := gaussian(source, n, p), gaussian(source, m, p)
	bytes := func(o Options) int64 {
		s := mustNew(t, Matrix64{atoms, p}, directions, o)
		before := s.Cost().Bytes
		screenMaxGap(t, s, nil, budget, false)
		return s.Cost().Bytes - before
	}
	with, without := bytes(Options{Levels: true, Workers: 1}), bytes(Options{Workers: 1})
	if with >= without {
		t.Errorf("%d bytes are read with levels, %d without", with, without)
	}
}
