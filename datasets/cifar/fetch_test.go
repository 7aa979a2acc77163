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
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sparsero/directions/datasets/cifar"
)

// content stands for an archive in tests that only move bytes.
var content = bytes.Repeat([]byte("0123456789abcdef"), 20_000)

func sumOf(content []byte) string {
	sum := md5.Sum(content)
	return hex.EncodeToString(sum[:])
}

// serve describes a download of content into a new folder from a server that the first
// answers take over, one request each, and counts the requests.
func serve(t *testing.T, answers ...http.HandlerFunc) (d cifar.Download, requests *atomic.Int32) {
	requests = &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if k := int(requests.Add(1)); k <= len(answers) {
			answers[k-1](w, r)
			return
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	return cifar.Download{URL: server.URL, Folder: t.TempDir(), Sum: sumOf(content), Client: server.Client()}, requests
}

// half sends the first half of content and then waits for the client to go away, if it is to stall.
func half(stall bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		_, _ = w.Write(content[:len(content)/2])
		if stall {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}
}

// expectFetched fetches and compares the file, which is alone in its folder.
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
	expectFiles(t, d, 1)
}

func expectFiles(t *testing.T, d cifar.Download, count int) {
	t.Helper()
	if files, err := os.ReadDir(d.Folder); err != nil || len(files) != count {
		t.Errorf("the folder holds %v (%v), want %d files", files, err, count)
	}
}

func TestFetchOnceAndThenFromTheCache(t *testing.T) {
	d, requests := serve(t)
	var last, total int64
	d.Progress = func(done, of int64) {
		if done < last {
			t.Errorf("progress went from %d back to %d", last, done)
		}
		last, total = done, of
	}
	expectFetched(t, d)
	if last != int64(len(content)) || total != -1 && total != last {
		t.Errorf("progress ended at %d of %d bytes, want %d", last, total, len(content))
	}
	expectFetched(t, d)
	if requests.Load() != 1 {
		t.Errorf("%d requests, want one", requests.Load())
	}
}

// What broke off or was cancelled leaves nothing, and the next call brings the whole.
func TestFetchAfterABrokenDownload(t *testing.T) {
	d, _ := serve(t, half(false), half(true))
	_, err := cifar.Fetch(context.Background(), d)
	expectError(t, err, "broke off", fmt.Sprintf("after %d of %d bytes", len(content)/2, len(content)), "call Fetch again")
	expectFiles(t, d, 0)
	ctx, cancel := context.WithCancel(context.Background())
	d.Progress = func(done, _ int64) {
		if done == int64(len(content)/2) {
			cancel()
		}
	}
	for range 2 { // in the middle, and before it begins
		_, err = cifar.Fetch(ctx, d)
		expectError(t, err, "cancelled")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v is not context.Canceled", err)
		}
		expectFiles(t, d, 0)
	}
	d.Progress = nil
	expectFetched(t, d)
}

func TestFetchWrongSum(t *testing.T) {
	d, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>please log in</html>") })
	_, err := cifar.Fetch(context.Background(), d)
	expectError(t, err, sumOf(content), "26 bytes", "check Download.URL")
	if !errors.Is(err, cifar.ErrSum) {
		t.Errorf("%v is not ErrSum", err)
	}
	expectFiles(t, d, 0)
	sum := sha256.Sum256(content)
	d.Sum = strings.ToUpper(hex.EncodeToString(sum[:]))
	expectFetched(t, d)
}

// A file that somebody placed by hand is used if its sum is right, and never touched.
func TestFetchAndAFilePlacedByHand(t *testing.T) {
	d, requests := serve(t)
	path := filepath.Join(d.Folder, "cifar-10-binary.tar.gz")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := cifar.Fetch(context.Background(), d)
	expectError(t, err, path, sumOf([]byte("mine")), "remove", "set Download.Sum")
	d.Sum = sumOf([]byte("mine"))
	if got, err := cifar.Fetch(context.Background(), d); err != nil || got != path {
		t.Errorf("%s, %v, want the file placed by hand", got, err)
	}
	if requests.Load() != 0 {
		t.Errorf("%d requests, want none", requests.Load())
	}
}

func TestFetchSaysWhatToDo(t *testing.T) {
	gone, _ := serve(t)
	for name, test := range map[string]struct {
		change func(*cifar.Download)
		says   []string
	}{
		"404":            {func(d *cifar.Download) { *d, _ = serve(t, http.NotFound) }, []string{"404 Not Found", "set Download.URL", "place the file by hand as", "cifar-10-binary.tar.gz"}},
		"offline":        {func(d *cifar.Download) { d.URL = "http://127.0.0.1:1" }, []string{"cannot reach", "place the file by hand as", "cifar-10-binary.tar.gz", sumOf(content), "features.StandIn"}},
		"bad URL":        {func(d *cifar.Download) { d.URL = "ftp://x\x00" }, []string{"Download.URL", "give an http or https address"}},
		"short sum":      {func(d *cifar.Download) { d.Sum = "abc" }, []string{`Download.Sum = "abc"`, "32 hexadecimal digits"}},
		"no hexadecimal": {func(d *cifar.Download) { d.Sum = strings.Repeat("g", 64) }, []string{"Download.Sum", "64 of SHA-256"}},
		"no version":     {func(d *cifar.Download) { d.Version = 3 }, []string{"version 3"}},
		"no folder":      {func(d *cifar.Download) { d.Folder = filepath.Join(os.Args[0], "x") }, []string{"set Download.Folder"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := gone
			d.Folder = t.TempDir()
			test.change(&d)
			_, err := cifar.Fetch(context.Background(), d)
			expectError(t, err, test.says...)
		})
	}
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
