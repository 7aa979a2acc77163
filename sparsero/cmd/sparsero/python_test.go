package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// python runs Python with the package of folder python and this command.
func python(t *testing.T, arguments ...string) string {
	t.Helper()
	folder, err := filepath.Abs("python")
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(program, "-c", "import numpy").Run() != nil {
			continue
		}
		process := exec.CommandContext(t.Context(), program, arguments...)
		process.Env = append(os.Environ(), "SPARSERO_IS_THE_COMMAND=1", "SPARSERO="+os.Args[0], "PYTHONPATH="+folder, "PYTHONDONTWRITEBYTECODE=1")
		output, err := process.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v:\n%s", arguments, err, output)
		}
		return string(output)
	}
	t.Skip("no python3 with NumPy; apt-get install python3-numpy brings it")
	return ""
}

// TestExamplesInPython: the last numbers of each example are published ones or those of the library.
func TestExamplesInPython(t *testing.T) {
	for name, want := range map[string][]float64{
		"drugs":      {-8294.567},                               // Ben-Tal, El Ghaoui, Nemirovski (2009)
		"portfolio":  {1.17089},                                 // Bertsimas, Sim (2004)
		"newsvendor": {70.5},                                    // Dunning, JuMPeR.jl
		"fourmodels": {-0.00627615, 155, 205.794872, 67.777778}, // tutorial 11
		"powerflow":  {powerFlow(t)},
	} {
		if name == "fourmodels" && !solvesIntegers {
			continue
		}
		path := filepath.Join("python", "examples", name+".py")
		words := strings.Fields(python(t, path))
		if len(words) < len(want) {
			t.Errorf("%s prints %q, want %v at the end", name, words, want)
			continue
		}
		for k, last := range words[len(words)-len(want):] {
			if value, err := strconv.ParseFloat(last, 64); err != nil || !(math.Abs(value-want[k]) <= 1e-6*math.Abs(want[k])) {
				t.Errorf("%s ends with %v, want %v", name, words[len(words)-len(want):], want)
			}
		}
		if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "\n") > 30 {
			t.Errorf("%s has more than 30 lines, or %v", name, err)
		}
	}
}

// powerFlow is the optimal cost of examples/powerflow.py, whose flows are written here by hand: of what bus 1 or 2 gives to bus 0, line
// 0-1 carries -2/3 or -1/3, line 0-2 -1/3 or -2/3, and line 1-2 1/3 or -1/3.
func powerFlow(t *testing.T) float64 {
	region := solver.NewModel("power flow")
	for j, most := range []float64{120, 120, 1, 1} {
		region.AddColumn(solver.Column{Bounds: solver.Between(0, most), Cost: []float64{20, 30, 0, 0}[j]})
	}
	region.AddRow(solver.Row{Bounds: solver.Equal(140), Columns: []int{0, 1}, Values: []float64{1, 1}})
	region.AddRow(solver.Row{Bounds: solver.Equal(1), Columns: []int{2, 3}, Values: []float64{1, 1}})
	var rows []robust.Constraint
	add := func(g0, g1, u1, u2, limit float64) { // g0 (x0 - x2 (u1 + u2)) + g1 (x1 - x3 (u1 + u2)) + u1 u1 + u2 u2 <= limit
		matrix := mat.NewDense(2, 4, []float64{0, 0, -g0, -g1, 0, 0, -g0, -g1})
		rows = append(rows, robust.Constraint{Nominal: []float64{g0, g1, 0, 0}, Limit: limit, Map: sparsero.AffineMap{Matrix: matrix, Constant: []float64{u1, u2}}})
	}
	for line, flow := range [][2]float64{{-2. / 3, -1. / 3}, {-1. / 3, -2. / 3}, {1. / 3, -1. / 3}} {
		base := flow[0]*(20-40) + flow[1]*(30-150)
		for _, sign := range []float64{1, -1} {
			add(0, sign*flow[0], sign*flow[0], sign*flow[1], []float64{70, 80, 60}[line]-sign*base)
		}
	}
	add(1, 0, 0, 0, 120)
	add(0, 1, 0, 0, 120)
	add(-1, 0, 0, 0, 0)
	add(0, -1, 0, 0, 0)
	atoms := mat.NewDense(500, 2, nil)
	for i := range 500 {
		k := float64(i + 1)
		atoms.SetRow(i, []float64{5 * math.Cos(k+0.3*k*k), 5 * math.Cos(2*k+0.7*k*k)})
	}
	s := must(must(robust.NewProblem(must(sparsero.NewDictionary(atoms, nil)), region, sparsero.AffineMap{}, rows...)).SolveFull(t.Context(), 1, nil))
	return s.Value
}

