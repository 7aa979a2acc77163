//go:build unix

package plotting

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	"gonum.org/v1/plot"
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
	figure := &Figure{Title: "figure", Alt: "figure: a line", Width: 64, Height: 40, Static: plot.New(), Live: json.RawMessage(specification)}
	return Show(figure, [][]float64{{1}})
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

// TestMessagesThroughThePipe runs a cell against a kernel that speaks GoNB's protocol over named
// pipes, and looks at what arrives.
func TestMessagesThroughThePipe(t *testing.T) {
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
		t.Fatal("the cell did not finish within two minutes")
	}
	if err := command.Wait(); err != nil {
		t.Fatalf("the cell failed: %v\n%s", err, stderr.String())
	}
	checkMessages(t, k.messages)
}

func checkMessages(t *testing.T, messages []protocol.DisplayData) {
	t.Helper()
	if len(messages) != 2 {
		t.Fatalf("%d messages arrived, want 2", len(messages))
	}
	figure := messages[0].Data
	if len(figure) != 3 || figure[protocol.MIMETextPlain] != "figure: a line" {
		t.Errorf("the figure arrived as %v", figure)
	}
	if data, ok := figure[protocol.MIMEImagePNG].([]byte); !ok || !strings.HasPrefix(string(data), "\x89PNG") {
		t.Errorf("the picture arrived as %v", figure[protocol.MIMEImagePNG])
	}
	address, ok := figure[vegaLite].(string)
	encoded, found := strings.CutPrefix(address, "data:application/json;base64,")
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || !found || err != nil || string(decoded) != specification {
		t.Errorf("the specification arrived as %q (%v)", address, err)
	}
	size, ok := messages[0].Metadata["image/png"].(map[string]int)
	if !ok || size["width"] != 64 || size["height"] != 40 {
		t.Errorf("the size of the picture arrived as %v", messages[0].Metadata)
	}
	html, ok := messages[1].Data[protocol.MIMETextHTML].(string)
	if len(messages[1].Data) != 2 || !ok || !strings.Contains(html, "<table") || messages[1].Data[protocol.MIMETextPlain] == "" {
		t.Errorf("the table arrived as %v", messages[1].Data)
	}
}

func TestTerminal(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	t.Setenv(folderVariable, folder)
	message := func(forms map[protocol.MIMEType]any) *protocol.DisplayData { return &protocol.DisplayData{Data: forms} }
	var out strings.Builder
	first := printed.Load() + 1
	for range 2 {
		picture := message(map[protocol.MIMEType]any{protocol.MIMETextPlain: "the text", protocol.MIMEImagePNG: []byte("png")})
		if err := show(&out, "Coverage: F(S;T)", picture); err != nil {
			t.Fatal(err)
		}
	}
	if err := show(&out, "", message(map[protocol.MIMEType]any{protocol.MIMETextPlain: "a table\n\n", protocol.MIMETextHTML: "<table>"})); err != nil {
		t.Fatal(err)
	}
	name := func(number int32) string {
		return filepath.Join(folder, fmt.Sprintf("%02d-coverage-f-s-t.png", number))
	}
	want := "the text\n  picture: " + name(first) + "\nthe text\n  picture: " + name(first+1) + "\na table\n"
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
	for number := first; number < first+2; number++ {
		if data, err := os.ReadFile(name(number)); err != nil || string(data) != "png" {
			t.Errorf("%s holds %q (%v)", name(number), data, err)
		}
	}
}

func TestTerminalErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(folderVariable, filepath.Join(file, "below"))
	picture := &protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: "t", protocol.MIMEImagePNG: []byte("png")}}
	if err := show(io.Discard, "x", picture); err == nil || !strings.Contains(err.Error(), folderVariable) {
		t.Errorf("error %v, want one that names %s", err, folderVariable)
	}
}

func TestBrokenSpecification(t *testing.T) {
	figure := &Figure{Static: plot.New(), Live: json.RawMessage("{")}
	if _, _, err := figure.shown(); err == nil {
		t.Errorf("error %v, want one about the specification", err)
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
		if got := fileName(title); got != want {
			t.Errorf("fileName(%q) = %q, want %q", title, got, want)
		}
	}
}
