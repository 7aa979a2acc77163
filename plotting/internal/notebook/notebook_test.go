//go:build unix

package notebook

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// childVariable makes the test program play a notebook cell.
const childVariable = "DIRECTIONS_TEST_CELL"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		if err := cell(); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// specification is what the cell sends: nested, and with characters that need care in JSON.
const specification = `{"$schema":"v5","layer":[{"mark":"line","data":{"values":[{"x":1,"y":null}]}}],"title":"a \"quoted\" <b>"}`

func cell() error {
	bundle := Bundle{Name: "figure", Text: "a line", HTML: "<p>a</p>", PNG: []byte("\x89PNG"), Width: 640, Height: 400, VegaLite: json.RawMessage(specification)}
	return errors.Join(Show(bundle), Update("bar", Bundle{HTML: "<progress></progress>", Text: "half"}), Show(Bundle{Text: "only text"}))
}

// kernel is the other end of the pipes: it decodes messages as GoNB does and confirms.
type kernel struct {
	messages []protocol.DisplayData
}

func (k *kernel) run(in io.Reader, out io.Writer) error {
	decoder, encoder := gob.NewDecoder(in), gob.NewEncoder(out)
	for {
		var message protocol.DisplayData
		if err := decoder.Decode(&message); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		value, ok := message.Data[protocol.MIMECommValue].(protocol.CommValue)
		if !ok {
			k.messages = append(k.messages, message)
			continue
		}
		if err := encoder.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: value.Value}); err != nil {
			return err
		}
	}
}

// TestBundleThroughThePipe runs a cell against a kernel that speaks GoNB's protocol over named
// pipes, and looks at what arrives.
func TestBundleThroughThePipe(t *testing.T) {
	folder := t.TempDir()
	forth, back := filepath.Join(folder, "forth"), filepath.Join(folder, "back")
	for _, path := range []string{forth, back} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skipf("named pipes cannot be made here: %v", err)
		}
	}
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), childVariable+"=1", protocol.GONB_PIPE_ENV+"="+forth, protocol.GONB_PIPE_BACK_ENV+"="+back)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var k kernel
	finished := make(chan error, 1)
	go func() {
		in, err := os.Open(forth)
		if err != nil {
			finished <- err
			return
		}
		out, err := os.OpenFile(back, os.O_WRONLY, 0)
		if err != nil {
			finished <- err
			return
		}
		finished <- k.run(in, out)
	}()
	select {
	case err := <-finished:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(2 * time.Minute):
		command.Process.Kill()
		t.Fatal("the cell did not finish within 20 s")
	}
	if err := command.Wait(); err != nil {
		t.Fatalf("the cell failed: %v\n%s", err, stderr.String())
	}
	checkMessages(t, k.messages)
}

func checkMessages(t *testing.T, messages []protocol.DisplayData) {
	t.Helper()
	if len(messages) != 3 {
		t.Fatalf("%d messages arrived, want 3", len(messages))
	}
	figure := messages[0].Data
	if len(figure) != 4 || figure[protocol.MIMETextPlain] != "a line" || figure[protocol.MIMETextHTML] != "<p>a</p>" {
		t.Errorf("the figure arrived as %v", figure)
	}
	if data, ok := figure[protocol.MIMEImagePNG].([]byte); !ok || string(data) != "\x89PNG" {
		t.Errorf("the picture arrived as %v", figure[protocol.MIMEImagePNG])
	}
	address, ok := figure[MIMEVegaLite].(string)
	encoded, found := strings.CutPrefix(address, "data:application/json;base64,")
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || !found || err != nil || string(decoded) != specification {
		t.Errorf("the specification arrived as %q (%v)", address, err)
	}
	size, ok := messages[0].Metadata["image/png"].(map[string]int)
	if !ok || size["width"] != 640 || size["height"] != 400 {
		t.Errorf("the size of the picture arrived as %v", messages[0].Metadata)
	}
	if messages[1].DisplayID != "bar" || messages[1].Data[protocol.MIMETextPlain] != "half" {
		t.Errorf("the update arrived as %v", messages[1])
	}
	if len(messages[2].Data) != 1 {
		t.Errorf("the bundle with text alone arrived as %v", messages[2].Data)
	}
}

func TestTerminal(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	t.Setenv(FolderVariable, folder)
	f := &files{used: map[string]int{}}
	var out strings.Builder
	for range 2 {
		if err := f.show(&out, Bundle{Name: "Coverage: F(S;T)", Text: "the text", PNG: []byte("png")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.show(&out, Bundle{Text: "a table\n\n", HTML: "<table>"}); err != nil {
		t.Fatal(err)
	}
	want := "the text\n  picture: " + filepath.Join(folder, "coverage-f-s-t.png") + "\nthe text\n  picture: " + filepath.Join(folder, "coverage-f-s-t-2.png") + "\na table\n"
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
	for _, name := range []string{"coverage-f-s-t.png", "coverage-f-s-t-2.png"} {
		if data, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(data) != "png" {
			t.Errorf("%s holds %q (%v)", name, data, err)
		}
	}
}

func TestTerminalErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(FolderVariable, filepath.Join(file, "below"))
	err := (&files{used: map[string]int{}}).show(io.Discard, Bundle{Name: "x", Text: "t", PNG: []byte("png")})
	if err == nil || !strings.Contains(err.Error(), FolderVariable) {
		t.Errorf("error %v, want one that names %s", err, FolderVariable)
	}
}

func TestBadBundles(t *testing.T) {
	for _, test := range []struct {
		bundle Bundle
		want   string
	}{
		{Bundle{Name: "a"}, "has no text"},
		{Bundle{Text: "t", VegaLite: json.RawMessage("{")}, "not valid JSON"},
	} {
		if _, err := test.bundle.display(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

func TestFileName(t *testing.T) {
	for title, want := range map[string]string{
		"":                        "figure",
		"../../etc/passwd":        "etc-passwd",
		"a/b\\c:d*e?":             "a-b-c-d-e",
		"Größe Δ_{S} 株":           "größe-δ-s-株",
		"---":                     "figure",
		strings.Repeat("ab ", 50): strings.TrimRight(strings.Repeat("ab-", 20), "-"),
	} {
		if got := FileName(title); got != want {
			t.Errorf("FileName(%q) = %q, want %q", title, got, want)
		}
	}
}
