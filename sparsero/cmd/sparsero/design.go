package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
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
	model := c.Flags.String("model", "", "`file` with X and b(x); then the other file holds the atoms, which have to be independent draws for -violations. An .mps or .lp file, or the JSON of solver.Model, {\"columns\": [{\"name\", \"lower\", \"upper\", \"cost\", \"integer\"}], \"rows\": [{\"name\", \"lower\", \"upper\", \"columns\", \"values\"}], \"quadratic\": [[i, j, v]]}, null for no bound")
	prices, radii := pricesFlags(c), numbers(nil)
	c.Flags.Var(&radii, "radii", "`list` of radii to compare for -violations, such as 0.5,1,2")
	c.Parse(1, 1)
	given := map[string]bool{}
	c.Flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case violations > 0 && given["radius"]:
		fail(errors.New("-radius is for designs without -violations, which chooses a radius itself; list radii to compare with -radii, or leave one of the two out"))
	case violations == 0 && (given["radii"] || given["delta"]):
		fail(errors.New("-radii and -delta are for -violations; give it, such as -violations 5%, or -radius alone"))
	}
	if _, err := os.Stat(filepath.Dir(*out)); err != nil || extension(*out) != ".json" {
		fail(fmt.Errorf("-o %q is no .json file in a folder that is there; a design file is JSON", *out))
	}
	var t *task
	if *model == "" {
		t = prices.portfolio(c, c.Files[0])
	} else {
		t = modelled(*model, c.Files[0], violations > 0)
	}
	t.out = *out
	if len(radii) > 0 {
		t.radii = radii
	}
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
	switch text := must(os.ReadFile(model)); extension(model) {
	case ".mps":
		region, err = solver.ReadMPS(bytes.NewReader(text))
	case ".lp":
		region, err = highs.ReadLP(model)
	default:
		err = json.Unmarshal(text, region)
	}
	if err != nil {
		fail(fmt.Errorf("-model %s: %w", model, err))
	}
	atoms := matched(must(sparsero.LoadDictionary(path)), region.ColumnNames(), path)
	if sampled {
		atoms = must(atoms.AsSampled())
	}
	return &task{problem: must(robust.NewProblem(atoms, region, sparsero.Identity(max(1, region.Columns()))))}
}

// fixed asks for the gap alone, at one radius.
func (t *task) fixed(c *command.Call, gap float64, budget int, radius float64) (value, words any, unmet error) {
	d := must(t.problem.Design(c, budget, radius, &robust.DesignOptions{Tolerance: gap, Progress: func(i robust.Iteration) {
		c.Say("%d atoms: value %.6g, at most %.3g more against all atoms", i.Size, i.Value, i.Bound)
	}}))
	if !d.Certified {
		remedy := "allow more with -budget"
		switch {
		case d.Partial:
			remedy = "give it more time"
		case len(d.Atoms) < budget: // no atom is missing
			remedy = "allow a larger -gap"
		}
		unmet = fmt.Errorf("%w: -gap is not reached with %d atoms, %s; %s, or accept what they reach", errUnmet, len(d.Atoms), d.Stop, remedy)
	}
	return t.finish(d.Solution, d.Partial, d.Solution.String()+".", unmet, d.Solution.Save)
}

// finish writes the file and describes the answer.
func (t *task) finish(s *robust.Solution, partial bool, statement string, unmet error, save func(string, *robust.Record) error) (any, any, error) {
	fail(save(t.out, &t.record))
	value := map[string]any{
		"file": t.out, "met": unmet == nil, "partial": partial, "atoms": s.Atoms, "labels": s.Labels(), "radius": s.Radius,
		"columns": s.Problem().Region().ColumnNames(), "decision": s.X, "value": s.FullValue(), "gap": nil, "statement": statement, "note": t.record.Note,
	}
	if gap, err := s.GapBound(); err == nil && gap != (proof.Upper{}) {
		value["gap"] = proof.AtMost(math.Max(0, gap.Float()))
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
