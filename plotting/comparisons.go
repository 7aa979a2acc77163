package plotting

import (
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Comparison is one number as printed in the paper and as found here.
type Comparison struct {
	// Name says what the number is.
	Name string
	// Paper is the printed value and Ours the one found here; NaN means that there is none.
	Paper, Ours float64
	// Note says why they differ; default none.
	Note string
}

// Comparisons is a list of paper-against-ours numbers.
type Comparisons []Comparison

// Frame returns the comparisons as a frame with the columns quantity, paper, ours,
// difference (ours - paper), relative (the difference divided by |paper|, in percent, NaN for
// a printed 0), and note where there are any.
func (c Comparisons) Frame() dataframe.DataFrame {
	n := len(c)
	names, notes := make([]string, n), make([]string, n)
	paper, ours, difference, relative := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	noted := false
	for i, r := range c {
		names[i], notes[i], paper[i], ours[i] = r.Name, r.Note, r.Paper, r.Ours
		difference[i] = r.Ours - r.Paper
		relative[i] = math.NaN()
		if r.Paper != 0 {
			relative[i] = 100 * difference[i] / math.Abs(r.Paper)
		}
		noted = noted || r.Note != ""
	}
	columns := []series.Series{
		series.New(names, series.String, "quantity"), series.New(paper, series.Float, "paper"), series.New(ours, series.Float, "ours"),
		series.New(difference, series.Float, "difference"), series.New(relative, series.Float, "relative"),
	}
	if noted {
		columns = append(columns, series.New(notes, series.String, "note"))
	}
	return dataframe.New(columns...)
}
