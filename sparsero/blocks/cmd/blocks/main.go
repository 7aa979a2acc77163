// Command blocks cuts a NumPy file of atoms into blocks, describes blocks that are there, and chooses atoms from them on Apache
// Beam. README.md has examples.
//
//	blocks -blocks 64 cut atoms.npy FOLDER
//	blocks describe FOLDER block-0.npy block-1.npy
//	blocks -budget 20 select FOLDER probes.npy
//
// A selection goes to the standard output as JSON, as blocks.Select returns it. Flags come first; -help lists them, those of
// Beam among them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/blocks"
)

var (
	count   = flag.Int("blocks", 64, "cut: `number` of blocks, whose sizes differ by at most one")
	budget  = flag.Int("budget", 20, "select: `number` of atoms to choose at most")
	scratch = flag.String("scratch", "", "select: `folder` that this machine and all workers may write (default: that of the blocks)")
)

func main() {
	flag.Parse()
	beam.Init() // a worker goes no further
	if err := run(context.Background(), os.Stdout, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, arguments []string) error {
	verb, files := "", arguments
	if len(arguments) > 0 {
		verb, files = arguments[0], arguments[1:]
	}
	switch {
	case verb == "cut" && len(files) == 2:
		folder, err := blocks.Cut(files[0], files[1], *count)
		return wrote(out, folder, err)
	case verb == "describe" && len(files) > 1:
		folder, err := blocks.Describe(files[0], files[1:]...)
		return wrote(out, folder, err)
	case verb == "select" && len(files) == 2:
		return choose(ctx, out, files[0], files[1])
	}
	return errors.New("usage: blocks [flags] cut FILE FOLDER, describe FOLDER BLOCK..., or select FOLDER PROBES")
}

func wrote(out io.Writer, folder *blocks.Folder, err error) error {
	if err == nil {
		_, err = fmt.Fprintf(out, "%d atoms of dimension %d in %d blocks\n", folder.Size(), folder.Dim(), len(folder.Blocks))
	}
	return err
}

// choose selects from the blocks of a folder.
func choose(ctx context.Context, out io.Writer, folder, probes string) error {
	directions, err := sparsero.LoadDictionary(probes)
	if err != nil {
		return err
	}
	engine, err := blocks.OpenBeam(ctx, folder)
	if err != nil {
		return err
	}
	engine.Scratch = *scratch
	options := &blocks.Options{Progress: func(r blocks.Round) {
		fmt.Fprintf(os.Stderr, "round %d: %d candidates, %d picks verified, %d better atoms, %.1f s\n", r.Number, r.Candidates, r.Same, r.Joined, r.Elapsed.Seconds())
	}}
	result, err := blocks.Select(ctx, engine, directions.Matrix(), *budget, options)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(result)
}
