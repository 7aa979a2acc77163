package robust

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"sync"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// directSum holds the atoms of all sets of a problem, N = ΣN_k, in p = Σp_k coordinates: those of set k stand in the k-th block of
// coordinates and are zero elsewhere. These zeros are not stored, and exposures have maps and directions in the coordinates of
// their set alone: in such a direction the atoms of the others have alignment zero, as the null atom has.
type directSum struct {
	summands  []summand
	of        []int // the summand of each exposure + 1
	size, dim int   // N and p
	whole     func() *sparsero.Dictionary
}

// summand is a dictionary with the prefix of its names in the sum, as in "demand: storm 3", the places of its first
// atom and its first coordinate there, and the exposures that meet it, in rising order.
type summand struct {
	name             string
	dictionary       *sparsero.Dictionary
	atom, coordinate int
	exposures        []int
}

// joinSets puts the atoms of the constraints that have their own behind those of the problem, d. What several constraints share
// stands there once. The constraints, which are changed in place, have no set of their own from then on. It is an error if a Radius
// takes an atom out of the range of float64, or if two columns have one name.
func (p *Problem) joinSets(d *sparsero.Dictionary) error {
	sum := &directSum{of: make([]int, 1+len(p.constraints))}
	type set struct {
		atoms *sparsero.Dictionary
		scale float64
	}
	placed := map[set]int{}
	if d.Size() > 0 {
		sum.add("", d)
		placed[set{d, 1}] = 0
	}
	for _, exposure := range p.exposures() {
		own := set{d, 1}
		if exposure != objectiveExposure && p.constraints[exposure].Dictionary != nil {
			c := &p.constraints[exposure]
			own = set{c.Dictionary, cmp.Or(c.Radius, 1)}
			c.Dictionary, c.Radius = nil, 0
		}
		k, there := placed[own]
		if !there {
			scaled, err := stretched(own.atoms, own.scale)
			if err != nil {
				return fmt.Errorf("robust: the set of %s: %w", p.exposureName(exposure), err)
			}
			k = len(sum.summands)
			placed[own] = k
			sum.add(p.exposureName(exposure), scaled)
		}
		sum.of[exposure+1] = k
		sum.summands[k].exposures = append(sum.summands[k].exposures, exposure)
	}
	names := make(map[string]bool, sum.dim)
	for _, name := range sum.Columns() {
		if names[name] {
			return fmt.Errorf("robust: the sets of the constraints have two columns that are named %q; give constraints with sets of their own different names", name)
		}
		names[name] = true
	}
	sum.whole = sync.OnceValue(sum.joined)
	p.dictionary = sum
	return nil
}

func stretched(d *sparsero.Dictionary, scale float64) (*sparsero.Dictionary, error) {
	if scale == 1 {
		return d, nil
	}
	rows := d.Matrix()
	rows.Scale(scale, rows)
	return sparsero.NewDictionary(input.Handed{Dense: rows}, &sparsero.DictionaryOptions{Labels: given(d.Labels(), "d"), Columns: given(d.Columns(), "u")})
}

// over is the same program over one dictionary of the dimension of the sum. Its ceiling is still that of p.
func (p *Problem) over(d *sparsero.Dictionary) *Problem {
	next := *p
	next.last = nil
	if len(p.dictionary.summands) > 1 {
		next.q, next.constraints = p.Map(), p.Constraints()
		next.pullBack()
	}
	next.dictionary = &directSum{of: make([]int, 1+len(p.constraints)), whole: func() *sparsero.Dictionary { return d }}
	next.dictionary.add("", d)
	next.dictionary.summands[0].exposures = p.exposures()
	return &next
}

func (s *directSum) add(name string, d *sparsero.Dictionary) {
	s.summands = append(s.summands, summand{name: name, dictionary: d, atom: s.size, coordinate: s.dim})
	s.size, s.dim = s.size+d.Size(), s.dim+d.Dim()
}

// checkWide refuses to write out the zeros where no memory holds them.
func (s *directSum) checkWide() error {
	if len(s.summands) == 1 {
		return nil
	}
	return input.CheckSize("robust: the dictionary of all sets", s.size, s.dim)
}

// joined is the sum with its zeros, in 8Np bytes. It panics where checkWide has an error.
func (s *directSum) joined() *sparsero.Dictionary {
	if len(s.summands) == 1 && s.summands[0].name == "" {
		return s.summands[0].dictionary
	}
	if err := s.checkWide(); err != nil {
		panic(err.Error())
	}
	rows := mat.NewDense(s.size, s.dim, nil)
	for _, set := range s.summands {
		for i := range set.dictionary.Size() {
			copy(rows.RawRowView(set.atom + i)[set.coordinate:], set.dictionary.RawRowView(i))
		}
	}
	d, _ := sparsero.NewDictionary(input.Handed{Dense: rows}, &sparsero.DictionaryOptions{Labels: s.Labels(), Columns: s.Columns()}) // of parts that were checked
	return d
}

