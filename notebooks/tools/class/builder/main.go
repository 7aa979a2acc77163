// Builder makes programs of the cells of a notebook, inside the container in which make grade compiles a submission.
//
//	builder FOLDER    reads FOLDER/jobs.json, writes a program for each job and FOLDER/built.json
//
// Cells are put together as the kernel does: a later declaration replaces an earlier one of the same name, what stands
// after %% does not run, a cell that does not compile leaves nothing behind.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Cell is the source of a cell. Of a guest's cell only those declarations are taken that replace nothing of the others,
// or that the job lets it replace.
type Cell struct {
	Source string
	Guest  bool
}

// Job describes a program: its cells, the names that guests may replace, the functions whose answers are collected, and
// the tests that can be run.
type Job struct {
	Output  string
	Package string // the import path of package verdict in this program
	Cells   []Cell
	Replace []string
	Collect []Function
	Tests   []string
}

// Function is one whose results are collected.
type Function struct {
	Name    string
	Results int
}

// Built tells what became of a job: the cells that were left out and why, the functions that no cell declares as they are
// wanted, and what kept the program from being built.
type Built struct {
	Dropped map[int]string
	Missing []string
	Problem string
}

func main() {
	folder := os.Args[1]
	content, err := os.ReadFile(filepath.Join(folder, "jobs.json"))
	var jobs []Job
	if err == nil {
		err = json.Unmarshal(content, &jobs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "builder:", err)
		os.Exit(1)
	}
	done := map[string]Built{}
	for _, job := range jobs {
		done[job.Output] = build(folder, &job)
	}
	content, _ = json.Marshal(done)
	if err := os.WriteFile(filepath.Join(folder, "built.json"), content, 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "builder:", err)
		os.Exit(1)
	}
}
