package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/notebooks/studies/integer"
)

// childStudies turns the test binary into the command, with a small study in the place of integer.
const childStudies = "STUDIES_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(childStudies) == "" {
		os.Exit(m.Run())
	}
	small := smallInteger
	small.Name = "integer"
	catalogue = []entry{{name: "integer", run: running(integer.Run, smallFamily, small)}}
	main()
}

// examples returns the blocks of CLUSTER.md in a language.
func examples(t *testing.T, language string) []string {
	t.Helper()
	page, err := os.ReadFile("CLUSTER.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, rest := range strings.Split(string(page), "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(rest, "\n```")
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		t.Fatalf("CLUSTER.md has no block of %s", language)
	}
	return blocks
}

// job is what the tests look at in a Job of Kubernetes.
type job struct {
	APIVersion, Kind string
	Spec             struct {
		CompletionMode           string
		Completions, Parallelism int
		Template                 struct {
			Spec struct {
				RestartPolicy string
				Containers    []struct {
					Command []string
					Env     []struct{ Name, Value string }
				}
			}
		}
	}
}

// kubernetesCommand checks the Job of the page and returns the command of its pods.
func kubernetesCommand(t *testing.T) []string {
	t.Helper()
	parse := exec.Command("python3", "-c", "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))")
	parse.Stdin = strings.NewReader(examples(t, "yaml")[0])
	parse.Stderr = os.Stderr
	text, err := parse.Output()
	if err != nil {
		if exec.Command("python3", "-c", "import yaml").Run() != nil {
			t.Skip("python3 has no yaml: apt-get install python3-yaml")
		}
		t.Fatal(err)
	}
	var j job
	if err := json.Unmarshal(text, &j); err != nil {
		t.Fatal(err)
	}
	pods := j.Spec.Template.Spec
	if j.APIVersion != "batch/v1" || j.Kind != "Job" || j.Spec.CompletionMode != "Indexed" || pods.RestartPolicy != "OnFailure" || len(pods.Containers) != 1 {
		t.Fatalf("not an Indexed Job of one container: %+v", j)
	}
	c := pods.Containers[0]
	if len(c.Env) != 1 || c.Env[0].Name != "SHARDS" || c.Env[0].Value != strconv.Itoa(j.Spec.Completions) || j.Spec.Parallelism != j.Spec.Completions {
		t.Fatalf("%d completions, %d at a time, and %v", j.Spec.Completions, j.Spec.Parallelism, c.Env)
	}
	return c.Command
}

// TestExamplesOfClusters runs the commands of each example as three processes, one of which is tried
// again, makes tables as the page says, and compares the tables with those of one process.
func TestExamplesOfClusters(t *testing.T) {
	t.Run("Kubernetes", func(t *testing.T) {
		checkCluster(t, kubernetesCommand(t), "JOB_COMPLETION_INDEX")
	})
	t.Run("Slurm", func(t *testing.T) {
		script := examples(t, "sbatch")[0]
		if !strings.Contains(script, "#SBATCH --array=0-15\n") || !strings.Contains(script, "SHARDS:-16}") {
			t.Errorf("array and SHARDS do not agree:\n%s", script)
		}
		checkCluster(t, []string{"sh", "-c", script}, "SLURM_ARRAY_TASK_ID")
	})
}

func checkCluster(t *testing.T, command []string, index string) {
	folder := t.TempDir()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(folder, "studies")); err != nil {
		t.Skip(err)
	}
	start := func(shard string, command ...string) (*exec.Cmd, *bytes.Buffer) {
		child, output := exec.Command(command[0], command[1:]...), new(bytes.Buffer)
		child.Dir, child.Stdout, child.Stderr = folder, output, output
		child.Env = append(os.Environ(), childStudies+"=1", "SHARDS=3", index+"="+shard)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		return child, output
	}
	must := func(shard string, command ...string) {
		t.Helper()
		if child, output := start(shard, command...); child.Wait() != nil {
			t.Fatalf("%q, shard %s: %s", command, shard, output)
		}
	}
	first, _ := start("0", command...)
	second, _ := start("1", command...)
	if first.Wait() != nil || second.Wait() != nil {
		t.Fatal("a shard failed")
	}
	must("2", command...)
	must("1", command...)
	if child, output := start("3", command...); child.Wait() == nil || !strings.Contains(output.String(), "there is no shard 3/3: indices begin at 0 and end at 2") {
		t.Errorf("an index that counts from 1: %s", output)
	}
	tables, output := start("", "sh", "-c", examples(t, "sh")[1])
	if tables.Wait() != nil || !strings.HasPrefix(output.String(), "integer: 12 of 12 units") {
		t.Errorf("the tables of all shards: %s", output)
	}
	must("", "./studies", "-work", "one", "-results", "whole")
	compareTables(t, filepath.Join(folder, "results"), filepath.Join(folder, "whole"))
}

// compareTables compares two folders byte for byte, but for the times in the side file.
func compareTables(t *testing.T, sharded, whole string) {
	t.Helper()
	got, want := readFolder(t, sharded), readFolder(t, whole)
	if len(got) != len(want) || len(want) < 2 {
		t.Fatalf("%d files, want %d", len(got), len(want))
	}
	for name, text := range want {
		if filepath.Ext(name) == ".json" {
			text, got[name] = withoutTime(text), withoutTime(got[name])
		}
		if got[name] != text {
			t.Errorf("%s differs from that of one process:\n%s\nwant\n%s", name, got[name], text)
		}
	}
}

// withoutTime leaves out the line of a side file with the time of the units.
func withoutTime(side string) string {
	before, rest, _ := strings.Cut(side, `"unit_seconds"`)
	_, after, _ := strings.Cut(rest, "\n")
	return before + after
}
