package designfile_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
)

// fileCase is a valid design file; the dictionary is nil if the file holds it.
type fileCase struct {
	name       string
	instance   *instance
	design     map[string]any
	dictionary []byte
	lower      *big.Rat // the bound of the proof
}

// shape says what to draw.
type shape struct {
	name                       string
	free, robust               int
	certain, rounded, integer  bool
	missed                     float64 // by which X is out of the budget
	costScale, rowScale, atoms float64
}

var shapes = []shape{
	{name: "budget, implied bounds", rounded: true},
	{name: "free columns, fractions", free: 3},
	{name: "robust constraints", robust: 2},
	{name: "robust constraints alone", robust: 1, certain: true},
	{name: "missed", robust: 1, missed: 0x1p-10},
	{name: "integer", integer: true},
	{name: "integer, robust constraint", integer: true, robust: 1},
	{name: "tiny costs", costScale: 1e-12, robust: 1},
	{name: "huge costs, tiny rows", costScale: 1e12, rowScale: 1e-12, free: 1},
	{name: "tiny atoms, huge rows", rowScale: 1e12, atoms: 1e-12, rounded: true},
}

// fileCases are the cases by hand and two draws of each shape.
func fileCases(t testing.TB) []fileCase {
	t.Helper()
	cases := []fileCase{}
	for i, s := range shapes {
		for draw := range 2 {
			c := drawnCase(t, rand.New(rand.NewPCG(uint64(i), uint64(draw))), s)
			c.name = fmt.Sprintf("%s %d", s.name, draw)
			cases = append(cases, c)
		}
	}
	return slices.Concat(cases, quadraticCases(), integerCases(), externalCases(t))
}

// eighths draws a multiple of 1/8.
func eighths(random *rand.Rand, most int) float64 { return float64(random.IntN(16*most+1)-8*most) / 8 }

func drawnCase(t testing.TB, random *rand.Rand, s shape) fileCase {
	t.Helper()
	for range 200 {
		p := drawnInstance(random, s)
		program := p.program(p.every())
		answer := exact.Solve(context.Background(), program)
		if answer.Status != exact.Optimal {
			continue
		}
		if s.integer {
			if proof, lower := p.tree(0); lower != nil && lower.Cmp(answer.Objective) > 0 {
				lower.Add(lower, fractionOf(p.offset))
				p.chosen = p.every()
				return fileCase{instance: p, design: p.design(proof, lower, nil), lower: lower}
			}
			continue
		}
		duals := answer.Duals
		if s.rounded {
			p.implyBudget(program)
			duals = p.roundedDuals(duals)
		}
		proof := p.leaf(duals, false)
		p.chosen = leanedOn(proof)
		lower := exact.Bound(program, program.Cost, duals)
		moved := p.movedProgram(program)
		gapLower := exact.Bound(moved, moved.Cost, duals)
		lower.Add(lower, fractionOf(p.offset))
		gapLower.Add(gapLower, fractionOf(p.offset))
		design := p.design(proof, lower, gapLower)
		if s.rounded {
			design["proof"].(map[string]any)["implied"] = p.impliedByBudget()
		}
		return fileCase{instance: p, design: design, lower: lower}
	}
	t.Fatalf("no instance of the shape %q has an optimum", s.name)
	return fileCase{}
}

