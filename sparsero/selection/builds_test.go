package selection_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
)

// TestFingerprint writes down all picks, values and bounds of every rule in every storage.
func TestFingerprint(t *testing.T) {
	if testing.Short() {
		t.Skip("is compared by TestBuildsAgree alone")
	}
	sum := sha256.New()
	for seed := range uint64(5) {
		in := randomInstance(t, 70, 5, 45, 40+seed)
		for _, policy := range allPolicies() {
			for _, storage := range storages {
				s := selectAtoms(t, policy, mustCoverage(t, in.dictionary, in.directions, &selection.CoverageOptions{Storage: storage}), 20)
				for b, i := range s.Atoms {
					for _, value := range []float64{s.Gains[b], s.Coverage[b], s.WorstDeficit[b], s.Bounds[b].Float(), s.OptimalityRatio(b + 1).Float()} {
						fmt.Fprintln(sum, i, math.Float64bits(value))
					}
				}
			}
		}
	}
	t.Logf("fingerprint %x", sum.Sum(nil))
}

// Builds for other processors, with and without fused multiply-add in the compiler's
// hands, give the same bits.
func TestBuildsAgree(t *testing.T) {
	if os.Getenv("DIRECTIONS_LONG") == "" {
		t.Skip("builds the tests for several processors: set DIRECTIONS_LONG=1 or run make test-long")
	}
	fingerprint := func(name string, arguments []string, environment ...string) string {
		command := exec.Command("go", append([]string{"test", "-count=1", "-v", "-run", "^TestFingerprint$"}, arguments...)...)
		command.Env = append(append(os.Environ(), "CGO_ENABLED=0"), environment...)
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, output)
		}
		return regexp.MustCompile("fingerprint [0-9a-f]+").FindString(string(output))
	}
	want := fingerprint("this one", nil, "GOMAXPROCS=1")
	if want == "" {
		t.Fatal("no fingerprint")
	}
	check := func(name string, arguments []string, environment ...string) {
		if got := fingerprint(name, arguments, environment...); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	check("two cores", nil, "GOMAXPROCS=2")
	check("eight cores", nil, "GOMAXPROCS=8")
	if runtime.GOARCH == "amd64" && regexp.MustCompile(`\bavx2\b`).Match(processor()) {
		check("GOAMD64=v3", nil, "GOAMD64=v3")
	}
	if _, err := exec.LookPath("node"); err == nil {
		root, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(string(root[:len(root)-1]), "lib", "wasm", "go_js_wasm_exec")
		check("WebAssembly", []string{"-exec", program}, "GOOS=js", "GOARCH=wasm")
	} else {
		t.Log("WebAssembly is left out: there is no node")
	}
	if program, err := exec.LookPath("qemu-aarch64-static"); err == nil {
		check("arm64", []string{"-exec", program}, "GOARCH=arm64")
	} else {
		t.Log("arm64 is left out: there is no qemu-aarch64-static")
	}
}

func processor() []byte {
	text, _ := os.ReadFile("/proc/cpuinfo") // where there is none, the build is left out
	return text
}
