package published

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sparsero/directions/datasets/grid"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/calibration"
)

// shared is the folder of data beside the repository, which do not belong into it.
var shared = filepath.Join("..", "..", "..", "shared", "data")

// dispatch is the cost of the DC optimal power flow.
func dispatch(g *grid.Grid, series bool) float64 {
	g.SeriesAdmittance = series
	return optimum(must(grid.NewNetwork(g)).Dispatch()).Objective
}

func grids(t *testing.T) (values []float64) {
	for _, name := range []string{"5_pjm", "14_ieee", "30_ieee", "57_ieee", "118_ieee", "300_ieee"} {
		file, err := os.Open(filepath.Join(shared, "pglib", "pglib_opf_case"+name+".m"))
		if err != nil {
			t.Skip("the cases of PGLib-OPF are not at ../shared/data/pglib beside the repository")
		}
		values = append(values, dispatch(must(grid.Read(file)), true))
		file.Close()
	}
	return values
}

func embeddedGrids(*testing.T) []float64 {
	return []float64{dispatch(grid.IEEE30(), true), dispatch(grid.IEEE14(), false)}
}

// medians solves p-median problems of OR-Library as integer programs.
func medians(names ...string) func(*testing.T) []float64 {
	return func(t *testing.T) (values []float64) {
		for _, name := range names {
			file, err := os.Open(filepath.Join(shared, "pmed", name+".txt"))
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("the problems of OR-Library are not at ../shared/data/pmed beside the repository")
			}
			must(file, err)
			distances, medians := readMedians(file)
			file.Close()
			r := optimum(medianModel(distances, medians))
			if r.Upper.Float() < r.Objective*(1-1e-6) {
				t.Errorf("%s: %g is not proven, the bound is %g", name, r.Objective, r.Upper)
			}
			values = append(values, r.Objective)
		}
		return values
	}
}

// readMedians reads nodes, edges and medians, and the edges, of which a repeated one replaces the earlier; it returns the distances.
func readMedians(file *os.File) (distances [][]float64, medians int) {
	reader := bufio.NewReader(file)
	var nodes, edges int
	must(fmt.Fscan(reader, &nodes, &edges, &medians))
	distances = make([][]float64, nodes)
	for i := range distances {
		distances[i] = slices.Repeat([]float64{math.Inf(1)}, nodes)
		distances[i][i] = 0
	}
	for range edges {
		var i, j int
		var length float64
		must(fmt.Fscan(reader, &i, &j, &length))
		distances[i-1][j-1], distances[j-1][i-1] = length, length
	}
	for k := range nodes {
		for i := range nodes {
			for j := range nodes {
				distances[i][j] = min(distances[i][j], distances[i][k]+distances[k][j])
			}
		}
	}
	return distances, medians
}

// medianModel has a column y_i for each possible median, and for each node and each of its distances d_1 < d_2 < ... one that is 1 where no median is
// nearer than d_k, with the cost d_k - d_{k-1} (Cornuéjols, Nemhauser and Wolsey 1980).
func medianModel(distances [][]float64, medians int) *solver.Model {
	n, model := len(distances), solver.NewModel("p-median")
	for range n {
		model.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true})
	}
	equal(model, float64(medians), ones(n)...)
	for _, row := range distances {
		steps := slices.Compact(slices.Sorted(slices.Values(row)))
		for k := 1; k < len(steps); k++ {
			beyond := model.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: steps[k] - steps[k-1]})
			cover := solver.Row{Bounds: solver.AtLeast(1), Columns: []int{beyond}, Values: []float64{1}}
			for i, distance := range row {
				if distance < steps[k] {
					cover.Columns, cover.Values = append(cover.Columns, i), append(cover.Values, 1)
				}
			}
			model.AddRow(cover)
			if len(cover.Columns)-1 > n-medians {
				break // one of them is a median in any case
			}
		}
	}
	return model
}

// ranks counts the cells of MAPIE's table, those in which np.quantile with method "higher" takes another order statistic than the
// ceil((1-α)(n+1))-th, and those in which our rank does.
func ranks(*testing.T) []float64 {
	var cells, wrong, ours float64
	for n := 5; n <= 200; n++ {
		for _, percent := range []int{1, 5, 10, 20, 30, 50} {
			rank := ((100-percent)*(n+1) + 99) / 100
			if rank > n {
				continue
			}
			cells++
			alpha := float64(percent) / 100
			level := float64(n+1) * (1 - alpha) / float64(n)
			if int(math.Ceil(level*float64(n-1)))+1 != rank {
				wrong++
			}
			if must(calibration.SplitConformal{Alpha: alpha}.Rank(n)) != rank {
				ours++
			}
		}
	}
	return []float64{cells, wrong, ours}
}

func interval(*testing.T) []float64 {
	lower, upper, err := calibration.ClopperPearson(682, 925, 0.95)
	return must([]float64{lower.Float(), upper.Float()}, err)
}
