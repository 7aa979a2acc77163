//go:build cgo

package highs

import (
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

// somebodyElse solves with the binding's default number of threads.
func somebodyElse(t *testing.T) {
	m := &binding.Model{ColCosts: []float64{1}, ColLower: []float64{1}, ColUpper: []float64{2}}
	m.AddDenseRow(0, []float64{1}, math.Inf(1))
	raw, err := m.ToRawModel()
	if err != nil {
		t.Fatal(err)
	}
	_ = raw.SetBoolOption("output_flag", false)
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
