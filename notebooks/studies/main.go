// Command studies runs the experiments of the paper in full and writes their
// tables as CSV files, each study with a side file that holds its
// configuration, seed and version.
//
//	go run ./notebooks/studies                      all studies
//	go run ./notebooks/studies integer_decline      some of them
//	go run ./notebooks/studies -list                their names
//	go run ./notebooks/studies -shard 3/16 -work FOLDER
//	                                                the units of one of 16 machines, without tables
//
// Studies of real features run where their files are, in the folder -data.
//
// Finished units are kept under build/studies; a run that was stopped or
// killed goes on where it was. Tables go to notebooks/results and never
// replace tables of another configuration unless -replace is given. CLUSTER.md
// has examples for Kubernetes and Slurm.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
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
	workers int
	shard   study.Shard
	data    string
	replace bool
	list    bool
}

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
	flags.StringVar(&s.results, "results", filepath.Join("notebooks", "results"), "folder of the tables")
	flags.StringVar(&s.work, "work", filepath.Join("build", "studies"), "folder of the finished units")
	flags.IntVar(&s.workers, "workers", 0, "units computed at the same time (0: one per core)")
	flags.Var(&s.shard, "shard", "compute one of several parts of the units, 0/16 to 15/16, and write no tables")
	flags.StringVar(&s.data, "data", defaultData, "folder of real features")
	flags.BoolVar(&s.replace, "replace", false, "replace tables of another configuration, seed or version")
	flags.BoolVar(&s.list, "list", false, "list the studies and stop")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	all, names := entries(s.data), flags.Args()
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
		if file := e.missing(); file != "" && len(names) == 0 {
			fmt.Fprintf(out, "%s: left out, because %s is not there (-data names another folder)\n", e.name, file)
			continue
		}
		if err := s.carryOut(ctx, e, out); err != nil {
			return err
		}
	}
	return nil
}

// entries lists the studies of the catalogue, then those of real features in a folder.
func entries(data string) []entry { return append(slices.Clip(catalogue), frozenStudies(data)...) }

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
		Workers: s.workers, Shard: s.shard, Path: filepath.Join(s.work, e.name),
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
	switch {
	case ctx.Err() != nil && record.Partial:
		return fmt.Errorf("studies: %s was interrupted after %d of %d units; run the command again to go on", e.name, record.Done, record.Total)
	case s.shard.Count > 0:
		fmt.Fprintf(out, "%s: shard %v is finished, %d of %d units in %s; the command without -shard makes tables of all shards there\n",
			e.name, s.shard, record.Done, record.Total, o.Path)
		return nil
	}
	if err := record.WriteTables(s.results, s.replace, tables...); err != nil {
		return fmt.Errorf("%w (or use -replace)", err)
	}
	fmt.Fprintf(out, "%s: %d tables in %s; the units took %.1f s\n", e.name, len(tables), s.results, record.UnitSeconds)
	return nil
}
