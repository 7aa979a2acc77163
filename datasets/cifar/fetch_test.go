package cifar_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sparsero/directions/datasets/cifar"
)

// content stands for an archive in tests that only move bytes.
var content = bytes.Repeat([]byte("0123456789abcdef"), 20_000)

func sumOf(content []byte) string {
	sum := md5.Sum(content)
	return hex.EncodeToString(sum[:])
}

// server serves content with ranges, unless answer takes the request over, and
// notes the ranges asked for.
type server struct {
	*httptest.Server
	mutex sync.Mutex
	asked []string
}

// ranges returns the ranges asked for so far, "" for the whole.
func (s *server) ranges() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.asked)
}

func serve(t *testing.T, content []byte, answer func(w http.ResponseWriter, r *http.Request) (done bool)) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		s.asked = append(s.asked, r.Header.Get("Range"))
		s.mutex.Unlock()
		if answer == nil || !answer(w, r) {
			http.ServeContent(w, r, "a.tar.gz", time.Time{}, bytes.NewReader(content))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// stallOnce answers the first request with so many bytes and then with nothing
// until the client goes away; later requests are served.
func stallOnce(bytes int) func(w http.ResponseWriter, r *http.Request) bool {
	first := true
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !first {
			return false
		}
		first = false
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		_, _ = w.Write(content[:bytes])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
}

// from describes a download from s into a new folder.
func from(t *testing.T, s *server) cifar.Download {
	return cifar.Download{URL: s.URL, Folder: t.TempDir(), MD5: sumOf(content), Client: s.Client()}
}

// leave writes the file that a broken download would have left.
func leave(t *testing.T, d cifar.Download, content []byte) {
	t.Helper()
	if err := os.WriteFile(partOf(t, d), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func partOf(t *testing.T, d cifar.Download) string {
	t.Helper()
	path, err := d.Path()
	if err != nil {
		t.Fatal(err)
	}
	return path + ".part"
}

// expectFetched fetches and compares the file; no .part may stay behind.
func expectFetched(t *testing.T, d cifar.Download) {
	t.Helper()
	path, err := cifar.Fetch(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, content) {
		t.Errorf("%d bytes arrived that are not the %d sent", len(got), len(content))
	}
	expectAbsent(t, path+".part")
}

func expectAbsent(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is there (%v)", path, err)
	}
}

func expectSize(t *testing.T, path string, size int) {
	t.Helper()
	status, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if status.Size() != int64(size) {
		t.Errorf("%s holds %d bytes, want %d", path, status.Size(), size)
	}
}

func TestFetchOnceAndThenFromTheCache(t *testing.T) {
	s := serve(t, content, nil)
	d := from(t, s)
	var last, total int64
	d.Progress = func(done, of int64) {
		if done < last {
			t.Errorf("progress went from %d back to %d", last, done)
		}
		last, total = done, of
	}
	expectFetched(t, d)
	if last != int64(len(content)) || total != int64(len(content)) {
		t.Errorf("progress ended at %d of %d bytes, want %d", last, total, len(content))
	}
	expectFetched(t, d)
	if !slices.Equal(s.ranges(), []string{""}) {
		t.Errorf("%d requests %q, want one without a range", len(s.ranges()), s.ranges())
	}
}

func TestFetchGoesOnWhereItEnded(t *testing.T) {
	s := serve(t, content, nil)
	d := from(t, s)
	leave(t, d, content[:1000])
	expectFetched(t, d)
	if !slices.Equal(s.ranges(), []string{"bytes=1000-"}) {
		t.Errorf("requests %q, want one from byte 1000", s.ranges())
	}
}

func TestFetchWhenTheServerIgnoresRanges(t *testing.T) {
	s := serve(t, content, func(w http.ResponseWriter, _ *http.Request) bool {
		_, _ = w.Write(content)
		return true
	})
	d := from(t, s)
	leave(t, d, bytes.Repeat([]byte{'z'}, len(content)+5)) // longer than the file: the rest must go
	expectFetched(t, d)
}

// A server may answer with an earlier range than the one asked for.
func TestFetchTakesAnEarlierRange(t *testing.T) {
	s := serve(t, content, func(w http.ResponseWriter, r *http.Request) bool {
		r.Header.Set("Range", "bytes=600-")
		return false
	})
	d := from(t, s)
	leave(t, d, content[:1000])
	expectFetched(t, d)
}

func TestFetchRefusesALaterRange(t *testing.T) {
	s := serve(t, content, func(w http.ResponseWriter, r *http.Request) bool {
		r.Header.Set("Range", "bytes=1001-")
		return false
	})
	d := from(t, s)
	leave(t, d, content[:1000])
	_, err := cifar.Fetch(context.Background(), d)
	expectError(t, err, "from byte 1000", "bytes 1001-", "remove")
	expectSize(t, partOf(t, d), 1000)
}

// All bytes had arrived, but the process ended before it named the file.
func TestFetchNamesAWholeDownload(t *testing.T) {
	s := serve(t, content, nil)
	d := from(t, s)
	leave(t, d, content)
	expectFetched(t, d)
}

// A part of another file is noticed by the sum, and the whole comes anew.
func TestFetchDropsADamagedPart(t *testing.T) {
	for name, part := range map[string][]byte{
		"shorter": bytes.Repeat([]byte{'z'}, 1000),
		"as long": bytes.Repeat([]byte{'z'}, len(content)),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, content, nil)
			d := from(t, s)
			leave(t, d, part)
			expectFetched(t, d)
			if len(s.ranges()) != 2 || s.ranges()[1] != "" {
				t.Errorf("requests %q, want a second one for the whole", s.ranges())
			}
		})
	}
}

