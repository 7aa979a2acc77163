package robust_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

type saver interface {
	Save(path string, record *robust.Record) error
}

// checked saves a result and reads its file, whose claims are all true.
func checked(t testing.TB, made saver, record *robust.Record) *designfile.Checked {
	t.Helper()
	path := filepath.Join(t.TempDir(), "design.json")
	if err := made.Save(path, record); err != nil {
		t.Fatal(err)
	}
	return must(designfile.Verify(bytes.NewReader(must(os.ReadFile(path))(t)), nil))(t)
}

// saved is checked for property tests, in a folder that they share.
func saved(t *rapid.T, folder string, made saver) *designfile.Checked {
	path := filepath.Join(folder, "design.json")
	if err := made.Save(path, nil); err != nil {
		t.Fatal(err)
	}
	return get(designfile.Verify(bytes.NewReader(get(os.ReadFile(path))(t)), nil))(t)
}

// TestSolutionsComeBackFromTheirFiles: decision, atoms, radius, labels and reports equal to the bit, and a bound on the regret that
// is as good up to rounding.
func TestSolutionsComeBackFromTheirFiles(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		problem, _ := drawSampled(t)
		s, err := problem.Solve(ctx, drawSubset(t, problem.Dictionary().Size()), drawRadius(t), nil)
		if errors.Is(err, solver.ErrInfeasible) {
			return
		}
		get(s, err)(t)
		file := saved(t, folder, s)
		read := get(robust.SolutionOf(file))(t)
		if !slices.Equal(read.X, s.X) || !slices.Equal(read.Atoms, s.Atoms) || read.Radius != s.Radius || !slices.Equal(read.Labels(), s.Labels()) ||
			read.Value != s.Value || read.FullValue() != s.FullValue() || !slices.Equal(read.Constraints, s.Constraints) || read.FullFeasible() != s.FullFeasible() {
			t.Fatalf("%v came back as %v", s, read)
		}
		claims := file.Claims()
		if claims.Full.Float() < s.FullValue()-1e-9*math.Abs(s.FullValue()) || claims.Lower == (proof.Lower{}) || (claims.Regret == proof.Upper{}) != !s.FullFeasible() {
			t.Fatalf("%+v of %v", claims, s)
		}
		if gap, err := s.GapBound(); err == nil && claims.Regret.Float() > gap.Float()+1e-9*(math.Abs(s.FullValue())+math.Abs(s.LowerBound.Float())+1) {
			t.Fatalf("regret %v in the file, %v in memory", claims.Regret.Float(), gap)
		}
		if claims.Lower.Float() > claims.Full.Float() && s.FullFeasible() && claims.Missed.Float() == 0 {
			t.Fatalf("the bound %v is above the value %v", claims.Lower, s.FullValue())
		}
	})
}

// TestTunedStatesItsPromise: what is promised about new draws is in the file, as the author states it.
func TestTunedStatesItsPromise(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		tuned, _ := answer(t, drawTuneCase(t))
		if tuned == nil {
			return
		}
		stated := saved(t, folder, tuned).Content().Provenance
		if len(stated.Promises) != len(tuned.Levels) || !slices.Equal(stated.Hypotheses, tuned.Hypotheses) {
			t.Fatalf("%+v of %v", stated, tuned)
		}
		draw := "a new draw puts"
		if sampled := strings.Contains(tuned.String(), "atoms that were not chosen") || strings.Contains(tuned.String(), "all sets of as many atoms"); sampled && tuned.Radius != 1 {
			draw = fmt.Sprintf("%v times a new draw puts", tuned.Radius)
		}
		if !strings.Contains(tuned.String(), "; "+draw) || !strings.HasPrefix(strings.ToLower(stated.Promises[0]), draw) {
			t.Fatalf("%v and %q are not about %q", tuned, stated.Promises[0], draw)
		}
		for k, level := range tuned.Levels {
			for _, want := range []string{level.Name, fmt.Sprint(level.Value), fmt.Sprint(tuned.Violation), fmt.Sprint(tuned.Samples), fmt.Sprint(tuned.Demands.Delta)} {
				if !strings.Contains(stated.Promises[k], want) {
					t.Fatalf("%q does not name %s", stated.Promises[k], want)
				}
			}
		}
		var written bytes.Buffer
		if err := tuned.Write(&written, nil); err != nil || !bytes.Equal(written.Bytes(), get(os.ReadFile(filepath.Join(folder, "design.json")))(t)) {
			t.Fatalf("Write writes another file than Save: %v", err)
		}
	})
}

