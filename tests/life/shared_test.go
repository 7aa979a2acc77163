package life

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// sharers is the number of goroutines that use one value.
const sharers = 6

// share lets several goroutines use one value and fails where one gets another answer than a goroutine alone.
func share(t *testing.T, name string, use func() any) {
	t.Run(name, func(t *testing.T) {
		want := use()
		got := make([]any, sharers)
		var group sync.WaitGroup
		for k := range got {
			group.Add(1)
			go func() {
				defer group.Done()
				got[k] = use()
			}()
		}
		group.Wait()
		for k := range got {
			if !reflect.DeepEqual(got[k], want) {
				t.Errorf("goroutine %d got %v, alone it is %v", k, got[k], want)
			}
		}
	})
}

func TestSetsAreShared(t *testing.T) {
	d := newDictionary(t, 60)
	probes := gaussian(t, 40, 2)
	set := must(sparsero.NewAtomicSet(d, []int{3, 1, 4, 15, 9, 26, 5, 35}, 1.5))(t)
	share(t, "Dictionary", func() any {
		s := mat.Row(nil, 7, probes)
		vertices, err := d.SupportVertices(context.Background())
		return []any{d.Support(s), d.Alignments(nil, s), d.MaxNorm(), vertices, err, d.Label(3)}
	})
	share(t, "AtomicSet", func() any {
		gauge, coefficients, err := set.Gauge(mat.Row(nil, 3, probes))
		return []any{gauge, coefficients, err, must(set.AlignmentDeficits(probes))(t), set.Support(mat.Row(nil, 1, probes))}
	})
	share(t, "one Gauge for each", func() any {
		gauge := must(sparsero.NewGauge(set))(t)
		value, coefficients, err := gauge.Of(context.Background(), mat.Row(nil, 2, probes))
		return []any{value, coefficients, err}
	})
}

func TestObjectivesAreShared(t *testing.T) {
	ctx := context.Background()
	d, probes := newDictionary(t, 80), gaussian(t, 50, 3)
	for _, storage := range []selection.Storage{selection.Screened, selection.Streamed} {
		coverage := must(selection.NewCoverage(d, probes, &selection.CoverageOptions{Storage: storage, Workers: 2}))(t)
		for _, rule := range []selection.Policy{selection.Greedy{}, selection.MaxGap{}, selection.SetCover{}, selection.TopActivation{}} {
			share(t, fmt.Sprintf("%v %T", storage, rule), func() any { return chosen(t, ctx, rule, coverage) })
		}
	}
	file := must(selection.OpenNPY(writeNPY(t, d)))(t)
	defer file.Close()
	share(t, "File", func() any {
		return chosen(t, ctx, selection.Greedy{}, must(selection.NewCoverage(file, probes, &selection.CoverageOptions{Storage: selection.Streamed}))(t))
	})
}

// writeNPY writes the atoms as a NumPy file of format 1.
func writeNPY(t testing.TB, d *sparsero.Dictionary) (path string) {
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", d.Size(), d.Dim())
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	content := append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), byte(len(header)>>8))
	content = append(content, header...)
	for i := range d.Size() {
		for _, v := range d.RawRowView(i) {
			content = binary.LittleEndian.AppendUint64(content, math.Float64bits(v))
		}
	}
	path = filepath.Join(t.TempDir(), "atoms.npy")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// chosen is what a rule picks, without the times.
func chosen(t testing.TB, ctx context.Context, rule selection.Policy, c *selection.Coverage) any {
	path := must(rule.Select(ctx, c, 5))(t)
	return []any{path.Atoms, path.Gains, path.Bounds}
}

func TestCertificatesAreShared(t *testing.T) {
	ctx := context.Background()
	d, region := newDictionary(t, 30), newRegion()
	set := must(sparsero.NewAtomicSet(d, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1))(t)
	q := sparsero.Identity(dimension)
	net := must(certificate.GridNet(ctx, d, region, q, 2, nil))(t)
	share(t, "Net", func() any {
		return must(certificate.NewNetBound(set, net))(t)
	})
	probes := must(certificate.NewProbeSet(d, gaussian(t, 30, 4)))(t)
	share(t, "ProbeSet", func() any {
		return must(probes.EstimateRadius(net.Directions()))(t)
	})
	share(t, "uniform", func() any {
		u := must(certificate.SolveUniform(ctx, set, region, q, nil))(t)
		return []any{u.Bound, u.Value, u.Atom}
	})
}

func TestScoresAreShared(t *testing.T) {
	d, samples := newDictionary(t, 30), gaussian(t, 60, 5)
	set := must(sparsero.FullSet(d, 1))(t)
	split := must(calibration.NewSplit(60, &calibration.SplitOptions{Shuffle: true, Seed: 3}))(t)
	share(t, "scores", func() any {
		gauges := must(calibration.GaugeScores(context.Background(), set, samples))(t)
		_, rows, _ := split.Rows()
		return []any{gauges, must(calibration.DirectionalScores(set, samples))(t), rows}
	})
}

func TestProblemIsShared(t *testing.T) {
	ctx := context.Background()
	p := newProblem(t, 40)
	share(t, "Problem", func() any {
		few := must(p.Solve(ctx, []int{0, 5, 7}, 0.3, nil))(t)
		full := must(p.SolveFull(ctx, 0.3, nil))(t)
		design := must(p.Design(ctx, 6, 0.3, nil))(t)
		bound := must(few.GapBound())(t).Float()
		return []any{few.X, few.Value, bound, full.Value, full.LowerBound.Float(), design.Atoms, design.Stop}
	})
	share(t, "infeasible Problem", func() any {
		row := robust.Constraint{Map: sparsero.Identity(dimension), Limit: -100}
		impossible := must(robust.NewProblem(p.Dictionary(), p.Region(), sparsero.Identity(dimension), row))(t)
		explanation, err := impossible.Explain(ctx, []int{1, 2}, 1, nil)
		return []any{explanation != nil, err != nil}
	})
}

func TestModelIsShared(t *testing.T) {
	m := newRegion()
	for _, b := range []solver.Backend{nil, solver.DualSimplex, solver.InteriorPoint, solver.Exact} {
		options := &solver.Options{Backend: b}
		share(t, "Model", func() any {
			r := must(solver.Solve(context.Background(), m, options))(t)
			return []any{r.Status, r.X, r.Lower, r.Upper, r.RowDuals}
		})
	}
}
