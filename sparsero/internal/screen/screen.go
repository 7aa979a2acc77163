package screen

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
)

const (
	// underflow is the absolute error, in the units of the screen, that float32 numbers below the normal range can add
	// to an alignment: at most a few units of 2^-149 for each coordinate, for up to 2^40 coordinates.
	underflow = 0x1p-100
	// usualExponent is the binary exponent of the largest norm of the first atoms in the units of the screen, and
	// widest the largest norm of any atom. As the norms of directions are at most one there, alignments stay below
	// kernel.MaxHalf.
	usualExponent = 10
	widest        = 0x1p15
	// farthestUp is the largest binary exponent by which alignments are scaled. Those that are tiny even then vanish in
	// underflow, as do the roundings of float64 below its normal range, and float64 decides. farthestDown is the
	// exponent below which the alignments themselves would overflow, and sums of more than 2^manyBits of them above it.
	farthestUp   = 800
	farthestDown = -990
	manyBits     = 18
	// slack is the relative safety that covers the float64 roundings of norms and
	// factors, which are of the order 1e-16 times the dimension.
	slack = 1e-6
	// blockBytes is how much of the narrowed atoms is multiplied at a time; it stays in the second level of cache.
	blockBytes = 1 << 20
	// blockRows is the most atoms that are multiplied at a time; blockMultiple divides it, and, where levels are held, the
	// number that is: a multiple of kernel.RowMultiple and kernel.LevelRows.
	blockRows, blockMultiple = 4 * blockMultiple, 48
	// fewProbes is how many directions are asked at first whether sums with them are exact: where they are not, those
	// with all are not either.
	fewProbes = 16
)

// Options tune a [Screen]. The zero value uses all processors and holds the bounds of the alignments.
type Options struct {
	// Workers is the number of goroutines. Default GOMAXPROCS.
	Workers int
	// Stream keeps no alignments: rows are recomputed from the atoms when they are needed. Default false.
	Stream bool
	// Levels holds upper bounds of the alignments by direction as well, in NM bytes, by which all gains are bounded at
	// once. That pays where there are many atoms. Default false, as where alignments are not held.
	Levels bool
	// Kernel is the implementation of the loops. Default kernel.Best().
	Kernel *kernel.Kernel
}

// levels tells whether levels of m directions are held.
func (o Options) levels(m int) bool { return o.Levels && !o.Stream && m <= mostDirections }

// workers returns the number of goroutines to use.
func (o Options) workers() int {
	if o.Workers < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Workers
}

// Screen knows the alignments of N atoms with M probe directions, rounded up to half precision in 2NM bytes, and to
// levels in NM more where it is told to. It does not change after it is built and may be used by several goroutines at
// once.
type Screen struct {
	kernel     *kernel.Kernel
	workers    int
	atoms      Source
	n, p, m    int
	directions []float64 // M×p
	all        []int32   // 0, ..., M-1
	panels     *kernel.Panels
	block      int // atoms multiplied at a time
	atOnce     int // atoms that a goroutine takes in one go

	// The stored alignment h of atom i with direction j is an upper bound, h + tolerance[i] weight[j] + underflow >=
	// 2^exponent <d_i,s_j>, and above it by at most twice that tolerance and one step of half precision.
	atomExponent, exponent int
	weight                 []float32
	tolerance              []float32
	unit                   float64 // 2^-exponent
	gainFactor             float64 // from a sum in float32 to an upper bound of a gain

	nothing   support       // of the empty set
	columns   int           // M rounded up to what the kernel needs: the length of a row
	scores    []kernel.Half // rows of alignments; nil when streaming
	levels    *levels       // nil if they are not held
	empty     []float64     // upper bounds of the gains at the empty set
	full      []float64     // M_[N](s) for each direction
	fullValue float64
	spread    Spread // of the atoms
	costs     costs
	Rounding
}

