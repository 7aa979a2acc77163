//go:build cgo

package highs

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
)

// TestTrapThreadsOfOneSystemThread: HiGHS solves on an operating system thread where somebody
// else has used the binding with another number of threads.
func TestTrapThreadsOfOneSystemThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range 3 {
		somebodyElse(t)
		m := solver.NewModel("one column")
		m.AddColumn(solver.Column{Bounds: solver.Between(1, 2), Cost: 1})
		opened, err := Backend{}.Open(m, &solver.Options{FeasibilityTolerance: 1e-7, OptimalityTolerance: 1e-7})
		if err != nil {
			t.Fatal(err)
		}
		n, err := opened.(*engine).build(attempts[0])
		if err != nil {
			t.Fatal(err)
		}
		if out := n.run(false); out.Status != solver.Optimal || out.Detail != "" {
			t.Errorf("%+v", out)
		}
		n.free()
	}
}

// TestReleases: the linked library is one that this package is tested with, and others are refused by their name.
func TestReleases(t *testing.T) {
	for release, works := range map[string]bool{
		version(): true, "1.10.0": true, "1.11.3": true, "1.1.0": false, "1.9.0": false, "1.12.0": false, "2.10.0": false, "": false,
	} {
		if err := checkRelease(release); (err == nil) != works || err != nil && !(errors.Is(err, solver.ErrUnsupported) && strings.Contains(err.Error(), "HiGHS "+release+" is linked")) {
			t.Errorf("HiGHS %q: %v", release, err)
		}
	}
}

// TestRefusedModels: a model is told what is wrong with it, a number that is none or what HiGHS does not solve.
func TestRefusedModels(t *testing.T) {
	for want, test := range map[string]struct {
		cost, square float64
		options      *solver.Options
	}{
		"the options are nil": {1, 0, nil}, "NaN": {math.NaN(), 0, &solver.Options{}}, "quadratic objective": {1, 1, &solver.Options{}}, "": {1, 0, &solver.Options{}},
	} {
		m := solver.NewModel("one column")
		m.AddColumn(solver.Column{Bounds: solver.Between(1, 2), Cost: test.cost})
		if test.square != 0 {
			m.AddQuadratic(0, 0, test.square)
		}
		if _, err := (Backend{}).Open(m, test.options); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", test, err, want)
		}
	}
}

// TestRefusedOptions: a tolerance of 0 is an error of HiGHS, which is passed on, and not another tolerance.
func TestRefusedOptions(t *testing.T) {
	m := solver.NewModel("one column")
	m.AddColumn(solver.Column{Bounds: solver.Between(1, 2), Cost: 1})
	opened, err := Backend{}.Open(m, &solver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var call binding.CallStatus
	if r, err := opened.Solve(t.Context()); !errors.As(err, &call) || r != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// somebodyElse solves with two threads, which a machine of few processors does not start by itself.
func somebodyElse(t *testing.T) {
	m := &binding.Model{ColCosts: []float64{1}, ColLower: []float64{1}, ColUpper: []float64{2}}
	m.AddDenseRow(0, []float64{1}, math.Inf(1))
	raw, err := m.ToRawModel()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(raw.SetBoolOption("output_flag", false), raw.SetIntOption("threads", 2)); err != nil {
		t.Fatal(err)
	}
	_, _ = raw.Solve() // may fail: that is the trap
	runtime.KeepAlive(raw)
}

// TestFreedTwice: a model may be freed twice, and another solve has one of its own.
func TestFreedTwice(t *testing.T) {
	m := solver.NewModel("one column")
	m.AddColumn(solver.Column{Bounds: solver.Between(1, 2), Cost: 1})
	opened, err := Backend{}.Open(m, &solver.Options{FeasibilityTolerance: 1e-7, OptimalityTolerance: 1e-7})
	if err != nil {
		t.Fatal(err)
	}
	left, err := opened.(*engine).build(attempts[0])
	if err != nil {
		t.Fatal(err)
	}
	left.interrupt()
	left.free()
	left.free()
	res, err := opened.Solve(t.Context())
	if err != nil || res.Status != solver.Optimal || res.Objective != 1 {
		t.Errorf("after an abandoned run: %v, %v", res, err)
	}
}

// TestHandle: the binding still keeps its C object where handleOf looks.
func TestHandle(t *testing.T) {
	if handleOf(binding.NewRawModel()) == nil {
		t.Error("github.com/lanl/highs has changed; handleOf needs another way")
	}
}

// TestConstants compares the values of bridge.h with those of the header of the HiGHS that is installed.
func TestConstants(t *testing.T) {
	flags, err := exec.Command("pkg-config", "--cflags-only-I", "highs").Output()
	if err != nil {
		t.Fatal(err)
	}
	header, err := os.ReadFile(filepath.Join(strings.TrimPrefix(strings.Fields(string(flags))[0], "-I"), "interfaces", "highs_c_api.h"))
	if err != nil {
		t.Fatal(err)
	}
	bridge, err := os.ReadFile("bridge.h")
	if err != nil {
		t.Fatal(err)
	}
	constants := regexp.MustCompile(`\t(kHighs\w+ = \d+),`).FindAllSubmatch(bridge, -1)
	if len(constants) != 14 {
		t.Errorf("%d constants", len(constants))
	}
	for _, constant := range constants {
		if declared := "const HighsInt " + string(constant[1]) + ";"; !strings.Contains(string(header), declared) {
			t.Errorf("the header does not say %q", declared)
		}
	}
}
