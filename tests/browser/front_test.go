package browser

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// front runs docker/start.sh with commands of ours in place of docker and docker-compose, and returns what it says.
func front(t *testing.T, commands map[string]string, environment ...string) (string, error) {
	t.Helper()
	bin := t.TempDir()
	for _, name := range []string{"bash", "dirname", "env", "sort", "head", "tail", "stat", "mkdir", "printf"} {
		if path, err := exec.LookPath(name); err == nil {
			os.Symlink(path, filepath.Join(bin, name))
		}
	}
	for name, script := range commands {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(filepath.Join("..", "..", "docker", "start.sh"))
	command.Env = append(append(os.Environ(), "PATH="+bin), environment...)
	return run(command)
}

// TestWhatStandsInTheWay checks that start.sh names what is wrong and what mends it, before anything is started.
func TestWhatStandsInTheWay(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port
	free := fmt.Sprintf("DIRECTIONS_PORT=%d", freePort(t))
	const plugin = `echo "$@"`
	const engineOnly = `case $1 in compose) exit 1;; esac; echo "$@"`
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
		{"work folder is a file", map[string]string{"docker": plugin}, []string{free, "DIRECTIONS_WORK=" + file}, []string{"cannot be made", "DIRECTIONS_WORK"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, err := front(t, c.commands, c.environment...)
			if err == nil {
				t.Fatalf("start.sh starts: %s", answer)
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
		if answer, err := front(t, commands, free); err != nil || !strings.Contains(answer, "compose.yaml up") {
			t.Errorf("with %s start.sh says %s (%v)", name, answer, err)
		}
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
	s.read(t, "00_quickstart.ipynb")
}

// TestArchitectureWithoutSolver runs the first step of the build where apt knows no HiGHS.
func TestArchitectureWithoutSolver(t *testing.T) {
	bin := t.TempDir()
	for name, script := range map[string]string{
		"apt-get": "if [ \"$1\" = indextargets ]; then echo trixie file:/nowhere; fi", "apt-cache": "exit 100", "dpkg": "echo sparc64",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script, err := filepath.Abs(filepath.Join("..", "..", "docker", "image", "install-packages.sh"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := once(t, []string{"--network", "none", "--user", "0:0", "--entrypoint", "sh", "-v", bin + ":/stand-ins:ro", "-v", script + ":/install.sh:ro"},
		"-c", "PATH=/stand-ins:$PATH exec sh /install.sh /dev/null")
	if err == nil || !strings.Contains(answer, "no HiGHS package for the architecture sparc64") || !strings.Contains(answer, "make lab") {
		t.Errorf("the build says %s (%v)", answer, err)
	}
}
