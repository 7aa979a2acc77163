package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestSettingsOfTheImage(t *testing.T) {
	name := image(t)
	if user := inspect[string](t, name, ".Config.User"); user == "" || strings.HasPrefix(user, "0") || strings.HasPrefix(user, "root") {
		t.Errorf("the image runs as %q", user)
	}
	for key, value := range inspect[map[string]string](t, name, ".Config.Labels") {
		if strings.HasPrefix(key, "org.opencontainers.image.") && value == "" {
			t.Errorf("label %s is empty", key)
		}
	}
	settings := must(t, "inspect", name) + must(t, "history", "--no-trunc", name)
	if found := regexp.MustCompile(`(?i)(token|password|secret|https?_proxy)=[^\s"\\]+`).FindString(settings); found != "" {
		t.Errorf("the image holds %s", found)
	}
	size := inspect[int64](t, name, ".Size")
	t.Logf("the image takes %.2f GB", float64(size)/1e9)
	if size > 1_200_000_000 {
		t.Error("the image takes more than 1.2 GB")
	}
}

func TestOnlyTheGoKernel(t *testing.T) {
	image(t)
	s := pageServer(t)
	var specs struct {
		Default     string
		Kernelspecs map[string]json.RawMessage
	}
	decode(t, s.call(t, "GET", "/api/kernelspecs", nil), &specs)
	if specs.Default != "gonb" || len(specs.Kernelspecs) != 1 {
		t.Errorf("default kernel %q of %d kernels, want gonb of 1", specs.Default, len(specs.Kernelspecs))
	}
}

func TestToken(t *testing.T) {
	image(t)
	s := pageServer(t)
	if len(s.token) < 32 {
		t.Errorf("the random token %q is short", s.token)
	}
	for _, wrong := range []string{"", "wrong", s.token[1:]} {
		for _, path := range []string{"/api/contents", "/api/kernels", "/api/terminals"} {
			if status, _ := s.request("GET", path, wrong, nil); status != 403 {
				t.Errorf("%s with the token %q answers %d, want 403", path, wrong, status)
			}
		}
		if status, _ := s.request("GET", "/lab?token="+wrong, "", nil); status != 302 { // to the page that asks for the token
			t.Errorf("the page with the token %q answers %d, want 302", wrong, status)
		}
	}
	_, chosen := start(t, append(safe, "-e", "JUPYTER_TOKEN=chosen-by-the-teacher")...)
	if chosen.token != "chosen-by-the-teacher" {
		t.Errorf("JUPYTER_TOKEN is not honoured: %q", chosen.token)
	}
	_, empty := start(t, append(safe, "-e", "JUPYTER_TOKEN=")...)
	if empty.token == s.token || len(empty.token) < 32 {
		t.Errorf("an empty JUPYTER_TOKEN gives the token %q", empty.token)
	}
}

// TestHealthAndStop starts a kernel, too: docker stop must neither have to kill nor take its ten seconds.
func TestHealthAndStop(t *testing.T) {
	name, s := start(t, safe...)
	s.call(t, "POST", "/api/kernels", map[string]string{"name": "gonb"})
	waitFor(t, "the container to be healthy", func() bool { return inspect[string](t, name, ".State.Health.Status") == "healthy" })
	begin := time.Now()
	must(t, "stop", "-t", "10", name)
	took := time.Since(begin)
	t.Logf("stopped in %.1f s", took.Seconds())
	must(t, "start", name)
	defer must(t, "rm", "-fv", name)
	logs := ""
	waitFor(t, "the link of the second start", func() bool {
		logs, _ = docker("logs", name)
		return strings.Count(logs, "README.md?token="+s.token) == 2
	})
	if strings.Contains(logs, "goroutine") || strings.Contains(logs, "Error message") {
		t.Errorf("the log of a good start holds stack traces:\n%s", logs)
	}
	must(t, "stop", "-t", "10", name)
	if code := inspect[int](t, name, ".State.ExitCode"); code != 0 && code != 143 {
		t.Errorf("exit status %d: the container was killed", code)
	}
	if took >= 10*time.Second {
		t.Errorf("the container took %.1f s to stop, want less than 10", took.Seconds())
	}
}

