package scaling

import (
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// certify fills in the penalties of a path and the accuracies they certify.
func (u *unit) certify(path *atomPath, chosen []int, atoms int, penalty float64) {
	penalties := u.penalties(chosen)
	inflated := slices.Clone(penalties)
	for j, b := range u.config.Budgets {
		factor, finite := InflationBound(u.Dictionary, chosen[:b], atoms)
		path.Inflation = append(path.Inflation, factor)
		if inflated[j] *= factor; !finite {
			inflated[j] = math.Inf(1) // certifies nothing
		}
	}
	path.Penalty, path.CertAcc, path.Inflated = shareOf(penalties, penalty), u.certified(penalties), u.certified(inflated)
}

// whole adds the whole dictionary and its least aligned atoms.
func (u *unit) whole(s *sizeOutcome, penalty float64) {
	for _, shares := range u.certified([]float64{penalty}) {
		s.CertAcc = append(s.CertAcc, shares[0])
	}
	increasing := make([]int, s.Atoms)
	floats.Argsort(slices.Clone(u.along[:s.Atoms]), increasing)
	penalties := u.penalties(increasing)
	s.Paths = append(s.Paths, atomPath{Policy: leastAligned, Penalty: shareOf(penalties, penalty), CertAcc: u.certified(penalties)})
}

// penalties returns max |<d_i,w>| over the first atoms of an order at Config.Budgets.
func (u *unit) penalties(order []int) []float64 {
	penalties := make([]float64, len(u.config.Budgets))
	for j, b := range u.config.Budgets {
		for _, i := range order[:b] {
			penalties[j] = max(penalties[j], u.along[i])
		}
	}
	return penalties
}

// certified returns the share of test examples whose margin exceeds ω times a penalty, by ω and penalty.
func (u *unit) certified(penalties []float64) [][]float64 {
	table := make([][]float64, len(u.config.Epsilons))
	for e, epsilon := range u.config.Epsilons {
		for _, penalty := range penalties {
			table[e] = append(table[e], u.above(epsilon*penalty))
		}
	}
	return table
}

// shareOf returns values as shares of a full one.
func shareOf(values []float64, full float64) []float64 {
	shares := make([]float64, len(values))
	for k, v := range values {
		shares[k] = ratio(v, full)
	}
	return shares
}

// outsideSpan is the length of an atom's part outside the span of the chosen ones, relative to the atom, above which it
// counts as outside: far more than rounding, far less than the random parts of mined atoms.
const outsideSpan = 1e-8

// InflationBound bounds from above the factor by which the symmetric set of the
// chosen atoms must grow to hold the first atoms of a dictionary and their negatives,
//
//	κ(S) = max(1, max_i min{ ‖a‖₁ : Σ_{j in S} a_j d_j = d_i }) <= max(1, max_i ‖a_i‖₁),
//
// a_i being the coefficients of least Euclidean length, so that pen_D(w) <= κ(S) pen_S(w) for every w. It is not
// finite, and the factor 0, exactly when some atom is outside the span of the chosen ones, as most are while |S| < p.
// (The factor itself is certificate.SolveInflation of the antipodal closure, at the price of a linear program per atom;
// √|S| times smaller at most.) It panics if an index is out of range.
func InflationBound(d *sparsero.Dictionary, chosen []int, atoms int) (factor float64, finite bool) {
	columns := mat.NewDense(d.Dim(), len(chosen), nil)
	for k, i := range chosen {
		columns.SetCol(k, d.RawRowView(i))
	}
	var svd mat.SVD
	svd.Factorize(columns, mat.SVDThin) // finite columns always have one
	rank := svd.Rank(outsideSpan)
	factor = 1
	for i := range atoms {
		atom := mat.NewVecDense(d.Dim(), slices.Clone(d.RawRowView(i)))
		coefficients := mat.NewVecDense(len(chosen), nil)
		if rank > 0 {
			svd.SolveVecTo(coefficients, atom, rank)
		}
		var rest mat.VecDense
		rest.MulVec(columns, coefficients)
		rest.SubVec(atom, &rest)
		if rest.Norm(2) > outsideSpan*atom.Norm(2) {
			return 0, false
		}
		factor = max(factor, mat.Norm(coefficients, 1))
	}
	return factor, true
}
