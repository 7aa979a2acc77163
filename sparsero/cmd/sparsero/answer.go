package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

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
	if s.nullAtom() {
		c.Say("warning: every atom makes the objective cheaper here, so that the worst case is the null atom 0, which belongs to every set; for the worst of the atoms alone measure them from their mean: \"centred\": true in the dictionary of a problem document")
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

// nullAtom tells that no atom is as bad for the objective as 0 is.
func (s *answer) nullAtom() bool {
	return s.Direction != nil && s.WorstAtom == sparsero.NullAtom && slices.Max(s.Problem().Dictionary().Alignments(nil, s.Direction)) < 0
}
