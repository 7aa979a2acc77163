package ipynb

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// driver is the Python program that talks to the kernel through nbclient and exports through nbconvert.
//
//go:embed execute.py
var driver string

// shutdownTime is what the driver gets to end the kernel and to write its copy after a notebook's time is up.
const shutdownTime = 30 * time.Second

// heading begins the line that says which notebook is run.
const heading = "==> "

// Runner executes notebooks.
type Runner struct {
	// Python is an interpreter that has nbclient and nbconvert.
	Python string
	// Root is the folder of the notebooks; names in reports are relative to it.
	Root string
	// Output is the folder for executed copies, HTML pages and logs of the kernel.
	Output string
	// Limit is the longest time that one notebook may take.
	Limit time.Duration
	// Save writes the executed outputs back into the notebook when all of its cells succeeded.
	Save bool
	// Progress receives a line per cell, in whole lines.
	Progress io.Writer
}

// Result is what became of one notebook.
type Result struct {
	// Name is the notebook's name in reports.
	Name string
	// Cells is the number of code cells, Executed how many of them succeeded.
	Cells, Executed int
	// CellTimes has the time of each cell that succeeded, in the order of execution.
	CellTimes []time.Duration
	// Begin is when the kernel was started, and Elapsed the time to its end.
	Begin   time.Time
	Elapsed time.Duration
	// Failures says what went wrong; empty means success.
	Failures []string
}

// event is a line of the driver's report.
type event struct {
	Event   string
	Cells   int
	Index   int
	Seconds float64
	Error   string
}

// Run executes a notebook in its own folder, keeps the cleaned copy and its HTML page, and reports. What goes wrong
// is part of the result.
func (r *Runner) Run(ctx context.Context, path string) Result {
	result := Result{Name: Name(r.Root, path)}
	copied := filepath.Join(r.Output, filepath.FromSlash(result.Name)+extension)
	fmt.Fprintf(r.Progress, heading+"%s\n", result.Name)
	result.Begin = time.Now()
	err := r.execute(ctx, path, copied, &result)
	result.Elapsed = time.Since(result.Begin)
	if err == nil {
		err = r.keep(ctx, path, copied, &result)
	}
	if err != nil {
		result.Failures = append(result.Failures, err.Error())
	}
	for _, failure := range result.Failures {
		fmt.Fprintf(r.Progress, "    FAILED %s\n", failure)
	}
	return result
}

// execute runs the driver and follows its report.
func (r *Runner) execute(ctx context.Context, path, copied string, result *Result) error {
	if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
		return fmt.Errorf("ipynb: %w", err)
	}
	if err := os.Remove(copied); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("ipynb: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, r.Limit+shutdownTime)
	defer cancel()
	command := r.command(ctx, "run", path, copied, KernelName, strconv.FormatFloat(r.Limit.Seconds(), 'f', -1, 64))
	log, err := os.Create(strings.TrimSuffix(copied, extension) + ".log")
	if err != nil {
		return fmt.Errorf("ipynb: %w", err)
	}
	defer log.Close()
	command.Stderr = log
	report, err := command.StdoutPipe()
	if err != nil {
		return fmt.Errorf("ipynb: %w", err)
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("ipynb: %w; check the interpreter with make doctor", err)
	}
	r.follow(report, result)
	if err := command.Wait(); err != nil {
		return fmt.Errorf("ipynb: executing %s: %w; the kernel's log is %s", path, err, log.Name())
	}
	return nil
}

// command prepares a call of the driver. Cancellation asks it to end, so that it takes the kernel with it.
func (r *Runner) command(ctx context.Context, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, r.Python, append([]string{"-c", driver}, arguments...)...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = shutdownTime
	return command
}

// follow reads the driver's report to its end and shows a line per cell.
func (r *Runner) follow(report io.Reader, result *Result) {
	done := 0
	scanner := bufio.NewScanner(report)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var e event
		if json.Unmarshal(scanner.Bytes(), &e) != nil {
			continue
		}
		switch e.Event {
		case "start":
			result.Cells = e.Cells
		case "cell":
			done++
			status := "ok"
			if e.Error != "" {
				status = "ERROR"
			} else {
				result.Executed++
				result.CellTimes = append(result.CellTimes, time.Duration(e.Seconds*float64(time.Second)))
			}
			fmt.Fprintf(r.Progress, "    cell %2d of %d  %6.1f s  %s\n", done, result.Cells, e.Seconds, status)
		case "failure":
			result.Failures = append(result.Failures, e.Error)
		}
	}
}

// keep cleans the executed copy, judges it, exports it, and saves it over the notebook where that is wanted.
func (r *Runner) keep(ctx context.Context, path, copied string, result *Result) error {
	document, err := Read(copied)
	if err != nil {
		return err
	}
	r.explain(document)
	if err := document.Clean(); err != nil {
		return err
	}
	if err := document.Write(copied); err != nil {
		return err
	}
	result.Failures = append(result.Failures, document.Failures()...)
	page := strings.TrimSuffix(copied, extension) + ".html"
	if output, err := r.command(ctx, "html", copied, page).CombinedOutput(); err != nil {
		return fmt.Errorf("ipynb: exporting %s: %w\n%s", copied, err, output)
	}
	if r.Save && len(result.Failures) == 0 {
		return document.Write(path)
	}
	return nil
}

// explain shows what a failed cell printed: GoNB puts the compiler's messages and stack traces there.
func (r *Runner) explain(document *Document) {
	for index, cell := range CodeCells(document.Cells()) {
		if _, failed := cell.Failure(); failed {
			fmt.Fprintf(r.Progress, "    --- cell %d ---\n%s\n    --- its output ---\n%s\n",
				index+1, indent(cell.Source), indent(cell.Text()))
		}
	}
}

func indent(block string) string {
	return "    | " + strings.ReplaceAll(strings.TrimSpace(block), "\n", "\n    | ")
}
