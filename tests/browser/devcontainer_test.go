package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDevContainer runs a cell as VS Code does with .devcontainer: its user, its environment, no entry point, and the
// checkout in place of the image's copy of the module.
func TestDevContainer(t *testing.T) {
	image(t)
	content, err := os.ReadFile(filepath.Join("..", "..", ".devcontainer", "devcontainer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		RemoteUser   string
		ContainerEnv map[string]string
	}
	decode(t, regexp.MustCompile(`(?m)^\s*//.*$`).ReplaceAll(content, nil), &settings)

	const workspace = "/workspaces/directions"
	checkout := t.TempDir()
	if answer, err := run(exec.Command("git", "-C", filepath.Join("..", ".."), "checkout-index", "--all", "--prefix="+checkout+"/")); err != nil {
		t.Skipf("no checkout of git to copy: %v %s", err, answer)
	}
	small, err := json.Marshal(program("import \"github.com/sparsero/directions/sparsero\"\n\n%%\nfmt.Println(sparsero.OnlyInTheCheckout())"))
	if err != nil {
		t.Fatal(err)
	}
	source := "package sparsero\n\nfunc OnlyInTheCheckout() string { return \"the checkout is seen\" }\n"
	for name, content := range map[string][]byte{"small.ipynb": small, "sparsero/only_in_the_checkout.go": []byte(source)} {
		if err := os.WriteFile(filepath.Join(checkout, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	options := []string{"--network", "none", "--user", settings.RemoteUser, "--entrypoint", "", "-v", checkout + ":" + workspace, "-w", workspace}
	for name, value := range settings.ContainerEnv {
		options = append(options, "-e", name+"="+strings.ReplaceAll(value, "${containerWorkspaceFolder}", workspace))
	}
	answer, err := once(t, options, "jupyter", "nbconvert", "--to", "notebook", "--execute", "--stdout", "small.ipynb")
	if err != nil || !strings.Contains(answer, "the checkout is seen") {
		t.Errorf("a cell in the dev container: %s (%v)", answer, err)
	}
}
