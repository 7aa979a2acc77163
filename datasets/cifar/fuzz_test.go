package cifar

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// What decodes has the length, the labels and the pixels of its bytes; what
// does not says why. Nothing panics.
func FuzzDecode(f *testing.F) {
	ten := append([]byte{9}, make([]byte, ImageBytes)...)
	hundred := append([]byte{4, 0}, make([]byte, ImageBytes)...)
	for _, seed := range [][]byte{nil, {1}, ten, hundred, append(bytes.Clone(ten), ten...), ten[:3000]} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, content []byte, ofHundred bool) {
		version := CIFAR10
		if ofHundred {
			version = CIFAR100
		}
		images, err := Decode(bytes.NewReader(content), version)
		if err != nil {
			expectOwnText(t, err)
			return
		}
		expectSound(t, images)
		size := publications[version].recordBytes()
		if images.Len()*size != len(content) {
			t.Fatalf("%d images from %d bytes", images.Len(), len(content))
		}
		last := content[len(content)-size:]
		if !bytes.Equal(images.Pixels[(images.Len()-1)*ImageBytes:], last[size-ImageBytes:]) {
			t.Fatal("the last image is not the last record")
		}
	})
}

func FuzzArchive(f *testing.F) {
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	record := append([]byte{9}, make([]byte, ImageBytes)...)
	if err := archive.WriteHeader(&tar.Header{Name: "x/test_batch.bin", Size: int64(len(record)), Mode: 0o600}); err != nil {
		f.Fatal(err)
	}
	_, _ = archive.Write(record)
	_ = archive.Close()
	_ = zipped.Close()
	f.Add(packed.Bytes())
	f.Add(packed.Bytes()[:packed.Len()/2])
	f.Add([]byte("\x1f\x8b"))
	f.Fuzz(func(t *testing.T, content []byte) {
		files, err := readArchive(bytes.NewReader(content), "fuzz.tar.gz", Options{Part: Test, AnyLength: true}, publications[CIFAR10])
		if err != nil {
			expectOwnText(t, err)
			return
		}
		expectSound(t, merge(files, "fuzz"))
	})
}

func expectOwnText(t *testing.T, err error) {
	t.Helper()
	if !strings.HasPrefix(err.Error(), "cifar: ") {
		t.Fatalf("error %q does not say where it comes from", err)
	}
}

func expectSound(t *testing.T, images *Images) {
	t.Helper()
	if images.Len() == 0 || len(images.Pixels) != images.Len()*ImageBytes {
		t.Fatalf("%d images with %d bytes", images.Len(), len(images.Pixels))
	}
	for i, label := range images.Labels {
		if int(label) >= len(images.classNames()) {
			t.Fatalf("image %d has the class %d", i, label)
		}
		if images.Version == CIFAR100 && images.Coarse[i] != superclassOf[label] {
			t.Fatalf("image %d has the superclass %d", i, images.Coarse[i])
		}
	}
}
