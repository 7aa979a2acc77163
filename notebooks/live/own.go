package live

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
)

// mostAtoms is the largest number of rows of a reader's table that become atoms, confidence that of the interval on unseen
// rows, and seed deals the rows to their purposes.
const (
	mostAtoms  = 500
	confidence = 0.99
	seed       = 1
)

// ownTable is a reader's table and demands: shares x >= 0 of the columns that sum to 1, each at most Most, whose mean value
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
	Rows, Atoms, Fresh, Unseen int
	Shares                     []float64
	Labels                     []string
	Radius                     float64
	Value, Gap, Violation      proof.Upper
	Statement, Missed          string
	Hypotheses                 []string
	Steps                      []ownStep
	Outcomes                   []float64 // costs on the unseen rows; Above says how many exceed Value
	Above                      exceeding
	File                       string // the design file
}

// exceeding counts outcomes, with an interval for their share.
type exceeding struct {
	Violations, Samples int
	Rate                float64
	Lower               proof.Lower
	Upper               proof.Upper
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
	if count < 20 || float64(p)*t.Most < 1 {
		panic(fmt.Sprintf("live: %d rows of %d columns, of each at most %g; give at least 20 rows, and columns that can sum to 1", count, p, t.Most))
	}
	split := must(calibration.NewSplit(count, &calibration.SplitOptions{Shuffle: true, Seed: seed}))
	chosen, calibrating, reporting := split.Rows()
	past := must(table.Subset(chosen)).Matrix()
	means, region := make([]float64, p), solver.NewModel("shares")
	total := solver.Row{Name: "all", Bounds: solver.Equal(1)}
	for j, name := range columns {
		means[j] = stat.Mean(mat.Col(nil, j, past), nil)
		column := region.AddColumn(solver.Column{Name: name, Bounds: solver.Between(0, t.Most), Cost: -means[j]})
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
	tuned, missed := problem.Tune(background, fresh, demands, &robust.TuneOptions{Radii: []float64{0.2, 0.4, 0.6, 0.8, 1}, Rule: t.Rule})
	if tuned == nil {
		panic(missed)
	}
	answer := &owned{Columns: columns, Rows: count, Atoms: dictionary.Size(), Fresh: fresh.RawMatrix().Rows, Unseen: unseen.RawMatrix().Rows}
	answer.describe(tuned, missed, unseen)
	return answer
}

// describe fills in what was found.
func (o *owned) describe(t *robust.Tuned, missed error, unseen *mat.Dense) {
	o.Shares, o.Labels, o.Radius, o.Value, o.Gap = t.Solution.X, t.Solution.Labels(), t.Radius, t.Value, t.Gap
	o.Statement, o.Hypotheses, o.Violation = t.String(), t.Hypotheses, t.TuneStep.Violation
	if missed != nil {
		o.Missed = missed.Error()
	}
	for _, s := range t.Steps {
		o.Steps = append(o.Steps, ownStep{len(s.Atoms), s.Radius, s.RelativeGap, s.Violation, s.Met})
	}
	problem := t.Solution.Problem()
	nothing := must(sparsero.NewAtomicSet(problem.Dictionary(), nil, 1)) // its objective is b(x)
	o.Outcomes = must(calibration.Outcomes(problem.Objective(nothing, o.Shares), o.Shares, unseen))
	above := must(calibration.CountViolations(o.Outcomes, o.Value.Float(), confidence))
	o.Above = exceeding{above.Violations, above.Samples, above.Rate, above.Lower, above.Upper}
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
	header, _, _ := strings.Cut(*t.CSV, ",")
	if strings.EqualFold(strings.Trim(header, "\ufeff\" "), "date") {
		return returns(must(datasets.ReadPrices(strings.NewReader(*t.CSV), nil)))
	}
	d, rows := must(sparsero.ReadCSV(strings.NewReader(*t.CSV), "")), []string(nil)
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