// TestOfflineForAnyUser runs notebooks without a page and without network, as a user whom the image does not know: a
// tutorial, and, without the group of the image, one cell with the solver in it.
func TestOfflineForAnyUser(t *testing.T) {
	folder := t.TempDir()
	small, err := json.Marshal(program("import _ \"github.com/sparsero/directions/solver/highs\"\n\n%%\nfmt.Println(\"linked\")"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "small.ipynb"), small, 0o644); err != nil {
		t.Fatal(err)
	}
	execute := func(user, path string) (executed notebook) {
		answer, err := once(t, append([]string{"--network", "none", "--user", user, "-v", folder + ":/notebooks:ro"}, safe...), "sh", "-c",
			"jupyter nbconvert --to notebook --execute --stdout "+path+" 2>/dev/null")
		if err != nil {
			t.Fatal(err)
		}
		decode(t, []byte(answer), &executed)
		return executed
	}
	published, _ := tutorial(t, "03_value_gap.ipynb")
	checkSaved(t, execute("54321:0", "/opt/directions/tutorials/03_value_gap.ipynb"), published)
	for _, c := range execute("54321:54321", "/notebooks/small.ipynb").code() {
		if len(c.Outputs) != 1 || !strings.Contains(string(c.Outputs[0].Text), "linked") {
			t.Errorf("the cell leaves %+v", c.Outputs)
		}
	}
}

// TestCommandOfAHub gives the command that a hub's spawner gives, with a stand-in for JupyterHub's program, which is not in
// the image: it finds the tutorials, gets its options, and no token.
func TestCommandOfAHub(t *testing.T) {
	const path = "/opt/directions/bin/jupyterhub-singleuser"
	standIn := filepath.Join(t.TempDir(), "jupyterhub-singleuser")
	script := "#!/bin/sh\necho \"options: $*, token: ${JUPYTER_TOKEN:-none}\"\nls /work/02_few_directions.ipynb\n"
	if err := os.WriteFile(standIn, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	answer, err := once(t, append([]string{"--network", "none", "-v", standIn + ":" + path + ":ro"}, safe...), "jupyterhub-singleuser", "--port=8888")
	if err != nil || !strings.Contains(answer, "options: --port=8888, token: none\n/work/02_few_directions.ipynb") {
		t.Errorf("the server of a hub finds %q (%v)", answer, err)
	}
}

// TestCommandOfABinder gives a command as a Binder does: the tutorials are there, and no token is. Without the Binder's variable the
// command runs at once.
func TestCommandOfABinder(t *testing.T) {
	const ask = `import os; print(os.path.exists("/work/02_few_directions.ipynb"), os.environ.get("JUPYTER_TOKEN"))`
	for variable, want := range map[string]string{"BINDER_LAUNCH_HOST=https://mybinder.org/": "True None", "BINDER_LAUNCH_HOST=": "False None"} {
		answer, err := once(t, append([]string{"--network", "none", "-e", variable}, safe...), "python3", "-c", ask)
		if err != nil || !strings.HasSuffix(answer, want) {
			t.Errorf("with %s the command finds %q (%v), want %q", variable, answer, err, want)
		}
	}
}

// TestExtraCertificate looks for the certificate that .ci/docker.sh put into docker/certificates before the build: the image
// that is handed on does not trust it.
func TestExtraCertificate(t *testing.T) {
	name := os.Getenv("DIRECTIONS_CERTIFICATE")
	if name == "" {
		t.Skip("no extra certificate: DIRECTIONS_CERTIFICATE is not set")
	}
	answer, err := once(t, []string{"--network", "none"}, "python3", "-c",
		"import ssl; print(*(v for c in ssl.create_default_context(cafile='/etc/ssl/certs/ca-certificates.crt').get_ca_certs() for s in c['subject'] for k, v in s if k == 'commonName'), sep='\\n')")
	if err != nil || len(answer) < 1000 || strings.Contains(answer, name) {
		t.Errorf("the image trusts %s, which only its build may: %v\n%s", name, err, answer)
	}
}