func TestFetchNamesAPartThatIsTooLong(t *testing.T) {
	s := serve(t, content, nil)
	d := from(t, s)
	leave(t, d, append(bytes.Clone(content), 'z'))
	_, err := cifar.Fetch(context.Background(), d)
	expectError(t, err, fmt.Sprint(len(content)), fmt.Sprint(len(content)+1), "remove")
}

// The connection breaks after half the bytes: they are kept, and the next call asks for the rest.
func TestFetchAfterABrokenConnection(t *testing.T) {
	half := len(content) / 2
	broken := false
	s := serve(t, content, func(w http.ResponseWriter, _ *http.Request) bool {
		if broken {
			return false
		}
		broken = true
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		_, _ = w.Write(content[:half])
		return true // the server closes a response that is too short
	})
	d := from(t, s)
	_, err := cifar.Fetch(context.Background(), d)
	expectError(t, err, "broke off", fmt.Sprintf("after %d of %d bytes", half, len(content)), "kept in", "call Fetch again")
	expectSize(t, partOf(t, d), half)
	expectFetched(t, d)
	if want := fmt.Sprintf("bytes=%d-", half); s.ranges()[1] != want {
		t.Errorf("the second request asks for %q, want %q", s.ranges()[1], want)
	}
}

func TestFetchCancelledKeepsWhatArrived(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	half := len(content) / 2
	s := serve(t, content, stallOnce(half))
	d := from(t, s)
	d.Progress = func(done, _ int64) {
		if done == int64(half) {
			cancel()
		}
	}
	_, err := cifar.Fetch(ctx, d)
	expectError(t, err, "cancelled", "call Fetch again")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not context.Canceled", err)
	}
	expectSize(t, partOf(t, d), half)
	_, err = cifar.Fetch(ctx, d)
	expectError(t, err, "cancelled")
	expectSize(t, partOf(t, d), half)
	d.Progress = nil
	expectFetched(t, d)
}

func TestFetchWrongSum(t *testing.T) {
	s := serve(t, []byte("<html>please log in</html>"), nil)
	d := from(t, s)
	path, err := cifar.Fetch(context.Background(), d)
	expectError(t, err, "MD5", sumOf(content), "(26 bytes)", "check Download.URL")
	var wrong *cifar.SumError
	if !errors.As(err, &wrong) || wrong.Bytes != 26 {
		t.Errorf("%v is not a SumError of 26 bytes", err)
	}
	if path != "" {
		t.Errorf("the path %s comes with an error", path)
	}
	expectAbsent(t, strings.TrimSuffix(partOf(t, d), ".part"))
	expectAbsent(t, partOf(t, d))
}

func TestFetchSHA256(t *testing.T) {
	sum := sha256.Sum256(content)
	s := serve(t, content, nil)
	d := from(t, s)
	d.SHA256 = strings.Repeat("0", 64)
	_, err := cifar.Fetch(context.Background(), d)
	expectError(t, err, "SHA-256", d.SHA256, hex.EncodeToString(sum[:]))
	d.MD5, d.SHA256 = "", strings.ToUpper(hex.EncodeToString(sum[:]))
	expectFetched(t, d)
}

