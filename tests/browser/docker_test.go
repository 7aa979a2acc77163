package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// image returns the container image that is under test; without one the test is skipped.
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
var safe = []string{"--read-only", "--tmpfs", "/tmp:exec,mode=1777,size=1g", "--tmpfs", "/home/student:exec,mode=1777,size=512m",
	"--cap-drop", "ALL", "--security-opt", "no-new-privileges:true", "--memory", "4g", "--memory-swap", "4g", "--pids-limit", "1000"}

// volume makes a volume that is removed after the test.
func volume(t *testing.T) string {
	t.Helper()
	image(t)
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
	s = server{url: "http://" + address, token: token(name), container: name}
	waitFor(t, "JupyterLab to answer", s.answers)
	return name, s
}

var link = regexp.MustCompile(`(?m)^ *http://127\.0\.0\.1:\d+/lab/tree/README\.md\?token=(\S+)$`)

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
