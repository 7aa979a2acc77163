package datasets

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sparsero/directions/datasets/internal/size"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// GeneratedPricesOptions describes an artificial market. The zero value gives ten assets over eight years.
type GeneratedPricesOptions struct {
	Seed   uint64 // default 0
	Assets int    // default 10
	Days   int    // trading days; default 2000
}

// GeneratePrices makes an artificial table of daily prices, of the same form as a real one: heavy-tailed returns with a
// common market factor, calm and turbulent spells, and assets that are listed late. Tickers are GEN01, GEN02, … so that
// nobody takes them for a real market.
//
// It returns an error when there are fewer than 2 assets or 10 days, or far too many.
func GeneratePrices(o GeneratedPricesOptions) (*PriceTable, error) {
	o.Assets, o.Days = cmp.Or(o.Assets, 10), cmp.Or(o.Days, 2000)
	if o.Assets < 2 {
		return nil, fmt.Errorf("datasets: GeneratedPricesOptions.Assets = %d; use at least 2, or 0 for the default 10", o.Assets)
	}
	if o.Days < 10 {
		return nil, fmt.Errorf("datasets: GeneratedPricesOptions.Days = %d; use at least 10, or 0 for the default 2000", o.Days)
	}
	if err := size.Check("datasets: a table of generated prices", o.Days, o.Assets); err != nil {
		return nil, err
	}
	source := rand.NewPCG(o.Seed, 0)
	market := newMarket(rand.New(source), distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 4, Src: source}, o.Assets)
	table := &PriceTable{Prices: mat.NewDense(o.Days, o.Assets, nil)}
	for j := range o.Assets {
		table.Tickers = append(table.Tickers, fmt.Sprintf("GEN%02d", j+1))
	}
	day := time.Date(2010, time.January, 4, 0, 0, 0, 0, time.UTC)
	for i := range o.Days {
		table.Dates = append(table.Dates, day)
		table.Prices.SetRow(i, market.nextDay())
		day = nextWeekday(day)
	}
	delistBefore(table)
	return table, nil
}

// delistBefore blanks the early prices of every fifth asset, each time a fifth of the history more.
func delistBefore(table *PriceTable) {
	days, assets := table.Prices.Dims()
	for j := 4; j < assets; j += 5 {
		for i := range min(days/2, (j+1)*days/25) {
			table.Prices.Set(i, j, math.NaN())
		}
	}
}

func nextWeekday(day time.Time) time.Time {
	day = day.AddDate(0, 0, 1)
	for day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		day = day.AddDate(0, 0, 1)
	}
	return day
}

type market struct {
	random    *rand.Rand
	shock     distuv.StudentsT
	turbulent bool
	prices    []float64
	beta      []float64 // sensitivity to the common factor
	spread    []float64 // daily standard deviation of the asset's own shock
}

func newMarket(random *rand.Rand, shock distuv.StudentsT, assets int) *market {
	m := &market{random: random, shock: shock}
	for range assets {
		m.prices = append(m.prices, 20+80*random.Float64())
		m.beta = append(m.beta, 0.5+random.Float64())
		m.spread = append(m.spread, 0.006+0.012*random.Float64())
	}
	return m
}

// nextDay returns today's prices and moves the market on by one day.
func (m *market) nextDay() []float64 {
	const (
		drift          = 0.0004 // mean daily return
		factorSpread   = 0.006  // scale of the common factor on a calm day
		enterTurbulent = 0.005  // probability that a calm spell ends today
		leaveTurbulent = 0.03   // probability that a turbulent spell ends today
		turbulence     = 2.5    // how much larger every shock is in a turbulent spell
		largestFall    = -0.6   // no asset loses more than this in a day
	)
	today := slices.Clone(m.prices)
	scale, switchProbability := 1.0, enterTurbulent
	if m.turbulent {
		scale, switchProbability = turbulence, leaveTurbulent
	}
	factor := factorSpread * m.shock.Rand()
	for j := range m.prices {
		change := drift + scale*(m.beta[j]*factor+m.spread[j]*m.shock.Rand()/math.Sqrt2)
		m.prices[j] *= 1 + max(change, largestFall)
	}
	if m.random.Float64() < switchProbability {
		m.turbulent = !m.turbulent
	}
	return today
}