// A file that somebody placed by hand is used if its sum is right, and never touched.
func TestFetchAndAFilePlacedByHand(t *testing.T) {
	s := serve(t, content, nil)
	d := from(t, s)
	path := strings.TrimSuffix(partOf(t, d), ".part")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := cifar.Fetch(context.Background(), d)
	expectError(t, err, path, sumOf([]byte("mine")), "remove", "set MD5 or SHA256")
	expectSize(t, path, 4)
	d.MD5 = sumOf([]byte("mine"))
	if got, err := cifar.Fetch(context.Background(), d); err != nil || got != path {
		t.Errorf("%s, %v, want the file placed by hand", got, err)
	}
	if len(s.ranges()) != 0 {
		t.Errorf("%d requests, want none", len(s.ranges()))
	}
}

func TestFetchSaysWhatToDo(t *testing.T) {
	missing := serve(t, nil, func(w http.ResponseWriter, r *http.Request) bool { http.NotFound(w, r); return true })
	gone := serve(t, content, nil)
	gone.Close()
	for name, test := range map[string]struct {
		change func(*cifar.Download)
		says   []string
	}{
		"404":            {func(d *cifar.Download) { d.URL = missing.URL }, []string{"404 Not Found", "set Download.URL", "place the file by hand as", "cifar-10-binary.tar.gz", "MD5"}},
		"offline":        {func(d *cifar.Download) { d.URL = gone.URL }, []string{"cannot reach", "place the file by hand as", "cifar-10-binary.tar.gz", sumOf(content), "features.StandIn"}},
		"bad URL":        {func(d *cifar.Download) { d.URL = "ftp://x\x00" }, []string{"Download.URL", "give an http or https address"}},
		"short sum":      {func(d *cifar.Download) { d.MD5 = "abc" }, []string{`Download.MD5 = "abc"`, "32 hexadecimal digits"}},
		"no hexadecimal": {func(d *cifar.Download) { d.SHA256 = strings.Repeat("g", 64) }, []string{"Download.SHA256", "64 hexadecimal digits"}},
		"no version":     {func(d *cifar.Download) { d.Version = 3 }, []string{"version 3"}},
		"no folder":      {func(d *cifar.Download) { d.Folder = filepath.Join(os.Args[0], "x") }, []string{"set Download.Folder"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := cifar.Download{Folder: t.TempDir(), MD5: sumOf(content)}
			test.change(&d)
			_, err := cifar.Fetch(context.Background(), d)
			expectError(t, err, test.says...)
		})
	}
}

// childFolder tells the test binary to be the process that is killed.
const childFolder, childURL = "CIFAR_TEST_FOLDER", "CIFAR_TEST_URL"

// A process that is killed in the middle leaves a part that the next one goes on with.
func TestFetchAfterAKilledProcess(t *testing.T) {
	half := len(content) / 2
	if folder := os.Getenv(childFolder); folder != "" {
		_, err := cifar.Fetch(context.Background(), cifar.Download{URL: os.Getenv(childURL), Folder: folder, MD5: sumOf(content)})
		t.Fatalf("the server stalls, but Fetch returned %v", err)
	}
	s := serve(t, content, stallOnce(half))
	d := from(t, s)
	child := exec.Command(os.Args[0], "-test.run=^TestFetchAfterAKilledProcess$")
	child.Env = append(os.Environ(), childFolder+"="+d.Folder, childURL+"="+s.URL)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	waitForSize(t, partOf(t, d), half)
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // killed, as it should be
	expectAbsent(t, strings.TrimSuffix(partOf(t, d), ".part"))
	expectFetched(t, d)
	if want := fmt.Sprintf("bytes=%d-", half); s.ranges()[1] != want {
		t.Errorf("the second request asks for %q, want %q", s.ranges()[1], want)
	}
}

func waitForSize(t *testing.T, path string, size int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if status, err := os.Stat(path); err == nil && status.Size() >= int64(size) {
			return
		}
	}
	t.Fatalf("%s does not reach %d bytes", path, size)
}

func TestPathIsInTheUsersCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	for version, name := range map[cifar.Version]string{cifar.CIFAR10: "cifar-10-binary.tar.gz", cifar.CIFAR100: "cifar-100-binary.tar.gz"} {
		path, err := cifar.Download{Version: version}.Path()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(path, filepath.Join("sparsero", "cifar", name)) {
			t.Errorf("%s is cached as %s", version, path)
		}
	}
}
