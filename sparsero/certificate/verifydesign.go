package certificate

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
)

// designFile holds the keys of a design file on which its claims rest.
type designFile struct {
	Format      string
	Version     float64
	Kind        string
	Statements  []string
	Dictionary  designDictionary
	Model       designModel
	Objective   *designMap
	Constraints []designConstraint
	Chosen      []int
	Radius      float64
	Decision    []float64
	Claims      designClaims
	Implied     []designImplied `file:"optional"`
	Proof       *designProof
	Seal        string
}

type designDictionary struct {
	Atoms, Dimension int
	SHA256           string
	Values           [][]float64 `file:"optional"`
}

type designModel struct {
	Sense     *string
	Offset    float64
	Columns   []designColumn
	Rows      []designRow
	Quadratic []designTerm
}

type designColumn struct {
	Lower, Upper *float64
	Cost         float64
	Integer      bool
}

type designRow struct {
	Lower, Upper *float64
	Columns      []int
	Values       []float64
}

// designTerm is Value x_I x_J.
type designTerm struct {
	I     int `file:"list"`
	J     int
	Value float64
}

// designMap is an affine q.
type designMap struct {
	Matrix   [][]float64
	Constant []float64 `file:"optional"`
}

// designConstraint is <Nominal, x> + r M(q(x)) <= Limit.
type designConstraint struct {
	designMap
	Nominal []float64 `file:"optional"`
	Limit   float64
}

type designClaims struct {
	Restricted, Full, Missed float64
	Lower, Regret, Gap       *float64
}

// designImplied is a bound of a column that a row gives: an upper one for Side > 0.
type designImplied struct {
	Row    int `file:"list"`
	Column int
	Side   float64
}

// designProof is a branch or a leaf.
type designProof struct {
	Branch *designBranch
	Leaf   *designLeaf
}

type designBranch struct {
	Column       int
	At           float64
	Below, Above designProof
}

type designLeaf struct {
	Rows, Objective []designPair
	Constraints     []designTriple
	Tangent         []*big.Rat `file:"optional"`
	Empty           *bool
}

// designPair is the multiplier of a row or an atom.
type designPair struct {
	Index int `file:"list"`
	Value *big.Rat
}

// designTriple is the multiplier of a robust constraint against an atom, or the null atom -1.
type designTriple struct {
	Constraint int `file:"list"`
	Index      int
	Value      *big.Rat
}

// empty tells whether a leaf shows that there is no decision.
func (n *designLeaf) empty() bool { return n.Empty != nil && *n.Empty }

// mostCurved bounds the columns with quadratic terms, so that the exact test of convexity ends soon.
const mostCurved = 100

var sha256Digits = regexp.MustCompile(`^[0-9a-f]{64}$`)

// readDesign reads the keys of FORMAT.md and checks that they fit together.
func readDesign(root any) (*designFile, error) {
	f := &designFile{}
	object, _ := root.(map[string]any)
	if object["format"] != "sparsero design" || object["version"] != 1.0 {
		return nil, notCheckable("it is no design file of version 1, which is what this program knows")
	}
	if m := fill(root, reflect.ValueOf(f).Elem()); m != nil {
		return nil, notCheckable("%s is not %s", m.place, m.wanted)
	}
	for _, check := range f.checks() {
		if !check.fits {
			return nil, notCheckable("%s", check.otherwise)
		}
	}
	if f.Proof != nil {
		return f, f.checkProof(f.Proof)
	}
	return f, nil
}

// formCheck is something that types do not say.
type formCheck struct {
	fits      bool
	otherwise string
}