// TestRecordsAreInTheFile: what the author states.
func TestRecordsAreInTheFile(t *testing.T) {
	radius := must(calibration.OrderStatistic{Alpha: 0.2, Delta: 0.1}.Calibrate([]float64{3, 1, 2, 5, 4, 9, 8, 7, 6, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}))(t)
	record := &robust.Record{Calibration: &radius, Seeds: map[string]int64{"prices": math.MaxInt64, "days": -7}, Note: "a remark"}
	stated := checked(t, triangleSolution(t), record).Content().Provenance
	seeds := []designfile.Seed{{"days", "-7"}, {"prices", "9223372036854775807"}}
	if !slices.Equal(stated.Promises, []string{radius.String()}) || !slices.Equal(stated.Seeds, seeds) || stated.Note != record.Note || stated.Software == "" {
		t.Errorf("%+v", stated)
	}
}

// triangleSolution is a small solution with a dictionary of three atoms.
func triangleSolution(t testing.TB) *robust.Solution {
	region := solver.NewModel("interval")
	region.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(-1, 2), Cost: 0.1})
	d := dictionary(t, []float64{1, 0.5}, []float64{-1, 0.25}, []float64{0.3, 2})
	q := must(sparsero.NewAffineMap(matrix([]float64{1}, []float64{-0.7}), []float64{0.1, 0.2}))(t)
	return must(must(robust.NewProblem(d, region, q))(t).Solve(ctx, []int{0, 1}, 0.75, nil))(t)
}

// TestEqualRunsGiveEqualFiles: nothing in a file depends on the clock.
func TestEqualRunsGiveEqualFiles(t *testing.T) {
	folder := t.TempDir()
	atoms := mat.NewDense(40, 2, nil)
	atoms.Apply(func(i, j int, _ float64) float64 { return math.Cos(float64(i)/6 - float64(j)) }, atoms)
	problem := must(robust.NewProblem(must(sparsero.NewDictionary(atoms, nil))(t), box(-1, 1, 0.3, -0.2), sparsero.Identity(2)))(t)
	var files [2][]byte
	for k := range files {
		design := must(problem.Design(ctx, 6, 1, nil))(t)
		path := filepath.Join(folder, fmt.Sprint(k))
		if err := design.Solution.Save(path, &robust.Record{Seeds: map[string]int64{"a": 1, "b": 2, "c": 3}}); err != nil {
			t.Fatal(err)
		}
		files[k] = must(os.ReadFile(path))(t)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Errorf("%.600s\n%.600s", files[0], files[1])
	}
}

