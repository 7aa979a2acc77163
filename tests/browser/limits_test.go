package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMemoryLimit lets a cell ask for more memory than the container has: its output says so, and the kernel runs the next.
func TestMemoryLimit(t *testing.T) {
	folder := t.TempDir()
	content, err := json.Marshal(program(
		"import \"fmt\"\n\n%%\nvar all [][]byte\nfor i := 0; i < 6000; i++ {\n\tb := make([]byte, 1<<20)\n\tfor k := range b { b[k] = byte(k) }\n\tall = append(all, b)\n}\nfmt.Println(len(all))",
		"%%\nfmt.Println(\"the kernel\", \"is alive\")"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "much.ipynb"), content, 0o644); err != nil {
		t.Fatal(err)
	}
	answer, err := once(t, append(slices.Clone(safe), "--network", "none", "--memory", "1536m", "--memory-swap", "1536m", "-v", folder+":/notebooks:ro"),
		"jupyter", "nbconvert", "--to", "notebook", "--execute", "--allow-errors", "--stdout", "/notebooks/much.ipynb")
	if err != nil || !strings.Contains(answer, "out of memory") || !strings.Contains(answer, "the kernel is alive") {
		t.Errorf("a cell without end of memory leaves %s (%v)", answer, err)
	}
}

// TestFullDisk lets a cell write 2.5 GB into /tmp, which counts as memory of the container: the cell ends with an error, and the server
// and the kernel go on.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	content, err := json.Marshal(program(
		"import (\n\"fmt\"\n\"os\"\n)\n\n%%\nfile, err := os.CreateTemp(\"/tmp\", \"\")\nif err != nil { panic(err) }\ndefer os.Remove(file.Name())\n"+
			"for range 2500 {\n\tif _, err := file.Write(make([]byte, 1<<20)); err != nil { panic(err) }\n}",
		"%%\nfmt.Println(\"the kernel\", \"is alive\")"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "full.ipynb"), content, 0o644); err != nil {
		t.Fatal(err)
	}
	name, s := start(t, append(slices.Clone(safe), "-v", folder+":/notebooks:ro")...)
	answer, err := docker("exec", name, "jupyter", "nbconvert", "--to", "notebook", "--execute", "--allow-errors", "--stdout", "/notebooks/full.ipynb")
	if err != nil || !strings.Contains(answer, "no space left on device") || !strings.Contains(answer, "the kernel is alive") {
		t.Errorf("a cell that fills /tmp leaves %s (%v)", answer, err)
	}
	if !s.answers() || !inspect[bool](t, name, ".State.Running") || inspect[bool](t, name, ".State.OOMKilled") {
		t.Error("the server ended with the cell")
	}
}

// TestNoWayOut: what runs in the container of docker/compose.yaml reaches no other machine, while its page is published on this one.
// DIRECTIONS_ONLINE=true opens the way, where this machine has one.
func TestNoWayOut(t *testing.T) {
	image(t)
	s := pageServer(t)
	const ask = "import socket; socket.create_connection(('deb.debian.org', 80), timeout=20); print('connected')"
	if answer, err := docker("exec", s.container, "python3", "-c", ask); err == nil {
		t.Errorf("a program in the container is %s to the internet", answer)
	}
	if answer, err := once(t, nil, "python3", "-c", ask); err != nil || !strings.Contains(answer, "connected") {
		t.Skipf("this machine has no way out either: %s", answer)
	}
	online, stop := startCompose(t, project()+"-online", "DIRECTIONS_ONLINE=true")
	defer stop()
	if answer, err := docker("exec", online.container, "python3", "-c", ask); err != nil {
		t.Errorf("with DIRECTIONS_ONLINE=true a program in the container says %s", answer)
	}
}

// TestIdleKernels starts a kernel that nobody uses: it ends, and what was saved stays.
func TestIdleKernels(t *testing.T) {
	_, s := start(t, append(slices.Clone(safe), "-e", "DIRECTIONS_IDLE=4")...)
	s.write(t, "mine.ipynb", program("// saved"))
	s.call(t, "POST", "/api/sessions", map[string]any{"path": "mine.ipynb", "name": "mine", "type": "notebook", "kernel": map[string]string{"name": "gonb"}})
	waitFor(t, "the idle kernel to be stopped", func() bool {
		_, kernels := s.request("GET", "/api/kernels", s.token, nil)
		return strings.TrimSpace(string(kernels)) == "[]"
	})
	if source := string(s.read(t, "mine.ipynb").code()[0].Source); !strings.Contains(source, "saved") {
		t.Errorf("the notebook holds %s", source)
	}
}