// New computes the alignments of the atoms with the M×p directions, both finite, in O(NMp) time. It returns [ErrRange],
// the error of the atoms or of the context, and one for an atom that is not finite.
func New(ctx context.Context, atoms Source, directions []float64, o Options) (*Screen, error) {
	n, p := atoms.Size(), atoms.Dim()
	if n < 1 || p < 1 || len(directions) == 0 || len(directions)%p != 0 {
		return nil, fmt.Errorf("%d atoms of dimension %d do not fit %d numbers of directions", n, p, len(directions))
	}
	s := &Screen{
		kernel: cmp.Or(o.Kernel, kernel.Best()), workers: min(o.workers(), n), atoms: atoms, // one for each atom is enough
		n: n, p: p, m: len(directions) / p, directions: directions,
		tolerance: make([]float32, n), empty: make([]float64, n),
	}
	s.columns = roundUp(s.m, kernel.ColumnMultiple)
	s.all = rank.Indices[int32](s.m)
	s.block = min(o.blockSize(s.m, p), roundUp(n, blockMultiple))
	s.nothing = s.newSupport()
	if !o.Stream {
		s.scores = input.Uncleared[kernel.Half](n * s.columns)
	}
	if s.atOnce = s.block; o.levels(s.m) {
		s.levels, s.atOnce = newLevels(s), roundUp(s.block, levelAtoms)
	}
	s.spread = newSpread(p)
	probes := spreadOf(directions[:min(s.m, fewProbes)*p], p)
	if err := s.fill(ctx, &probes); err != nil {
		return nil, err
	}
	s.Rounding = s.spread.Rounding(n, directions)
	return s, nil
}

// Size returns N.
func (s *Screen) Size() int { return s.n }

// Full returns M_[N](s) = max(0, max_i <d_i,s>) for each direction. The slice must not be changed.
func (s *Screen) Full() []float64 { return s.full }

// FullValue returns the mean of Full, the coverage of all atoms.
func (s *Screen) FullValue() float64 { return s.fullValue }

// Row returns the float64 alignments of atom i with all directions, in dst.
func (s *Screen) Row(dst []float64, i int) ([]float64, error) {
	atom, err := s.atoms.Rows(make([]float64, s.p), i, i+1)
	if err != nil {
		return nil, err
	}
	s.kernel.Alignments(dst[:s.m], atom, s.directions, s.all)
	s.costs.alignments.Add(int64(s.m))
	return dst[:s.m], nil
}

// AlignmentsWith returns the float64 alignments of all atoms with one direction, or [ErrRange].
func (s *Screen) AlignmentsWith(direction []float64) ([]float64, error) {
	values := make([]float64, s.n)
	err := s.eachAtom(func(i int, atom []float64) {
		s.kernel.Alignments(values[i:i+1], atom, direction, []int32{0})
	})
	if err == nil && slices.ContainsFunc(values, func(v float64) bool { return v-v != 0 }) {
		err = ErrRange
	}
	return values, err
}

// Norms returns the Euclidean norms of all atoms. Each is computed in units of a power of two that
// brings its largest coordinate to about one, so that no square that counts leaves float64.
func (s *Screen) Norms() ([]float64, error) {
	values, scaled := make([]float64, s.n), make([]float64, s.p)
	err := s.eachAtom(func(i int, atom []float64) {
		exponent := scaleExponent(floats.Norm(atom, math.Inf(1)))
		floats.ScaleTo(scaled, math.Ldexp(1, exponent), atom)
		s.kernel.Alignments(values[i:i+1], scaled, scaled, []int32{0})
		values[i] = math.Ldexp(math.Sqrt(values[i]), -exponent)
	})
	return values, err
}

// eachAtom visits the atoms one after the other.
func (s *Screen) eachAtom(visit func(i int, atom []float64)) error {
	buffer := make([]float64, s.block*s.p)
	for from := 0; from < s.n; from += s.block {
		to := min(from+s.block, s.n)
		atoms, err := s.atoms.Rows(buffer, from, to)
		if err != nil {
			return err
		}
		for i := from; i < to; i++ {
			visit(i, atoms[(i-from)*s.p:][:s.p])
		}
	}
	return nil
}

// Spread returns what is known of the size of the atoms. It must not be changed.
func (s *Screen) Spread() Spread { return s.spread }

// Streams tells whether rows are recomputed rather than held.
func (s *Screen) Streams() bool { return s.scores == nil }

