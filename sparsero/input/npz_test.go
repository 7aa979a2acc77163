package input

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"
)

// packed writes an archive with the matrix x and the vector y.
func packed(t testing.TB) []byte {
	t.Helper()
	var file bytes.Buffer
	writer := npz.NewWriter(&file)
	for name, value := range map[string]any{"x.npy": mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), "y.npy": []int32{8, 3, 8}} {
		if err := writer.Write(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func unpack(content []byte) ([]Array, error) {
	return ReadArrays(bytes.NewReader(content), int64(len(content)), "x", "y")
}

func TestArchives(t *testing.T) {
	content := packed(t)
	right := func(arrays []Array) bool {
		return slices.Equal(arrays[0].Values, []float64{1, 2, 3, 4, 5, 6}) && slices.Equal(arrays[0].Shape, []int{3, 2}) && slices.Equal(arrays[1].Values, []float64{8, 3, 8})
	}
	if arrays, err := unpack(content); err != nil || !right(arrays) {
		t.Fatalf("%v, %v", arrays, err)
	}
	for at := range content { // no single damaged byte changes a number unnoticed
		damaged := bytes.Clone(content)
		damaged[at] ^= 0xff
		if arrays, err := unpack(damaged); err == nil && !right(arrays) {
			t.Errorf("byte %d: %v", at, arrays)
		}
	}
	if _, err := unpack([]byte("no archive")); err == nil || !strings.Contains(err.Error(), "no NumPy archive") {
		t.Error(err)
	}
}

// An archive of some kilobytes that unpacks to gigabytes is refused before it is unpacked.
func TestArchivesThatUnpackToTooMuch(t *testing.T) {
	var file bytes.Buffer
	archive := zip.NewWriter(&file)
	entry, err := archive.Create("x.npy")
	if err != nil {
		t.Fatal(err)
	}
	const values = 8 << 20
	_, _ = entry.Write(npyFile("<f8", "False", "(8388608, 1)", ""))
	zeros := make([]byte, 1<<16)
	for range 8 * values / len(zeros) {
		_, _ = entry.Write(zeros)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	grown := allocated(func() { _, err = ReadArrays(bytes.NewReader(file.Bytes()), int64(file.Len()), "x") })
	if err == nil || !strings.Contains(err.Error(), "would unpack to 67108992") {
		t.Errorf("%d bytes: %v", file.Len(), err)
	}
	if grown > 1<<20 {
		t.Errorf("%d bytes were allocated for an archive of %d", grown, file.Len())
	}
}

// Whatever the bytes of an archive, reading it does not crash.
func FuzzReadArrays(f *testing.F) {
	content := packed(f)
	f.Add(content)
	f.Add(content[:len(content)-3])
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, content []byte) {
		arrays, err := unpack(content)
		if err == nil && len(arrays) != 2 {
			t.Fatalf("%d arrays", len(arrays))
		}
	})
}
