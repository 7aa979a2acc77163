package cifar

import (
	"archive/tar"
	"compress/gzip"
	"crypto/md5" // the sums are published in this form
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// officialFolder is where the authors publish the archives.
const officialFolder = "https://www.cs.toronto.edu/~kriz/"

// Options says what to read.
type Options struct {
	Version Version // default CIFAR10
	Part    Part    // default Train

	// AnyLength accepts files with fewer images than published (10,000 per file
	// of CIFAR-10, 50,000 and 10,000 in those of CIFAR-100), and archives of another sum.
	AnyLength bool
}

// ErrSum says that an archive is not the published one.
var ErrSum = errors.New("wrong sum")

// Read reads the images of one part from source: the published .tar.gz archive, or
// the folder with the extracted .bin files.
//
// It returns an error that names the file when one is missing, cut short,
// damaged, of the other version, mislabelled, or does not hold the published
// number of images, and [ErrSum] for an archive whose MD5 sum is not the published one.
func Read(source string, o Options) (*Images, error) {
	p, err := o.Version.publication()
	if err != nil {
		return nil, err
	}
	if o.Part != Train && o.Part != Test {
		return nil, fmt.Errorf("cifar: part %d is unknown; use Train or Test", int(o.Part))
	}
	status, err := os.Stat(source)
	if err != nil {
		return nil, fmt.Errorf("cifar: cannot read %s: %w; download %s%s and give its path", o.Version, err, officialFolder, p.archive)
	}
	var files []*Images
	if status.IsDir() {
		files, err = readFolder(source, o, p)
	} else {
		files, err = readArchiveFile(source, o, p)
	}
	if err != nil {
		return nil, err
	}
	return merge(files, fmt.Sprintf("%s %s", o.Version, o.Part)), nil
}

// merge joins the images of the files of one part.
func merge(files []*Images, name string) *Images {
	all := files[0]
	if len(files) > 1 {
		n := 0
		for _, file := range files {
			n += file.Len()
		}
		all = &Images{Version: files[0].Version, Pixels: make([]uint8, 0, n*ImageBytes)}
		for _, file := range files {
			all.Pixels = append(all.Pixels, file.Pixels...)
			all.Labels = append(all.Labels, file.Labels...)
			all.Coarse = append(all.Coarse, file.Coarse...)
		}
	}
	all.Name = name
	return all
}

// readFolder reads the files of a part from the folder itself or from the
// folder of the archive inside it.
func readFolder(folder string, o Options, p publication) ([]*Images, error) {
	if status, err := os.Stat(filepath.Join(folder, p.folder)); err == nil && status.IsDir() {
		folder = filepath.Join(folder, p.folder)
	}
	var files []*Images
	for _, name := range p.files[o.Part] {
		file, err := os.Open(filepath.Join(folder, name))
		if err != nil {
			return nil, fmt.Errorf("cifar: cannot read %s: %w; extract %s there, or give the path of the archive", o.Version, err, p.archive)
		}
		images, err := decodeFile(file, file.Name(), o, p)
		file.Close()
		if err != nil {
			return nil, err
		}
		files = append(files, images)
	}
	return files, nil
}

func readArchiveFile(source string, o Options, p publication) ([]*Images, error) {
	file, err := os.Open(source)
	if err != nil {
		return nil, fmt.Errorf("cifar: cannot open the archive: %w; check the path", err)
	}
	defer file.Close()
	sum := md5.New()
	summed := io.TeeReader(file, sum)
	images, err := readArchive(summed, source, o, p)
	if err != nil || o.AnyLength {
		return images, err
	}
	if _, err := io.Copy(io.Discard, summed); err != nil { // what may follow the compressed data
		return nil, fmt.Errorf("cifar: cannot read the archive: %w; download it again", err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != p.md5 {
		return nil, fmt.Errorf("cifar: %w: that of %s is %s, not %s; download %s%s again, or set AnyLength", ErrSum, source, got, p.md5, officialFolder, p.archive)
	}
	return images, nil
}

// readArchive reads the files of a part from a .tar.gz, in whatever order and
// folder they are there.
func readArchive(r io.Reader, name string, o Options, p publication) ([]*Images, error) {
	zipped, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("cifar: %s is no .tar.gz archive: %w; download %s again", name, err, p.archive)
	}
	unzipped := &io.LimitedReader{R: zipped, N: longestArchive}
	wanted := p.files[o.Part]
	files := make([]*Images, len(wanted))
	archive := tar.NewReader(unzipped)
	for slices.Contains(files, nil) {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			missing := wanted[slices.Index(files, nil)]
			return nil, fmt.Errorf("cifar: %s holds no file %s; check that it is the binary version of %s (%s)", name, missing, o.Version, p.archive)
		}
		if err != nil {
			return nil, fmt.Errorf("cifar: the archive %s is cut short or damaged: %w; download it again", name, err)
		}
		at := slices.Index(wanted, path.Base(header.Name))
		if at < 0 || header.Typeflag != tar.TypeReg {
			continue
		}
		if files[at], err = decodeFile(archive, name+", file "+wanted[at], o, p); err != nil {
			return nil, err
		}
	}
	if _, err := io.Copy(io.Discard, unzipped); err != nil { // the checksum stands at the end
		return nil, fmt.Errorf("cifar: the archive %s is cut short or damaged: %w; download it again", name, err)
	}
	if unzipped.N == 0 {
		return nil, fmt.Errorf("cifar: the archive %s unpacks to %d bytes and more; check that it is %s", name, int64(longestArchive), p.archive)
	}
	return files, nil
}

// longestArchive is twice what the archives unpack to, in bytes.
const longestArchive = 400e6

// decodeFile decodes one file and compares its length with the published one.
func decodeFile(r io.Reader, name string, o Options, p publication) (*Images, error) {
	expected := p.imagesInFile[o.Part]
	images, err := Decode(io.LimitReader(r, int64(expected*p.recordBytes())), o.Version)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, name)
	}
	if images.Len() != expected && !o.AnyLength {
		return nil, fmt.Errorf("cifar: %s holds %d images, the published file %d; download it again, or set AnyLength", name, images.Len(), expected)
	}
	if extra, _ := r.Read(make([]byte, 1)); extra > 0 {
		return nil, fmt.Errorf("cifar: %s holds more than the %d images of the published file; download it again", name, expected)
	}
	return images, nil
}
