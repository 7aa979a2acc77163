package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/cmd/internal/command"
	"github.com/sparsero/directions/sparsero/robust"
)

// answer is a decision of design, what is proven and promised about it, and how its design file is written, nil for none.
type answer struct {
	*robust.Solution
	partial    bool
	statement  string
	hypotheses []string
	save       func(string, *robust.Record) error
}

// finish writes the file and describes the answer.
func (t *task) finish(c *command.Call, s *answer, unmet error) (value, words any, missed error) {
	if s.nullAtom(c) {
		c.Say("warning: the worst case is not one of the atoms alone, as 0, which belongs to every set, does not lie among them and decides; for the worst of the atoms alone write \"centred\": true in the dictionary of a problem document (PROBLEM.md)")
	}
	if s.hypotheses != nil {
		s.statement += "\nProvided that " + strings.Join(s.hypotheses, ";\n  ") + "."
	}
	object := map[string]any{
		"file": nil, "met": unmet == nil, "partial": s.partial, "atoms": append([]int{}, s.Atoms...), "labels": s.Labels(), "radius": s.Radius,
		"columns": s.Problem().Region().ColumnNames(), "decision": s.X, "value": s.FullValue(), "gap": nil, "statement": s.statement, "note": t.record.Note,
	}
	if gap, err := s.GapBound(); err == nil && gap != (proof.Upper{}) {
		object["gap"] = proof.AtMost(math.Max(0, gap.Float()))
	}
	lines := []string{s.statement}
	if t.record.Note != "" {
		lines = append(lines, t.record.Note)
	}
	lines = append(lines, "\natoms: "+strings.Join(s.Labels(), ", "))
	for j, name := range s.Problem().Region().ColumnNames() {
		lines = append(lines, fmt.Sprintf("%s: %.6g", name, s.X[j]))
	}
	rows := []map[string]any{}
	for _, r := range s.Constraints {
		rows = append(rows, map[string]any{"name": r.Name, "reaches": r.Full, "limit": r.Limit})
		lines = append(lines, fmt.Sprintf("%s reaches %.6g of %.6g", r.Name, r.Full, r.Limit))
	}
	object["constraints"] = rows
	if s.save != nil {
		fail(s.save(t.out, &t.record))
		object["file"] = t.out
		lines = append(lines, fmt.Sprintf("\nwritten to %s; \"sparsero verify\" checks it, with the file of atoms if they are more than 200,000 numbers", t.out))
	}
	if s.partial {
		unmet = errors.Join(command.ErrInterrupted, unmet)
	}
	return object, strings.Join(lines, "\n"), unmet
}

// nullAtom tells that the worst case of the objective takes the null atom, and that the atoms do not surround it.
func (s *answer) nullAtom(ctx context.Context) bool {
	dual, err := s.Dual()
	if s.Direction == nil || err == nil && dual.NullMu <= nullShare*s.Radius || err != nil && s.WorstAtom != sparsero.NullAtom {
		return false
	}
	atoms := s.Problem().Dictionary()
	if atoms.Size()*atoms.Dim() > surroundedNumbers {
		return false
	}
	weights := solver.NewModel("")
	total := solver.Row{Bounds: solver.Equal(1)}
	for range atoms.Size() {
		total.Columns, total.Values = append(total.Columns, weights.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})), append(total.Values, 1)
	}
	weights.AddRow(total)
	for j := range atoms.Dim() {
		weights.AddRow(solver.Row{Bounds: solver.Equal(0), Columns: total.Columns, Values: mat.Col(nil, j, atoms.Matrix())})
	}
	found, err := solver.Solve(ctx, weights, nil)
	return err == nil && errors.Is(found.Check(), solver.ErrInfeasible)
}

const (
	// nullShare is the share of the worst case that may be a rounding error.
	nullShare = 1e-9
	// surroundedNumbers bounds the dictionaries that are asked whether they surround 0, which takes a linear program.
	surroundedNumbers = 2_000_000
)