// TestFileWithoutAtoms: a large dictionary stays outside, and the one that is handed over must be the same.
func TestFileWithoutAtoms(t *testing.T) {
	n := 70_000
	atoms := mat.NewDense(n, 3, nil)
	for i := range n {
		atoms.SetRow(i, []float64{math.Sin(float64(i)), math.Cos(float64(i)), 1})
	}
	d := must(sparsero.NewDictionary(atoms, nil))(t)
	s := must(must(robust.NewProblem(d, box(-1, 1, 0.5, 0.5, 0.5), sparsero.Identity(3)))(t).SolveFull(ctx, 1, nil))(t)
	path := filepath.Join(t.TempDir(), "solution.json")
	if err := s.Save(path, nil); err != nil {
		t.Fatal(err)
	}
	design := must(os.ReadFile(path))(t)
	if len(design) > 1<<13 {
		t.Errorf("the file has %d bytes", len(design))
	}
	table := func(d *sparsero.Dictionary) *bytes.Buffer {
		var text bytes.Buffer
		if err := d.WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
		return &text
	}
	file := must(designfile.Verify(bytes.NewReader(design), table(d)))(t)
	if read := must(robust.SolutionOf(file))(t); !slices.Equal(read.X, s.X) || !mat.Equal(read.Problem().Dictionary().Matrix(), d.Matrix()) {
		t.Errorf("%v came back as %v", s, read)
	}
	if _, err := designfile.Verify(bytes.NewReader(design), nil); !errors.Is(err, designfile.ErrNotCheckable) {
		t.Errorf("without the dictionary: %v", err)
	}
	atoms.Set(n-1, 2, math.Nextafter(1, 2))
	if _, err := designfile.Verify(bytes.NewReader(design), table(must(sparsero.NewDictionary(atoms, nil))(t))); !errors.Is(err, designfile.ErrNotCheckable) {
		t.Errorf("with another dictionary: %v", err)
	}
}

// TestMultipliersBeyondFloat64AreSaved: that of the limit is 1e350, with which Save once panicked.
func TestMultipliersBeyondFloat64AreSaved(t *testing.T) {
	row := robust.Constraint{Nominal: []float64{-1e-150}, Map: sparsero.AffineMap{Matrix: matrix([]float64{-0.3e-150})}, Limit: -1e-150}
	p := must(robust.NewProblem(dictionary(t, []float64{0.1}), box(math.Inf(-1), math.Inf(1), 1e200), sparsero.AffineMap{}, row))(t)
	s := must(p.Solve(ctx, []int{0}, 0.7, nil))(t)
	if err := s.Save(filepath.Join(t.TempDir(), "solution.json"), nil); err != nil || !math.IsInf(s.Result.RowDuals[0], -1) || s.LowerBound.Float() > 1e200 {
		t.Errorf("%v, multipliers %v: %v", s, s.Result.RowDuals, err)
	}
}

// TestSaveKeepsTheOldFile where there is nothing to write, or what nobody could check.
func TestSaveKeepsTheOldFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "design.json")
	if err := triangleSolution(t).Save(path, nil); err != nil {
		t.Fatal(err)
	}
	old := must(os.ReadFile(path))(t)
	for name, err := range map[string]error{
		"no solution": (&robust.Solution{}).Save(path, nil), "no answer": (&robust.Tuned{}).Save(path, nil),
		"no UTF-8":  triangleSolution(t).Save(path, &robust.Record{Note: "caf\xe9"}),
		"no folder": triangleSolution(t).Save(filepath.Join(folder, "none", "design.json"), nil),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if left := must(os.ReadDir(folder))(t); len(left) != 1 || !bytes.Equal(must(os.ReadFile(path))(t), old) {
		t.Errorf("the folder holds %v", left)
	}
}

// covariance is that of so many assets over some days, in units of their own.
func covariance(seed uint64, assets, days int, unit func(j int) float64) *mat.SymDense {
	r := rand.New(rand.NewPCG(seed, 14))
	returns := mat.NewDense(days, assets, nil)
	for i := range days {
		market := r.NormFloat64()
		for j := range assets {
			returns.Set(i, j, unit(j)*(market+r.NormFloat64()))
		}
	}
	var matrix mat.SymDense
	stat.CovarianceMatrix(&matrix, returns, nil)
	return &matrix
}

