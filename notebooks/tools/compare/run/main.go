// Command run measures this module against NumPy and SciPy and stores the figures
// that documents quote: make compare.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/sparsero/directions/notebooks/tools/compare"
)

func main() {
	quick := flag.Bool("quick", false, "small data, once: check that the results agree, store nothing")
	repetitions := flag.Int("repetitions", compare.Full.Repetitions, "how often each side runs; fewer than the default are not stored")
	output := flag.String("output", "notebooks/results", "folder for the tables")
	readme := flag.String("readme", "README.md", "document that quotes the figures")
	quote := flag.Bool("quote", false, "measure nothing: write the stored figures into the document")
	flag.Parse()
	if *quote {
		if err := compare.UpdateReadme(*readme, *output); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *quick, *repetitions, *output, *readme, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, quick bool, repetitions int, output, readme string, log io.Writer) error {
	scale, sizes := compare.Full, compare.GrowthSizes
	scale.Repetitions = repetitions
	if quick {
		scale, sizes = compare.Quick, sizes[:2]
	}
	rows, machine, err := compare.Run(ctx, scale, log)
	if err != nil {
		return err
	}
	points, err := compare.Growth(ctx, sizes, scale.Repetitions, log)
	if err != nil {
		return err
	}
	result := compare.Result{Rows: rows, Machine: machine, Growth: points}
	text, err := result.Text()
	if err != nil {
		return err
	}
	fmt.Print("\n", text)
	if quick || repetitions < compare.Full.Repetitions {
		fmt.Fprintln(log, "nothing is stored: the figures are not medians of", compare.Full.Repetitions)
		return nil
	}
	if err := result.Store(output); err != nil {
		return err
	}
	return compare.UpdateReadme(readme, output)
}
