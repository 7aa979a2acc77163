package adversarial

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
)

// Features gives the training and test examples of a seed: [Generated] or
// [Frozen]. It is encoded as JSON into the header of a results file, so that the
// encoding must determine the examples.
type Features interface {
	// Draw returns the examples of a seed, n×p with labels ±1, both sets of one dimension; the
	// test set may be nil. The same seed gives the same examples.
	Draw(seed uint64) (train, test *features.Set, err error)
}

// Generated draws new stand-in features for every seed, the last sixth of them
// for the test: at the default size 10,000 and 2,000, the sizes of two classes of
// CIFAR-10.
type Generated struct {
	// Options are those of the generator; their Seed must be 0.
	Options features.StandInOptions
}

// Draw generates the features of a seed. Errors are those of [features.StandIn],
// and options with a seed of their own.
func (g Generated) Draw(seed uint64) (train, test *features.Set, err error) {
	if g.Options.Seed != 0 {
		return nil, nil, fmt.Errorf("adversarial: Options.Seed = %d of generated features; leave it 0, because every seed of a task draws its own", g.Options.Seed)
	}
	o := g.Options
	o.Seed = seed
	set, err := features.StandIn(o)
	if err != nil {
		return nil, nil, err
	}
	rows := make([]int, set.Len())
	for j := range rows {
		rows[j] = j
	}
	held := len(rows) - len(rows)/6
	if train, err = set.Subset(rows[:held]); err != nil {
		return nil, nil, err
	}
	test, err = set.Subset(rows[held:])
	return train, test, err
}

// Frozen gives the same examples for every seed; the seeds split them differently.
// Without a Test set the task keeps a sixth of the training examples for the
// test, by the seed.
type Frozen struct {
	Train *features.Set // required
	Test  *features.Set // may be nil
}

// Draw returns the sets. Errors are those of sets that are missing, broken, or of
// different dimension.
func (f Frozen) Draw(seed uint64) (train, test *features.Set, err error) {
	if f.Train == nil {
		return nil, nil, errors.New("adversarial: Train is nil; read features with package datasets/features")
	}
	if err := f.Train.Check(); err != nil {
		return nil, nil, err
	}
	if f.Test == nil {
		halves, err := f.Train.Split([]float64{5.0 / 6, 1.0 / 6}, seed^streamTest)
		if err != nil {
			return nil, nil, err
		}
		return halves[0], halves[1], nil
	}
	if err := f.Test.Check(); err != nil {
		return nil, nil, err
	}
	if f.Train.Dimension() != f.Test.Dimension() {
		return nil, nil, fmt.Errorf("adversarial: the training examples have %d features, the test examples %d; give two sets of the same network", f.Train.Dimension(), f.Test.Dimension())
	}
	return f.Train, f.Test, nil
}

// MarshalJSON encodes name, shape and a SHA-256 of the values, not the values
// nor where they are kept. The error is always nil.
func (f Frozen) MarshalJSON() ([]byte, error) {
	text := "null"
	if f.Test != nil {
		text = fingerprint(f.Test)
	}
	return fmt.Appendf(nil, `{"Train":%s,"Test":%s}`, fingerprint(f.Train), text), nil
}

// fingerprint describes a set in JSON.
func fingerprint(s *features.Set) string {
	if s == nil || s.X == nil {
		return "null"
	}
	hash := sha256.New()
	n, p := s.X.Dims()
	row := make([]byte, 8*p)
	for j := range n {
		for k, v := range s.X.RawRowView(j) {
			binary.LittleEndian.PutUint64(row[8*k:], math.Float64bits(v))
		}
		hash.Write(row)
	}
	for _, label := range s.Y {
		hash.Write([]byte{byte(int8(label))})
	}
	return fmt.Sprintf(`{"Name":%q,"Examples":%d,"Features":%d,"SHA256":%q}`, s.Name, n, p, hex.EncodeToString(hash.Sum(nil)))
}

// Task is a binary task with a way to make directions out of it: the setting of
// section 5.2 and appendix F.4.
type Task struct {
	// Features gives the examples. Default: generated ones, a stand-in.
	Features Features
	// Fractions are the shares of the training examples that fit the classifier,
	// are attacked for the dictionary, for the directions to select on, and for
	// those to report on. Default: the paper's 0.5, 0.2, 0.15, 0.15.
	Fractions []float64
	// Construction makes the directions. Default Single{}.
	Construction Construction
	// Training fits all classifiers; its Seed must be 0.
	Training Training
}

// Name returns the name of the construction.
func (t Task) Name() string { return t.withDefaults().Construction.Name() }