// TestPythonOfThePage: the lines that the README of the package shows do what they say.
func TestPythonOfThePage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("python", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, lines, _ := strings.Cut(string(page), "```python\n")
	lines, _, _ = strings.Cut(lines, "```")
	begin := fmt.Sprintf("import os, numpy as np, sparsero\nos.chdir(%q)\ncost, losses = [-2, -1], np.array([[3, 0], [1, 0.5]])\n", fixtures(t))
	if said := python(t, "-W", "error", "-c", begin+lines+"print(answer.met, answer.decision)"); !strings.Contains(said, "True [0.25 1.  ]") {
		t.Error(said)
	}
}

// TestArraysFromPython: arrays of every order and type give the same answer, infinite bounds are none, and what is no number is named.
func TestArraysFromPython(t *testing.T) {
	folder := t.TempDir()
	program := fmt.Sprintf(`
import math, os, pathlib
import numpy as np, sparsero

folder = pathlib.Path(%q)
atoms = np.random.default_rng(7).integers(-9, 9, (600, 4)) / 8
model = sparsero.model(cost=[-1, -2, -3, -4], upper=[math.inf, 1, 1, 1], equal=(np.ones(4), 1), names=list("abcd"))
assert "upper" in model["columns"][0]
assert sparsero.model([1, 2], upper=None, lower=[None, 0]) == sparsero.model([1, 2], upper=math.inf, lower=[-math.inf, 0]), "None is no bound"
assert sparsero.model([1, 2], names=[10, 20]) == sparsero.model([1, 2], names=["10", "20"])
problem = dict(model=model, objective=dict(matrix="identity"), demands=dict(gap=0.01, violations=0.05))
first = sparsero.design(folder / "d.json", dictionary=atoms, **problem)
assert sparsero.verify(folder / "d.json") and first.met and first.file
value = np.dot([-1, -2, -3, -4], first.decision) + first.radius * max(0, (atoms @ first.decision).max())
assert np.isclose(value, first.value), "the value is not what NumPy says"
forms = [np.asfortranarray(atoms), atoms.astype(np.float32), atoms.tolist(), atoms[::-1][::-1]]
if sparsero.pandas:
    frame = sparsero.pandas.DataFrame(atoms, columns=list("abcd"), index=["day %%d" %% k for k in range(600)])
    forms += [frame, frame[list("dbca")]]
for form in forms:
    again = sparsero.design(dictionary=form, **problem)
    assert again.value == first.value and (again.atoms == first.atoms).all() and again.file is None, again
if sparsero.pandas:
    swapped = frame[list("dbca")]
    for change in dict(values=swapped), dict(values=swapped, labels=list(map(str, range(600)))):
        assert sparsero.design(dictionary=change, **problem).value == first.value, "columns of values go by name"
    series = sparsero.pandas.Series
    named = sparsero.model(cost=series([-1, -2, -3, -4], list("abcd")), upper=series([1, 1, 1, math.inf], list("bcda")),
                           equal=(sparsero.pandas.DataFrame(np.ones((1, 4)), columns=list("dcba")), 1))
    assert sparsero.design(dictionary=atoms, **{**problem, "model": named}).value == first.value, "a Series goes by its index"
    own = lambda nominal: [dict(nominal=nominal, map=dict(matrix="identity"), limit=2)]
    spread = sparsero.pandas.DataFrame(np.diag([4.0, 1, 0.25, 9]), list("abcd"), list("abcd"))
    decisions = [sparsero.design(set=dict(ellipsoid=dict(covariance=c, radius=0.5)), **{**problem, "demands": dict(gap=0.01)}).decision
                 for c in (spread.to_numpy(), spread.loc[list("dbca"), list("dbca")])]
    assert np.allclose(*decisions), "rows and columns of a covariance go by name"
    rows = [sparsero.design(dictionary=atoms, constraints=own(nominal), model=model, objective=problem["objective"]).value
            for nominal in (np.arange(4.0), series([3.0, 1, 2, 0], list("dbca")))]
    assert rows[0] == rows[1], "nominal parts go by name"
    square = sparsero.pandas.DataFrame(np.arange(16.0).reshape(4, 4), list("abcd"), list("abcd"))
    assert sparsero.model(np.ones(4), names=list("abcd"), quadratic=square.loc[list("dbca"), list("cabd")]) == sparsero.model(
        np.ones(4), names=list("abcd"), quadratic=square.to_numpy()), "rows and columns of quadratic go by name"
    assert sparsero.model(series([1, 2], ["b", "a"]), names=["a", "b"])["columns"][0]["cost"] == 2, "cost goes by name"
    rows = sparsero.pandas.DataFrame(np.eye(2), ["r1", "r2"])
    assert [row["upper"] for row in sparsero.model([1, 2], at_most=(rows, series([7, 8], ["r2", "r1"])))["rows"]] == [8, 7], "sides go by name"
    # Names that a header of CSV could not have: codes, and that of a column of labels.
    draws, demands = np.random.default_rng(8).integers(-9, 9, (300, 4)) / 8, dict(violations=0.1, gap=0.1, radii=[1, 2])
    fresh = sparsero.design(model=model, objective=problem["objective"], dictionary=atoms, samples=draws, demands=demands).value
    for codes in [600519, 1, 858, 7], ["date", "label", "x", "y"]:
        coded = lambda rows: sparsero.pandas.DataFrame(rows, columns=codes)[codes[::-1]]
        coded_model = sparsero.model(series([-1, -2, -3, -4], codes), upper=[math.inf, 1, 1, 1], equal=(np.ones(4), 1))
        for matrix in "identity", coded(np.eye(4)):
            given = dict(dictionary=coded(atoms), samples=coded(draws)) if isinstance(matrix, str) else dict(dictionary=atoms, samples=draws)
            assert sparsero.design(model=coded_model, objective=dict(matrix=matrix), demands=demands, **given).value == fresh, "frames go by name"
    days, chances = sparsero.pandas.DataFrame([[4.0, 0, 0, 0], [0, 0, 0, 1]], ["bad", "good"], list("abcd")), series([0.9, 0.1], ["good", "bad"])
    worst = lambda p: sparsero.design(model=model, objective=problem["objective"], set=dict(cvar=dict(samples=days, level=0.5, probabilities=p))).value
    assert worst(chances) == worst([0.1, 0.9]) != worst([0.9, 0.1]), "probabilities go by the index of the samples"
    twice = sparsero.pandas.DataFrame(np.eye(2), ["cap", "cap"], ["a", "b"])
    for once in (lambda: sparsero.model([1, 2], names=["a", "b"], at_most=(twice, series([7, 8], ["cap", "cap"]))),
                 lambda: sparsero.select(twice.T, twice.T, 1), lambda: sparsero.design(model=named, objective=dict(matrix=twice), set=dict(box=dict(widths=series([1, 2], ["cap", "cap"]))))):
        try:
            once()
        except ValueError as e:
            assert "each of them once" in str(e), e
        else:
            assert False, "of two numbers of one name the first counts twice"
    assert sparsero.model([1, 2], names=["a", "b"], at_most=(twice, [7, 8]))["rows"][1]["upper"] == 8
    assert (sparsero.select(frame, swapped[:60], 5)[0] == sparsero.select(atoms, atoms[:60], 5)[0]).all(), "probes go by name"
    assert again.labels[0].startswith("day ") and list(again.constraints.columns) == ["name", "reaches", "limit"]
spread = dict(model=sparsero.model(np.ones(4), upper=0.6, equal=(np.ones(4), 1)), objective=dict(matrix="identity"))
for norm, want in (None, 1.3), (math.inf, 1.3), (2, 1.15), (1, 1 + 0.3 / 4):
    assert np.isclose(sparsero.design(set=dict(ball=dict(dimension=4, norm=norm, radius=0.3)), **spread).value, want), "None is the maximum norm"
    assert np.isclose(sparsero.design(set=dict(wasserstein=dict(samples=np.zeros((2, 4)), norm=norm, epsilon=0.3)), **spread).value, want), "None is the maximum norm"
assert sparsero.design(dictionary=None, samples=None, set=dict(box=dict(widths=np.ones(4))), demands=dict(gap=None), **spread).value == 2, "None is left out elsewhere"
unmet = sparsero.design(dictionary=atoms, model=model, objective=dict(matrix="identity"), demands=dict(gap=1e-9, budget=1))
assert not unmet.met and len(unmet.atoms) == 1 and "budget" in unmet.unmet and first.unmet is None

def refused(want, error=ValueError, **change):
    try:
        sparsero.design(**{**problem, "dictionary": atoms, **change})
    except error as e:
        assert want in str(e), e
    else:
        assert False, want

if sparsero.pandas:
    row = dict(nominal=[-0.09, -0.44, -0.12, -0.6], map=dict(matrix="identity"), limit=-18)
    feed = sparsero.model(series([0.3, 0.9, 0.35, 1.4], list("abcd")), upper=[math.inf, math.inf, math.inf, 10], equal=(np.ones(4), 100))
    solved = lambda of, **more: sparsero.design(model=feed, constraints=[dict(row, **of)], **more).value
    budget = lambda widths: dict(set=dict(budget=dict(widths=widths, gamma=2)))
    widths = series([0.02, 0.05, 0.03, 0.01], list("bdac"))
    sorted_widths = solved({}, **budget([0.03, 0.02, 0.01, 0.05]))
    assert solved({}, **budget(widths)) == sorted_widths, "widths go by the names of the columns"
    table = sparsero.pandas.DataFrame([[0.01, 0.02, 0.005, 0.03], [0, 0.05, 0, 0.02], [0.02, 0, 0.03, 0]], columns=list("abcd"))
    eye = sparsero.pandas.DataFrame(np.eye(4), list("abcd"), list("abcd"))
    turned = list("bdac")
    for form in (table[turned], "identity"), (table[turned], eye), (table, eye.loc[turned, list("cdab")]), (table[turned], eye.loc[list("dcba")]):
        assert solved(dict(dictionary=form[0], map=dict(matrix=form[1]))) == solved(dict(dictionary=table)), "coordinates of u go by name"
    constant = solved(dict(dictionary=table, map=dict(matrix="identity", constant=[1, 2, 0, 0])))
    for given in series([0, 2, 0, 1], list("dbca")), series([1, 2, 0, 0]):
        assert solved(dict(dictionary=table, map=dict(matrix="identity", constant=given))) == constant, "a constant goes by name"
    for spread in eye.loc[turned, turned], eye.loc[turned]:
        spread = spread * series([4, 3, 2, 1], list("abcd")) / 1000
        form = lambda c, matrix: solved(dict(map=dict(matrix=matrix)), set=dict(ellipsoid=dict(covariance=c, radius=0.5)))
        assert np.isclose(form(spread, eye), form(np.diag([4, 3, 2, 1]) / 1000, np.eye(4))), "rows and columns of a covariance go by the rows of a matrix"
    unnamed = sparsero.model([1, 2], upper=1)
    assert sparsero.design(model=unnamed, objective=dict(matrix="identity"), set=dict(box=dict(widths=series([1, 2], list("xy"))))).value == 0, "order counts"
    for of, want in (dict(set=dict(box=dict(widths=widths.set_axis(list("wxyz"))))), "widths is named"), (dict(dictionary=table[turned]), "names no rows"):
        refused(want, **{"model": feed, "objective": None, "dictionary": None, "constraints": [dict(row, map=dict(matrix=np.eye(4) if "dictionary" in of else "identity"))], **of})
    refused("nominal is named", constraints=own(series(np.ones(4), list("abcx"))))
np.save(folder / "atoms.npy", atoms)
os.chdir(folder)
assert sparsero.design(dictionary="atoms.npy", **problem).value == first.value, "a path is that of the caller"
for bad in (lambda: sparsero.model([1, 2], names=["x"]), lambda: sparsero.model([1], upper=[1, 2, 3]), lambda: sparsero.model([1, 2], quadratic=np.ones((2, 3))),
            lambda: sparsero.model([1, 2], at_most=([1, 1], [1, 2])), lambda: sparsero.model([1, 2], integer=[True, None]), lambda: sparsero.model([1], integer=0.5),
            lambda: sparsero.model([1, 2], at_most=([1, 1], 1, 2))):
    try:
        bad()
    except ValueError as e:
        assert "shape" in str(e) or "True or False" in str(e) or "a pair" in str(e), e
    else:
        assert False, "shapes that do not fit are refused"
hole = atoms.copy()
hole[3, 1] = math.nan
refused("dictionary[3][1] is nan", dictionary=hole)
refused("dictionary[3][1] is nan", dictionary=hole[:5].tolist())
refused("constraints[0].limit is inf", constraints=[dict(limit=math.inf)])
refused("model.columns[0].lower is inf", model=sparsero.model([1], lower=math.inf))
refused("model.columns[0].cost is nan", model=sparsero.model([math.nan]))
refused("reshape", dictionary=atoms[:, 0])
days = np.array([["2020-01-01"] * 4], dtype="datetime64[D]")
for none in [days, days - days, atoms + 1j] + ([frame.assign(c=days[0, 0]), frame.iloc[:, 0] + 1j] if sparsero.pandas else []):
    refused("is no number", dictionary=none)
refused("[1][0] is nan", dictionary=np.ma.masked_array([[1, 1, 1, 1], [2, 2, 2, 2]], mask=[[0] * 4, [1, 0, 0, 0]]))
refused("write \"dictionary\"", sparsero.Error, dictionarry=1)
refused("-violations", sparsero.Error, radius=2)
chosen, steps = sparsero.select(np.asfortranarray(atoms), atoms[:60], 5)
covered = np.maximum(0, (atoms[:60] @ atoms[chosen].T).max(axis=1)).mean()
assert np.isclose(covered, list(steps["Coverage"])[-1]), "the coverage is not what NumPy says"
`, folder)
	python(t, "-W", "error", "-c", program)
	checked(t, filepath.Join(folder, "d.json"))
}
