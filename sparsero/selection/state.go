package selection

import "slices"

// State is a growing set S with the support it reaches in every probe
// direction. A marginal gain and the addition of an atom cost O(|T|) each.
// A State must not be used by several goroutines at once.
type State struct {
	coverage *Coverage
	current  []float64 // max(0, max_{i in S} <d_i,s>) for each direction
	atoms    []int
	value    float64
	calls    int
}

// NewState returns the state of the empty set.
func (c *Coverage) NewState() *State {
	return &State{coverage: c, current: make([]float64, c.probes())}
}

// Gain returns the marginal gain F(S ∪ {i};T) - F(S;T) >= 0 and counts one
// oracle call. It panics if i is out of range.
func (s *State) Gain(i int) float64 {
	s.coverage.mustContain(i)
	s.calls++
	return s.gain(i)
}

// gain is Gain without the count and the check.
func (s *State) gain(i int) float64 {
	return excess(s.coverage.row(i), s.current) / float64(len(s.current))
}

// gains fills values with the gain of every atom and counts N oracle calls.
func (s *State) gains(values []float64) {
	forEachBlock(len(values), len(s.current), func(from, to int) {
		for i := from; i < to; i++ {
			values[i] = s.gain(i)
		}
	})
	s.calls += len(values)
}

// Add puts atom i into S. Adding an atom twice changes nothing but the list.
// It panics if i is out of range.
func (s *State) Add(i int) {
	s.coverage.mustContain(i)
	raise(s.current, s.coverage.row(i))
	s.atoms = append(s.atoms, i)
	s.value = mean(s.current)
}

// Atoms returns a copy of the atoms in the order they were added.
func (s *State) Atoms() []int { return slices.Clone(s.atoms) }

// Value returns F(S;T).
func (s *State) Value() float64 { return s.value }

// WorstDeficit returns max_{s in T} Δ_S(s), in O(|T|) time.
func (s *State) WorstDeficit() float64 { return largestGap(s.coverage.full, s.current) }

// OracleCalls returns the number of marginal gains evaluated so far.
func (s *State) OracleCalls() int { return s.calls }

// Clone returns an independent copy.
func (s *State) Clone() *State {
	clone := *s
	clone.current = slices.Clone(s.current)
	clone.atoms = slices.Clone(s.atoms)
	return &clone
}
