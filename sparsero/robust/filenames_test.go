package robust_test

import (
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

// TestFilesNameWhatWasNamed: names that a dictionary gives by itself are not in its file, and come back all the same.
func TestFilesNameWhatWasNamed(t *testing.T) {
	atoms := matrix([]float64{1, 0}, []float64{0, 1})
	for name, test := range map[string]struct {
		options         sparsero.DictionaryOptions
		labels, columns int
	}{
		"none":    {},
		"same":    {sparsero.DictionaryOptions{Labels: []string{"d0", "d1"}, Columns: []string{"u0", "u1"}}, 0, 0},
		"atoms":   {sparsero.DictionaryOptions{Labels: []string{"d0", "frost"}}, 2, 0},
		"columns": {sparsero.DictionaryOptions{Columns: []string{"u0", "wind"}}, 0, 2},
	} {
		d := must(sparsero.NewDictionary(atoms, &test.options))(t)
		s := must(must(robust.NewProblem(d, box(1, 2, 1, 1), sparsero.Identity(2)))(t).SolveFull(ctx, 1, nil))(t)
		file := checked(t, s, nil)
		held := file.Content().Problem.Dictionary
		if len(held.Labels) != test.labels || len(held.Columns) != test.columns {
			t.Errorf("%s: the file names %v and %v", name, held.Labels, held.Columns)
		}
		back := must(robust.SolutionOf(file))(t).Problem().Dictionary()
		if !slices.Equal(back.Labels(), d.Labels()) || !slices.Equal(back.Columns(), d.Columns()) {
			t.Errorf("%s: %v and %v came back", name, back.Labels(), back.Columns())
		}
	}
}
