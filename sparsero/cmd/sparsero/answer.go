package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/internal/wholefile"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// answer is a decision of design, what is proven and promised about it, and how its design file is written, nil for none.
type answer struct {
	*robust.Solution
	partial   bool
	statement string
	save      func(string, *robust.Record) error
}

func (t *task) finish(c *call, s *answer, unmet error) (value, words any, missed error) {
	// A set holds 0 by itself, and a promise and prices are about draws that are not measured from the mean of the atoms.
	if t.over == nil && t.violations == 0 && !t.sharedOut && s.nullAtom(c, t.listed) {
		c.say("warning: the worst case is not one of the atoms alone, as 0, which belongs to every set, does not lie among them and decides; for the worst of the atoms alone write \"centred\": true in the dictionary of a problem document (PROBLEM.md)")
	}
	files, statement := []string{t.out}, ofCommand.Replace(s.statement)
	if s.save != nil && t.over == nil {
		files = append(files, t.leaveOut(s.Problem().Dictionary())...)
	}
	object := map[string]any{
		"file": nil, "met": unmet == nil, "partial": s.partial, "atoms": append([]int{}, s.Atoms...), "labels": s.Labels(), "radius": s.Radius,
		"columns": s.Problem().Region().ColumnNames(), "decision": s.X, "value": s.FullValue(), "gap": nil, "statement": statement, "note": t.record.Note,
		"unmet": nil,
	}
	if gap, err := s.GapBound(); err == nil && gap != (proof.Upper{}) {
		object["gap"] = gap
	}
	lines := []string{strings.TrimSpace(statement + "\n" + t.record.Note), ""}
	if len(s.Atoms) > 0 {
		lines = append(lines, "atoms: "+strings.Join(s.Labels(), ", "))
	}
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
		lines = append(lines, fmt.Sprintf("\nwritten to %s; \"sparsero verify\" checks it", t.out))
		if less := t.provenLess(s, files); less != "" {
			object["note"] = strings.TrimSpace(t.record.Note + " " + less)
			lines = append(lines, less)
		}
	}
	if s.partial && c.Err() != nil {
		unmet = errors.Join(errInterrupted, unmet)
	}
	if unmet != nil {
		object["unmet"] = strings.TrimPrefix(ofCommand.Replace(": "+unmet.Error()), ": ")
	}
	return object, strings.Join(lines, "\n"), unmet
}

// leaveOut writes atoms that are too many for the design file into one beside it, and says so in the note: they may be
// blocks of the dictionaries of several constraints, or centred, so that no file of the user has them. The name carries
// their hash, so that no other atoms are overwritten. It returns the name of that file.
func (t *task) leaveOut(atoms *sparsero.Dictionary) (files []string) {
	if atoms.Size()*atoms.Dim() <= lifted.MostEmbedded {
		return nil
	}
	values, _ := atoms.Rows(nil, 0, atoms.Size()) // which are in memory
	hash := lifted.Hash(atoms.Dim(), slices.Collect(slices.Chunk(values, atoms.Dim())))
	beside := strings.TrimSuffix(t.out, filepath.Ext(t.out)) + ".atoms-" + hash[:8] + ".npy"
	fail(wholefile.Write(beside, func(w io.Writer) error {
		return input.WriteMatrix(w, mat.NewDense(atoms.Size(), atoms.Dim(), values))
	}))
	t.record.Note = strings.TrimSpace(fmt.Sprintf("%s The atoms, %d x %d numbers, are not in the design file but in %s: hand over both, and check them with \"sparsero verify %s %s\".",
		t.record.Note, atoms.Size(), atoms.Dim(), filepath.Base(beside), t.out, beside))
	return []string{beside}
}

// provenLess says of an integer problem that its file proves less than the search did, and less than what is asked for.
func (t *task) provenLess(s *answer, files []string) string {
	region := s.Problem().Region()
	if !slices.ContainsFunc(rank.Indices[int](region.Columns()), func(j int) bool { return region.Column(j).Integer }) {
		return ""
	}
	gap, err := s.GapBound()
	regret := must(checkFiles(files...)).Claims().Regret
	if err != nil || regret.Float() <= math.Max(gap.Float()*(1+harmShare), t.share()*math.Abs(s.FullValue())) {
		return ""
	}
	shown := fmt.Sprintf("a regret of at most %.6g", regret)
	if math.IsInf(regret.Float(), 1) {
		shown = "no bound on the regret"
	}
	return fmt.Sprintf("The search of the solver proves a gap of at most %.6g, and the file proves less, by a tree of at most %d programs: %s.", gap, lifted.MostNodes, shown)
}

// nullAtom tells that the worst case of the objective takes the null atom, that none of the first so many atoms, chosen
// or not, does more harm, that they do not surround 0, and that their mean alone would allow a cheaper decision.
func (s *answer) nullAtom(ctx context.Context, size int) bool {
	dual, err := s.Dual()
	if size == 0 || s.Direction == nil || size*len(s.Direction) > surroundedNumbers || err == nil && dual.NullMu <= nullShare*s.Radius {
		return false
	}
	atoms := s.Problem().Dictionary().Matrix().Slice(0, size, 0, len(s.Direction))
	var effects mat.VecDense
	effects.MulVec(atoms, mat.NewVecDense(len(s.Direction), s.Direction))
	return mat.Max(&effects) <= harmShare*mat.Norm(&effects, math.Inf(1)) && !surround(ctx, atoms) && s.cheaperAtMean(ctx, atoms)
}

func surround(ctx context.Context, atoms mat.Matrix) bool {
	size, dimension := atoms.Dims()
	weights := solver.NewModel("")
	total := solver.Row{Bounds: solver.Equal(1)}
	for range size {
		total.Columns, total.Values = append(total.Columns, weights.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})), append(total.Values, 1)
	}
	weights.AddRow(total)
	for j := range dimension {
		weights.AddRow(solver.Row{Bounds: solver.Equal(0), Columns: total.Columns, Values: mat.Col(nil, j, atoms)})
	}
	found, err := solver.Solve(ctx, weights, nil)
	return err != nil || !errors.Is(found.Check(), solver.ErrInfeasible)
}

// cheaperAtMean tells that at the mean of the atoms, which does less harm than the worst of them, a decision may be cheaper.
func (s *answer) cheaperAtMean(ctx context.Context, atoms mat.Matrix) bool {
	mean := make([]float64, len(s.Direction))
	for j := range mean {
		mean[j] = s.Radius * stat.Mean(mat.Col(nil, j, atoms), nil)
	}
	region, _, err := robust.Around(mean, s.Problem().Region(), s.Problem().Map())
	if err != nil {
		return false
	}
	found, err := solver.Solve(ctx, region, nil)
	return err == nil && (errors.Is(found.Check(), solver.ErrUnbounded) || found.Check() == nil && found.Objective < s.FullValue()-harmShare*math.Abs(s.FullValue()))
}

const (
	// nullShare is the share of the worst case that may be a rounding error.
	nullShare = 1e-9
	// harmShare is the share, of the largest effect of an atom, of the value or of a gap, that may be an error of a solver.
	harmShare = 1e-6
	// roundingShare is the share of the costs on the way that may be a rounding error of a decision without costs.
	roundingShare = 1e-14
	// surroundedNumbers bounds the dictionaries that are asked whether they surround 0, which takes a linear program.
	surroundedNumbers = 2_000_000
)
