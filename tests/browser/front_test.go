package browser

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// script starts the container.
var script = filepath.Join("..", "..", "docker", "start.sh")

// front runs start.sh, of this clone or another one, with commands of ours in place of docker and docker-compose, and returns
// what it says.
func front(t *testing.T, script string, commands map[string]string, environment ...string) (string, error) {
	t.Helper()
	bin := t.TempDir()
	for _, name := range []string{"bash", "dirname", "env", "sort", "head", "tail", "stat", "mkdir", "printf", "id", "tr", "cksum", "grep"} {
		if path, err := exec.LookPath(name); err == nil && commands[name] == "" { // writing to a link would change the machine's program
			os.Symlink(path, filepath.Join(bin, name))
		}
	}
	for name, script := range commands {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(script)
	command.Env = append(append(os.Environ(), "PATH="+bin), environment...)
	return run(command)
}

// Stand-ins for docker: with the plugin of Compose and without it. No lab runs, and every image is there.
const (
	plugin     = `case $1 in ps | image) ;; *) echo "$COMPOSE_PROJECT_NAME $@";; esac`
	engineOnly = `case $1 in compose) exit 1;; ps | image) ;; *) echo "$@";; esac`
)

// TestWhatStandsInTheWay checks that start.sh names what is wrong and what mends it, before anything is started.
func TestWhatStandsInTheWay(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port
	free := fmt.Sprintf("DIRECTIONS_PORT=%d", freePort(t))
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name        string
		commands    map[string]string
		environment []string
		says        []string
	}{
		{"no Docker", nil, nil, []string{"Docker is missing", "make lab"}},
		{"no engine", map[string]string{"docker": "echo 'Cannot connect to the Docker daemon' >&2; exit 1"}, nil,
			[]string{"no Docker Engine answers", "Cannot connect to the Docker daemon", "systemctl start docker"}},
		{"no compose", map[string]string{"docker": engineOnly}, nil, []string{"Compose is missing", "docker-compose-plugin"}},
		{"old compose", map[string]string{"docker": engineOnly, "docker-compose": "echo 1.25.0"}, nil, []string{"docker-compose 1.25.0 is too old", "1.27"}},
		{"port taken", map[string]string{"docker": plugin}, []string{fmt.Sprintf("DIRECTIONS_PORT=%d", taken)},
			[]string{fmt.Sprintf("port %d of this machine is taken", taken), fmt.Sprintf("DIRECTIONS_PORT=%d", taken+1)}},
		{"port no number", map[string]string{"docker": plugin}, []string{"DIRECTIONS_PORT=web"}, []string{`"web"`}},
		{"no base image", map[string]string{"docker": `case $1 in image) exit 1;; pull) echo "lookup of the registry failed" >&2; exit 1;; ps) ;; *) echo "$@";; esac`}, []string{free},
			[]string{"docker load", "base-image.sh", "lookup of the registry failed"}},
		{"work folder of root", map[string]string{"docker": plugin}, []string{free, "DIRECTIONS_USER=0", "DIRECTIONS_WORK=" + t.TempDir()}, []string{"belongs to root", "chown"}},
		{"work folder is a file", map[string]string{"docker": plugin}, []string{free, "DIRECTIONS_WORK=" + file}, []string{"cannot be made", "DIRECTIONS_WORK"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, err := front(t, script, c.commands, c.environment...)
			if err == nil || strings.Contains(answer, "DIRECTIONS_USER=0") {
				t.Fatalf("start.sh says: %s (%v)", answer, err)
			}
			for _, text := range c.says {
				if !strings.Contains(answer, text) {
					t.Errorf("start.sh says %q, which lacks %q", answer, text)
				}
			}
		})
	}
	for name, commands := range map[string]map[string]string{
		"docker compose": {"docker": plugin},
		"docker-compose": {"docker": engineOnly, "docker-compose": `case $1 in version) echo 1.29.2;; *) echo "$@";; esac`},
	} {
		if answer, err := front(t, script, commands, free); err != nil || !strings.Contains(answer, "compose.yaml up") {
			t.Errorf("with %s start.sh says %s (%v)", name, answer, err)
		}
	}
}

// TestOneLabForEachClone checks that two clones, and two users, have projects of different names, and with these containers
// and volumes of their own; a lab that runs already is not started again, but its link is shown.
func TestOneLabForEachClone(t *testing.T) {
	free := fmt.Sprintf("DIRECTIONS_PORT=%d", freePort(t))
	clone := filepath.Join(t.TempDir(), "docker")
	if answer, err := run(exec.Command("cp", "-r", filepath.Dir(script), clone)); err != nil {
		t.Fatal(answer)
	}
	seen := map[string]bool{}
	for _, path := range []string{script, filepath.Join(clone, "start.sh")} {
		for _, user := range []string{"Alice B", "bob"} {
			commands := map[string]string{"docker": plugin, "id": "echo '" + user + "'"}
			first, err := front(t, path, commands, free)
			again, _ := front(t, path, commands, free)
			name, _, _ := strings.Cut(first, " ")
			if err != nil || again != first || seen[name] || !regexp.MustCompile(`^directions-(alice-b|bob)-\d+$`).MatchString(name) {
				t.Errorf("%s by %s starts the project %q and then %q, others %v (%v)", path, user, first, again, seen, err)
			}
			seen[name] = true
		}
	}

	s := pageServer(t)
	if s.container == "" {
		t.Skip("no container")
	}
	command := exec.Command(script)
	command.Env = append(os.Environ(), "COMPOSE_PROJECT_NAME="+project(), "DIRECTIONS_PORT=1")
	answer, err := run(command)
	for _, text := range []string{"runs already", s.token, "Ignored", "DIRECTIONS_PORT"} {
		if err != nil || !strings.Contains(answer, text) {
			t.Errorf("a second start says %s (%v), which lacks %q", answer, err, text)
		}
	}
}

