package features

import (
	"strings"
	"testing"
)

func FuzzReadCSV(f *testing.F) {
	for _, seed := range []string{
		"a,y\n1,cat\n2,dog\n", "y,a,b\n0,1,2\n1,3,4\n", "\ufeffy,a\r\n1,2\r\n3,4\r\n", "a,y\n1\n", "a,y\n,1\n", "a,y\nNaN,1\n1e999,2\n", "", "y\n1\n2\n", "\"a", "a,y\n1,NaN\n2,Inf\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadCSV(strings.NewReader(text), "fuzz", "y")
		expectSetOrText(t, s, err)
	})
}

func expectSetOrText(t *testing.T, s *Set, err error) {
	t.Helper()
	if err != nil {
		expectOwnText(t, err)
		return
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
}

func expectOwnText(t *testing.T, err error) {
	t.Helper()
	if !strings.HasPrefix(err.Error(), "features: ") {
		t.Fatalf("error %q does not say where it comes from", err)
	}
}
