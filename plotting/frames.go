package plotting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// FrameOptions say how rows of a frame become series; nil gives the defaults.
type FrameOptions struct {
	// Group is the column whose values tell the series apart; default none, one series.
	Group string
	// Level is the level of the lower end of the bands, 0 to 0.5; default 0.1. Rows of one
	// group with equal x are repetitions: their median is drawn, with a band.
	Level float64
}

// FrameSeries makes series for Curves of the columns x and y of a frame in long form, such as
// the results of a study: one series for each value of the group column, in the order of
// their first rows, each in the order of x. It is an error if a column does not exist or is
// not numeric.
func FrameSeries(df dataframe.DataFrame, x, y string, o *FrameOptions) ([]Series, error) {
	if o == nil {
		o = &FrameOptions{}
	}
	if df.Error() != nil {
		return nil, fmt.Errorf("plotting: the frame carries an error: %w", df.Error())
	}
	xs, err := numbersOf(df, x)
	if err != nil {
		return nil, err
	}
	ys, err := numbersOf(df, y)
	if err != nil {
		return nil, err
	}
	groups := make([]string, df.Nrow())
	if o.Group != "" {
		if err := hasColumn(df, o.Group); err != nil {
			return nil, err
		}
		groups = df.Col(o.Group).Records()
	} else {
		for i := range groups {
			groups[i] = y
		}
	}
	var names []string
	rows := map[string]map[float64][]float64{}
	for i, name := range groups {
		if rows[name] == nil {
			names = append(names, name)
			rows[name] = map[float64][]float64{}
		}
		if !math.IsNaN(xs[i]) {
			rows[name][xs[i]] = append(rows[name][xs[i]], ys[i])
		}
	}
	out := make([]Series, len(names))
	for k, name := range names {
		if out[k], err = gathered(name, rows[name], orNumber(o.Level, 0.1)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// gathered makes a series of the values at each position.
func gathered(name string, values map[float64][]float64, level float64) (Series, error) {
	var x []float64
	most := 0
	for at, v := range values {
		x, most = append(x, at), max(most, len(v))
	}
	slices.Sort(x)
	repetitions := make([][]float64, most)
	for r := range repetitions {
		repetitions[r] = make([]float64, len(x))
		for i, at := range x {
			repetitions[r][i] = math.NaN()
			if r < len(values[at]) {
				repetitions[r][i] = values[at][r]
			}
		}
	}
	s, err := Quantiles(name, x, repetitions, level)
	if most <= 1 {
		s.Low, s.High = nil, nil
	}
	return s, err
}

func hasColumn(df dataframe.DataFrame, name string) error {
	if !slices.Contains(df.Names(), name) {
		return fmt.Errorf("plotting: the frame has no column %q; it has %s", name, strings.Join(df.Names(), ", "))
	}
	return nil
}

func numbersOf(df dataframe.DataFrame, name string) ([]float64, error) {
	if err := hasColumn(df, name); err != nil {
		return nil, err
	}
	column := df.Col(name)
	if t := column.Type(); t != series.Float && t != series.Int {
		return nil, fmt.Errorf("plotting: column %q holds %s; choose a numeric one", name, t)
	}
	return column.Float(), nil
}
