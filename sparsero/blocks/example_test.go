package blocks_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/blocks"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// A design over blocks of files, with the certificate against all atoms.
func ExampleNewOracle() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "blocks-example-")
	check(err)
	defer os.RemoveAll(folder)
	file, err := os.Create(filepath.Join(folder, "atoms.npy"))
	check(err)
	check(input.WriteMatrix(file, mat.NewDense(4, 2, []float64{2, 0, 0, 1, -1, 1, 1, 1})))
	check(file.Close())
	engine, err := blocks.Cut(file.Name(), filepath.Join(folder, "blocks"), 2)
	check(err)

	region := solver.NewModel("two projects") // X and b(x); q(x) = x
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -2.5})
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1})
	oracle, err := blocks.NewOracle(engine)
	check(err)
	problem, err := robust.NewOracleProblem(ctx, oracle, region, sparsero.Identity(2))
	check(err)
	design, err := problem.Design(ctx, 3, 1, &robust.DesignOptions{Rule: robust.MostViolated})
	check(err)
	fmt.Printf("atoms %v cost %.2f, certified against all %d: %v\n", design.Solution.Labels(), design.Solution.Value, engine.Size(), design.Certified)
	// Output: atoms [d0] cost -1.50, certified against all 4: true
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
