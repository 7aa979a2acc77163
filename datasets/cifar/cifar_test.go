package cifar_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/cifar"
)

// record10 returns a record of CIFAR-10 whose planes are filled with three values.
func record10(class uint8, red, green, blue uint8) []byte {
	return append([]byte{class}, planes(red, green, blue)...)
}

// record100 returns a record of CIFAR-100.
func record100(coarse, fine uint8) []byte {
	return append([]byte{coarse, fine}, planes(10, 20, 30)...)
}

func planes(red, green, blue uint8) []byte {
	plane := func(value uint8) []byte { return bytes.Repeat([]byte{value}, cifar.Side*cifar.Side) }
	return slices.Concat(plane(red), plane(green), plane(blue))
}

// batches holds small files under the names of CIFAR-10: five training files of
// two images each, and one test image.
func batches() map[string][]byte {
	files := map[string][]byte{"test_batch.bin": record10(9, 1, 2, 3), "batches.meta.txt": []byte("airplane\n")}
	for k := range 5 {
		files[fmt.Sprintf("data_batch_%d.bin", k+1)] = append(record10(3, uint8(k), 0, 255), record10(5, uint8(100+k), 51, 0)...)
	}
	return files
}

// archive packs files as the published archives do.
func archive(t testing.TB, folder string, files map[string][]byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	slices.Reverse(names) // not the order in which they are read
	for _, name := range names {
		header := &tar.Header{Name: folder + "/" + name, Mode: 0o644, Size: int64(len(files[name])), Typeflag: tar.TypeReg}
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// store writes files into a new folder and returns it.
func store(t testing.TB, files map[string][]byte) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// The archive, the extracted folder and the folder above it hold the same images.
func TestArchiveAndFolderAgree(t *testing.T) {
	packed := archive(t, "cifar-10-batches-bin", batches())
	archivePath := filepath.Join(store(t, map[string][]byte{"a.tar.gz": packed}), "a.tar.gz")
	folder := store(t, batches())
	above := t.TempDir()
	if err := os.CopyFS(filepath.Join(above, "cifar-10-batches-bin"), os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	for part, count := range map[cifar.Part]int{cifar.Train: 10, cifar.Test: 1} {
		var first *cifar.Images
		for _, source := range []string{archivePath, folder, above} {
			images, err := cifar.Read(source, cifar.Options{Part: part, AnyLength: true})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = images
			}
			if images.Len() != count || !bytes.Equal(images.Pixels, first.Pixels) || !bytes.Equal(images.Labels, first.Labels) || images.Name != first.Name {
				t.Errorf("%s of %s: %d images, want the %d of the archive", part, source, images.Len(), count)
			}
		}
	}
}

// The files of a part are joined in the order of their numbers.
func TestFilesAreInOrder(t *testing.T) {
	images, err := cifar.Read(store(t, batches()), cifar.Options{AnyLength: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range images.Len() {
		want := uint8(i/2 + 100*(i%2))
		if got := images.Pixels[i*cifar.ImageBytes]; got != want {
			t.Errorf("image %d is red %d, want %d", i, got, want)
		}
	}
}

func TestPairScalesPixels(t *testing.T) {
	images, err := cifar.Read(store(t, batches()), cifar.Options{AnyLength: true})
	if err != nil {
		t.Fatal(err)
	}
	set, err := images.Pair("dog", "cat") // dog first, so the dogs are -1
	if err != nil {
		t.Fatal(err)
	}
	if set.Len() != 10 || set.Dimension() != 3072 || set.Classes != [2]string{"dog", "cat"} || set.Name != "CIFAR-10 train, dog and cat, pixels" {
		t.Errorf("%v", set)
	}
	for i, label := range set.Y {
		if want := float64(1 - 2*(i%2)); label != want {
			t.Errorf("example %d is labelled %g, want %g", i, label, want)
		}
	}
	if got := set.X.At(1, 1500); math.Abs(got-0.2) > 1e-15 { // 51/255, the dogs' green
		t.Errorf("green is %g, want 0.2", got)
	}
	if set.X.At(0, 3071) != 1 || set.X.At(0, 1024) != 0 {
		t.Errorf("255 and 0 become %g and %g, want 1 and 0", set.X.At(0, 3071), set.X.At(0, 1024))
	}
}

// The labels of the 100 classes' superclasses, as published with the data set.
var publishedSuperclasses = []uint8{
	4, 1, 14, 8, 0, 6, 7, 7, 18, 3, 3, 14, 9, 18, 7, 11, 3, 9, 7, 11, 6, 11, 5, 10, 7, 6, 13, 15, 3, 15, 0, 11, 1, 10, 12, 14, 16, 9, 11, 5,
	5, 19, 8, 8, 15, 13, 14, 17, 18, 10, 16, 4, 17, 4, 2, 0, 17, 4, 18, 17, 10, 3, 2, 12, 12, 16, 12, 1, 9, 19, 2, 10, 0, 1, 16, 12, 9, 13, 15, 13,
	16, 19, 2, 4, 6, 19, 5, 5, 8, 19, 18, 1, 2, 15, 6, 0, 17, 8, 14, 13,
}

func TestHundredClassesAndTheirSuperclasses(t *testing.T) {
	classes, groups := cifar.CIFAR100.Classes(), cifar.CIFAR100.Superclasses()
	if len(classes) != 100 || len(groups) != 20 || !slices.IsSorted(groups) || len(slices.Compact(slices.Clone(classes))) != 100 {
		t.Fatalf("%d classes in %d superclasses", len(classes), len(groups))
	}
	var file []byte
	for fine, coarse := range publishedSuperclasses {
		file = append(file, record100(coarse, uint8(fine))...)
	}
	images, err := cifar.Decode(bytes.NewReader(file), cifar.CIFAR100)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(images.Coarse, publishedSuperclasses) {
		t.Error("the superclasses are not those of the file")
	}
	for label, name := range map[int]string{0: "apple", 1: "aquarium_fish", 47: "maple_tree", 98: "woman", 99: "worm"} {
		if classes[label] != name {
			t.Errorf("class %d is %s, want %s", label, classes[label], name)
		}
	}
	people, err := images.Pair("people", "apple")
	if err != nil {
		t.Fatal(err)
	}
	if people.Counts() != [2]int{5, 1} {
		t.Errorf("%v, want 5 people and 1 apple", people)
	}
}

func TestReadCIFAR100(t *testing.T) {
	folder := store(t, map[string][]byte{"train.bin": record100(4, 0), "test.bin": append(record100(1, 1), record100(14, 2)...)})
	images, err := cifar.Read(folder, cifar.Options{Version: cifar.CIFAR100, Part: cifar.Test, AnyLength: true})
	if err != nil {
		t.Fatal(err)
	}
	if images.Len() != 2 || images.Name != "CIFAR-100 test" || !slices.Equal(images.Labels, []uint8{1, 2}) {
		t.Errorf("%d images of %s labelled %v", images.Len(), images.Name, images.Labels)
	}
}

func TestBadFiles(t *testing.T) {
	whole := batches()
	with := func(name string, content []byte) string {
		files := batches()
		files[name] = content
		return store(t, files)
	}
	without := store(t, map[string][]byte{"data_batch_1.bin": whole["data_batch_1.bin"]})
	packed := archive(t, "x", whole)
	asArchive := func(content []byte) string {
		return filepath.Join(store(t, map[string][]byte{"a.tar.gz": content}), "a.tar.gz")
	}
	any10, any100 := cifar.Options{AnyLength: true}, cifar.Options{Version: cifar.CIFAR100, AnyLength: true}
	hundred := func(content []byte) string { return store(t, map[string][]byte{"train.bin": content}) }
	for _, test := range []struct {
		name   string
		source string
		o      cifar.Options
		says   []string
	}{
		{"nothing there", filepath.Join(t.TempDir(), "gone"), any10, []string{"gone", "download https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"}},
		{"a file missing in the folder", without, any10, []string{"data_batch_2.bin", "extract cifar-10-binary.tar.gz"}},
		{"cut short", with("data_batch_3.bin", whole["data_batch_3.bin"][:4000]), any10, []string{"data_batch_3.bin", "cut short", "4000 bytes are 1 records", "927 bytes more", "download it again"}},
		{"cut short in the labels", with("data_batch_3.bin", append(whole["data_batch_3.bin"], 77)), any10, []string{"cut short", "1 bytes more"}},
		{"empty", with("data_batch_1.bin", nil), any10, []string{"cut short: 0 bytes"}},
		{"mislabelled", with("data_batch_2.bin", append(record10(1, 0, 0, 0), record10(10, 0, 0, 0)...)), any10, []string{"data_batch_2.bin", "record 1 has the class 10", "classes 0 to 9", "check its origin"}},
		{"another number of images", store(t, whole), cifar.Options{}, []string{"holds 2 images", "10000", "AnyLength"}},
		{"a superclass that is not the class's", hundred(append(record100(4, 0), record100(5, 0)...)), any100, []string{"record 1 has the superclass 5", "class 0 (apple) belongs to superclass 4"}},
		{"a class out of range", hundred(record100(4, 100)), any100, []string{"record 0 has the class 100", "0 to 99"}},
		{"CIFAR-10 read as CIFAR-100", hundred(whole["data_batch_1.bin"]), any100, []string{"records of CIFAR-10 (3073 bytes each), not of CIFAR-100", "use the version CIFAR-10"}},
		{"CIFAR-100 read as CIFAR-10", with("data_batch_1.bin", record100(4, 0)), any10, []string{"records of CIFAR-100 (3074 bytes each)", "use the version CIFAR-100"}},
		{"no archive", asArchive([]byte("<html>not found</html>")), any10, []string{"no .tar.gz archive", "download cifar-10-binary.tar.gz again"}},
		{"an archive cut short", asArchive(packed[:len(packed)-40]), any10, []string{"a.tar.gz is cut short or damaged", "download it again"}},
		{"the archive of the other version", asArchive(packed), any100, []string{"holds no file train.bin", "cifar-100-binary.tar.gz"}},
		{"more images than published", with("data_batch_1.bin", make([]byte, 10_001*3073)), any10, []string{"data_batch_1.bin", "more than the 10000 images", "download it again"}},
		{"an archive that unpacks to too much", asArchive(archive(t, "x", map[string][]byte{"data_batch_1.bin": make([]byte, 20_000*3073)})), any10, []string{"more than the 10000 images"}},
		{"no such version", store(t, whole), cifar.Options{Version: 7}, []string{"version 7", "CIFAR10 or CIFAR100"}},
		{"no such part", store(t, whole), cifar.Options{Part: 2}, []string{"part 2", "Train or Test"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := cifar.Read(test.source, test.o)
			expectError(t, err, test.says...)
		})
	}
}

// An archive of the published sizes that is not the published one is refused.
func TestArchiveOfAnotherSum(t *testing.T) {
	packed := archive(t, "cifar-10-batches-bin", map[string][]byte{"test_batch.bin": bytes.Repeat(record10(3, 1, 2, 3), 10_000)})
	path := filepath.Join(store(t, map[string][]byte{"a.tar.gz": packed}), "a.tar.gz")
	_, err := cifar.Read(path, cifar.Options{Part: cifar.Test})
	expectError(t, err, "a.tar.gz", "c32a1d4ab5d03f1284b67883e8d87530", fmt.Sprintf("%x", md5.Sum(packed)), "AnyLength")
	if !errors.Is(err, cifar.ErrSum) {
		t.Errorf("%v is no ErrSum", err)
	}
	if images, err := cifar.Read(path, cifar.Options{Part: cifar.Test, AnyLength: true}); err != nil || images.Len() != 10_000 {
		t.Errorf("with AnyLength: %v", err)
	}
}

func TestBadPairs(t *testing.T) {
	images, err := cifar.Decode(bytes.NewReader(append(record100(4, 0), record100(14, 2)...)), cifar.CIFAR100)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		first, second string
		says          []string
	}{
		{"apple", "cat", []string{`no class "cat"`, "choose one that Version.Classes"}},
		{"apple", "apple", []string{"share", "apple", "choose two"}},
		{"people", "baby", []string{"share", "baby", "choose two"}},
		{"apple", "worm", []string{"none of the 2 images", "worm", "choose a class that is there"}},
		{"fish", "apple", []string{"none of the 2 images", "fish"}},
	} {
		_, err := images.Pair(test.first, test.second)
		expectError(t, err, test.says...)
	}
}

func TestDecodeReportsTheReadersError(t *testing.T) {
	_, err := cifar.Decode(io.MultiReader(bytes.NewReader(record10(1, 2, 3, 4)), failingReader{}), cifar.CIFAR10)
	expectError(t, err, "record 1", "the disk is on fire", "download")
	_, err = cifar.Decode(nil, cifar.CIFAR10)
	expectError(t, err, "reader is nil")
	_, err = cifar.Decode(strings.NewReader(""), -1)
	expectError(t, err, "version -1")
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, fmt.Errorf("the disk is on fire") }

func expectError(t *testing.T, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}
