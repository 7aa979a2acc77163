package browser

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// image returns the container image that is under test.
func image(t *testing.T) string {
	t.Helper()
	name := os.Getenv("DIRECTIONS_IMAGE")
	if name == "" {
		t.Skip("no container image: DIRECTIONS_IMAGE is not set")
	}
	return name
}

// docker runs a command of docker and returns what it prints; the error holds what it says.
func docker(arguments ...string) (string, error) {
	return run(exec.Command("docker", arguments...))
}

func run(command *exec.Cmd) (string, error) {
	content, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(command.Args, " "), err, content)
	}
	return strings.TrimSpace(string(content)), err
}

// must runs docker and ends the test when it fails.
func must(t *testing.T, arguments ...string) string {
	t.Helper()
	answer, err := docker(arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// unique returns a name for a Docker object.
func unique(kind string) string {
	return fmt.Sprintf("directions-test-%s-%d", kind, time.Now().UnixNano())
}

func label() string {
	if l := os.Getenv("DIRECTIONS_LABEL"); l != "" {
		return l
	}
	return "org.sparsero.directions.test=by-hand"
}

// safe are the options of compose.yaml for one container: nothing can be written but /tmp and what is mounted.
var safe = []string{"--read-only", "--tmpfs", "/tmp:exec,mode=1777", "--cap-drop", "ALL", "--security-opt", "no-new-privileges:true"}

// volume makes a volume that is removed after the test.
func volume(t *testing.T) string {
	t.Helper()
	name := unique("work")
	must(t, "volume", "create", "--label", label(), name)
	t.Cleanup(func() { docker("volume", "rm", "-f", name) })
	return name
}

// folder makes a folder of this machine that belongs to a user.
func folder(t *testing.T, user int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(path, user, user); err != nil {
		t.Skipf("only root can test folders of other users: %v", err)
	}
	return path
}

// once runs a command in a fresh container and returns what it prints.
func once(t *testing.T, options []string, command ...string) (string, error) {
	t.Helper()
	name := unique("once")
	t.Cleanup(func() { docker("rm", "-fv", name) })
	arguments := append([]string{"run", "--name", name, "--label", label()}, options...)
	return docker(append(append(arguments, image(t)), command...)...)
}

// start starts JupyterLab in a container with options of docker run, and waits until it answers. The container goes
// with the test.
func start(t *testing.T, options ...string) (name string, s server) {
	t.Helper()
	name = unique("lab")
	t.Cleanup(func() {
		if t.Failed() {
			logs, _ := docker("logs", "--tail", "40", name)
			t.Logf("log of %s:\n%s", name, logs)
		}
		docker("rm", "-fv", name)
	})
	arguments := append([]string{"run", "-d", "--name", name, "--label", label(), "-p", "127.0.0.1::8888"}, options...)
	must(t, append(arguments, image(t))...)
	waitFor(t, "the container to print its link", func() bool { return token(name) != "" })
	address := must(t, "port", name, "8888/tcp")
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Fatalf("published on %s", address)
	}
	s = server{url: "http://" + address, token: token(name)}
	waitFor(t, "JupyterLab to answer", func() bool { status, _ := s.request("GET", "/api/status", s.token, nil); return status == 200 })
	return name, s
}

var link = regexp.MustCompile(`(?m)^ *http://127\.0\.0\.1:\d+/lab\?token=(\S+)$`)

// token reads the token from the link that a container has printed, "" as long as there is none.
func token(container string) string {
	logs, err := docker("logs", container)
	if found := link.FindStringSubmatch(strings.ReplaceAll(logs, "\r", "")); err == nil && found != nil {
		return found[1]
	}
	return ""
}

// inspect reads fields of a container or an image.
func inspect[T any](t *testing.T, name, format string) (value T) {
	t.Helper()
	decode(t, []byte(must(t, "inspect", "--format", "{{json "+format+"}}", name)), &value)
	return value
}

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
	if size > 2_500_000_000 {
		t.Error("the image takes more than 2.5 GB")
	}
}