// meanVariance is the solution of a robust problem with a quadratic cost.
func meanVariance(t testing.TB, quadratic *mat.SymDense, bounds solver.Bounds) *robust.Solution {
	t.Helper()
	n := quadratic.SymmetricDim()
	region, sum := solver.NewModel("portfolio"), solver.Row{Bounds: solver.Equal(1)}
	for j := range n {
		region.AddColumn(solver.Column{Bounds: bounds, Cost: -0.01 * float64(j%7)})
		sum.Columns, sum.Values = append(sum.Columns, j), append(sum.Values, 1)
	}
	region.AddRow(sum)
	for i := range n {
		region.AddQuadratic(i, i, quadratic.At(i, i))
		for j := i + 1; j < n; j++ {
			region.AddQuadratic(i, j, 2*quadratic.At(i, j))
		}
	}
	atoms := mat.NewDense(4, n, nil)
	atoms.Apply(func(i, j int, _ float64) float64 { return 0.01 * math.Sin(float64(3*i+j)) }, atoms)
	problem := must(robust.NewProblem(must(sparsero.NewDictionary(atoms, nil))(t), region, sparsero.Identity(n)))(t)
	return must(problem.SolveFull(ctx, 1, nil))(t)
}

// TestQuadraticsAreSaved: covariances of fewer days than assets, which are semidefinite up to rounding alone, in any units, and
// more than 100 columns. What the file proves is what memory proves, up to rounding of the terms.
func TestQuadraticsAreSaved(t *testing.T) {
	one := func(int) float64 { return 1 }
	for _, test := range []struct {
		assets, days int
		unit         func(j int) float64
	}{
		{6, 5, one}, {12, 10, one}, {30, 20, one}, {60, 30, one}, {5, 50, one}, {20, 250, one}, {101, 250, one}, {130, 60, one},
		{12, 10, func(j int) float64 { return math.Pow(10, float64(j%5-2)) }}, {50, 20, func(j int) float64 { return math.Ldexp(1, 7*(j%4)) }},
	} {
		seeds := uint64(3)
		if testing.Short() {
			seeds = 1
		}
		for seed := range seeds {
			s := meanVariance(t, covariance(seed, test.assets, test.days, test.unit), solver.Between(0, 1))
			claims := checked(t, s, nil).Claims()
			gap := must(s.GapBound())(t).Float()
			terms := 0.0 // of the quadratic part
			for _, q := range s.Problem().Region().Quadratic() {
				terms += math.Abs(q.Value)
			}
			if claims.Regret == (proof.Upper{}) || claims.Regret.Float() > gap+1e-9*terms {
				t.Errorf("%d assets, %d days: %+v, but memory has the gap %v", test.assets, test.days, claims, gap)
			}
		}
	}
}

// TestSingularQuadraticsOverFreeColumns: a matrix that is exactly semidefinite needs no slack, and so no bounds.
func TestSingularQuadraticsOverFreeColumns(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		matrix := mat.NewSymDense(n, nil)
		for range rapid.IntRange(1, n).Draw(t, "rank") {
			v := mat.NewVecDense(n, nil)
			for j := range n {
				v.SetVec(j, float64(rapid.IntRange(-3, 3).Draw(t, "entry")))
			}
			matrix.SymRankOne(matrix, 1, v)
		}
		matrix.SetSym(0, 0, matrix.At(0, 0)+1)
		region := solver.NewModel("free")
		for j := range n {
			region.AddColumn(solver.Column{})
			for i := range j + 1 {
				region.AddQuadratic(i, j, matrix.At(i, j)*float64(1+min(1, j-i)))
			}
		}
		region.AddRow(solver.Row{Columns: []int{0}, Values: []float64{1}, Bounds: solver.AtLeast(1)})
		d := get(sparsero.NewDictionary(mat.NewDense(1, n, nil), nil))(t)
		s, err := get(robust.NewProblem(d, region, sparsero.Identity(n)))(t).SolveFull(ctx, 1, nil)
		if err != nil {
			t.Skip(err)
		}
		file := saved(t, folder, s)
		if slack := file.Content().Proof.Curvature.Slack; slices.Max(slack) > 0 || file.Claims().Lower == (proof.Lower{}) {
			t.Fatalf("slack %v, %+v", slack, file.Claims())
		}
	})
}

