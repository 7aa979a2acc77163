package live

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// mostAtoms is the largest number of rows of a reader's table that become atoms, leastRows the least number of its
// rows, confidence that of the interval on unseen rows, and seed deals the rows to their purposes.
const (
	mostAtoms  = 500
	leastRows  = 20
	confidence = 0.99
	seed       = 1
)

// ownTable is a reader's table and demands: fractions x >= 0 of the columns that sum to 1, each at most Most, whose mean value
// is to be large whatever the atoms do. A table of prices begins with a column of dates and is turned into returns; any
// other holds a value per unit of each column, a row per independent draw.
type ownTable struct {
	CSV                   *string // nil for generated prices of 2,000 days
	Rule                  robust.AtomRule
	Budget                int // 0 for any
	Gap, Violation, Delta float64
	Most                  float64
}

// owned is the answer.
type owned struct {
	Columns                    []string
	Most                       float64 // the limit of one column that was taken
	Rows, Atoms, Fresh, Unseen int
	Shares                     []float64
	Labels                     []string
	Radius                     float64
	Value, Gap, Violation      proof.Upper // Value is what a new row exceeds with probability at most Violation
	RelativeGap                proof.Upper
	Statement, Missed          string
	Steps                      []ownStep
	Outcomes                   []float64 // costs on the unseen rows; Above says how many exceed Value
	Above                      calibration.ViolationRate
	File                       string // the design file
}

// ownStep is a decision that was compared.
type ownStep struct {
	Size               int
	Radius             float64
	RelativeGap, Above proof.Upper
	Met                bool
}

func own(t *ownTable) any {
	table := t.read()
	count, p, columns := table.Size(), table.Dim(), table.Columns()
	if count < leastRows || p < 2 {
		panic(fmt.Sprintf("live: the table has %d rows and %d columns of numbers; give at least %d rows, and 2 columns to choose between", count, p, leastRows))
	}
	most := t.limit(p)
	split := must(calibration.NewSplit(count, &calibration.SplitOptions{Shuffle: true, Seed: seed}))
	chosen, calibrating, reporting := split.Rows()
	past := must(table.Subset(chosen)).Matrix()
	means, region := make([]float64, p), solver.NewModel("shares")
	total := solver.Row{Name: "all", Bounds: solver.Equal(1)}
	for j, name := range columns {
		means[j] = stat.Mean(mat.Col(nil, j, past), nil)
		column := region.AddColumn(solver.Column{Name: name, Bounds: solver.Between(0, most), Cost: -means[j]})
		total.Columns, total.Values = append(total.Columns, column), append(total.Values, 1)
	}
	region.AddRow(total)
	values := table.Matrix()
	values.Apply(func(_, j int, value float64) float64 { return means[j] - value }, values)
	deviations := must(sparsero.NewDictionary(values, &sparsero.DictionaryOptions{Labels: table.Labels(), Columns: columns}))
	dictionary := must(deviations.Subset(chosen[:min(mostAtoms, len(chosen))]))
	problem := must(robust.NewProblem(dictionary, region, sparsero.Identity(p)))
	demands := robust.Demands{Gap: t.Gap, Violation: t.Violation, Delta: t.Delta, Atoms: t.Budget}
	fresh := must(deviations.Subset(calibrating)).Matrix()
	unseen := must(deviations.Subset(reporting)).Matrix()
	tuned, missed := problem.Tune(background, calibration.Fresh(fresh), demands, &robust.TuneOptions{Radii: []float64{0.2, 0.4, 0.6, 0.8, 1}, Rule: t.Rule})
	if tuned == nil {
		panic(missed)
	}
	answer := &owned{Columns: columns, Rows: count, Most: most, Atoms: dictionary.Size(), Fresh: fresh.RawMatrix().Rows, Unseen: unseen.RawMatrix().Rows}
	answer.describe(tuned, missed, unseen)
	return answer
}

// limit is the largest fraction of one of p columns: the one asked for where it leaves something to choose, else twice that
// of equal fractions.
func (t *ownTable) limit(p int) float64 {
	if equal := 1 / float64(p); t.Most <= equal {
		return min(1, 2*equal)
	}
	return t.Most
}

// describe fills in what was found.
func (o *owned) describe(t *robust.Tuned, missed error, unseen *mat.Dense) {
	o.Shares, o.Labels, o.Radius, o.Value, o.Gap = t.Solution.X, t.Solution.Labels(), t.Radius, t.Levels[0].Value, t.Gap
	o.Statement, o.Violation, o.RelativeGap = t.String(), t.TuneStep.Violation, t.TuneStep.RelativeGap
	if missed != nil {
		o.Missed = missed.Error()
	}
	for _, s := range t.Steps {
		o.Steps = append(o.Steps, ownStep{len(s.Atoms), s.Radius, s.RelativeGap, s.Violation, s.Met})
	}
	problem := t.Solution.Problem()
	nothing := must(sparsero.NewAtomicSet(problem.Dictionary(), nil, 1)) // its objective is b(x)
	o.Outcomes = must(calibration.Outcomes(problem.Objective(nothing, o.Shares), o.Shares, unseen))
	o.Above = must(calibration.CountViolations(o.Outcomes, o.Value.Float(), confidence))
	var file bytes.Buffer
	record := &robust.Record{Seeds: map[string]int64{"split": seed}, Note: fmt.Sprintf(
		"Of %d rows %d became atoms, %d were fresh for the guarantee, %d stayed unseen.", o.Rows, o.Atoms, o.Fresh, o.Unseen)}
	check(t.Write(&file, record))
	o.File = file.String()
}

// read returns the table, a row as an atom.
func (t *ownTable) read() *sparsero.Dictionary {
	if t.CSV == nil {
		return returns(must(datasets.GeneratePrices(datasets.GeneratedPricesOptions{Seed: 2, Days: 2000})))
	}
	first := strings.Trim((*t.CSV)[:max(0, strings.IndexAny(*t.CSV, ",;\t\n"))], "\ufeff\" ")
	if strings.EqualFold(first, "date") {
		return returns(must(datasets.ReadPrices(strings.NewReader(*t.CSV), nil)))
	}
	if strings.EqualFold(first, "label") || strings.EqualFold(first, "day") {
		return must(sparsero.ReadCSV(strings.NewReader(*t.CSV), first))
	}
	d, err := sparsero.ReadCSV(strings.NewReader(*t.CSV), "")
	if err != nil { // the first column may hold words
		if named, other := sparsero.ReadCSV(strings.NewReader(*t.CSV), first); other == nil {
			return named
		}
		panic(err)
	}
	var rows []string
	for k := range d.Size() {
		rows = append(rows, fmt.Sprintf("row %d", k+1))
	}
	return must(sparsero.NewDictionary(d.Matrix(), &sparsero.DictionaryOptions{Labels: rows, Columns: d.Columns()}))
}

// returns are those of the days with all prices.
func returns(prices *datasets.PriceTable) *sparsero.Dictionary {
	r, days := must(prices.CompleteReturns(time.Time{})), []string(nil)
	for _, day := range r.Dates {
		days = append(days, day.Format(time.DateOnly))
	}
	return must(sparsero.NewDictionary(r.Returns, &sparsero.DictionaryOptions{Labels: days, Columns: r.Tickers}))
}
