// Package browser tests JupyterLab as its users meet it: the container image from outside, and the tutorials in a real
// browser. It holds tests only; .ci/docker.sh builds what they look at and names it in the environment:
//
//	DIRECTIONS_IMAGE    the container image; with it all tests run
//	DIRECTIONS_LAB      the command jupyter-lab of this machine; with it, and no image, the tests of the page run
//	DIRECTIONS_ALL      not empty: every tutorial is run, and not only some
//	DIRECTIONS_LABEL    a label (name=value) for every Docker object, by which the caller removes what is left
//	DIRECTIONS_RESULTS  a folder for screenshots
//
// It is a module of its own because chromedp asks for a newer Go than the project.
package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// shared is the JupyterLab of the tests of the page: the container of docker/compose.yaml, or the one of this machine.
var shared struct {
	once   sync.Once
	server server
	err    string
	stop   []func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	for i := len(shared.stop) - 1; i >= 0; i-- {
		shared.stop[i]()
	}
	os.Exit(code)
}

// pageServer returns the shared JupyterLab; the first test that asks starts it.
func pageServer(t *testing.T) server {
	t.Helper()
	command := os.Getenv("DIRECTIONS_LAB")
	if os.Getenv("DIRECTIONS_IMAGE") == "" && command == "" {
		t.Skip("no JupyterLab: neither DIRECTIONS_IMAGE nor DIRECTIONS_LAB is set")
	}
	shared.once.Do(func() {
		shared.err = "the start of JupyterLab failed in an earlier test"
		if os.Getenv("DIRECTIONS_IMAGE") != "" {
			var stop func()
			shared.server, stop = startCompose(t, project())
			shared.stop = append(shared.stop, stop)
		} else {
			shared.server = startLocal(t, command)
		}
		shared.err = ""
	})
	if shared.err != "" {
		t.Fatal(shared.err)
	}
	return shared.server
}

// startCompose starts docker/compose.yaml as a teacher does, by docker/start.sh, as a project of its own; stop removes
// it.
func startCompose(t *testing.T, project string, environment ...string) (s server, stop func()) {
	t.Helper()
	stop = func() { removeProject(project) }
	port := freePort(t)
	command := exec.Command(filepath.Join("..", "..", "docker", "start.sh"), "-d")
	command.Env = append(os.Environ(), append(environment, "COMPOSE_PROJECT_NAME="+project, fmt.Sprintf("DIRECTIONS_PORT=%d", port))...)
	if answer, err := run(command); err != nil {
		stop()
		t.Fatalf("%v\n%s", err, answer)
	}
	container := must(t, "ps", "-aq", "--filter", "label=com.docker.compose.project="+project)
	waitFor(t, "the container to print its link", func() bool { return token(container) != "" })
	s = server{url: fmt.Sprintf("http://127.0.0.1:%d", port), token: token(container), container: container}
	waitFor(t, "JupyterLab to answer", s.answers)
	return s, stop
}

// project is the label of this run as a name for Compose, by which the caller removes what is left.
func project() string {
	_, name, _ := strings.Cut(label(), "=")
	return name
}

// removeProject removes the containers, volumes and networks of a project.
func removeProject(project string) {
	for _, kind := range []string{"container", "volume", "network"} {
		list, remove := []string{kind, "ls", "-q"}, []string{kind, "rm"}
		if kind == "container" {
			list, remove = append(list, "--all"), append(remove, "-f", "-v")
		}
		names, _ := docker(append(list, "--filter", "label=com.docker.compose.project="+project)...)
		for _, name := range strings.Fields(names) {
			docker(append(remove, name)...)
		}
	}
}

// startLocal starts the JupyterLab of this machine, with the kernel that JUPYTER_PATH tells it, on a copy of the
// tutorials.
func startLocal(t *testing.T, name string) server {
	t.Helper()
	work, err := os.MkdirTemp("", "directions-lab-")
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := run(exec.Command("cp", "-r", filepath.Join("..", "..", "notebooks")+"/.", work)); err != nil {
		t.Fatal(err, answer)
	}
	port := freePort(t)
	s := server{url: fmt.Sprintf("http://127.0.0.1:%d", port), token: unique("token")}
	command := exec.Command(name, "--no-browser", "--allow-root", "--LabApp.news_url=None",
		"--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--MultiKernelManager.default_kernel_name=gonb",
		"--ServerApp.root_dir="+work, fmt.Sprintf("--ServerApp.port=%d", port), "--ServerApp.port_retries=0")
	command.Dir = work
	command.Env = append(os.Environ(), "JUPYTER_TOKEN="+s.token, "JUPYTER_CONFIG_DIR="+work+"/.jupyter",
		"JUPYTER_DATA_DIR="+work+"/.jupyter", "JUPYTER_RUNTIME_DIR="+work+"/.jupyter/runtime")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	shared.stop = append(shared.stop, func() {
		command.Process.Signal(os.Interrupt)
		command.Process.Kill()
		command.Wait()
		os.RemoveAll(work)
	})
	waitFor(t, "JupyterLab to answer", s.answers)
	return s
}
