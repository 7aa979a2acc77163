package adversarial

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// Features gives the training and test examples of a seed: [Generated] or [Frozen]. It is encoded as JSON into the
// files of the units of a study, so that the encoding must determine the examples.
type Features interface {
	// draw returns the examples of a seed, n×p with labels ±1, both sets of one dimension; the
	// test set may be nil. The same seed gives the same examples.
	draw(seed uint64) (train, test *features.Set, err error)
}

// Generated draws new stand-in features for every seed, the last sixth of them for the test: at the default size 10,000
// and 2,000, the sizes of two classes of CIFAR-10.
type Generated struct {
	// Options are those of the generator; their Seed must be 0.
	Options features.StandInOptions
}

// draw generates the features of a seed. Errors are those of [features.StandIn], and options with a seed of their own.
func (g Generated) draw(seed uint64) (train, test *features.Set, err error) {
	if g.Options.Seed != 0 {
		return nil, nil, fmt.Errorf("adversarial: Options.Seed = %d of generated features; leave it 0, because every seed of a task draws its own", g.Options.Seed)
	}
	o := g.Options
	o.Seed = seed
	set, err := features.StandIn(o)
	if err != nil {
		return nil, nil, err
	}
	rows := tally.UpTo(len(set.Y))
	held := len(rows) - len(rows)/6
	if train, err = set.Subset(rows[:held]); err != nil {
		return nil, nil, err
	}
	test, err = set.Subset(rows[held:])
	return train, test, err
}

// Frozen gives the same examples for every seed; the seeds split them differently. Without a Test set the task keeps a
// sixth of the training examples for the test, by the seed.
type Frozen struct {
	Train *features.Set // required
	Test  *features.Set // may be nil
}

// draw returns the sets. Errors are those of [features.Set.Split].
func (f Frozen) draw(seed uint64) (train, test *features.Set, err error) {
	if f.Test != nil {
		return f.Train, f.Test, nil
	}
	halves, err := f.Train.Split([]float64{5.0 / 6, 1.0 / 6}, seed^streamTest)
	if err != nil {
		return nil, nil, err
	}
	return halves[0], halves[1], nil
}

