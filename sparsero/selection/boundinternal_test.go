package selection

import (
	"math"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/screen"
	"pgregory.net/rapid"
)

// Values of sets are widened by all that float64 may have lost, outwards on both sides.
func TestRoundingGoesOutwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rational := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
		value := rapid.Float64Range(0, 10).Draw(t, "value")
		r := screen.Rounding{Relative: rapid.Float64Range(0, 0.1).Draw(t, "relative"), Absolute: rapid.Float64Range(0, 0.1).Draw(t, "absolute")}
		lost := new(big.Rat).Mul(rational(value), rational(r.Relative))
		lost.Add(lost, rational(r.Absolute))
		if most := new(big.Rat).Add(rational(value), lost); rational(r.AtMost(value)).Cmp(most) < 0 {
			t.Fatalf("%v is said to be at most %v", value, r.AtMost(value))
		}
		least := new(big.Rat).Sub(rational(value), lost)
		if got := r.AtLeast(value); rational(got).Cmp(least) > 0 && got != 0 || got < 0 {
			t.Fatalf("%v is said to be at least %v", value, got)
		}
	})
}

// What the system says of memory counts where it is said, and not otherwise.
func TestMemoryFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "meminfo")
	if err := os.WriteFile(path, []byte("MemTotal: 9 kB\nMemAvailable: 7 kB\nShort\nBroken: many\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"MemAvailable:": 7, "MemTotal:": 9} {
		if got, ok := number(path, name); !ok || got != want {
			t.Errorf("%s %d, %v", name, got, ok)
		}
	}
	for _, name := range []string{"Swap:", "Short", "Broken:"} {
		if got, ok := number(path, name); ok {
			t.Errorf("%s is said to be %d", name, got)
		}
	}
	if got, ok := number(path+".gone", "MemTotal:"); ok {
		t.Errorf("a missing file says %d", got)
	}
	if got, ok := number(path+".gone", ""); ok {
		t.Errorf("a missing file says %d", got)
	}
	if err := os.WriteFile(path, []byte("12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, ok := number(path, ""); !ok || got != 12 {
		t.Errorf("number %d, %v", got, ok)
	}
}

// What may be allocated is what the machine and the control group leave, each where it is said.
func TestAvailableMemory(t *testing.T) {
	for _, test := range []struct {
		free, limit, used, cached string
		want                      int64
	}{
		{"", "", "", "", math.MaxInt64},
		{"7", "", "", "", 7 << 10},
		{"7", "max", "5", "1", 7 << 10},
		{"7", "9000", "5000", "1000", 5000},
		{"7", "9000", "1000", "1000", 7 << 10},
		{"", "9000", "5000", "", 4000},
		{"", "9000", "", "", 9000},
		{"7", "9000", "9999", "", 0},
	} {
		root := t.TempDir()
		for name, text := range map[string]string{
			"proc/meminfo": "MemAvailable: " + test.free + " kB", "sys/fs/cgroup/memory.max": test.limit,
			"sys/fs/cgroup/memory.current": test.used, "sys/fs/cgroup/memory.stat": "inactive_file " + test.cached,
		} {
			path := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := availableMemory(root); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}
