package cifar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

// transfer is one download under way.
type transfer struct {
	Download
	target string // the archive's name when it is whole
	part   string // what has arrived
}

// run downloads, checks and names the archive. When a sum differs and part of
// the file came from an earlier call, that part is the likely cause, and the
// whole is downloaded once more.
func (t transfer) run(ctx context.Context) error {
	resumed, err := t.download(ctx)
	if err != nil {
		return err
	}
	err = t.verify(t.part)
	var wrong *SumError
	if resumed && errors.As(err, &wrong) {
		if err := os.Remove(t.part); err != nil {
			return fmt.Errorf("cifar: cannot remove the damaged download: %w; remove it by hand", err)
		}
		if _, err := t.download(ctx); err != nil {
			return err
		}
		err = t.verify(t.part)
	}
	if errors.As(err, &wrong) {
		return errors.Join(fmt.Errorf("%w: %s does not serve the archive expected; check Download.URL, or give the sum of another file as MD5 or SHA256", err, t.URL), os.Remove(t.part))
	}
	if err != nil {
		return err
	}
	if err := os.Rename(t.part, t.target); err != nil {
		return fmt.Errorf("cifar: the download is whole but cannot be named: %w; rename %s to %s", err, t.part, t.target)
	}
	return nil
}

// download appends to the part file what the server has beyond it, and tells
// whether anything was there before.
func (t transfer) download(ctx context.Context) (resumed bool, err error) {
	file, err := os.OpenFile(t.part, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return false, fmt.Errorf("cifar: cannot write the download: %w; set Download.Folder to a folder that can be written", err)
	}
	defer func() {
		// What was written must be on disk before the file gets its final name.
		if closing := errors.Join(file.Sync(), file.Close()); err == nil && closing != nil {
			err = fmt.Errorf("cifar: cannot finish writing %s: %w; check the space on the disk", t.part, closing)
		}
	}()
	have, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return false, fmt.Errorf("cifar: cannot read %s: %w; remove it", t.part, err)
	}
	response, err := t.request(ctx, have)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	from, whole, err := t.position(response, have)
	if err != nil || whole {
		return have > 0, err
	}
	if err := file.Truncate(from); err != nil {
		return false, fmt.Errorf("cifar: cannot write %s: %w; check the disk", t.part, err)
	}
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return false, fmt.Errorf("cifar: cannot write %s: %w; check the disk", t.part, err)
	}
	return from > 0, t.copy(ctx, file, response, from)
}

func (t transfer) request(ctx context.Context, have int64) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.URL, nil)
	if err != nil {
		return nil, fmt.Errorf("cifar: Download.URL = %q: %w; give an http or https address", t.URL, err)
	}
	request.Header.Set("Accept-Encoding", "identity") // the archive is compressed already, and its bytes are what the sum is of
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	response, err := t.Client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("cifar: the download of %s was cancelled: %w; call Fetch again to go on", t.URL, err)
		}
		return nil, fmt.Errorf("cifar: cannot reach %s: %w; %s", t.URL, err, t.byHand())
	}
	return response, nil
}

// byHand says what to do on a machine without a network.
func (t transfer) byHand() string {
	sum := "MD5 " + t.MD5
	if t.MD5 == "" {
		sum = "SHA-256 " + t.SHA256
	}
	return fmt.Sprintf("on a machine without network, place the file by hand as %s (%s), or use features.StandIn", t.target, sum)
}

// position returns where the body of the response belongs in the file, and
// whether the file is whole already.
func (t transfer) position(response *http.Response, have int64) (from int64, whole bool, err error) {
	start, total := contentRange(response.Header.Get("Content-Range"))
	switch response.StatusCode {
	case http.StatusOK: // from the start, also when a range was asked for
		return 0, false, nil
	case http.StatusPartialContent:
		if start < 0 || start > have {
			return 0, false, fmt.Errorf("cifar: %s answered a request from byte %d with the range %q; remove %s and call Fetch again",
				t.URL, have, response.Header.Get("Content-Range"), t.part)
		}
		return start, false, nil
	case http.StatusRequestedRangeNotSatisfiable:
		if have > 0 && (total == have || total < 0) {
			return have, true, nil // the sum decides
		}
		return 0, false, fmt.Errorf("cifar: %s holds %d bytes, %s already %d; remove the latter and call Fetch again", t.URL, total, t.part, have)
	}
	return 0, false, fmt.Errorf("cifar: %s answered %s; set Download.URL to another copy; %s", t.URL, response.Status, t.byHand())
}

// contentRange reads "bytes 5-9/10" and "bytes */10"; what is absent is -1.
func contentRange(header string) (start, total int64) {
	start, total = -1, -1
	span, size, _ := strings.Cut(strings.TrimPrefix(header, "bytes "), "/")
	if value, err := strconv.ParseInt(size, 10, 64); err == nil {
		total = value
	}
	first, _, _ := strings.Cut(span, "-")
	if value, err := strconv.ParseInt(first, 10, 64); err == nil {
		start = value
	}
	return start, total
}

// copy writes the body to the file from byte `from` on.
func (t transfer) copy(ctx context.Context, file *os.File, response *http.Response, from int64) error {
	total := int64(-1)
	if response.ContentLength >= 0 {
		total = from + response.ContentLength
	}
	t.Progress(from, total)
	counter := &progress{report: t.Progress, done: from, total: total}
	_, err := io.Copy(io.MultiWriter(file, counter), response.Body)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("cifar: the download of %s was cancelled after %d of %d bytes: %w; they are kept in %s: call Fetch again to go on", t.URL, counter.done, total, ctx.Err(), t.part)
	}
	return fmt.Errorf("cifar: the download of %s broke off after %d of %d bytes: %w; they are kept in %s: call Fetch again to go on", t.URL, counter.done, total, err, t.part)
}

// progress reports the bytes that pass.
type progress struct {
	report      func(done, total int64)
	done, total int64
}

func (p *progress) Write(bytes []byte) (int, error) {
	p.done += int64(len(bytes))
	p.report(p.done, p.total)
	return len(bytes), nil
}
