package features

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npy"
	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"
)

// npyFile writes a version-1 NumPy file with the given header fields and bytes.
func npyFile(kind, order, shape, body string) []byte {
	text := "{'descr': '" + kind + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }"
	text += strings.Repeat(" ", 64-(10+len(text)+1)%64) + "\n"
	return []byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)}) + text + body)
}

func written(t testing.TB, value any) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := npy.Write(&file, value); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// What parses has as many entries as its shape says, and its bytes give the
// same values again; what does not parse says why. Nothing panics.
func FuzzParseArray(f *testing.F) {
	f.Add(written(f, mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})))
	f.Add(written(f, []int8{-1, 1}))
	f.Add(npyFile("<f4", "True", "(2, 1)", "\x00\x00\x80\x3f\x00\x00\x00\x40"))
	f.Add(npyFile(">i2", "False", "(2,)", "\x00\x01\x00\x02"))
	f.Add(npyFile("|b1", "False", "(2,)", "\x00\x01"))
	f.Add(npyFile("<f4", "False", "(4294967296, 4294967296)", ""))
	f.Add(npyFile("<f4", "False", "(-1, -1)", "abcd"))
	f.Add(npyFile("<f8", "False", "()", "12345678"))
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"))
	f.Add([]byte("\x93NUMPY\x01\x00\x02\x00}\n"))
	f.Add([]byte("\x93NUMPY\x01\x00\x36\x00'descr': '<f4', 'fortran_order': False, 'shape': } (1,)\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		a, err := parseArray("fuzz", content)
		if err != nil {
			expectOwnText(t, err)
			return
		}
		entries := 1
		for _, size := range a.shape {
			entries *= size
		}
		if len(a.values) != entries {
			t.Fatalf("%d values of the shape %v", len(a.values), a.shape)
		}
		again, err := parseArray("fuzz", content)
		if err != nil || again.kind != a.kind {
			t.Fatalf("the second reading differs: %v", err)
		}
		for i := range a.values {
			if math.Float64bits(a.values[i]) != math.Float64bits(again.values[i]) {
				t.Fatalf("entry %d is %g, then %g", i, a.values[i], again.values[i])
			}
		}
	})
}

func FuzzArchive(f *testing.F) {
	var packed bytes.Buffer
	writer := npz.NewWriter(&packed)
	if err := writer.Write("x", mat.NewDense(2, 1, []float64{1, 2})); err != nil {
		f.Fatal(err)
	}
	if err := writer.Write("y", []int8{3, 5}); err != nil {
		f.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(packed.Bytes())
	f.Add(packed.Bytes()[:packed.Len()-3])
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := readArchive("fuzz.npz", bytes.NewReader(content), int64(len(content)), "x", "y")
		expectSetOrText(t, s, err)
	})
}

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