func (s *directSum) at(exposure int) *summand { return &s.summands[s.of[exposure+1]] }

func (s *directSum) holding(atom int) *summand {
	return &s.summands[sort.Search(len(s.summands), func(k int) bool { return s.summands[k].atom > atom })-1]
}

// row is an atom in the coordinates of an exposure; nil for one that is null there, as the null atom and those of other sets are.
func (s *directSum) row(exposure, atom int) []float64 {
	set := s.at(exposure)
	if !set.holds(atom) {
		return nil
	}
	return set.dictionary.RawRowView(atom - set.atom)
}

func (s *summand) holds(atom int) bool {
	return atom >= s.atom && atom < s.atom+s.dictionary.Size()
}

// place is where an atom of the dictionary of the summand stands in the sum.
func (s *summand) place(atom int) int {
	if atom == sparsero.NullAtom {
		return atom
	}
	return s.atom + atom
}

// RawRowView is an atom in all coordinates, a new slice of p numbers where there are several sets. It must not be changed.
func (s *directSum) RawRowView(atom int) []float64 {
	set := s.holding(atom)
	return s.spread(set.coordinate, set.dictionary.RawRowView(atom-set.atom))
}

// spread is a vector in all coordinates, 0 but for v, which begins at one of them; v itself where there is one set.
func (s *directSum) spread(from int, v []float64) []float64 {
	if len(s.summands) == 1 || v == nil {
		return v
	}
	wide := make([]float64, s.dim)
	copy(wide[from:], v)
	return wide
}

// part is a vector in all coordinates in those of an exposure.
func (s *directSum) part(exposure int, v []float64) []float64 {
	set := s.at(exposure)
	return v[set.coordinate:][:set.dictionary.Dim()]
}

// Alignments are those of all atoms in a direction in all coordinates.
func (s *directSum) Alignments(direction []float64) []float64 {
	all := make([]float64, 0, s.size)
	for _, set := range s.summands {
		end := len(all) + set.dictionary.Size()
		set.dictionary.Alignments(all[len(all):end:end], direction[set.coordinate:][:set.dictionary.Dim()])
		all = all[:end]
	}
	return all
}

// restricted returns the sets of some atoms that exposures meet, by exposure + 1; nil for those that are not listed.
func (s *directSum) restricted(indices []int, radius float64, exposures []int) ([]*sparsero.AtomicSet, error) {
	if err := input.CheckIndices("indices", indices, s.size); err != nil {
		return nil, err
	}
	if _, err := sparsero.NewAtomicSet(s.summands[0].dictionary, nil, radius); err != nil {
		return nil, err
	}
	chosen, built, sets := s.bySet(indices), make(map[*summand]*sparsero.AtomicSet), make([]*sparsero.AtomicSet, len(s.of))
	for _, exposure := range exposures {
		set := s.at(exposure)
		if built[set] == nil {
			built[set], _ = sparsero.NewAtomicSet(set.dictionary, chosen[set], radius) // both are checked
		}
		sets[exposure+1] = built[set]
	}
	return sets, nil
}

// bySet lists some atoms by their sets, in which their places are counted.
func (s *directSum) bySet(atoms []int) map[*summand][]int {
	lists := make(map[*summand][]int)
	for _, i := range atoms {
		set := s.holding(i)
		lists[set] = append(lists[set], i-set.atom)
	}
	return lists
}

// Label is the name of an atom in the sum, "null" for the null atom.
func (s *directSum) Label(atom int) string {
	if atom == sparsero.NullAtom {
		return "null"
	}
	set := s.holding(atom)
	return set.named(set.dictionary.Label(atom - set.atom))
}

func (s *directSum) Labels() []string { return s.names((*sparsero.Dictionary).Labels) }

func (s *directSum) Columns() []string { return s.names((*sparsero.Dictionary).Columns) }

// names lists those that the dictionaries have, as they are in the sum.
func (s *directSum) names(of func(*sparsero.Dictionary) []string) []string {
	lists := make([][]string, len(s.summands))
	for k, set := range s.summands {
		lists[k] = of(set.dictionary)
		for i, name := range lists[k] {
			lists[k][i] = set.named(name)
		}
	}
	return slices.Concat(lists...)
}

func (s *summand) named(name string) string {
	if s.name == "" {
		return name
	}
	return s.name + ": " + name
}

// embedded is the map of an exposure in all coordinates.
func (s *directSum) embedded(exposure int, q sparsero.AffineMap) sparsero.AffineMap {
	if q.Matrix == nil {
		return q
	}
	set := s.at(exposure)
	_, columns := q.Dims()
	wide := sparsero.AffineMap{Matrix: mat.NewDense(s.dim, columns, nil)}
	wide.Matrix.Slice(set.coordinate, set.coordinate+set.dictionary.Dim(), 0, columns).(*mat.Dense).Copy(q.Matrix)
	if q.Constant != nil {
		wide.Constant = slices.Clone(s.spread(set.coordinate, q.Constant))
	}
	return wide
}
