package certificate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// ErrOutsideCone is wrapped when no inflation of U_S covers the full set.
var ErrOutsideCone = errors.New("certificate: atoms outside the cone of the chosen ones")

// Inflation is the smallest factor by which the chosen set must grow to contain
// the full one,
//
//	κ(S) = max(1, max_i γ_S(d_i)),   γ_S(u) = min{ Σa : Σ_{j in S} a_j d_j = u, a >= 0 },
//	U_[N](r) ⊆ U_S(κ r),   κ = sup_q M_N(q) / M_S(q),
//
// so that, whatever X, q and b are,
//
//	min Φ_S(r) <= min Φ_N(r) <= min Φ_S(κ r).
//
// It is scale-free: it needs neither X nor q. It is +Inf exactly when some atom
// lies outside the cone spanned by the chosen ones.
type Inflation struct {
	// Factor is κ(S) >= 1.
	Factor float64
	// Atom attains it, or sparsero.NullAtom if the factor is 1 without any atom's help.
	Atom int
	// Solves counts the linear programs.
	Solves int
	// Elapsed is the wall-clock time.
	Elapsed time.Duration
}

// NewInflation computes κ(S), to about 1e-9 relative to the largest atom, with one
// projection per atom and one linear program of p rows and |S| columns for each
// atom that raises the factor. It stops at the first atom outside the cone. It is
// an error if the set is nil; a cancelled context gives the context's error,
// because a part of the atoms proves nothing.
func NewInflation(ctx context.Context, set *sparsero.AtomicSet, o *solver.Options) (Inflation, error) {
	if err := checkSet(set); err != nil {
		return Inflation{}, err
	}
	started := time.Now()
	d, indices := set.Dictionary(), set.Indices()
	inflation := Inflation{Factor: 1, Atom: sparsero.NullAtom}
	gauge, err := newGauge(d, indices, o)
	if err != nil {
		return Inflation{}, err
	}
	defer gauge.close()
	chosen, inside := membership(d.Size(), indices), insideDistance*d.MaxNorm()
	for i := range d.Size() {
		if err := ctx.Err(); err != nil {
			return Inflation{}, fmt.Errorf("certificate: inflation factor: stopped at atom %d of %d: %w", i, d.Size(), err)
		}
		// A projection is far cheaper than a program: only an atom outside the hull as
		// inflated so far can raise the factor.
		if chosen[i] || project(d, indices, scaled(1/inflation.Factor, d.RawRowView(i))).Distance <= inside {
			continue
		}
		value, err := gauge.of(ctx, d.RawRowView(i))
		if err != nil {
			return Inflation{}, err
		}
		inflation.Solves++
		if value > inflation.Factor {
			inflation.Factor, inflation.Atom = value, i
		}
		if math.IsInf(value, 1) {
			break
		}
	}
	inflation.Elapsed = time.Since(started)
	return inflation, nil
}

// SafeSet returns U_S(κ r), which contains U_[N](r): a robust model with it is
// safe for the full dictionary. If κ is +Inf the error wraps ErrOutsideCone and
// names an atom to add.
func (f Inflation) SafeSet(set *sparsero.AtomicSet) (*sparsero.AtomicSet, error) {
	if err := checkSet(set); err != nil {
		return nil, err
	}
	if math.IsInf(f.Factor, 1) {
		return nil, fmt.Errorf("%w: no radius of the %d chosen atoms covers atom %d; add it to the chosen atoms", ErrOutsideCone, set.Size(), f.Atom)
	}
	return set.WithRadius(f.Factor * set.Radius())
}

// gauge solves min Σa over Σ a_j d_j = u, a >= 0 for changing u.
type gauge struct {
	session solver.Session // nil without atoms
	rows    int
}

func newGauge(d *sparsero.Dictionary, indices []int, o *solver.Options) (*gauge, error) {
	if len(indices) == 0 {
		return &gauge{}, nil
	}
	m := solver.NewModel("gauge")
	for range indices {
		m.AddColumn(solver.Column{Lower: 0, Upper: math.Inf(1), Cost: 1})
	}
	for c := range d.Dim() {
		row := solver.Row{}
		for k, i := range indices {
			if v := d.RawRowView(i)[c]; v != 0 {
				row.Columns, row.Values = append(row.Columns, k), append(row.Values, v)
			}
		}
		m.AddRow(row)
	}
	session, err := solver.OpenWarm(m, o)
	if err != nil {
		return nil, fmt.Errorf("certificate: gauge of the chosen atoms: %w", err)
	}
	return &gauge{session: session, rows: d.Dim()}, nil
}

// of returns γ_S(u), +Inf outside the cone of the atoms.
func (g *gauge) of(ctx context.Context, u []float64) (float64, error) {
	if g.session == nil {
		if Maximum.Of(u) == 0 {
			return 0, nil
		}
		return math.Inf(1), nil
	}
	for c := range g.rows {
		if err := g.session.SetRowBounds(c, u[c], u[c]); err != nil {
			return 0, fmt.Errorf("certificate: gauge: %w", err)
		}
	}
	result, err := g.session.Solve(ctx)
	switch {
	case err != nil:
		return 0, fmt.Errorf("certificate: gauge: %w", err)
	case result.Status == solver.Optimal:
		return result.Objective, nil
	case result.Status == solver.Infeasible || result.Status == solver.InfeasibleOrUnbounded:
		return math.Inf(1), nil // a sum of non-negative terms is bounded below
	case ctx.Err() != nil:
		return 0, fmt.Errorf("certificate: inflation factor: %w", ctx.Err())
	}
	return 0, fmt.Errorf("certificate: gauge: %w", result.Check())
}

func (g *gauge) close() {
	if g.session != nil {
		g.session.Close()
	}
}

// scaled returns factor times v.
func scaled(factor float64, v []float64) []float64 {
	product := make([]float64, len(v))
	for j, x := range v {
		product[j] = factor * x
	}
	return product
}