// MarshalJSON encodes name, shape and a SHA-256 of the values, not the values
// nor where they are kept. The error is always nil.
func (f Frozen) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"Train":%s,"Test":%s}`, fingerprint(f.Train), fingerprint(f.Test)), nil
}

// fingerprint describes a set in JSON.
func fingerprint(s *features.Set) string {
	if s == nil || s.X == nil {
		return "null"
	}
	hash := sha256.New()
	n, p := s.X.Dims()
	for j := range n {
		_ = binary.Write(hash, binary.LittleEndian, s.X.RawRowView(j)) // a hash takes everything
	}
	for _, label := range s.Y {
		hash.Write([]byte{byte(int8(label))})
	}
	return fmt.Sprintf(`{"Name":%q,"Examples":%d,"Features":%d,"SHA256":%q}`, s.Name, n, p, hex.EncodeToString(hash.Sum(nil)))
}

// Task is a binary task with a way to make directions out of it: the setting of section 5.2 and appendix F.4. The
// training examples are split as in section 5.2: those that fit the classifier, are attacked for the dictionary, for
// the directions to select on, and for those to report on.
type Task struct {
	// Features gives the examples. Default: generated ones, a stand-in.
	Features Features
	// Attack mines the directions; its Seed must be 0, because every seed of a task draws its own starts.
	Attack Attack
	// Classifiers is the number of bootstrap resamples whose classifiers are attacked, each at half, once and twice the
	// radius with the same steps. Their directions differ, and the difference of the class means and the leading eight
	// directions of the covariance within the classes come first, each with both signs. Default 0: the paper's
	// dictionary, of the one classifier whose margins are reported.
	Classifiers int
}

// Name is "ensemble" if there are resamples and "single" otherwise, with the steps of the attack if
// they are not the default, as in "single, 5 x 0.1".
func (t Task) Name() string {
	if t.Classifiers != 0 {
		return "ensemble"
	}
	if t.Attack.Steps == 0 && t.Attack.Step == 0 {
		return "single"
	}
	attack := t.Attack.withDefaults()
	return fmt.Sprintf("single, %d x %g", attack.Steps, attack.Step)
}

// Mined is what a task gives for a seed.
type Mined struct {
	// Classifier is the one that is attacked and whose margins are reported.
	Classifier *Classifier
	// Dictionary holds unit atoms; a smaller dictionary is a prefix.
	Dictionary *sparsero.Dictionary
	// Selection and Reporting hold a unit direction per example of their parts, made as the atoms are.
	Selection, Reporting *mat.Dense
	// Margins are y_j (<w,x_j> + b) of the test examples.
	Margins []float64
}

// Mine fits and attacks: atoms directions from the second part of the examples for the dictionary, and one per example
// of the third and fourth part. The same seed gives the same result on any number of cores, and fewer atoms are the
// first ones of more. Errors: those of the features and of the split; settings out of range; atoms < 1; a context that
// ends.
func (t Task) Mine(ctx context.Context, seed uint64, atoms int) (*Mined, error) {
	switch {
	case t.Attack.Seed != 0:
		return nil, fmt.Errorf("adversarial: Attack.Seed = %d of a task; leave it 0, because every seed of a task draws its own starts", t.Attack.Seed)
	case t.Classifiers < 0:
		return nil, fmt.Errorf("adversarial: %d classifiers; give at least one, or 0 for the paper's dictionary", t.Classifiers)
	case atoms < 1:
		return nil, fmt.Errorf("adversarial: %d atoms; ask for at least one", atoms)
	case t.Features == nil:
		t.Features = Generated{}
	}
	train, test, err := t.Features.draw(seed)
	if err != nil {
		return nil, err
	}
	parts, err := train.Split(nil, seed)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(checkCount("atoms", atoms, train.Dimension()), checkCount("Classifiers", t.Classifiers, train.Dimension())); err != nil {
		return nil, err
	}
	fit, err := Train(ctx, parts[0], seed)
	if err != nil {
		return nil, err
	}
	mined := &Mined{Classifier: fit}
	if mined.Margins, err = fit.Margins(test); err != nil {
		return nil, err
	}
	return mined, mined.attack(ctx, t, parts, seed, atoms)
}

// attack mines the dictionary and the directions, each from starts of their own.
func (m *Mined) attack(ctx context.Context, t Task, parts []*features.Set, seed uint64, atoms int) error {
	made := miner{attack: t.Attack.withDefaults(), classifiers: []*Classifier{m.Classifier}, radii: []float64{1}}
	var fixed [][]float64
	var err error
	if t.Classifiers > 0 {
		if made.classifiers, err = bootstrap(ctx, parts[0], t.Classifiers, seed); err != nil {
			return err
		}
		if fixed, err = statistical(parts[0].X, parts[0].Y, ensembleComponents); err != nil {
			return err
		}
		made.radii = ensembleRadii
	}
	var directions [3]*mat.Dense
	for k, count := range []int{atoms, len(parts[2].Y), len(parts[3].Y)} {
		made.attack.Seed = 3*seed + uint64(k) // different for every seed and part
		if directions[k], err = made.mine(ctx, parts[k+1], count, fixed...); err != nil {
			return err
		}
		fixed = nil // in the dictionary alone
	}
	m.Selection, m.Reporting = directions[1], directions[2]
	m.Dictionary, err = sparsero.NewDictionary(directions[0], nil)
	return err
}

// Streams keep the random numbers of different purposes apart: each is the second seed of a PCG generator whose first
// seed is the user's. Those of the starts differ from the others in their high bits, whatever the start.
const (
	streamTraining  = 0x5452_4149_4e00_0001
	streamBootstrap = 0x424f_4f54_0000_0001
	streamStarts    = 0x5354_4152_0000_0000
	streamTest      = 0x5445_5354_0000_0000
)
