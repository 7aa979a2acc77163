package chart

import (
	"strings"
	"time"

	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot"
)

// ticker returns the ticks of an axis; one that counts has none between whole numbers.
func (a *settled) ticker() plot.Ticker {
	switch {
	case len(a.Categories) > 0:
		var ticks plot.ConstantTicks
		for i, name := range a.Categories {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: oneLine(name)})
		}
		return ticks
	case a.Scale == Log:
		return style.LogTicks{}
	case a.Scale == Time:
		return dates{}
	}
	return style.LinearTicks{Whole: a.whole}
}

// dates are ticks at round numbers of days on an axis of seconds since 1970.
type dates struct{}

// Ticks implements plot.Ticker.
func (dates) Ticks(low, high float64) []plot.Tick {
	const day, year = 86400.0, 365.25 * 86400
	format := "2 Jan"
	if high-low > year {
		format = "Jan 2006"
	}
	ticks := style.LinearTicks{Whole: true}.Ticks(low/day, high/day)
	for k := range ticks {
		ticks[k].Value *= day
		ticks[k].Label = time.Unix(int64(ticks[k].Value), 0).UTC().Format(format)
	}
	return ticks
}

// oneLine keeps a label on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