func (t Task) withDefaults() Task {
	if t.Features == nil {
		t.Features = Generated{}
	}
	if t.Fractions == nil {
		t.Fractions = features.PaperFractions()
	}
	if t.Construction == nil {
		t.Construction = Single{}
	}
	return t
}

// parts are the four parts of the training examples.
type parts struct{ fit, mine, selection, reporting *features.Set }

// Mined is what a task gives for a seed.
type Mined struct {
	// Classifier is the one that is attacked and whose margins are reported.
	Classifier *Classifier
	// Dictionary holds unit atoms; a smaller dictionary is a prefix.
	Dictionary *sparsero.Dictionary
	// Selection and Reporting hold a unit direction per example of their parts,
	// made as the atoms are.
	Selection, Reporting *mat.Dense
	// Margins are y_j (<w,x_j> + b) of the test examples.
	Margins []float64
}

// Mine fits, attacks and labels: atoms directions from the second part of the
// examples for the dictionary, and one per example of the third and fourth part.
// The same seed gives the same result on any number of cores, and fewer atoms are
// the first ones of more. Errors: those of the features and of the split; settings
// out of range; atoms < 1; a context that ends.
func (t Task) Mine(ctx context.Context, seed uint64, atoms int) (*Mined, error) {
	t = t.withDefaults()
	if t.Training.Seed != 0 {
		return nil, fmt.Errorf("adversarial: Training.Seed = %d of a task; leave it 0, because every seed of a task has its own", t.Training.Seed)
	}
	if atoms < 1 {
		return nil, fmt.Errorf("adversarial: %d atoms; ask for at least one", atoms)
	}
	train, test, err := t.Features.Draw(seed)
	if err != nil {
		return nil, err
	}
	if err := input.CheckSize("adversarial: a dictionary", atoms, train.Dimension()); err != nil {
		return nil, err
	}
	split, err := train.Split(t.Fractions, seed)
	if err != nil {
		return nil, err
	}
	if len(split) != 4 {
		return nil, fmt.Errorf("adversarial: Fractions = %v; give four shares: fit, mine, select, report", t.Fractions)
	}
	p := parts{split[0], split[1], split[2], split[3]}
	t.Training.Seed = seed
	fit, err := Train(ctx, p.fit.X, p.fit.Y, t.Training)
	if err != nil {
		return nil, err
	}
	mined := &Mined{Classifier: fit}
	if mined.Margins, err = fit.Margins(test.X, test.Y); err != nil {
		return nil, err
	}
	return mined, mined.attack(ctx, t, p, seed, atoms)
}

// attack mines the dictionary and the directions, each from starts of their own.
func (m *Mined) attack(ctx context.Context, t Task, p parts, seed uint64, atoms int) error {
	made, err := t.Construction.prepare(ctx, p.fit, m.Classifier, t.Training)
	if err != nil {
		return err
	}
	rows, labels, err := made.dictionary(ctx, p.mine, atoms, partSeed(seed, 0))
	if err != nil {
		return err
	}
	if m.Dictionary, err = sparsero.NewDictionary(rows, &sparsero.DictionaryOptions{Labels: labels}); err != nil {
		return err
	}
	if m.Selection, err = made.directions(ctx, p.selection, partSeed(seed, 1)); err != nil {
		return err
	}
	m.Reporting, err = made.directions(ctx, p.reporting, partSeed(seed, 2))
	return err
}

// dictionary returns the fixed directions and mines the rest.
func (r *recipe) dictionary(ctx context.Context, s *features.Set, atoms int, seed uint64) (*mat.Dense, []string, error) {
	fixed := min(len(r.fixed), atoms)
	rows := mat.NewDense(atoms, s.Dimension(), nil)
	for i := range fixed {
		rows.SetRow(i, r.fixed[i])
	}
	if fixed == atoms {
		return rows, r.labels[:fixed], nil
	}
	jobs, labels := r.jobs(s.Len(), atoms-fixed, seed)
	mined, err := mine(ctx, s.X, s.Y, jobs)
	if err != nil {
		return nil, nil, err
	}
	rows.Slice(fixed, atoms, 0, s.Dimension()).(*mat.Dense).Copy(mined)
	return rows, slices.Concat(r.labels, labels), nil
}

// directions mines one direction per example.
func (r *recipe) directions(ctx context.Context, s *features.Set, seed uint64) (*mat.Dense, error) {
	jobs, _ := r.jobs(s.Len(), s.Len(), seed)
	return mine(ctx, s.X, s.Y, jobs)
}

// partSeed returns the seed of the starts of part k, different for every seed and part.
func partSeed(seed uint64, k uint64) uint64 { return 3*seed + k }
