package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// The portfolio of tutorial 01.
const (
	most        = 0.25 // share in one asset
	stressDays  = 500  // worst days that are atoms, as far as a design file holds them
	seed        = 1    // deals the days to their purposes
	largeReturn = 0.02 // the median size of daily returns above which they may be percent

	portfolioName = "portfolio" // of the model, by which watch knows it
)

// priceFile says how a file of prices becomes a portfolio.
type priceFile struct {
	reading datasets.PriceOptions
	returns bool
	stress  int
	shares  numbers
}

// priceFlags are the names of the flags for files of prices.
var priceFlags = []string{"since", "until", "dates", "returns", "stress-days", "split"}

func pricesFlags(c *call) *priceFile {
	p := &priceFile{shares: numbers{50, 25, 25}, stress: stressDays}
	c.flags.Func("since", "first `day` of the prices to read, such as 2015-01-01", into(&p.reading.Since))
	c.flags.Func("until", "last `day` of the prices to read", into(&p.reading.Until))
	c.flags.StringVar(&p.reading.Dates, "dates", "", "the `form` of the days, written for 2 January 2006, such as 02/01/2006, where it is in doubt")
	c.flags.BoolVar(&p.returns, "returns", false, "the file holds daily returns, 0.01 for one percent, in the place of prices")
	return p
}

// withoutPrices ends the verb at a flag for prices, as the file holds none.
func withoutPrices(c *call, path string) {
	c.flags.Visit(func(f *flag.Flag) {
		if slices.Contains(priceFlags, f.Name) {
			fail(fmt.Errorf("-%s is for files of prices, and %s is read as none; leave it out", f.Name, path))
		}
	})
}

// read returns the daily returns of the file, of some assets alone if they are given, and says what is doubtful about it.
func (p *priceFile) read(c *call, path string, assets ...string) (returns *datasets.ReturnTable) {
	var warnings []string
	if extension(path) == ".npy" || extension(path) == ".npz" {
		fail(fmt.Errorf("%s is a file of NumPy; save prices as CSV with the days in the first column, and for atoms (.npy) give the decision's model with -model", path))
	}
	if p.returns {
		returns = must(datasets.LoadReturns(path, &p.reading))
		warnings = doubts(returns)
	} else {
		prices := only(must(datasets.LoadPrices(path, &p.reading)), assets)
		returns, warnings = must(prices.CompleteReturns(time.Time{})), prices.Warnings()
	}
	for _, warning := range warnings {
		c.say("warning: %s", warning)
	}
	return returns
}

// only returns the prices of those assets that the table has, and the table where it has none.
func only(t *datasets.PriceTable, assets []string) *datasets.PriceTable {
	assets = slices.DeleteFunc(assets, func(asset string) bool { return !slices.Contains(t.Tickers, asset) })
	if len(assets) == 0 {
		return t
	}
	prices := mat.NewDense(len(t.Dates), len(assets), nil)
	for j, asset := range assets {
		prices.SetCol(j, mat.Col(nil, slices.Index(t.Tickers, asset), t.Prices))
	}
	return &datasets.PriceTable{Dates: t.Dates, Tickers: assets, Prices: prices}
}

// doubts are the warnings of the prices that the returns make of 1, and one of returns that may be percent.
func doubts(r *datasets.ReturnTable) (warnings []string) {
	prices, sizes := mat.DenseCopyOf(r.Returns), []float64(nil)
	for i := range r.Dates {
		for j, value := range r.Returns.RawRowView(i) {
			prices.Set(i, j, prices.At(max(i-1, 0), j)*(1+value))
			if i == 0 {
				prices.Set(i, j, 1+value)
			}
			sizes = append(sizes, math.Abs(value))
		}
	}
	slices.Sort(sizes)
	if median := sizes[len(sizes)/2]; median > largeReturn {
		warnings = append(warnings, fmt.Sprintf("half of the returns are above %.3g in size; divide them by 100 if they are percent, or go on if they are fractions", median))
	}
	return append(warnings, (&datasets.PriceTable{Prices: prices, Dates: r.Dates, Tickers: r.Tickers}).Warnings()...)
}

