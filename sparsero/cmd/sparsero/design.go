package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/cmd/internal/command"
	"github.com/sparsero/directions/sparsero/robust"
)

// task is a robust problem with what is known of new draws.
type task struct {
	problem *robust.Problem
	samples mat.Matrix // fresh draws, nil for none
	radii   []float64  // to compare, nil for those of the library
	record  robust.Record
	out     string // the design file
}

// design solves for the demands and writes the design file.
func design(c *command.Call) (value, words any, unmet error) {
	gap, violations, delta := command.Share(0.01), command.Share(0), command.Share(0.001)
	c.Flags.Var(&gap, "gap", "`share` of the value (without -violations: of its terms) that may be lost at most against all atoms, such as 1% or 0.01")
	c.Flags.Var(&violations, "violations", "`share` of new draws that may exceed what is promised; 0 asks for no promise")
	c.Flags.Var(&delta, "delta", "`probability` with which the samples may mislead, for -violations")
	budget := c.Flags.Int("budget", 0, "largest `number` of atoms; 0 for any")
	radius := c.Flags.Float64("radius", 1, "`radius` without -violations, which chooses one itself")
	out := c.Flags.String("o", "design.json", "design `file` to write")
	model := c.Flags.String("model", "", "`file` with X and b(x); then the other file holds the atoms, which have to be independent draws for -violations. An .mps file, or the JSON of solver.Model, {\"columns\": [{\"name\", \"lower\", \"upper\", \"cost\", \"integer\"}], \"rows\": [{\"name\", \"lower\", \"upper\", \"columns\", \"values\"}], \"quadratic\": [[i, j, v]]}, null for no bound")
	c.Parse(1, 1)
	if _, err := os.Stat(filepath.Dir(*out)); err != nil || extension(*out) != ".json" {
		fail(fmt.Errorf("-o %q is no .json file in a folder that is there; a design file is JSON", *out))
	}
	var t *task
	if *model == "" {
		t = portfolio(c.Files[0])
	} else {
		t = modelled(*model, c.Files[0], violations > 0)
	}
	t.out = *out
	defer c.Working("solving with %d columns and %d atoms", t.problem.Region().Columns(), t.problem.Dictionary().Size())()
	if violations == 0 {
		return t.fixed(c, float64(gap), cmp.Or(*budget, t.problem.Dictionary().Size()), *radius)
	}
	demands := robust.Demands{Gap: float64(gap), Violation: float64(violations), Delta: float64(delta), Atoms: *budget}
	tuned, err := t.problem.Tune(c, t.samples, demands, &robust.TuneOptions{Radii: t.radii})
	if tuned == nil {
		return nil, nil, err
	}
	statement := tuned.String() + "\nProvided that " + strings.Join(tuned.Hypotheses, ";\n  ") + "."
	return t.finish(tuned.Solution, tuned.Partial, statement, err, tuned.Save)
}

// modelled reads a model and atoms, which are declared to be independent draws if they are sampled.
func modelled(model, path string, sampled bool) *task {
	region, err := &solver.Model{}, error(nil)
	if text := must(os.ReadFile(model)); extension(model) == ".mps" {
		region, err = solver.ReadMPS(bytes.NewReader(text))
	} else {
		err = json.Unmarshal(text, region)
	}
	if err != nil {
		fail(fmt.Errorf("-model %s: %w", model, err))
	}
	atoms := must(sparsero.LoadDictionary(path))
	if sampled {
		atoms = must(atoms.AsSampled())
	}
	return &task{problem: must(robust.NewProblem(atoms, region, sparsero.Identity(max(1, region.Columns()))))}
}

// fixed asks for the gap alone, at one radius.
func (t *task) fixed(c *command.Call, gap float64, budget int, radius float64) (value, words any, unmet error) {
	d := must(t.problem.Design(c, budget, radius, &robust.DesignOptions{Tolerance: gap, Progress: func(i robust.Iteration) {
		c.Say("%d atoms: value %.6g, certified up to %.3g", i.Size, i.Value, i.Bound)
	}}))
	switch {
	case d.Stop == robust.GapLeft:
		unmet = fmt.Errorf("%w: %d atoms reach -gap but for what the solver leaves open (%v)", errUnmet, len(d.Atoms), d.Solution)
	case !d.Certified:
		unmet = fmt.Errorf("%w: after %d atoms -gap is not reached (%v); allow more with -budget, or accept what they reach", errUnmet, len(d.Atoms), d.Stop)
	}
	return t.finish(d.Solution, d.Partial, d.Solution.String()+".", unmet, d.Save)
}

