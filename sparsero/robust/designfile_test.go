package robust_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
)

// differ names the first place where the exported parts of two values are not equal to the bit; "" if there is none.
func differ(place string, a, b reflect.Value) string {
	switch a.Kind() {
	case reflect.Float64:
		if math.Float64bits(a.Float()) != math.Float64bits(b.Float()) {
			return fmt.Sprintf("%s: %v and %v", place, a.Float(), b.Float())
		}
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			if a.IsNil() != b.IsNil() {
				return place + ": one is nil"
			}
			return ""
		}
		return differ(place, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return fmt.Sprintf("%s: %d and %d entries", place, a.Len(), b.Len())
		}
		for k := range a.Len() {
			if found := differ(fmt.Sprintf("%s[%d]", place, k), a.Index(k), b.Index(k)); found != "" {
				return found
			}
		}
	case reflect.Struct:
		for k := range a.NumField() {
			if a.Type().Field(k).IsExported() {
				if found := differ(place+"."+a.Type().Field(k).Name, a.Field(k), b.Field(k)); found != "" {
					return found
				}
			}
		}
	default:
		if !reflect.DeepEqual(a.Interface(), b.Interface()) {
			return fmt.Sprintf("%s: %v and %v", place, a, b)
		}
	}
	return ""
}

// saved writes a result, as a file or as JSON, and reads it back; it fails unless the two are equal.
func saved[T robust.Solution | robust.Design | robust.Tuned](t *rapid.T, made *T, load func(string, *sparsero.Dictionary) (*T, error), folder string) *T {
	read, path := new(T), filepath.Join(folder, "result.json")
	if rapid.Bool().Draw(t, "as a file") {
		if err := any(made).(interface {
			Save(string, *robust.Record) error
		}).Save(path, nil); err != nil {
			t.Fatal(err)
		}
		read = get(load(path, nil))(t)
		if _, err := certificate.Verify(get(os.Open(path))(t), nil); err != nil {
			t.Fatal(err)
		}
	} else if err := json.Unmarshal(get(json.Marshal(made))(t), read); err != nil {
		t.Fatal(err)
	}
	if place := differ("result", reflect.ValueOf(made), reflect.ValueOf(read)); place != "" {
		t.Fatal(place)
	}
	return read
}

// equalResult fails unless two methods gave the same number, or the same text as an error.
func equalResult[N any](t *rapid.T, a N, errA error, b N, errB error) {
	t.Helper()
	if fmt.Sprint(errA) != fmt.Sprint(errB) || differ("answer", reflect.ValueOf(&a), reflect.ValueOf(&b)) != "" {
		t.Fatalf("%v (%v) and %v (%v)", a, errA, b, errB)
	}
}

// TestSolutionComesBackFromItsFile: equal to the bit, in what its methods say too.
func TestSolutionComesBackFromItsFile(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		problem, _ := drawSampled(t)
		s, err := problem.Solve(ctx, drawSubset(t, problem.Dictionary().Size()), drawRadius(t), nil)
		if errors.Is(err, solver.ErrInfeasible) {
			return
		}
		read := saved(t, get(s, err)(t), robust.LoadSolution, folder)
		gap, err := s.GapBound()
		gapRead, errRead := read.GapBound()
		equalResult(t, gap, err, gapRead, errRead)
		promise, err := s.OutOfSample(ctx, 0.1)
		promiseRead, errRead := read.OutOfSample(ctx, 0.1)
		equalResult(t, promise, err, promiseRead, errRead)
		if s.String() != read.String() || s.FullFeasible() != read.FullFeasible() {
			t.Fatalf("%v and %v", s, read)
		}
	})
}

// TestDesignComesBackFromItsFile: with the promise that it could give before, or the reason why there is none.
func TestDesignComesBackFromItsFile(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		problem, _ := drawSampled(t)
		o := &robust.DesignOptions{Rule: rapid.SampledFrom([]robust.AtomRule{robust.CoverageGain, robust.MostViolated}).Draw(t, "rule")}
		switch rapid.IntRange(0, 3).Draw(t, "function") {
		case 0:
			o.Calibrate = func([]int) (float64, error) { return 0.5, nil }
		case 1:
			o.Validate = func(x []float64) (float64, error) { return x[0], nil }
		case 2:
			o.Directions = matrix(numbers(t, problem.Dictionary().Dim(), "direction"))
		}
		design, err := problem.Design(ctx, rapid.IntRange(1, problem.Dictionary().Size()).Draw(t, "B"), drawRadius(t), o)
		if errors.Is(err, solver.ErrInfeasible) {
			return
		}
		read := saved(t, get(design, err)(t), robust.LoadDesign, folder)
		promise, err := design.OutOfSample(ctx, 0.1)
		promiseRead, errRead := read.OutOfSample(ctx, 0.1)
		equalResult(t, promise, err, promiseRead, errRead)
	})
}

// TestTunedComesBackFromItsFile: with every step, and with what further samples would buy.
func TestTunedComesBackFromItsFile(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		tuned, _ := answer(t, drawTuneCase(t))
		if tuned == nil {
			return
		}
		read := saved(t, tuned, robust.LoadTuned, folder)
		frame, err := tuned.SampleFrame()
		frameRead, errRead := read.SampleFrame()
		equalResult(t, frame.String(), err, frameRead.String(), errRead)
		if tuned.String() != read.String() || tuned.Frame().String() != read.Frame().String() {
			t.Fatalf("%v and %v", tuned, read)
		}
	})
}