// packDirections scales the directions by a power of two to norms of at most one,
// with an exponent of at most most, and lays them out for the product.
func (s *Screen) packDirections(ctx context.Context, most int) (exponent int, err error) {
	largest := s.largestNorm(s.directions)
	if !(largest <= math.MaxFloat64) {
		return 0, cmp.Or(input.CheckVector("the matrix of directions", s.directions, len(s.directions)), ErrRange)
	}
	exponent = min(scaleExponent(largest), most)
	scale := math.Ldexp(1, exponent)
	narrowed := make([]float32, len(s.directions))
	s.weight = make([]float32, s.columns)
	s.panels = kernel.NewPanels(s.kernel, s.m, s.p)
	err = parallel.Blocks(ctx, s.workers, s.m, 2*kernel.ColumnMultiple, func(_, from, to int) error {
		sizes := make([]float64, s.p)
		for j := from; j < to; j++ {
			squares := s.kernel.Narrow(narrowed[j*s.p:(j+1)*s.p], s.directions[j*s.p:(j+1)*s.p], scale, sizes)
			s.weight[j] = upward(math.Sqrt(squares) * (1 + slack))
		}
		s.panels.Fill(narrowed, from, to)
		return nil
	})
	return exponent, err
}

// fill computes the bounds of all alignments. The scale of the atoms is taken from the
// first ones; if later ones turn out much larger, the work is done again.
func (s *Screen) fill(ctx context.Context, probes *Spread) error {
	first, err := s.atoms.Rows(make([]float64, s.block*s.p), 0, min(s.block, s.n))
	if err != nil {
		return err
	}
	s.atomExponent = scaleExponent(s.largestNorm(first)) + usualExponent
	for {
		directionExponent, err := s.packDirections(ctx, farthestUp-s.atomExponent)
		if err != nil {
			return err
		}
		s.exponent = s.atomExponent + directionExponent
		if s.exponent < farthestDown+max(0, bits.Len(uint(s.m))-manyBits) {
			return ErrRange
		}
		s.setUnit()
		largest, err := s.pass(ctx, probes)
		if err != nil || largest == 0 {
			return err
		}
		exponent := scaleExponent(largest) + usualExponent
		if exponent >= s.atomExponent { // the norms overflow
			return ErrRange
		}
		s.atomExponent = exponent
	}
}

// setUnit sets what follows from the exponent.
func (s *Screen) setUnit() {
	s.unit = math.Ldexp(1, -s.exponent)
	s.gainFactor = math.Ldexp((1+s.kernel.SumBound(s.columns))*(1+slack)/float64(s.m), -s.exponent)
}

// largestNorm returns the largest norm of the given vectors of dimension p, NaN if there
// is a NaN. It does not overflow unless the norm does.
func (s *Screen) largestNorm(vectors []float64) (largest float64) {
	const least, most = 0x1p-500, 0x1p500 // between which squares neither vanish nor overflow
	for ; len(vectors) > 0; vectors = vectors[s.p:] {
		norm := math.Sqrt(floats.Dot(vectors[:s.p], vectors[:s.p]))
		if !(norm > least && norm < most) {
			norm = floats.Norm(vectors[:s.p], 2)
		}
		largest = max(largest, norm)
	}
	return largest
}

// scaleExponent returns the binary exponent that brings a number to [1/2,1), or as
// close as a power of two in float64 can; 0 for 0 and what is not finite.
func scaleExponent(x float64) int {
	_, exponent := math.Frexp(x)
	return min(-exponent, 1000)
}

// downward returns a float32 that is less than x by at least underflow.
func downward(x float64) float32 {
	y := float32(x - underflow)
	for x-float64(y) < underflow {
		y = math.Nextafter32(y, float32(math.Inf(-1)))
	}
	return y
}

// upward returns the least float32 that is not less than x.
func upward(x float64) float32 {
	y := float32(x)
	if float64(y) < x {
		y = math.Nextafter32(y, float32(math.Inf(1)))
	}
	return y
}

func roundUp(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }

// Mean returns the average of values, added up in order.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
