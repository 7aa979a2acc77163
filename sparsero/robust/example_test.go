package robust_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// portfolio splits a budget of 1 over three assets with expected losses -5, -3
// and -1 %, against four stress scenarios of losses.
func portfolio() (*robust.Problem, error) {
	scenarios := mat.NewDense(4, 3, []float64{
		0.30, 0.10, 0.02,
		0.05, 0.25, 0.02,
		0.20, 0.20, 0.01,
		0.02, 0.03, 0.05,
	})
	d, err := sparsero.NewDictionary(scenarios, &sparsero.DictionaryOptions{Labels: []string{"tech crash", "oil shock", "recession", "inflation"}})
	if err != nil {
		return nil, err
	}
	region := solver.NewModel("portfolio")
	for j, loss := range []float64{-0.05, -0.03, -0.01} {
		region.AddColumn(solver.Column{Name: []string{"tech", "energy", "bonds"}[j], Bounds: solver.Between(0, 1), Cost: loss})
	}
	region.AddRow(solver.Row{Name: "budget", Bounds: solver.Equal(1), Columns: []int{0, 1, 2}, Values: []float64{1, 1, 1}})
	return robust.NewProblem(d, region, sparsero.Identity(3))
}

func ExampleProblem_Design() {
	p, err := portfolio()
	if err != nil {
		fmt.Println(err)
		return
	}
	design, err := p.Design(context.Background(), 3, 0.5, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	bound, err := design.Solution.GapBound()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range design.Atoms {
		fmt.Println(p.Dictionary().Label(i))
	}
	fmt.Printf("%v: at most %.4f lost against all %d scenarios\n", design.Stop, bound, p.Dictionary().Size())
	// Output:
	// tech crash
	// inflation
	// oil shock
	// certified: at most 0.0001 lost against all 4 scenarios
}

// Two hundred days of losses, mixtures of the scenarios: which decision keeps 95 % of new days below its promise, with
// confidence 0.999, and a gap of at most 1 % against all scenarios, with at most two of them?
func ExampleProblem_Tune() {
	p, err := portfolio()
	if err != nil {
		fmt.Println(err)
		return
	}
	days := mat.NewDense(200, 3, nil)
	for j := range 200 {
		for i := range 4 {
			weight := float64(1+j*(i+3)%7) / 20
			for k, loss := range p.Dictionary().RawRowView(i) {
				days.Set(j, k, days.At(j, k)+weight*loss)
			}
		}
	}
	for _, atoms := range []int{2, 3} {
		demands := robust.Demands{Gap: 0.01, Violation: 0.05, Delta: 0.001, Atoms: atoms}
		tuned, err := p.Tune(context.Background(), days, demands, nil)
		if tuned == nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d atoms at radius %.3f promise %.4f, all demands met: %v\n", len(tuned.Atoms), tuned.Radius, tuned.Value, tuned.Met)
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 2 atoms at radius 1.073 promise 0.0796, all demands met: false
	// robust: Tune: gap 0.6074 is above 0.01; choose 3 atoms at radius 1.0731, or accept what is reached
	// 3 atoms at radius 1.073 promise 0.0348, all demands met: true
}

// Progress goes to package log/slog, as that of Design and SolveFull may.
func ExampleTuneOptions() {
	p, err := portfolio()
	if err != nil {
		fmt.Println(err)
		return
	}
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	_, err = p.Tune(context.Background(), mat.NewDense(200, 3, slices.Repeat([]float64{0.01, -0.01, 0.005}, 200)), robust.Demands{Violation: 0.1, Delta: 0.01}, &robust.TuneOptions{
		Radii: []float64{1},
		Progress: func(s robust.TuneStep) {
			logger.Info("tune", "atoms", len(s.Atoms), "radius", s.Radius, "gap", fmt.Sprintf("%.3f", s.Gap))
		},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// level=INFO msg=tune atoms=0 radius=1 gap=0.301
	// level=INFO msg=tune atoms=1 radius=1 gap=0.031
	// level=INFO msg=tune atoms=2 radius=1 gap=0.046
	// level=INFO msg=tune atoms=3 radius=1 gap=0.001
}

func ExampleProblem_SolveFull() {
	p, err := portfolio()
	if err != nil {
		fmt.Println(err)
		return
	}
	full, err := p.SolveFull(context.Background(), 0.5, &robust.Options{CutsPerRound: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("worst-case loss %.4f with %d of %d scenarios\n", full.Value, len(full.Atoms), p.Dictionary().Size())
	// Output: worst-case loss 0.0084 with 3 of 4 scenarios
}

// One problem in four steps: solve with two of four scenarios, hold the
// certificate, let the problem choose its scenarios, ask what the radius costs.
func Example() {
	ctx := context.Background()
	p, err := portfolio()
	if err != nil {
		fmt.Println(err)
		return
	}
	few, err := p.Solve(ctx, []int{0, 3}, 0.5, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("two scenarios: value %.4f, gap and regret at most %.4f because of %s\n",
		few.Value, few.Certificate.Bound, p.Dictionary().Label(few.WorstAtom))
	design, err := p.Design(ctx, 4, 0.5, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d scenarios: value %.4f, %v\n", len(design.Atoms), design.Solution.Value, design.Stop)
	for _, radius := range []float64{0, 0.25, 1} {
		full, err := p.SolveFull(ctx, radius, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("r = %.2f: worst loss %.4f\n", radius, full.Value)
	}
	// Output:
	// two scenarios: value 0.0060, gap and regret at most 0.0225 because of oil shock
	// 3 scenarios: value 0.0084, certified
	// r = 0.00: worst loss -0.0500
	// r = 0.25: worst loss -0.0031
	// r = 1.00: worst loss 0.0314
}
