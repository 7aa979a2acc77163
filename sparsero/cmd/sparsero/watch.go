package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/cmd/internal/document"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// errAlarm stands beside the state of a monitor that has raised its alarm.
var errAlarm = fmt.Errorf("%w: more new draws violate than -violations says; where the file guarantees that, choose and calibrate again on newer data", errUnmet)

// arrivals are new draws in the order in which they came, with a name each.
type arrivals struct {
	names []string
	draws mat.Matrix
}

// watch tells from new draws whether the promise of a design is still kept. A draw, or the multiple of it of which the promise
// speaks, violates it where it puts the objective above Φ_[N](X), which the file proves, or a robust constraint above its level.
func watch(c *call) (value, words any, unmet error) {
	violations, delta := fraction(0), fraction(0.01)
	c.flags.Var(&violations, "violations", "`fraction` of new draws that may exceed what the design guaranteed, such as 5%; needed, and compared with what the file guarantees")
	c.flags.Var(&delta, "delta", "`probability` of a false alarm, ever")
	draws := c.flags.Bool("draws", false, "the new file holds draws in the coordinates of the atoms, as for every design with -model, and no prices")
	labels := c.flags.String("labels", "", "`column` of the table of draws that names them (default as for design)")
	prices := pricesFlags(c)
	c.parse(2, 3)
	if violations <= 0 {
		fail(errors.New("-violations is missing; give the fraction that the design guaranteed, such as 5%"))
	}
	if violations >= 1 || delta <= 0 || delta >= 1 {
		fail(fmt.Errorf("-violations=%v and -delta=%v must lie strictly between 0 and 1; give -delta 1%%, say", float64(violations), float64(delta)))
	}
	checked := must(checkFiles(slices.Delete(slices.Clone(c.files), 1, 2)...))
	promises := checked.Content().Provenance.Promises
	if len(promises) == 0 {
		fail(fmt.Errorf("%s makes no guarantee about new draws; make it with -violations, or record a calibration", c.files[0]))
	}
	warnOfShare(c, float64(violations), promises)
	s := must(robust.SolutionOf(checked))
	var arrived arrivals
	if *draws || !isPortfolio(s) {
		withoutPrices(c, c.files[1])
		arrived = readDraws(must(document.Load(c.files[1], *labels)), c.files[1], s.Problem())
	} else {
		if *labels != "" {
			fail(errors.New("-labels is for draws; prices have their days in the first column, so leave it out"))
		}
		arrived = prices.deviations(c, s, c.files[1])
	}
	monitor, threshold := &calibration.Monitor{Alpha: float64(violations), Delta: float64(delta)}, 1/float64(delta)
	var state calibration.MonitorState
	var wealth []proof.Lower
	for _, violated := range violating(s, arrived.draws, promises) {
		state = must(monitor.Next(violated))
		wealth = append(wealth, state.Wealth)
	}
	answer := map[string]any{"days": state.Days, "violations": state.Violations, "names": arrived.names, "wealth": wealth, "threshold": threshold, "alarm": nil}
	lines := []string{fmt.Sprintf("new draws from %s to %s: %d, violations: %d (%.3g %%; -violations is %v)", arrived.names[0], arrived.names[len(arrived.names)-1],
		state.Days, state.Violations, 100*float64(state.Violations)/float64(state.Days), violations.String())}
	if state.Alarm > 0 {
		day := arrived.names[state.Alarm-1]
		answer["alarm"] = day
		lines = append(lines, fmt.Sprintf("ALARM at %s, the draw number %d: the wealth of the bets against the guarantee reached %.4g", day, state.Alarm, threshold))
		unmet = errAlarm
	} else {
		lines = append(lines, fmt.Sprintf("no alarm: the wealth of the bets against the guarantee is %.4g, an alarm is at %.4g", state.Wealth, threshold))
	}
	lines = append(lines, fmt.Sprintf("A false alarm has probability at most %v, however often one looks; add the probability with which the samples of the guarantee misled.", delta.String()),
		"The file states: "+strings.Join(promises, " "))
	return answer, strings.Join(lines, "\n"), unmet
}

var promisedShare = regexp.MustCompile(`with probability at most ([0-9.e+-]*[0-9])`)

// warnOfShare compares the share that is watched with that of the promises, where their words are those of design.
func warnOfShare(c *call, violations float64, promises []string) {
	found := promisedShare.FindStringSubmatch(strings.Join(promises, " "))
	if found == nil {
		return
	}
	if share, err := input.Number(found[1]); err == nil && (violations < share || violations > 2*share) {
		c.say("warning: -violations is %.4g %%, and the file guarantees at most %.4g %%; an alarm speaks about the fraction that is watched, not about the one that is guaranteed", 100*violations, proof.AtMost(share).Times(100))
	}
}

// multiple begins a promise about a multiple of a new draw.
var multiple = regexp.MustCompile(`^([0-9.e+-]+) times a new draw`)

