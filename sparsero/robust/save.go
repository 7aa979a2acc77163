package robust

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"gonum.org/v1/gonum/mat"
)

// Record is what the author of a design file states besides what is computed.
type Record struct {
	// Calibration says how the radius was set. Nil says nothing.
	Calibration *calibration.Radius
	// Seeds names the seeds of whatever was drawn.
	Seeds map[string]int64
	// Note is a remark.
	Note string
}

// Save writes the solution to a design file, which anybody can check apart from this module (designfile.Verify,
// verify.py), and checks it before it replaces anything. The record may be nil. The claims rest on multipliers and
// exact arithmetic; those of an integer problem, on a tree of at most 400 linear relaxations, and those of multipliers
// below float64 may prove less than LowerBound. A dictionary of more than 200,000 numbers is in the file by its hash
// alone, and the checkers take what Problem().Dictionary().WriteCSV writes. A convex set of package convex is in the
// file with the points that the proof needs, rounded once more. It is an error if no method of Problem or
// OracleProblem returned the solution, if the set has no form in a file, if the atoms of several sets are more than
// 2^30 numbers with their zeros, or if the file cannot be checked or written.
func (s *Solution) Save(path string, record *Record) error {
	content, err := s.content(record)
	if err != nil {
		return err
	}
	return content.Save(path)
}

// Save writes the solution with what is promised about new draws, as [Solution.Save] does.
func (t *Tuned) Save(path string, record *Record) error {
	content, err := t.content(record)
	if err != nil {
		return err
	}
	return content.Save(path)
}

// Write writes the design file that Save writes, for programs without files such as those in a browser.
func (t *Tuned) Write(w io.Writer, record *Record) error {
	content, err := t.content(record)
	if err != nil {
		return err
	}
	return content.Write(w)
}

func (t *Tuned) content(record *Record) (*designfile.Content, error) {
	content, err := t.Solution.content(record)
	if err != nil {
		return nil, err
	}
	stated, draw := &content.Provenance, t.newDraw()
	for _, l := range t.Levels {
		stated.Promises = append(stated.Promises, fmt.Sprintf("%s puts %s above %v with probability at most %v, unless the %d samples mislead, which they do with probability at most %v.",
			strings.ToUpper(draw[:1])+draw[1:], l.Name, l.Value, t.Violation, t.Samples, t.Demands.Delta))
	}
	stated.Hypotheses = t.Hypotheses
	return content, nil
}

func (s *Solution) content(record *Record) (*designfile.Content, error) {
	if s == nil || s.problem == nil {
		return nil, errors.New("robust: no method of Problem returned this solution, so that there is nothing to write; use Solve, Design or Tune")
	}
	problem, decision, err := s.inFile()
	if err != nil {
		return nil, err
	}
	proven := s.prove(context.Background(), problem, decision)
	return &designfile.Content{
		Problem: *problem, Decision: *decision, Proof: proven,
		Provenance: record.provenance(), Uncertified: !s.FullFeasible(),
	}, nil
}

func (r *Record) provenance() designfile.Provenance {
	built, _ := debug.ReadBuildInfo()
	stated := designfile.Provenance{Software: software(built)}
	if r == nil {
		return stated
	}
	if r.Calibration != nil {
		stated.Promises = []string{r.Calibration.String()}
	}
	for _, of := range slices.Sorted(maps.Keys(r.Seeds)) {
		stated.Seeds = append(stated.Seeds, designfile.Seed{of, strconv.FormatInt(r.Seeds[of], 10)})
	}
	stated.Note = r.Note
	return stated
}

// software names this module and the version of it that a program was built with, of which nil knows nothing.
func software(built *debug.BuildInfo) string {
	const module = "github.com/sparsero/directions"
	version := "(devel)"
	if built != nil {
		for _, m := range append(built.Deps, &built.Main) {
			if m.Path == module && m.Version != "" {
				version = m.Version
			}
		}
	}
	return module + " " + version
}

// SolutionOf builds the problem of a design file that was checked and evaluates its decision as [Problem.Evaluate]
// does. Its LowerBound is that which the file proves. Over a convex set it is the problem over the points in the file
// alone, rounded, and without a bound. Whether the atoms are independent draws a file does not say. It is an error if
// the problem is not one that NewProblem takes.
func SolutionOf(checked *designfile.Checked) (*Solution, error) {
	if checked == nil || checked.Seal() == "" {
		return nil, errors.New("robust: the file is nil or empty; hand over what designfile.Verify returned")
	}
	content := checked.Content()
	p, err := readProblem(&content.Problem)
	if err != nil {
		return nil, err
	}
	s, err := p.Evaluate(content.Decision.Atoms, content.Problem.Radius, content.Decision.X)
	if err == nil && content.Problem.Set == nil {
		s.LowerBound = proof.AtLeast(math.Min(checked.Claims().Lower.Float(), s.Value))
	}
	return s, err
}

func readProblem(read *lifted.Problem) (*Problem, error) {
	d, points := &read.Dictionary, read.Points()
	dictionary, err := sparsero.NewDictionary(mat.NewDense(d.Atoms, len(points[0]), slices.Concat(points...)), &sparsero.DictionaryOptions{Labels: d.Labels, Columns: d.Columns})
	if err != nil {
		return nil, err
	}
	region := solver.NewModel(read.Model.Name)
	region.SetOffset(read.Model.Offset)
	for _, c := range read.Model.Columns {
		region.AddColumn(solver.Column{Name: c.Name, Bounds: solver.Between(sideOr(c.Lower, -1), sideOr(c.Upper, 1)), Cost: c.Cost, Integer: c.Integer})
	}
	for _, r := range read.Model.Rows {
		region.AddRow(solver.Row{Name: r.Name, Group: r.Group, Bounds: solver.Between(sideOr(r.Lower, -1), sideOr(r.Upper, 1)), Columns: r.Columns, Values: r.Values})
	}
	for k, v := range read.Model.Quadratic.Values {
		region.AddQuadratic(read.Model.Quadratic.I[k], read.Model.Quadratic.J[k], v)
	}
	var objective sparsero.AffineMap
	if read.Objective != nil {
		objective = readMap(read.Objective, len(points[0]), len(read.Model.Columns))
	}
	constraints := make([]Constraint, len(read.Constraints))
	for k, c := range read.Constraints {
		constraints[k] = Constraint{Name: c.Name, Nominal: c.Nominal, Map: readMap(&c.Map, len(points[0]), len(read.Model.Columns)), Limit: c.Limit}
	}
	return NewProblem(dictionary, region, objective, constraints...)
}

func readMap(q *lifted.Map, coordinates, columns int) sparsero.AffineMap {
	read := sparsero.AffineMap{Matrix: mat.NewDense(coordinates, columns, nil), Constant: make([]float64, coordinates)}
	for k := range coordinates {
		var row lifted.Entries
		row, read.Constant[k] = q.Row(k)
		for e, j := range row.Columns {
			read.Matrix.Set(k, j, row.Values[e])
		}
	}
	return read
}