// TestIgnoredVariables: while a lab runs, start.sh names the variables that it cannot heed, and says nothing of others.
func TestIgnoredVariables(t *testing.T) {
	running := map[string]string{"docker": `case $1 in ps) echo 0123456789ab;; logs) echo "    http://127.0.0.1:8888/lab?token=secret";; esac`}
	answer, err := front(t, script, running, "DIRECTIONS_PORT=8889", "DIRECTIONS_WORK=/elsewhere", "DIRECTIONS_IMAGE=")
	if err != nil || !strings.Contains(answer, "token=secret") || !strings.Contains(answer, "Ignored, because it runs already: DIRECTIONS_PORT DIRECTIONS_WORK. ") {
		t.Errorf("start.sh says %s (%v)", answer, err)
	}
	answer, err = front(t, script, running, "DIRECTIONS_IMAGE=")
	if err != nil || !strings.Contains(answer, "token=secret") || strings.Contains(answer, "Ignored") {
		t.Errorf("without variables start.sh says %s (%v)", answer, err)
	}
}

// TestOlderCompose starts the container by the command docker-compose, where the other tests use the plugin.
func TestOlderCompose(t *testing.T) {
	image(t)
	if _, err := docker("compose", "version"); err != nil {
		t.Skip("the plugin of Compose is not installed, so that all tests use docker-compose")
	}
	if _, err := exec.LookPath("docker-compose"); err != nil {
		t.Skip("the command docker-compose is not installed")
	}
	withoutPlugin := "DOCKER_CONFIG=" + t.TempDir()
	command := exec.Command("docker", "compose", "version")
	command.Env = append(os.Environ(), withoutPlugin)
	if _, err := run(command); err == nil {
		t.Skip("the plugin of Compose cannot be hidden, because it is installed for all users")
	}
	s, stop := startCompose(t, project()+"-older", withoutPlugin)
	defer stop()
	s.read(t, "02_few_directions.ipynb")

	// It would mount the volume of the container before, whatever DIRECTIONS_WORK says.
	must(t, "stop", s.container)
	work := folder(t, 4242)
	_, stopAgain := startCompose(t, project()+"-older", withoutPlugin, "DIRECTIONS_WORK="+work)
	defer stopAgain()
	if _, err := os.Stat(filepath.Join(work, "02_few_directions.ipynb")); err != nil {
		t.Errorf("DIRECTIONS_WORK is not honoured: %v", err)
	}
}

// TestEditsOfPackagesFailLoudly changes the files of the image a second time: what is looked for is not there any more, and that is an
// error which says why it was wanted.
func TestEditsOfPackagesFailLoudly(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "docker", "image", "edit-files.py"))
	if err != nil {
		t.Fatal(err)
	}
	for root, want := range map[string]string{"/": "0 times", "/tmp": "0 files"} {
		answer, err := once(t, []string{"--network", "none", "-v", program + ":/edit.py:ro"}, "python3", "/edit.py", root)
		if err == nil || !strings.Contains(answer, want) || !strings.Contains(answer, "headings of a notebook") {
			t.Errorf("in %s the build says %s (%v), want %q", root, answer, err, want)
		}
	}
}

// TestArchitectureWithoutSolver runs the step of the build that installs packages where apt knows no HiGHS.
func TestArchitectureWithoutSolver(t *testing.T) {
	bin := t.TempDir()
	for name, script := range map[string]string{
		"apt-get": "if [ \"$1\" = indextargets ]; then echo trixie file:/nowhere; fi", "apt-cache": "exit 100", "dpkg": "echo sparc64",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	steps, err := filepath.Abs(filepath.Join("..", "..", "docker", "image"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := once(t, []string{"--network", "none", "--user", "0:0", "--entrypoint", "sh", "-v", bin + ":/stand-ins:ro", "-v", steps + ":/steps:ro"},
		"-c", "PATH=/stand-ins:$PATH exec sh /steps/install-packages.sh /steps/packages.txt")
	if err == nil || !strings.Contains(answer, "no HiGHS package for the architecture sparc64") || !strings.Contains(answer, "make lab") {
		t.Errorf("the build says %s (%v)", answer, err)
	}
}