// violating tells of each draw whether it, or the multiple of it of which promises speak, exceeds what the decision covers:
// of a robust constraint the level that the words of design name, and else its limit.
func violating(s *robust.Solution, draws mat.Matrix, promises []string) []bool {
	p, constraints := s.Problem(), s.Problem().Constraints()
	for k, promise := range promises[max(0, len(promises)-len(constraints)):] { // those of constraints are the last ones
		if _, level, named := strings.Cut(promise, " puts "+constraints[k].Name+" above "); named {
			level, _, _ = strings.Cut(level, " ")
			constraints[k].Limit = must(input.Number(level))
		}
	}
	s = must(must(robust.NewProblem(p.Dictionary(), p.Region(), p.Map(), constraints...)).Evaluate(s.Atoms, s.Radius, s.X))
	rows, err := s.RowSamples(draws)
	if errors.Is(err, calibration.ErrReuse) {
		fail(fmt.Errorf("the new file holds draws that the design was made from, each of them used twice; give newer ones (%w)", calibration.ErrReuse))
	}
	fail(err)
	if found := multiple.FindStringSubmatch(promises[0]); found != nil {
		var times mat.Dense
		times.Scale(must(input.Number(found[1])), draws)
		rows = must(s.RowSamples(calibration.Fresh(&times))) // as the draws are
	}
	violated := make([]bool, len(rows[0].Radii))
	for _, row := range rows[:len(rows)-1] { // the last is all rows at once, in other units
		covered := 0.0
		if row.Row == "objective" && s.Direction != nil {
			covered = s.FullValue() - s.Value // the excess is that above Φ_S(X)
		}
		for k, excess := range row.Excess {
			violated[k] = violated[k] || excess > covered
		}
	}
	return violated
}

// isPortfolio tells whether design made the solution from prices: atoms and decision have the same assets.
func isPortfolio(s *robust.Solution) bool {
	region := s.Problem().Region()
	return region.Name() == portfolioName && slices.Equal(region.ColumnNames(), s.Problem().Dictionary().Columns())
}

// deviations reads new days of the assets of a portfolio as loss deviations from its means, which are its costs.
func (p *priceFile) deviations(c *call, s *robust.Solution, path string) arrivals {
	region := s.Problem().Region()
	returns := p.read(c, path, region.ColumnNames()...)
	if returns.DroppedDays > 0 {
		c.say("warning: %d days are not watched, as prices of the design are missing there or on the day before", returns.DroppedDays)
	}
	if p.returns && len(returns.Tickers) > region.Columns() {
		fail(fmt.Errorf("%s has returns of other assets than %v, for whose gaps days would be left out; keep these alone", path, region.ColumnNames()))
	}
	draws := mat.NewDense(len(returns.Dates), region.Columns(), nil)
	read := arrivals{draws: calibration.Fresh(draws)}
	for _, date := range returns.Dates {
		read.names = append(read.names, date.Format(time.DateOnly))
	}
	labels := s.Problem().Dictionary().Labels() // by which days are told from each other: prices may be adjusted, or move alike
	if k := slices.IndexFunc(read.names, func(day string) bool { return slices.Contains(labels, day) }); k >= 0 {
		fail(fmt.Errorf("the new file holds %s, a day that the design was made from; give newer ones with -since (%w)", read.names[k], calibration.ErrReuse))
	}
	for j, ticker := range region.ColumnNames() {
		from := slices.Index(returns.Tickers, ticker)
		if from < 0 {
			fail(fmt.Errorf("%s has no complete prices of %s, which the design holds; give all of %v", path, ticker, region.ColumnNames()))
		}
		mean := -region.Column(j).Cost
		for i := range returns.Dates {
			draws.Set(i, j, mean-returns.Returns.At(i, from))
		}
	}
	return read
}

// readDraws takes draws in the coordinates of the atoms, by their names, or by those of the model where q(x) = x.
func readDraws(table *sparsero.Dictionary, path string, problem *robust.Problem) arrivals {
	var model []string
	if beginsWithIdentity(problem.Map()) {
		model = problem.Region().ColumnNames()
	}
	rows := must(document.MatchedDraws(table, problem.Dictionary().Columns(), model, path))
	return arrivals{rows.Labels(), rows.Matrix()}
}

// beginsWithIdentity tells whether q(x) is x, and 0 in the coordinates of rows that have atoms of their own.
func beginsWithIdentity(q sparsero.AffineMap) bool {
	p, n := q.Dims()
	if p < n || n == 0 {
		return false
	}
	want := mat.NewDense(p, n, nil)
	want.Slice(0, n, 0, n).(*mat.Dense).Copy(sparsero.Identity(n).Matrix)
	return mat.Equal(q.Matrix, want) && !slices.ContainsFunc(q.Constant, func(v float64) bool { return v != 0 })
}