// drawnInstance draws a problem around a decision, with a budget over the columns x >= 0 as first row.
func drawnInstance(random *rand.Rand, s shape) *instance {
	one := func(scale float64) float64 {
		if scale == 0 {
			return 1
		}
		return scale
	}
	p := &instance{offset: eighths(random, 2), radius: 0.5 + float64(random.IntN(4))/4}
	n, dimension := 4+s.free, 3
	budget := proof.Row{}
	for j := range n {
		c := instanceColumn{lower: 0, upper: math.Inf(1), cost: eighths(random, 3) * one(s.costScale)}
		x := float64(random.IntN(9)) / 4
		if s.integer {
			c.integer, c.upper, x = j < 3, 3, math.Floor(x)
		}
		if j >= 4 {
			c.lower, x = math.Inf(-1), eighths(random, 2)
		} else {
			budget.Columns, budget.Values = append(budget.Columns, j), append(budget.Values, 1)
			budget.Upper += x
		}
		p.columns, p.x = append(p.columns, c), append(p.x, x)
	}
	budget.Lower = budget.Upper
	if s.integer {
		budget.Lower, budget.Upper = 0, budget.Upper+0.5
	}
	p.rows = append(p.rows, budget)
	for range 2 + 2*s.free {
		p.rows = append(p.rows, p.drawnRow(random, one(s.rowScale)))
	}
	drawnMap := func() instanceMap {
		q := instanceMap{constant: make([]float64, dimension)}
		for k := range dimension {
			q.matrix, q.constant[k] = append(q.matrix, make([]float64, n)), eighths(random, 1)
			for j := range n {
				q.matrix[k][j] = float64(random.IntN(5) - 2)
			}
		}
		return q
	}
	for range 6 {
		atom := make([]float64, dimension)
		for k := range atom {
			atom[k] = eighths(random, 1) * one(s.atoms)
		}
		p.atoms = append(p.atoms, atom)
	}
	p.chosen = []int{random.IntN(6)}
	if !s.certain {
		q := drawnMap()
		p.objective = &q
	}
	for range s.robust {
		c := instanceConstraint{instanceMap: drawnMap(), nominal: make([]float64, n)}
		for j := range n {
			c.nominal[j] = eighths(random, 1)
		}
		level := p.reach(&c.instanceMap, p.every())
		c.limit, _ = level.Add(level, product(c.nominal, p.point())).Float64()
		p.constraints = append(p.constraints, c)
	}
	p.x[0] += s.missed
	return p
}

// drawnRow is a row that X keeps to.
func (p *instance) drawnRow(random *rand.Rand, scale float64) proof.Row {
	row, level := proof.Row{}, 0.0
	for j, x := range p.x {
		if v := float64(random.IntN(5) - 2); v != 0 {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, v*scale)
			level += v * x
		}
	}
	row.Lower, row.Upper = (level-float64(random.IntN(3)))*scale, math.Inf(1)
	if random.IntN(2) == 0 {
		row.Upper = (level + 1) * scale
	}
	return row
}

// implyBudget gives the columns x >= 0 the upper bound that the budget implies.
func (p *instance) implyBudget(program *proof.Program) {
	for _, j := range p.rows[0].Columns {
		program.Upper[j] = p.rows[0].Upper
	}
}

// impliedByBudget lists these bounds as a file does.
func (p *instance) impliedByBudget() []any {
	list := []any{}
	for _, j := range p.rows[0].Columns {
		list = append(list, []int{0, j, 1})
	}
	return list
}

// roundedDuals rounds the multipliers to float64, those of atoms down, and adapts those of s = q(x).
func (p *instance) roundedDuals(duals []*big.Rat) []*big.Rat {
	rounded := make([]*big.Rat, len(duals))
	first := len(p.rows) + p.dimension()
	for i, v := range duals {
		near, _ := v.Float64()
		if i >= first {
			near *= 1 - 0x1p-40
		}
		rounded[i] = fractionOf(near)
	}
	for k := range p.dimension() {
		sum := rounded[len(p.rows)+k].SetInt64(0)
		for i, atom := range p.atoms {
			sum.Add(sum, new(big.Rat).Mul(fractionOf(atom[k]), rounded[first+i]))
		}
	}
	return rounded
}

// movedProgram moves the sides that X misses to X.
func (p *instance) movedProgram(program *proof.Program) *proof.Program {
	moved := *program
	moved.Lower, moved.Upper, moved.Rows = slices.Clone(program.Lower), slices.Clone(program.Upper), slices.Clone(program.Rows)
	reach := func(lower, upper *float64, value *big.Rat) {
		at, _ := value.Float64()
		*lower, *upper = min(*lower, at), max(*upper, at)
	}
	x := p.point()
	for j := range p.columns {
		reach(&moved.Lower[j], &moved.Upper[j], x[j])
	}
	for i := range p.rows {
		sum := new(big.Rat)
		for k, j := range p.rows[i].Columns {
			sum.Add(sum, new(big.Rat).Mul(fractionOf(p.rows[i].Values[k]), x[j]))
		}
		reach(&moved.Rows[i].Lower, &moved.Rows[i].Upper, sum)
	}
	place := len(p.rows)
	if p.objective != nil {
		place += p.dimension() + len(p.atoms)
	}
	for k := range p.constraints {
		place += p.dimension() + len(p.atoms)
		level := p.reach(&p.constraints[k].instanceMap, p.every())
		reach(new(float64), &moved.Rows[place].Upper, level.Add(level, product(p.constraints[k].nominal, x)))
		place++
	}
	return &moved
}

