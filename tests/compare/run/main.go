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

	"github.com/sparsero/directions/tests/compare"
)

func main() {
	quick := flag.Bool("quick", false, "small data, once: check that the results agree, store nothing")
	output := flag.String("output", "notebooks/results", "folder for the tables")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *quick, *output, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, quick bool, output string, log io.Writer) error {
	scale, sizes := compare.Full, compare.GrowthSizes
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
	if quick {
		return nil
	}
	return result.Store(output)
}
