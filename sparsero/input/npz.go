package input

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// What an array in an archive may unpack to, in bytes: numbers shrink little, but
// labels in order to almost nothing.
const (
	unpackedAlways = 16 << 20 // of any archive
	unpackedPer    = 100      // more for each compressed byte
)

// LoadArrays reads the named arrays of the NumPy archive at path, as numpy.savez and
// numpy.savez_compressed write it.
//
// It returns the errors of [ReadArray], and one that lists the arrays of the archive
// when it has none of a name, or that says what an array would unpack to.
func LoadArrays(path string, names ...string) ([]Array, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open the NumPy archive: %w; check the path", err)
	}
	defer file.Close()
	status, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("cannot read the NumPy archive: %w; check the path", err)
	}
	arrays, err := ReadArrays(file, status.Size(), names...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return arrays, nil
}

// ReadArrays reads the named arrays of an archive of so many bytes; see [LoadArrays].
func ReadArrays(content io.ReaderAt, size int64, names ...string) ([]Array, error) {
	if content == nil {
		return nil, errors.New("the reader of the NumPy archive is nil; open the file first")
	}
	archive, err := zip.NewReader(content, size)
	if err != nil {
		return nil, fmt.Errorf("this is no NumPy archive: %w; write it with numpy.savez", err)
	}
	arrays := make([]Array, len(names))
	for k, name := range names {
		entry, err := find(archive, name)
		if err != nil {
			return nil, err
		}
		if arrays[k], err = readEntry(entry, size); err != nil {
			return nil, fmt.Errorf("array %s: %w", Quote(name), err)
		}
	}
	return arrays, nil
}

func find(archive *zip.Reader, name string) (*zip.File, error) {
	const ending = ".npy" // numpy.savez appends it to every name
	var found []string
	for _, entry := range archive.File {
		if entry.Name == name+ending {
			return entry, nil
		}
		found = append(found, strings.TrimSuffix(entry.Name, ending))
	}
	return nil, fmt.Errorf("the archive has no array %s; use one of %s", Quote(name), List(found))
}

// readEntry reads one array of an archive of so many bytes.
func readEntry(entry *zip.File, size int64) (array Array, err error) {
	packed, unpacked := entry.CompressedSize64, entry.UncompressedSize64
	if packed > uint64(size) || unpacked > unpackedAlways+unpackedPer*packed {
		return Array{}, fmt.Errorf("%d bytes would unpack to %d, which no array of measurements does; write the archive with numpy.savez instead of numpy.savez_compressed", packed, unpacked)
	}
	reader, err := entry.Open()
	if err != nil {
		return Array{}, fmt.Errorf("%w; write the archive again", err)
	}
	array, err = ReadArray(reader, int64(unpacked))
	return array, errors.Join(err, reader.Close())
}
