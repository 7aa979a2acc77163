package lesson

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// stopped returns what a cell prints when it ends itself, and nothing where it runs to its end.
func stopped(t *testing.T, cell func()) (message string) {
	t.Helper()
	kept := stop
	defer func() {
		stop = kept
		if ended := recover(); ended != nil {
			message = ended.(string)
		}
	}()
	stop = func(words ...any) { panic(fmt.Sprint(words...)) }
	cell()
	return ""
}

func TestMust(t *testing.T) {
	if got := Must(3, nil); got != 3 {
		t.Errorf("got %d", got)
	}
	if got := stopped(t, func() { Must(3, errors.New("too few samples")) }); got != "too few samples" {
		t.Errorf("said %q", got)
	}
}

func TestClaim(t *testing.T) {
	if got := stopped(t, func() { Claim("1 < 2", true) }); got != "" {
		t.Errorf("said %q", got)
	}
	if got := stopped(t, func() { Claim("2 < 1", false) }); got != "this does not hold: 2 < 1" {
		t.Errorf("said %q", got)
	}
}

func TestStored(t *testing.T) {
	folder := t.TempDir()
	for _, sub := range []string{"results", "solutions"} {
		if err := os.Mkdir(filepath.Join(folder, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"rates": "b,rate\n1,0.5\n2,0.25\n1,0.75\n", "broken": "a,b\n1\n"} {
		if err := os.WriteFile(filepath.Join(folder, "results", name+".csv"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, place := range []string{folder, filepath.Join(folder, "solutions")} {
		t.Chdir(place)
		if got := Where(Stored("rates"), "b", 1).Col("rate").Float(); !slices.Equal(got, []float64{0.5, 0.75}) {
			t.Errorf("in %s the rates are %v", place, got)
		}
	}
	if got := stopped(t, func() { Stored("absent") }); got != `lesson: there is no stored table "absent": no such file or directory` {
		t.Errorf("said %q", got)
	}
	if got := stopped(t, func() { Stored("broken") }); got == "" {
		t.Error("a broken table is read without a word")
	}
}

func TestNormal(t *testing.T) {
	a, b := Normal(rand.New(rand.NewPCG(1, 2)), 3), Normal(rand.New(rand.NewPCG(1, 2)), 3)
	if len(a) != 3 || !slices.Equal(a, b) || a[0] == a[1] {
		t.Errorf("drew %v and %v", a, b)
	}
}
