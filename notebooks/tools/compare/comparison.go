package compare

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Scale is the size of a comparison.
type Scale struct {
	Atoms, Directions, Dimension, Budget int // of scores, greedy, max-gap and set cover
	PlanarBudget                         int // on the X-shaped data of the paper, 2,000 atoms and 801 directions
	Programs                             []ProgramSize
	Instances, Sets                      int // integer instances, and sets of atoms for each
	Repetitions                          int
	Thorough                             bool // look for the best core type, measure the peak of memory, set targets
}

// ProgramSize is the size of a robust linear program over all atoms.
type ProgramSize struct {
	Atoms, Dimension int
	Radii            []float64
	Target           Target
}

// Full is the scale of the figures that are quoted.
var Full = Scale{
	Atoms: 15000, Directions: 1000, Dimension: 512, Budget: 50, PlanarBudget: 32,
	Programs: []ProgramSize{
		{2000, 50, []float64{0.3, 1}, Target{Ratio: 1}},
		{15000, 512, []float64{1, 4}, Target{Ratio: 20}},
	},
	Instances: 2, Sets: 25, Repetitions: 5, Thorough: true,
}

// Quick checks in seconds that the results agree; its times say nothing.
var Quick = Scale{
	Atoms: 700, Directions: 90, Dimension: 24, Budget: 12, PlanarBudget: 6,
	Programs:  []ProgramSize{{300, 12, []float64{0.3, 1}, Target{}}},
	Instances: 1, Sets: 4, Repetitions: 1,
}

// comparison is a run.
type comparison struct {
	ctx    context.Context
	scale  Scale
	python string
	peers  peers
	folder string
	log    io.Writer
	rows   []Row
}

// Run measures everything at a scale and returns the rows. Progress goes to log.
// It returns ErrNoPeers where they are missing, and an error where results of the
// two sides do not agree.
func Run(ctx context.Context, scale Scale, log io.Writer) ([]Row, *Machine, error) {
	python, err := FindPython()
	if err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp("", "compare")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(folder)
	p, err := startPeers(ctx, python, folder, scale.Thorough)
	if err != nil {
		return nil, nil, err
	}
	defer p.close()
	c := &comparison{ctx: ctx, scale: scale, python: python, peers: p, folder: folder, log: log}
	machine := describeMachine(p)
	for _, step := range []func() error{c.planar, c.highDimensional, c.linearPrograms, c.integerPrograms, c.memory} {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	machine.Load[1] = load()
	return c.rows, &machine, nil
}

// add appends rows and says so.
func (c *comparison) add(rows ...Row) {
	for k, r := range rows {
		if !c.scale.Thorough {
			rows[k].Target = Target{} // it belongs to the full scale
		}
		fmt.Fprintf(c.log, "%s: %s against %s: %s (%s)\n", r.Workload, withUnit(r.Ours, r.Unit), withUnit(r.PeerValue, r.Unit), r.Peer, r.Agreement)
	}
	c.rows = append(c.rows, rows...)
}

// timed makes a row of the times of two sides.
func timed(key, workload string, theirs, ours times) Row {
	return Row{
		Key: key, Workload: workload, Unit: "ms", Limit: math.NaN(), Count: len(ours),
		PeerValue: 1e3 * theirs.median(), PeerLeast: 1e3 * theirs.least(), Ours: 1e3 * ours.median(), OursLeast: 1e3 * ours.least(),
	}
}

// share writes an array and has all peers read it.
func (c *comparison) share(name string, a interface{ write(string) error }) error {
	path := filepath.Join(c.folder, name+".npy")
	if err := a.write(path); err != nil {
		return err
	}
	if err := c.peers.each("load", arguments{"name": name, "path": path}); err != nil {
		return err
	}
	return os.Remove(path)
}

// choice is what a rule chose and the value it reached.
type choice struct {
	Picks []int
	Value float64
}

const (
	// singleTolerance is how far, relatively, a value that NumPy computed in float32
	// may be from ours, which is float64.
	singleTolerance = 1e-5
	// doubleTolerance is that for float64.
	doubleTolerance = 1e-9
	// optimumTolerance is how far, relative to 1 + |value|, two optima may be apart.
	optimumTolerance = 1e-7
)

// agree compares two choices. Where the peer computed in float32 a near tie may
// have gone the other way; then the values decide.
func agree(theirs, ours choice, tolerance float64) (string, error) {
	apart := math.Abs(theirs.Value-ours.Value) / math.Max(math.Abs(ours.Value), math.SmallestNonzeroFloat64)
	if !(apart <= tolerance) {
		return "", fmt.Errorf("compare: the values are %v (peer) and %v, apart by %.1e; picks %v and %v", theirs.Value, ours.Value, apart, theirs.Picks, ours.Picks)
	}
	if slices.Equal(theirs.Picks, ours.Picks) {
		return fmt.Sprintf("%d picks identical, value within %.0e", len(ours.Picks), tolerance), nil
	}
	if tolerance < singleTolerance || len(theirs.Picks) != len(ours.Picks) {
		return "", fmt.Errorf("compare: the picks are %v (peer) and %v", theirs.Picks, ours.Picks)
	}
	same := 0
	for same < len(ours.Picks) && theirs.Picks[same] == ours.Picks[same] {
		same++
	}
	return fmt.Sprintf("first %d of %d picks identical, value within %.0e", same, len(ours.Picks), tolerance), nil
}

// thousands writes a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for k := len(text) - 3; k > 0; k -= 3 {
		text = text[:k] + "," + text[k:]
	}
	return text
}

// key joins the parts of the key of a row.
func key(parts ...any) string {
	words := make([]string, len(parts))
	for k, part := range parts {
		words[k] = strings.ReplaceAll(strings.ToLower(fmt.Sprint(part)), "-", "")
	}
	return strings.Join(words, "_")
}
