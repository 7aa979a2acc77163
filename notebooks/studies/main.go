// Command studies runs the experiments of the paper in full and writes their tables as CSV files, each study with a side
// file that holds its configuration, seeds and version.
//
//	go run ./notebooks/studies                      all studies
//	go run ./notebooks/studies integer_decline      some of them
//	go run ./notebooks/studies -list                their names
//	go run ./notebooks/studies -seeds 2 -results FOLDER synthetic
//	                                                the first two seeds, as a trial
//
// Studies of real features run where their files are, in the folder -data.
//
// Finished units, most of them a seed each, are kept in a file for each study in the folder -work; a run that was stopped or
// killed goes on where it was. Units of another configuration or version are an error; delete their file. Tables go to
// notebooks/results when all units are there; a trial names a folder of its own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sparsero/directions/notebooks/studies/study"
)

// settings are the flags of the command.
type settings struct {
	results string
	work    string
	data    string
	seeds   int
	workers int
	list    bool
}

// defaultResults is the folder of the tables that tests and tutorials read.
var defaultResults = filepath.Join("notebooks", "results")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run parses the arguments and carries out the named studies, all if none is named.
func run(ctx context.Context, arguments []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("studies", flag.ContinueOnError)
	flags.StringVar(&s.results, "results", defaultResults, "folder of the tables")
	flags.StringVar(&s.work, "work", filepath.Join("build", "studies"), "folder of the finished units")
	flags.StringVar(&s.data, "data", defaultData, "folder of real features")
	flags.IntVar(&s.seeds, "seeds", 0, "compute so many seeds from the first on, as a trial in -results (0: all)")
	flags.IntVar(&s.workers, "workers", 0, "units computed at the same time (0: one per core)")
	flags.BoolVar(&s.list, "list", false, "list the studies and stop")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if s.seeds != 0 && s.results == defaultResults {
		return fmt.Errorf("studies: -seeds %d would replace the tables of all seeds in %s; give another folder with -results", s.seeds, s.results)
	}
	all, names := catalogue(s.data, s.seeds), flags.Args()
	if s.list {
		for _, e := range all {
			fmt.Fprintf(out, "%-24s %s\n", e.name, e.title)
		}
		return nil
	}
	chosen, err := choose(all, names)
	if err != nil {
		return err
	}
	for _, e := range chosen {
		switch err := s.carryOut(ctx, e, out); {
		case errors.Is(err, fs.ErrNotExist) && len(names) == 0:
			fmt.Fprintf(out, "%s: left out (%v; -data names another folder)\n", e.name, err)
		case err != nil:
			return err
		}
	}
	return nil
}

// choose returns the studies of the given names, in the order of the list.
func choose(all []entry, names []string) ([]entry, error) {
	var chosen []entry
	var known []string
	for _, e := range all {
		known = append(known, e.name)
		if len(names) == 0 || slices.Contains(names, e.name) {
			chosen = append(chosen, e)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("studies: no study is called %q; choose from %s", name, strings.Join(known, ", "))
		}
	}
	return chosen, nil
}

// carryOut runs one study, and writes its tables if it is whole.
func (s settings) carryOut(ctx context.Context, e entry, out io.Writer) error {
	began, last := time.Now(), time.Time{}
	o := study.Options{
		Workers: s.workers, Path: filepath.Join(s.work, e.name+".jsonl"),
		Progress: func(done, total int) {
			if done == total || time.Since(last) >= time.Second {
				last = time.Now()
				fmt.Fprintf(out, "%s: %d of %d units, %s elapsed\n", e.name, done, total, time.Since(began).Round(time.Second))
			}
		},
	}
	results, err := e.run(ctx, o)
	if err != nil {
		return err
	}
	record, tables := results.About(), results.Tables()
	if record.Partial() {
		return fmt.Errorf("studies: %s was interrupted after %d of %d units; run the command again to go on", e.name, record.Done, len(record.Keys))
	}
	if err := record.WriteTables(s.results, tables...); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d tables in %s; the units took %.1f s\n", e.name, len(tables), s.results, record.UnitSeconds)
	return nil
}