func TestOnlyTheGoKernel(t *testing.T) {
	_, s := start(t, safe...)
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
	_, s := start(t, safe...)
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

// TestHealthAndStop also checks that the first process passes signals on: docker stop must not have to kill.
func TestHealthAndStop(t *testing.T) {
	name, s := start(t, safe...)
	s.call(t, "POST", "/api/kernels", map[string]string{"name": "gonb"})
	waitFor(t, "the container to be healthy", func() bool { return inspect[string](t, name, ".State.Health.Status") == "healthy" })
	begin := time.Now()
	must(t, "stop", "-t", "60", name)
	t.Logf("stopped in %.1f s", time.Since(begin).Seconds())
	if code := inspect[int](t, name, ".State.ExitCode"); code != 0 && code != 143 {
		t.Errorf("exit status %d", code)
	}
	began, ended := inspect[time.Time](t, name, ".State.StartedAt"), inspect[time.Time](t, name, ".State.FinishedAt")
	if began.After(ended) {
		t.Error("the container has not ended")
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

// TestEditsOutliveTheContainer edits in the page, saves, removes the container and looks into the next one.
func TestEditsOutliveTheContainer(t *testing.T) {
	work := volume(t)
	options := append([]string{"-v", work + ":/work"}, safe...)
	first, s := start(t, options...)
	l := openLab(t, s, "00_quickstart.ipynb")
	l.click(codeCell(0)+`.querySelector('.cm-content')`, 0.5)
	l.press(kb.End, chromedp.ModifierCtrl)
	l.insert("\n// edited in class")
	l.wait("the edit appears", codeCell(0)+`.textContent.includes('edited in class')`)
	l.save()
	waitFor(t, "the edit to be on disk", func() bool { return edited(s.read(t, "00_quickstart.ipynb")) })
	must(t, "rm", "-fv", first)

	_, s = start(t, options...)
	if !edited(s.read(t, "00_quickstart.ipynb")) {
		t.Fatal("the edit is gone")
	}
	l = openLab(t, s, "00_quickstart.ipynb")
	l.wait("the page shows the edit", codeCell(0)+`.textContent.includes('edited in class')`)
}

func edited(n notebook) bool { return strings.Contains(string(n.code()[0].Source), "edited in class") }

// TestKilledSave kills the container while it saves a large notebook again and again: the notebook then holds the last
// save that was answered, or the one that was under way.
func TestKilledSave(t *testing.T) {
	work := volume(t)
	options := append([]string{"-v", work + ":/work"}, safe...)
	name, s := start(t, options...)
	version := func(number int) map[string]any {
		return program(fmt.Sprintf("// version %d", number), "// "+strings.Repeat("ballast ", 2_000_000))
	}
	s.write(t, "big.ipynb", version(1))
	saved, ended := make(chan int, 1000), make(chan struct{})
	go func() {
		defer close(ended)
		for number := 2; number < 1000; number++ {
			status, _ := s.request("PUT", contents("big.ipynb"), s.token, map[string]any{"type": "notebook", "format": "json", "content": version(number)})
			if status != 200 {
				return
			}
			saved <- number
		}
	}()
	last := 0
	for last < 3 {
		select {
		case last = <-saved:
		case <-ended:
			t.Fatal("no notebook can be saved")
		}
	}
	must(t, "kill", "-s", "KILL", name)
	<-ended
	for len(saved) > 0 {
		last = <-saved
	}
	_, s = start(t, options...)
	source := string(s.read(t, "big.ipynb").code()[0].Source)
	if !strings.Contains(source, fmt.Sprintf("version %d\"", last)) && !strings.Contains(source, fmt.Sprintf("version %d\"", last+1)) {
		t.Fatalf("the last answered save was version %d, and the notebook holds %s", last, source)
	}

	// The worst moment, by hand: the file is cut off, and only the copy that a save makes first is whole.
	must(t, "run", "--rm", "--label", label(), "-v", work+":/work", image(t), "sh", "-c", "cd /work && cp big.ipynb .~big.ipynb && truncate -s 1000 big.ipynb")
	if got := string(s.read(t, "big.ipynb").code()[0].Source); got != source {
		t.Fatalf("after a save that was cut off the notebook holds %.100s", got)
	}
}

// TestDiskFull saves more than fits: the answer says why, and what was saved before is still there.
func TestDiskFull(t *testing.T) {
	_, s := start(t, append(safe, "--tmpfs", "/work:size=32m,mode=1777")...)
	s.write(t, "mine.ipynb", program("// saved before"))
	status, answer := s.request("PUT", contents("mine.ipynb"), s.token, map[string]any{
		"type": "notebook", "format": "json", "content": program("// " + strings.Repeat("too much ", 5_000_000))})
	if status != 500 || !strings.Contains(string(answer), "No space left on device") {
		t.Errorf("a save on a full disk answers %d %.300s", status, answer)
	}
	if source := string(s.read(t, "mine.ipynb").code()[0].Source); !strings.Contains(source, "saved before") {
		t.Errorf("the notebook now holds %.100s", source)
	}
	answerOfStart, err := once(t, append(safe, "--tmpfs", "/work:size=64k,mode=1777"))
	if err == nil || !strings.Contains(answerOfStart, "No space left on device") {
		t.Errorf("a start on a full disk says: %s (%v)", answerOfStart, err)
	}
}

// TestUpgrade starts with older tutorials, changes one, and upgrades.
func TestUpgrade(t *testing.T) {
	base := t.TempDir()
	old, work := filepath.Join(base, "old"), filepath.Join(base, "work")
	newer := filepath.Join(base, "newer")
	files := func(folder string, content map[string]string) {
		for name, text := range content {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			os.Chmod(path, 0o666)
		}
	}
	copyTutorials := func(from string) string {
		answer, err := once(t, append([]string{"--user", "0:0", "-v", base + ":" + base}, "--network", "none"), "copy-tutorials", from, work)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	files(old, map[string]string{"a.ipynb": "a1", "b.ipynb": "b1", "solutions/c.ipynb": "c1", "d.ipynb": "d1"})
	files(newer, map[string]string{"a.ipynb": "a2", "b.ipynb": "b2", "solutions/c.ipynb": "c1", "d.ipynb": "d1", "e.ipynb": "e2"})
	os.Mkdir(work, 0o777)
	copyTutorials(old)
	copyTutorials(old)
	files(work, map[string]string{"b.ipynb": "mine", "own.ipynb": "own"})
	os.Remove(filepath.Join(work, "d.ipynb"))
	answer := copyTutorials(newer)
	if !strings.Contains(answer, "b.ipynb: kept as you changed it; the new version is b.new.ipynb") {
		t.Errorf("the upgrade says %q", answer)
	}
	files(work, map[string]string{"b.new.ipynb": "mine too"})
	copyTutorials(newer)
	files(newer, map[string]string{"b.ipynb": "b3"})
	copyTutorials(newer)
	want := map[string]string{"a.ipynb": "a2", "b.ipynb": "mine", "b.new.ipynb": "mine too", "solutions/c.ipynb": "c1", "d.ipynb": "d1", "e.ipynb": "e2", "own.ipynb": "own"}
	for name, text := range want {
		if content, err := os.ReadFile(filepath.Join(work, name)); err != nil || string(content) != text {
			t.Errorf("%s holds %q (%v), want %q", name, content, err, text)
		}
	}
}

// TestWorkFolders mounts folders of this machine: of the user, and of somebody else.
func TestWorkFolders(t *testing.T) {
	mine := folder(t, 4242)
	_, s := start(t, append(safe, "--user", "4242:0", "-v", mine+":/work")...)
	s.write(t, "mine.ipynb", program("// mine"))
	if _, err := os.Stat(filepath.Join(mine, "mine.ipynb")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(mine, "00_quickstart.ipynb")); err != nil {
		t.Error(err)
	}
	answer, err := once(t, append(safe, "--user", "4243:0", "-v", mine+":/work"))
	if err == nil || !strings.Contains(answer, "cannot be written by user 4243") || !strings.Contains(answer, "--user 4242:0") {
		t.Errorf("a work folder of somebody else: %s (%v)", answer, err)
	}
}

// TestExtraCertificate looks for the certificate that .ci/docker.sh put into docker/certificates before the build.
func TestExtraCertificate(t *testing.T) {
	name := os.Getenv("DIRECTIONS_CERTIFICATE")
	if name == "" {
		t.Skip("no extra certificate: DIRECTIONS_CERTIFICATE is not set")
	}
	answer, err := once(t, []string{"--network", "none"}, "python3", "-c",
		"import ssl; print(*(v for c in ssl.create_default_context(cafile='/etc/ssl/certs/ca-certificates.crt').get_ca_certs() for s in c['subject'] for k, v in s if k == 'commonName'), sep='\\n')")
	if err != nil || !strings.Contains(answer, name) {
		t.Errorf("the image does not trust %s (%v)", name, err)
	}
}