func (f *designFile) checks() []formCheck {
	n, atoms := len(f.Model.Columns), f.Dictionary.Atoms
	curved := map[int]bool{}
	checks := []formCheck{
		{slices.Contains([]string{"solution", "design", "tuned"}, f.Kind), "its kind is unknown"},
		{f.Model.Sense == nil || *f.Model.Sense == "minimize", "its sense is not to minimize"},
		{f.Radius >= 0, "its radius is negative"},
		{atoms >= 1 && f.Dictionary.Dimension >= 1 && sha256Digits.MatchString(f.Dictionary.SHA256), "size or hash of the dictionary is none"},
		{f.Dictionary.Values == nil || isMatrix(f.Dictionary.Values, atoms, f.Dictionary.Dimension), "the values of the dictionary have not its size"},
		{len(f.Decision) == n, "the decision has not a number per column"},
		{f.Objective == nil || f.fits(f.Objective), "the objective has not the size of the problem"},
		{inRange(f.Chosen, 0, atoms) && distinct(f.Chosen), "the chosen atoms are out of range or stand twice"},
	}
	for i := range f.Model.Rows {
		row := &f.Model.Rows[i]
		checks = append(checks, formCheck{len(row.Values) == len(row.Columns) && inRange(row.Columns, 0, n) && distinct(row.Columns), fmt.Sprintf("row %d does not fit the columns", i)})
	}
	for _, q := range f.Model.Quadratic {
		curved[q.I], curved[q.J] = true, true
		checks = append(checks, formCheck{inRange([]int{q.I, q.J}, 0, n), "a quadratic term does not fit the columns"})
	}
	for k := range f.Constraints {
		c := &f.Constraints[k]
		checks = append(checks, formCheck{f.fits(&c.designMap) && (c.Nominal == nil || len(c.Nominal) == n), fmt.Sprintf("robust constraint %d has not the size of the problem", k)})
	}
	for _, b := range f.Implied {
		checks = append(checks, formCheck{inRange([]int{b.Row}, 0, len(f.Model.Rows)), "an implied bound is of no row"})
	}
	for _, v := range f.Claims.all() {
		checks = append(checks, formCheck{v == nil || printed(*v) == *v, "a claim has more than 12 significant decimal digits"})
	}
	return append(checks, formCheck{len(curved) <= mostCurved, fmt.Sprintf("more than %d columns have quadratic terms, too many to test whether it is convex", mostCurved)})
}

// all lists the claims, nil where there is none.
func (c *designClaims) all() []*float64 {
	return []*float64{&c.Restricted, &c.Full, &c.Missed, c.Lower, c.Regret, c.Gap}
}

// fits tells whether a map has the size of the problem.
func (f *designFile) fits(q *designMap) bool {
	p := f.Dictionary.Dimension
	return isMatrix(q.Matrix, p, len(f.Model.Columns)) && (q.Constant == nil || len(q.Constant) == p)
}

func isMatrix(matrix [][]float64, rows, columns int) bool {
	return len(matrix) == rows && !slices.ContainsFunc(matrix, func(row []float64) bool { return len(row) != columns })
}

func inRange(indices []int, low, high int) bool {
	return !slices.ContainsFunc(indices, func(i int) bool { return i < low || i >= high })
}

func distinct(indices []int) bool {
	sorted := slices.Sorted(slices.Values(indices))
	return len(slices.Compact(sorted)) == len(indices)
}

// checkProof checks indices and branches of a proof.
func (f *designFile) checkProof(n *designProof) error {
	if b := n.Branch; b != nil {
		if !inRange([]int{b.Column}, 0, len(f.Model.Columns)) || !f.Model.Columns[b.Column].Integer || b.At != math.Trunc(b.At) {
			return notCheckable("a branch of the proof splits no integer column at a whole number")
		}
		if err := f.checkProof(&b.Below); err != nil {
			return err
		}
		return f.checkProof(&b.Above)
	}
	if len(n.Leaf.Objective) > 0 && (f.Objective == nil || n.Leaf.empty()) {
		return notCheckable("a leaf of the proof leans on atoms that cost nothing")
	}
	fits := n.Leaf.Tangent == nil || len(n.Leaf.Tangent) == len(f.Model.Columns)
	for _, m := range n.Leaf.Rows {
		fits = fits && inRange([]int{m.Index}, 0, len(f.Model.Rows))
	}
	for _, m := range n.Leaf.Objective {
		fits = fits && inRange([]int{m.Index}, 0, f.Dictionary.Atoms)
	}
	for _, m := range n.Leaf.Constraints {
		fits = fits && inRange([]int{m.Index}, -1, f.Dictionary.Atoms) && inRange([]int{m.Constraint}, 0, len(f.Constraints))
	}
	if !fits {
		return notCheckable("a leaf of the proof has an index out of range, or a tangent of another size")
	}
	return nil
}