// TestIntegerBoundsMeanOneModel: 4.35*100 is 434.99999999999994 in float64, and means 435 in memory and in the file.
func TestIntegerBoundsMeanOneModel(t *testing.T) {
	price, region := 4.35, solver.NewModel("units")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, price*100), Cost: -10, Integer: true})
	problem := must(robust.NewProblem(dictionary(t, []float64{1}, []float64{0.5}), region, sparsero.Identity(1)))(t)
	file := checked(t, must(problem.Evaluate([]int{0, 1}, 1, []float64{435}))(t), nil)
	claims := file.Claims()
	if upper := *file.Content().Problem.Model.Columns[0].Upper; upper != 435 || claims.Missed.Float() != 0 || claims.Lower == (proof.Lower{}) || claims.Lower.Float() != -3915 || claims.Regret.Float() != 0 {
		t.Errorf("at most %v: %+v", upper, claims)
	}
}

// TestCostsBeyondFloat64: what a file cannot say is refused in a sentence with a next step.
func TestCostsBeyondFloat64(t *testing.T) {
	region := solver.NewModel("far")
	region.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, 1e200), Cost: 1e200})
	problem := must(robust.NewProblem(must(sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1}), nil))(t), region, sparsero.Identity(1)))(t)
	s := must(problem.Evaluate([]int{0}, 1, []float64{1e200}))(t)
	if err := s.Save(filepath.Join(t.TempDir(), "design.json"), nil); err == nil || !strings.Contains(err.Error(), "full holds a number beyond float64") || !strings.Contains(err.Error(), "other units") {
		t.Error(err)
	}
}

// TestQuadraticsComeBack: the cost of a decision is that of the quadratic terms in its file.
func TestQuadraticsComeBack(t *testing.T) {
	s := meanVariance(t, mat.NewSymDense(2, []float64{3, 1, 1, 2}), solver.Between(0, 1))
	path := filepath.Join(t.TempDir(), "design.json")
	if err := s.Save(path, nil); err != nil {
		t.Fatal(err)
	}
	read := must(robust.SolutionOf(must(designfile.Verify(bytes.NewReader(must(os.ReadFile(path))(t)), nil))(t)))(t)
	if read.Value != s.Value || !slices.Equal(read.Problem().Region().Quadratic(), s.Problem().Region().Quadratic()) {
		t.Errorf("value %v with the terms %v, not %v with %v", read.Value, read.Problem().Region().Quadratic(), s.Value, s.Problem().Region().Quadratic())
	}
}

// A multiplier that rounding left of the difference of two costs is several times too large or too small, beside others
// of about 1: a file corrects it, too, as all three free columns need exact multipliers.
func TestFilesCorrectMultipliersOfRounding(t *testing.T) {
	region := solver.NewModel("X")
	for _, cost := range []float64{-0.3, -1.7, -2.2} {
		region.AddColumn(solver.Column{Bounds: solver.AtLeast(math.Inf(-1)), Cost: cost})
	}
	region.AddRow(solver.Row{Bounds: solver.AtMost(2.52), Columns: []int{0, 1, 2}, Values: []float64{-1.3, -2.6, 2.2}})
	region.AddRow(solver.Row{Bounds: solver.Between(-1.3, 0.9), Columns: []int{0, 1}, Values: []float64{1, 2}})
	region.AddRow(solver.Row{Bounds: solver.Between(0.5, 0.8), Columns: []int{1, 2}, Values: []float64{1, 2}})
	d := must(sparsero.NewDictionary(matrix([]float64{0, 3}), nil))(t)
	q := must(sparsero.NewAffineMap(matrix([]float64{-1.5, -0.4, 2.3000000000000003}, []float64{0, 0, 0}), nil))(t)
	p := must(robust.NewProblem(d, region, q))(t)
	s := must(p.Solve(ctx, nil, 1, &robust.Options{Solver: &solver.Options{Backend: solver.PureGo}}))(t)
	claims := checked(t, s, nil).Claims()
	if lower := claims.Lower.Float(); !(lower <= s.Value && lower > s.Value-1e-9) {
		t.Errorf("the file proves at least %v, the value is %v", claims.Lower, s.Value)
	}
}
