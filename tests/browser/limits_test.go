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
