package cifar

import (
	"context"
	"crypto/md5" // the sums are published in this form
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

	"github.com/sparsero/directions/sparsero/input"
)

// officialFolder is where the authors publish the archives.
const officialFolder = "https://www.cs.toronto.edu/~kriz/"

// longestDownload bounds what a server may send, in bytes: six times an archive.
const longestDownload = 1 << 30

// ErrSum says that a file is not the one it should be.
var ErrSum = errors.New("wrong sum")

// Download says what to download, from where and to where. The zero value is
// CIFAR-10 from its authors' page into the user's cache folder.
type Download struct {
	Version Version // default CIFAR10
	URL     string  // default the authors' page, https://www.cs.toronto.edu/~kriz/
	Folder  string  // default sparsero/cifar in os.UserCacheDir

	// Sum is the MD5 or SHA-256 sum that the archive must have, in hexadecimal. Default
	// the published MD5 sum: no file goes unchecked.
	Sum string

	// Progress, if not nil, is called as bytes arrive: those that have, and
	// those of the whole file, -1 when the server does not say.
	Progress func(done, total int64)

	Client *http.Client // default http.DefaultClient
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
// nothing is downloaded. Otherwise Fetch downloads it, checks the sum, and only
// then gives it its name; what was cancelled or broke off leaves nothing behind.
//
// It returns an error when the server cannot be reached or refuses (the text
// says which file to place where by hand), when the connection breaks, when
// ctx is cancelled, and [ErrSum] when the sum differs: a file of that name with
// another sum is not touched.
func Fetch(ctx context.Context, d Download) (string, error) {
	target, err := d.Path()
	if err != nil {
		return "", err
	}
	if d.Sum == "" {
		d.Sum = publications[d.Version].md5
	}
	if d.URL == "" {
		d.URL = officialFolder + publications[d.Version].archive
	}
	if _, err := d.hash(); err != nil {
		return "", err
	}
	file, err := os.Open(target)
	if errors.Is(err, fs.ErrNotExist) {
		if err := d.download(ctx, target); err != nil {
			return "", err
		}
		return target, nil
	}
	if err != nil {
		return "", fmt.Errorf("cifar: cannot open the archive: %w; set Download.Folder to a folder that can be read and written", err)
	}
	defer file.Close()
	if err := d.copy(io.Discard, file); err != nil {
		return "", fmt.Errorf("cifar: %s: %w; remove it to download it again, or set Download.Sum if it is the right file", target, err)
	}
	return target, nil
}

// hash returns the function whose sums have the length of d.Sum.
func (d Download) hash() (hash.Hash, error) {
	if _, err := hex.DecodeString(d.Sum); err == nil {
		switch len(d.Sum) {
		case 2 * md5.Size:
			return md5.New(), nil
		case 2 * sha256.Size:
			return sha256.New(), nil
		}
	}
	return nil, fmt.Errorf("cifar: Download.Sum = %s is no such sum; give the 32 hexadecimal digits of an MD5 sum or the 64 of SHA-256", input.Quote(d.Sum))
}

// copy copies at most longestDownload bytes and compares their sum.
func (d Download) copy(to io.Writer, from io.Reader) error {
	sum, err := d.hash()
	if err != nil {
		return err
	}
	size, err := io.Copy(io.MultiWriter(to, sum), io.LimitReader(from, longestDownload))
	if err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); !strings.EqualFold(got, d.Sum) {
		return fmt.Errorf("%w: the sum of %d bytes is %s, not %s", ErrSum, size, got, strings.ToLower(d.Sum))
	}
	return nil
}

// download brings the archive into the folder of target and names it once it is whole.
func (d Download) download(ctx context.Context, target string) error {
	response, err := d.request(ctx, target)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return fmt.Errorf("cifar: cannot make the cache folder: %w; set Download.Folder to one that can be written", err)
	}
	part, err := os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".*")
	if err != nil {
		return fmt.Errorf("cifar: cannot write the download: %w; set Download.Folder to a folder that can be written", err)
	}
	defer os.Remove(part.Name()) // which has another name if all went well
	counter := &progress{report: d.Progress, total: response.ContentLength}
	err = d.copy(io.MultiWriter(part, counter), response.Body)
	// What was written must be on disk before the file gets its final name.
	if err = errors.Join(err, part.Sync(), part.Close()); err == nil {
		err = os.Rename(part.Name(), target)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("cifar: the download of %s was cancelled after %d bytes: %w", d.URL, counter.done, ctx.Err())
	case errors.Is(err, ErrSum):
		return fmt.Errorf("cifar: %s does not serve the archive expected: %w; check Download.URL, or give the sum of another file as Download.Sum", d.URL, err)
	}
	return fmt.Errorf("cifar: the download of %s broke off after %d of %d bytes: %w; call Fetch again", d.URL, counter.done, counter.total, err)
}

// request asks for the archive and returns an answer with its bytes.
func (d Download) request(ctx context.Context, target string) (*http.Response, error) {
	byHand := fmt.Sprintf("on a machine without network, place the file by hand as %s (sum %s), or use features.StandIn", target, d.Sum)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("cifar: Download.URL: %w; give an http or https address", err)
	}
	request.Header.Set("Accept-Encoding", "identity") // the archive is compressed already, and its bytes are what the sum is of
	client := d.Client
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(request)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("cifar: the download of %s was cancelled: %w", d.URL, ctx.Err())
	case err != nil:
		return nil, fmt.Errorf("cifar: cannot reach %s: %w; %s", d.URL, err, byHand)
	case response.StatusCode != http.StatusOK:
		response.Body.Close()
		return nil, fmt.Errorf("cifar: %s answered %s; set Download.URL to another copy; %s", d.URL, response.Status, byHand)
	}
	return response, nil
}

// progress reports the bytes that pass.
type progress struct {
	report      func(done, total int64) // may be nil
	done, total int64
}

func (p *progress) Write(bytes []byte) (int, error) {
	p.done += int64(len(bytes))
	if p.report != nil {
		p.report(p.done, p.total)
	}
	return len(bytes), nil
}