// portfolio builds the problem of tutorial 01 from a file of prices: weights x >= 0 that sum to 1, with at most a share
// in each asset, whose loss is -⟨mean, x⟩ + ⟨u, x⟩ for the loss deviation u of a day. Half of the days give the mean and the
// atoms, a quarter is fresh for the promise, and a quarter stays unseen, unless -split says otherwise.
func (p *priceFile) portfolio(c *call, path string) *task {
	returns := p.read(c, path)
	if assets := len(returns.Tickers); assets < 1/most {
		fail(fmt.Errorf("%s has %d complete assets; give at least %g, as none takes more than %g%% (with -model, and a table of daily losses in the place of prices, there is no such limit); %s", path, assets, 1/most, 100*most, leftOut(returns)))
	}
	if len(p.shares) != 3 || p.stress < 1 {
		fail(fmt.Errorf("-split %v and -stress-days %d: give three fractions, such as 50,25,25, and at least 1 day", p.shares.String(), p.stress))
	}
	split, err := calibration.NewSplit(len(returns.Dates), &calibration.SplitOptions{Shuffle: true, Seed: seed, Shares: [3]float64(p.shares)})
	if err != nil {
		fail(fmt.Errorf("-split %v: %w", p.shares.String(), err))
	}
	selecting, calibrating, reporting := split.Rows()
	chosen := must(returns.Rows(selecting))
	means := chosen.Means()
	fresh := must(must(returns.Rows(calibrating)).LossDeviations(means))
	stress := p.worstDays(len(chosen.Tickers))
	if stress < p.stress {
		c.say("the %d worst days are atoms, as many as a design file holds of %d assets; -stress-days takes another number", stress, len(chosen.Tickers))
	}
	atoms := must(datasets.StressDictionary(chosen, min(stress, len(chosen.Dates))))
	region := solver.NewModel(portfolioName)
	total := solver.Row{Name: "invest everything", Bounds: solver.Equal(1)}
	for j, ticker := range chosen.Tickers {
		column := region.AddColumn(solver.Column{Name: ticker, Bounds: solver.Between(0, most), Cost: -means[j]})
		total.Columns, total.Values = append(total.Columns, column), append(total.Values, 1)
	}
	region.AddRow(total)
	problem := must(robust.NewProblem(atoms, region, sparsero.Identity(len(means))))
	t := &task{problem: problem, samples: calibration.Fresh(fresh), sharedOut: true} // other days, on which prices may move alike
	t.record.Seeds = map[string]int64{"split": seed}
	t.record.Note = fmt.Sprintf("Returns from %s to %s of the %d assets %v: of %d days %d gave means and %d atoms, %d were kept fresh for a guarantee, %d stayed unseen; %s.",
		returns.Dates[0].Format(time.DateOnly), returns.Dates[len(returns.Dates)-1].Format(time.DateOnly), len(means), returns.Tickers, len(returns.Dates),
		len(chosen.Dates), atoms.Size(), fresh.RawMatrix().Rows, len(reporting), leftOut(returns))
	return t
}

// worstDays are the days that become atoms: as many as were asked for, or as a design file holds of so many assets.
func (p *priceFile) worstDays(assets int) int {
	if p.stress != stressDays {
		return p.stress
	}
	return max(1, min(stressDays, lifted.MostEmbedded/assets))
}

func leftOut(r *datasets.ReturnTable) string {
	words := fmt.Sprintf("left out for missing prices: %d days", r.DroppedDays)
	if len(r.Ended) > 0 {
		words += fmt.Sprintf(", the assets without a price on the last day %v (-until takes an earlier day)", r.Ended)
	}
	ended := func(ticker string) bool { return slices.Contains(r.Ended, ticker) }
	if late := slices.DeleteFunc(slices.Clone(r.DroppedTickers), ended); len(late) > 0 {
		words += fmt.Sprintf(", the assets listed later %v", late)
	}
	return words
}

// into reads the day of a flag.
func into(day *time.Time) func(string) error {
	return func(text string) (err error) {
		if *day, err = time.Parse(time.DateOnly, text); err != nil {
			return errors.New("write it as YYYY-MM-DD")
		}
		return nil
	}
}

// whole is a flag for a whole number from 0 on, of decimal digits: 010 is 10.
type whole int

func (w *whole) String() string { return strconv.Itoa(int(*w)) }

func (w *whole) Set(text string) error {
	value, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return errors.New("give a whole number of at least 0, such as 10")
	}
	*w = whole(value)
	return nil
}

type numbers []float64

func (n *numbers) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]float64(*n)), " ", ","), "[]")
}

func (n *numbers) Set(text string) error {
	*n = nil
	for part := range strings.SplitSeq(text, ",") {
		value, err := input.Number(part)
		if err != nil {
			return fmt.Errorf("%q is no number; write a list as 0.5,1,2", part)
		}
		*n = append(*n, value)
	}
	return nil
}
