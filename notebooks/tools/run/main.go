// Command run executes notebooks with the GoNB kernel: run [flags] [notebook ...]. It is what make notebooks calls.
// The exit status is 1 when a notebook failed and 2 when the request makes no sense.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/sparsero/directions/notebooks/tools/ipynb"
)

func main() {
	runner := ipynb.Runner{Progress: os.Stdout}
	flag.StringVar(&runner.Python, "python", "python3", "interpreter with nbclient and nbconvert")
	flag.StringVar(&runner.Root, "root", "notebooks", "folder of the notebooks")
	flag.StringVar(&runner.Output, "output", "build/notebooks", "folder for executed copies and HTML pages")
	flag.DurationVar(&runner.Limit, "limit", 10*time.Minute, "longest time for one notebook")
	flag.BoolVar(&runner.Save, "save", false, "write the outputs back into the notebooks")
	jobs := flag.Int("jobs", 0, "notebooks at a time; 0: one for each processor, up to four, but one by one with -save, whose outputs show times")
	summary := flag.String("summary", "", "file to append the counts to: name, passed, failed, skipped, separated by tabs")
	flag.Parse()

	paths, err := ipynb.Select(runner.Root, flag.Args())
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("notebooks: there is no notebook below %s", runner.Root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *jobs < 1 {
		*jobs = min(runtime.NumCPU(), 4)
		if runner.Save {
			*jobs = 1
		}
	}
	if !execute(ctx, &runner, paths, *jobs, *summary) {
		os.Exit(1)
	}
}

// execute runs the notebooks, prints the closing table and tells whether all of them succeeded.
func execute(ctx context.Context, runner *ipynb.Runner, paths []string, jobs int, summary string) bool {
	results := runner.RunAll(ctx, paths, jobs)
	fmt.Println()
	failed := len(paths) - len(results) + ipynb.Failed(results)
	err := errors.Join(ipynb.WriteTable(os.Stdout, results), appendSummary(summary, len(paths)-failed, failed))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return false
	}
	fmt.Printf("\n%d of %d notebooks ok; copies and pages are in %s\n", len(paths)-failed, len(paths), runner.Output)
	return failed == 0
}

func appendSummary(path string, passed, failed int) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "notebooks\t%d\t%d\t0\n", passed, failed)
	return errors.Join(err, file.Close())
}