// tree is a proof by branches, with the least bound of its leaves.
func (p *instance) tree(depth int) (proof any, lower *big.Rat) {
	answer := exact.Solve(context.Background(), p.program(p.every()))
	switch {
	case answer.Status == exact.Infeasible && answer.Duals != nil:
		return p.leaf(answer.Duals, true), nil
	case answer.Status != exact.Optimal || depth > 12:
		return p.leaf(make([]*big.Rat, 0), true), nil
	}
	for j, c := range p.columns {
		if !c.integer || answer.X[j].IsInt() {
			continue
		}
		value, _ := answer.X[j].Float64()
		part := *p
		part.columns = slices.Clone(p.columns)
		part.columns[j].upper = math.Floor(value)
		below, first := part.tree(depth + 1)
		part.columns[j].lower, part.columns[j].upper = math.Floor(value)+1, c.upper
		above, second := part.tree(depth + 1)
		if lower = first; lower == nil || second != nil && second.Cmp(lower) < 0 {
			lower = second
		}
		return map[string]any{"column": j, "at": math.Floor(value), "below": below, "above": above}, lower
	}
	return p.leaf(answer.Duals, false), answer.Objective
}

// leanedOn lists the atoms of a leaf, or 0 if there is none.
func leanedOn(leaf map[string]any) []int {
	var atoms []int
	for _, part := range append([]any{leaf["objective"]}, leaf["constraints"].([]any)...) {
		for _, atom := range part.(map[string]any)["of"].([]any) {
			if atom.(int) >= 0 {
				atoms = append(atoms, atom.(int))
			}
		}
	}
	if slices.Sort(atoms); len(atoms) == 0 {
		return []int{0}
	}
	return slices.Compact(atoms)
}

// quadraticCases have minima that are known: x0^2 + x0 x1 + x1^2 - 2 x0 has -4/3 at (4/3, -2/3), and the tangent of
// (x0 - x1)^2 at (1/2, 1/4) has -9/16 over the unit square.
func quadraticCases() []fileCase {
	free, unit := instanceColumn{lower: math.Inf(-1), upper: math.Inf(1)}, instanceColumn{upper: 1}
	slope := free
	slope.cost = -2
	regular := &instance{columns: []instanceColumn{slope, free}, quadratic: [][3]float64{{0, 0, 1}, {0, 1, 1}, {1, 1, 1}}, atoms: [][]float64{{1}}, chosen: []int{0}, x: []float64{1.5, -0.75}}
	singular := &instance{columns: []instanceColumn{unit, unit}, quadratic: [][3]float64{{0, 0, 1}, {0, 1, -2}, {1, 1, 1}}, atoms: [][]float64{{1}}, x: []float64{0.5, 0.25}}
	touching := regular.leaf(nil, false)
	touching["scale"], touching["tangent"] = 3, []any{4, -2}
	first, second := big.NewRat(-4, 3), big.NewRat(-9, 16)
	cases := []fileCase{
		{name: "quadratic, tangent", instance: regular, design: regular.design(touching, first, first), lower: first},
		{name: "quadratic, singular", instance: singular, design: singular.design(singular.leaf(nil, false), second, second), lower: second},
	}
	cases[0].design["proof"].(map[string]any)["curvature"] = squares(2, []any{12, 3}, []any{1, 1, 0.5}) // (3 x1)^2/12 + (x0 + x1/2)^2
	cases[1].design["proof"].(map[string]any)["curvature"] = squares(2, []any{1, 1, -1})
	return append(cases, slackCase(unit))
}

// slackCase is x0^2 - 3 x0 x1 + x1^2, which is not convex, but for half a square of each column. Its least value over the unit
// square is -1 at (1, 1), and so is that of its tangent at (1/2, 1/2) less the halves of (x_j - 1/2)^2.
func slackCase(unit instanceColumn) fileCase {
	p := &instance{columns: []instanceColumn{unit, unit}, quadratic: [][3]float64{{0, 0, 1}, {0, 1, -3}, {1, 1, 1}}, atoms: [][]float64{{1}}, x: []float64{0.5, 0.5}}
	lower := big.NewRat(-1, 1)
	c := fileCase{name: "quadratic, slack", instance: p, design: p.design(p.leaf(nil, false), lower, lower), lower: lower}
	curvature := squares(2, []any{1.5, 1.5, -1.5})
	curvature["slack"] = []any{0.5, 0.5}
	c.design["proof"].(map[string]any)["curvature"] = curvature
	return c
}