// TestRecordComesBack: what the author states is kept.
func TestRecordComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solution.json")
	radius := must(calibration.OrderStatistic{Alpha: 0.2, Delta: 0.1}.Calibrate([]float64{3, 1, 2, 5, 4, 9, 8, 7, 6, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}))(t)
	record := &robust.Record{Calibration: &radius, Seeds: map[string]int64{"prices": 7}, Note: "a remark"}
	if err := triangleSolution(t).Save(path, record); err != nil {
		t.Fatal(err)
	}
	if read := must(robust.LoadRecord(path))(t); !reflect.DeepEqual(read, record) {
		t.Errorf("%+v and %+v", read, record)
	}
}

// triangleSolution is a small solution with a dictionary of three atoms.
func triangleSolution(t *testing.T) *robust.Solution {
	region := solver.NewModel("interval")
	region.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(-1, 2), Cost: 0.1})
	d := dictionary(t, []float64{1, 0.5}, []float64{-1, 0.25}, []float64{0.3, 2})
	q := must(sparsero.NewAffineMap(matrix([]float64{1}, []float64{-0.7}), []float64{0.1, 0.2}))(t)
	return must(must(robust.NewProblem(d, region, q))(t).Solve(ctx, []int{0, 1}, 0.75, nil))(t)
}

// TestFileWithoutAtoms: a large dictionary stays outside, and the one that comes back must be the same.
func TestFileWithoutAtoms(t *testing.T) {
	n := 70_000
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = []float64{math.Sin(float64(i)), math.Cos(float64(i)), 1}
	}
	d, region := dictionary(t, rows...), solver.NewModel("box")
	for range 3 {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: 0.5})
	}
	s := must(must(robust.NewProblem(d, region, sparsero.Identity(3)))(t).SolveFull(ctx, 1, nil))(t)
	path := filepath.Join(t.TempDir(), "solution.json")
	if err := s.Save(path, nil); err != nil {
		t.Fatal(err)
	}
	if info := must(os.Stat(path))(t); info.Size() > 1<<16 {
		t.Errorf("the file has %d bytes", info.Size())
	}
	read := must(robust.LoadSolution(path, d))(t)
	if place := differ("solution", reflect.ValueOf(s), reflect.ValueOf(read)); place != "" {
		t.Error(place)
	}
	rows[n-1][2] = math.Nextafter(1, 2)
	for name, other := range map[string]*sparsero.Dictionary{"none": nil, "another": dictionary(t, rows...)} {
		if _, err := robust.LoadSolution(path, other); err == nil || !strings.Contains(err.Error(), "dictionary") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFilesThatDoNotFit are refused with the reason.
func TestFilesThatDoNotFit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "solution.json")
	if err := triangleSolution(t).Save(path, nil); err != nil {
		t.Fatal(err)
	}
	whole := string(must(os.ReadFile(path))(t))
	for old, change := range map[string][2]string{
		`"version": 1`:         {`"version": 2`, "version 2"},
		`"kind": "solution"`:   {`"kind": "design"`, "holds a design"},
		`[1,0.5]`:              {`[1,0.25]`, "hash"},
		`"matrix":[[1],[-0.7]`: {`"matrix":[[1],[-0.7,2]`, "row 1 of a map has 2 numbers"},
		`"X":[`:                {`"X":[3,`, "does not fit the model"},
		`"Radius":0.75`:        {`"Radius":-0.75`, "-0.75"},
		`"sha256"`:             {`sha256`, "invalid character"},
	} {
		if strings.Count(whole, old) == 0 {
			t.Fatalf("%s is not in the file", old)
		}
		os.WriteFile(path, []byte(strings.Replace(whole, old, change[0], 1)), 0o644)
		if _, err := robust.LoadSolution(path, nil); err == nil || !strings.Contains(err.Error(), change[1]) {
			t.Errorf("%s: %v", change[0], err)
		}
	}
	if err := (&robust.Solution{}).Save(path, nil); err == nil || !strings.Contains(err.Error(), "no method of Problem") {
		t.Error(err)
	}
}

// TestFilesOfOldVersions: files of each released version stay valid, are read, and claim the same when they are written
// again. testdata/versionN was written by the version of the module that introduced version N of the format.
func TestFilesOfOldVersions(t *testing.T) {
	type saver interface {
		Save(string, *robust.Record) error
	}
	for name, load := range map[string]func(string) (saver, error){
		"solution": func(path string) (saver, error) { return robust.LoadSolution(path, nil) },
		"design":   func(path string) (saver, error) { return robust.LoadDesign(path, nil) },
		"tuned":    func(path string) (saver, error) { return robust.LoadTuned(path, nil) },
	} {
		paths := must(filepath.Glob("testdata/version*/" + name + ".json"))(t)
		if len(paths) == 0 {
			t.Errorf("there is no file of a %s", name)
		}
		for _, path := range paths {
			if _, err := certificate.Verify(must(os.Open(path))(t), nil); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			again := filepath.Join(t.TempDir(), "again.json")
			if err := must(load(path))(t).Save(again, must(robust.LoadRecord(path))(t)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if old, renewed := claimsOf(t, path), claimsOf(t, again); old != renewed {
				t.Errorf("%s claims %s, written again %s", path, old, renewed)
			}
		}
	}
}

// claimsOf returns claims and statements of a design file as they are written.
func claimsOf(t *testing.T, path string) string {
	var f struct{ Claims, Statements json.RawMessage }
	if err := json.Unmarshal(must(os.ReadFile(path))(t), &f); err != nil {
		t.Fatal(err)
	}
	return string(f.Claims) + string(f.Statements)
}
