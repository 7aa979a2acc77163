package features

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sbinet/npyio/npz"
)

// ReadNPZ reads features and labels from the named arrays of one NumPy archive,
// as numpy.savez(path, x=x, y=y) and numpy.savez_compressed write it with the
// names "x" and "y". Types, shapes and labels are those of [ReadNPY]; the set is
// named after the file.
//
// It returns the errors of ReadNPY, and one that lists the arrays of the
// archive when it has none of that name.
func ReadNPZ(path, featuresName, labelsName string) (*Set, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("features: cannot open the NumPy archive: %w; check the path", err)
	}
	defer file.Close()
	status, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("features: cannot read the NumPy archive: %w; check the path", err)
	}
	return readArchive(path, file, status.Size(), featuresName, labelsName)
}

func readArchive(path string, content io.ReaderAt, size int64, featuresName, labelsName string) (*Set, error) {
	archive, err := npz.NewReader(content, size)
	if err != nil {
		return nil, fmt.Errorf("features: %s is no NumPy archive: %w; write it with numpy.savez", path, err)
	}
	x, err := archiveArray(path, archive, featuresName)
	if err != nil {
		return nil, err
	}
	labels, err := archiveArray(path, archive, labelsName)
	if err != nil {
		return nil, err
	}
	return fromArrays(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), x, labels)
}

// archiveArray reads one array whole, so that the same checks as for a single
// file apply to it, and so that the checksum of the archive is verified.
func archiveArray(path string, archive *npz.Reader, name string) (array, error) {
	const ending = ".npy" // numpy.savez appends it to every name
	if !slices.Contains(archive.Keys(), name+ending) {
		names := make([]string, len(archive.Keys()))
		for i, key := range archive.Keys() {
			names[i] = strings.TrimSuffix(key, ending)
		}
		return array{}, fmt.Errorf("features: %s has no array %q; use one of %q", path, name, names)
	}
	entry, err := archive.Open(name + ending)
	if err != nil {
		return array{}, fmt.Errorf("features: cannot open the array %q of %s: %w; write the archive again", name, path, err)
	}
	content, err := io.ReadAll(entry)
	if err = errors.Join(err, entry.Close()); err != nil {
		return array{}, fmt.Errorf("features: the array %q of %s is damaged: %w; copy the archive again", name, path, err)
	}
	return parseArray(path+", array "+name, content)
}