// squares is a curvature of the first columns whose squares have a divisor and values each.
func squares(columns int, squares ...[]any) map[string]any {
	list, indices := []any{}, []any{}
	for _, s := range squares {
		list = append(list, map[string]any{"divisor": s[0], "values": s[1:]})
	}
	for j := range columns {
		indices = append(indices, j)
	}
	return map[string]any{"columns": indices, "slack": make([]float64, columns), "squares": list}
}

// integerCases have one column: the least -x over whole x in [0, 2] is -2, and the least x >= 0 with 2x >= 1 is 1,
// as no such x is below and 1 is the least number above the branch at 0.
func integerCases() []fileCase {
	column := instanceColumn{upper: 2, cost: -1, integer: true}
	rounded := &instance{columns: []instanceColumn{column}, atoms: [][]float64{{1}}, x: []float64{2}}
	column.cost = 1
	split := &instance{
		columns: []instanceColumn{column}, atoms: [][]float64{{1}}, x: []float64{1},
		rows: []proof.Row{{Columns: []int{0}, Values: []float64{2}, Lower: 1, Upper: math.Inf(1)}},
	}
	none, below, above := rounded.leaf(nil, false), split.leaf([]*big.Rat{big.NewRat(1, 1)}, true), split.leaf([]*big.Rat{new(big.Rat)}, false)
	branch := map[string]any{"column": 0, "at": 0, "below": below, "above": above}
	first, second := big.NewRat(-2, 1), big.NewRat(1, 1)
	return []fileCase{
		{name: "whole bound", instance: rounded, design: rounded.design(none, first, first), lower: first},
		{name: "branch", instance: split, design: split.design(branch, second, second), lower: second},
	}
}

// externalCase is the case whose atoms the files of externalCases hold.
func externalCase(t testing.TB) fileCase {
	return drawnCase(t, rand.New(rand.NewPCG(99, 0)), shapes[2])
}

// externalCases have their dictionary in a file.
func externalCases(t testing.TB) []fileCase {
	c := externalCase(t)
	atoms := c.instance.atoms
	rows, narrow, wide := []string{"label,a,b,c"}, []float32{}, []float64{}
	for i, atom := range atoms {
		rows = append(rows, fmt.Sprintf("\"atom, %d\",%v,%v,%v", i, atom[0], atom[1], atom[2]))
		wide = append(wide, atom...)
		for _, v := range atom {
			narrow = append(narrow, float32(v))
		}
	}
	longest := func(v float64) string { // of the characters that a number may have
		whole, _, _ := strings.Cut(fmt.Sprintf("%f", v), ".")
		return fmt.Sprintf("%.*f", 5_000-len(whole)-len("."), v)
	}
	bare, long := []string{}, []string{}
	for _, atom := range atoms {
		bare = append(bare, fmt.Sprintf("%v, %v,%e", atom[0], atom[1], atom[2]))
		long = append(long, fmt.Sprintf("%v,%v,%s", atom[0], atom[1], longest(atom[2])))
	}
	cases := []fileCase{}
	for name, data := range map[string][]byte{
		"NPY of float64": npyFile("<f8", 1, len(atoms), wide), "NPY of float32": npyFile("<f4", 2, len(atoms), narrow),
		"CSV with header and labels": []byte(strings.Join(rows, "\r\n")), "CSV": []byte(strings.Join(bare, "\n") + "\n"),
		"CSV of the longest numbers": []byte(strings.Join(long, "\n") + "\n"),
	} {
		external := c
		external.name, external.dictionary, external.design = name, data, copied(t, c.design)
		place(external.design, "problem", "dictionary").(map[string]any)["values"] = nil
		cases = append(cases, external)
	}
	return cases
}

// npyFile is a matrix with three columns in NumPy's format.
func npyFile(kind string, version byte, rows int, values any) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, 3), }", kind, rows)
	header += strings.Repeat(" ", 63-len(header)%64) + "\n"
	data := append([]byte("\x93NUMPY"), version, 0)
	if version == 1 {
		data = binary.LittleEndian.AppendUint16(data, uint16(len(header)))
	} else {
		data = binary.LittleEndian.AppendUint32(data, uint32(len(header)))
	}
	data, _ = binary.Append(append(data, header...), binary.LittleEndian, values)
	return data
}
