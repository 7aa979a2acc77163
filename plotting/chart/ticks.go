package chart

import (
	"strings"

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
		return style.TimeTicks{}
	}
	return style.LinearTicks{Whole: a.whole}
}

// oneLine keeps a label on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
