// Command select chooses atoms from a folder of blocks on Apache Beam. It takes Beam's flags
// besides its own; README.md has examples.
//
//	go run ./cmd/select -folder blocks -directions T.npy -budget 20
//
// It writes the result of shard.Select as JSON to the standard output.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection/beam"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

var (
	folder     = flag.String("folder", "", "folder of the blocks and their manifest, a path or gs://bucket/folder")
	scratch    = flag.String("scratch", "", "folder that this machine and all workers may write (default: -folder)")
	directions = flag.String("directions", "", "NumPy file of the M×p probe directions, on this machine")
	budget     = flag.Int("budget", 20, "how many atoms to choose at most")
)

func main() {
	flag.Parse()
	sdk.Init() // a worker goes no further
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	probes, err := sparsero.LoadDictionary(*directions)
	if err != nil {
		return err
	}
	engine, err := beam.Open(ctx, *folder)
	if err != nil {
		return err
	}
	engine.Scratch = *scratch
	options := &shard.Options{Progress: func(r shard.Round) {
		fmt.Fprintf(os.Stderr, "round %d: %d candidates, %d picks verified, %d better atoms, %.1f s\n", r.Number, r.Candidates, r.Same, r.Joined, r.Elapsed.Seconds())
	}}
	result, err := shard.Select(ctx, engine, probes.Matrix(), *budget, options)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}
