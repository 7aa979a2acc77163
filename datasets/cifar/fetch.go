package cifar

import (
	"context"
	"crypto/md5" // the sums are published in this form; SHA256 is there for more
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// officialFolder is where the authors publish the archives.
const officialFolder = "https://www.cs.toronto.edu/~kriz/"

// Download says what to download, from where and to where. The zero value is
// CIFAR-10 from its authors' page into the user's cache folder.
type Download struct {
	Version Version // default CIFAR10
	URL     string  // default the authors' page, https://www.cs.toronto.edu/~kriz/
	Folder  string  // default sparsero/cifar in os.UserCacheDir

	// MD5 and SHA256 are the sums the archive must have, in hexadecimal. When
	// both are empty, the published MD5 sum is used: no file goes unchecked.
	MD5, SHA256 string

	// Progress, if not nil, is called as bytes arrive: the bytes on disk, and
	// those of the whole file, -1 when the server does not say.
	Progress func(done, total int64)

	Client *http.Client // default a client that waits 30 s for an answer
}

// Path returns where the archive is, or will be, on this machine. It is an error if
// the version is unknown, or if no Folder is set and the user has no cache folder.
func (d Download) Path() (string, error) {
	p, err := d.Version.publication()
	if err != nil {
		return "", err
	}
	folder := d.Folder
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("cifar: no cache folder: %w; set Download.Folder", err)
		}
		folder = filepath.Join(cache, "sparsero", "cifar")
	}
	return filepath.Join(folder, p.archive), nil
}

// Fetch returns the path of the archive. If it is there with the right sum,
// nothing is downloaded. Otherwise Fetch downloads it to a file ending in .part
// beside it, going on where an earlier download ended, checks the sum, and only
// then gives it its name. A cancelled or broken download keeps what has arrived.
// One process at a time may fetch into a folder.
//
// It returns an error when the server cannot be reached or refuses (the text
// says which file to place where by hand), when the connection breaks, when
// ctx is cancelled, and when a sum differs: a file of that name with another
// sum is not touched, a downloaded one is removed.
func Fetch(ctx context.Context, d Download) (string, error) {
	target, err := d.Path()
	if err != nil {
		return "", err
	}
	if d, err = d.withDefaults(); err != nil {
		return "", err
	}
	var wrong *SumError
	switch err := d.verify(target); {
	case err == nil:
		return target, nil
	case errors.As(err, &wrong):
		return "", fmt.Errorf("%w; remove %s to download it again, or set MD5 or SHA256 if it is the right file", err, target)
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%w; set Download.Folder to a folder that can be read and written", err)
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return "", fmt.Errorf("cifar: cannot make the cache folder: %w; set Download.Folder to one that can be written", err)
	}
	t := transfer{Download: d, target: target, part: target + ".part"}
	if err := t.run(ctx); err != nil {
		return "", err
	}
	return target, nil
}

func (d Download) withDefaults() (Download, error) {
	p := publications[d.Version]
	if d.URL == "" {
		d.URL = officialFolder + p.archive
	}
	if d.MD5 == "" && d.SHA256 == "" {
		d.MD5 = p.md5
	}
	for _, sum := range []struct {
		name, value string
		bytes       int
	}{{"MD5", d.MD5, md5.Size}, {"SHA256", d.SHA256, sha256.Size}} {
		if _, err := hex.DecodeString(sum.value); sum.value != "" && (err != nil || len(sum.value) != 2*sum.bytes) {
			return d, fmt.Errorf("cifar: Download.%s = %q is no such sum; give %d hexadecimal digits", sum.name, sum.value, 2*sum.bytes)
		}
	}
	if d.Client == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.ResponseHeaderTimeout = 30 * time.Second
		d.Client = &http.Client{Transport: transport}
	}
	if d.Progress == nil {
		d.Progress = func(_, _ int64) {}
	}
	return d, nil
}

// verify returns nil when the file has the sums that are asked for.
func (d Download) verify(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cifar: cannot open the archive: %w", err)
	}
	defer file.Close()
	md5Sum, sha256Sum := md5.New(), sha256.New()
	size, err := io.Copy(io.MultiWriter(md5Sum, sha256Sum), file)
	if err != nil {
		return fmt.Errorf("cifar: cannot read %s: %w", path, err)
	}
	for _, sum := range []struct {
		name, want string
		hash       hash.Hash
	}{{"MD5", d.MD5, md5Sum}, {"SHA-256", d.SHA256, sha256Sum}} {
		if got := hex.EncodeToString(sum.hash.Sum(nil)); sum.want != "" && !strings.EqualFold(got, sum.want) {
			return &SumError{Path: path, Kind: sum.name, Got: got, Want: strings.ToLower(sum.want), Bytes: size}
		}
	}
	return nil
}

// SumError says that a file is not the one it should be.
type SumError struct {
	Path      string // the file
	Kind      string // MD5 or SHA-256
	Got, Want string // in hexadecimal
	Bytes     int64  // length of the file
}

// Error names the file and both sums.
func (e *SumError) Error() string {
	return fmt.Sprintf("cifar: %s (%d bytes) has the %s sum %s, not %s", e.Path, e.Bytes, e.Kind, e.Got, e.Want)
}