// The portfolio of tutorial 01.
const (
	most = 0.25 // share in one asset
	days = 500  // worst days that are atoms
	seed = 1    // deals the days to their purposes
)

// portfolio builds the problem of tutorial 01 from a file of prices: weights x >= 0 that sum to 1, with at most a share
// in each asset, whose loss is -⟨μ, x⟩ + ⟨u, x⟩ for the loss deviation u of a day. Half of the days give μ and the
// atoms, a quarter is fresh for the promise, and a quarter stays unseen.
func portfolio(path string) *task {
	returns := must(must(datasets.LoadPrices(path)).CompleteReturns(time.Time{}))
	if assets := len(returns.Tickers); assets < 1/most {
		fail(fmt.Errorf("%s has %d complete assets; give at least %g, as none takes more than %g%% (-model has no such limit)", path, assets, 1/most, 100*most))
	}
	split := must(calibration.NewSplit(len(returns.Dates), &calibration.SplitOptions{Shuffle: true, Seed: seed}))
	chosen := must(returns.Rows(split.Rows(calibration.ForSelection)))
	means := chosen.Means()
	fresh := must(must(returns.Rows(split.Rows(calibration.ForCalibration))).LossDeviations(means))
	atoms := must(datasets.StressDictionary(chosen, min(days, len(chosen.Dates))))
	region := solver.NewModel("portfolio")
	total := solver.Row{Name: "invest everything", Bounds: solver.Equal(1)}
	for j, ticker := range chosen.Tickers {
		column := region.AddColumn(solver.Column{Name: ticker, Bounds: solver.Between(0, most), Cost: -means[j]})
		total.Columns, total.Values = append(total.Columns, column), append(total.Values, 1)
	}
	region.AddRow(total)
	problem := must(robust.NewProblem(atoms, region, sparsero.Identity(len(means))))
	t := &task{problem: problem, samples: fresh, radii: []float64{0.2, 0.4, 0.6, 0.8, 1}}
	t.record.Seeds = map[string]int64{"split": seed}
	t.record.Note = fmt.Sprintf("Of %d days of the %d assets %v %d gave means and %d atoms, %d were fresh for the promise, %d stayed unseen; left out for missing prices: %d days and the assets %v.",
		len(returns.Dates), len(means), returns.Tickers, len(chosen.Dates), atoms.Size(), fresh.RawMatrix().Rows, len(split.Rows(calibration.ForReport)), returns.DroppedDays, returns.DroppedTickers)
	return t
}

// finish writes the file and describes the answer.
func (t *task) finish(s *robust.Solution, partial bool, statement string, unmet error, save func(string, *robust.Record) error) (any, any, error) {
	fail(save(t.out, &t.record))
	value := map[string]any{
		"file": t.out, "met": unmet == nil, "partial": partial, "atoms": s.Atoms, "labels": s.Labels(), "radius": s.Radius,
		"columns": s.Problem().Region().ColumnNames(), "decision": s.X, "value": s.FullValue(), "gap": nil, "statement": statement, "note": t.record.Note,
	}
	if gap, err := s.GapBound(); err == nil && !math.IsInf(gap, 1) {
		value["gap"] = math.Max(0, gap)
	}
	lines := []string{statement, t.record.Note, "\natoms: " + strings.Join(s.Labels(), ", ")}
	for j, name := range s.Problem().Region().ColumnNames() {
		lines = append(lines, fmt.Sprintf("%s: %.6g", name, s.X[j]))
	}
	lines = append(lines, fmt.Sprintf("\nwritten to %s; \"sparsero verify\" checks it, with the file of atoms if they are more than 200,000 numbers", t.out))
	if partial {
		unmet = errors.Join(command.ErrInterrupted, unmet)
	}
	return value, strings.Join(lines, "\n"), unmet
}
