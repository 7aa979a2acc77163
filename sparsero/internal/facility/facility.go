// Package facility holds points, each served by the atom of a set that is most similar to
// it: the state behind facility location, and behind the directions that Algorithm 1
// reveals one by one.
package facility

// Points are M points with their similarities to N atoms. Points may be added while sets
// of atoms serve them.
type Points struct {
	similarities [][]float64 // one row of N for each point
	full         []float64   // largest similarity, at least 0, of each point
}

// Add appends a point with its similarities to all atoms, which are not copied.
func (p *Points) Add(similarities []float64) {
	full := 0.0
	for _, value := range similarities {
		full = max(full, value)
	}
	p.similarities, p.full = append(p.similarities, similarities), append(p.full, full)
}

// Size returns M.
func (p *Points) Size() int { return len(p.full) }

// Full returns the mean over the points of max(0, max_i similarity_ij), 0 without points.
func (p *Points) Full() float64 { return mean(p.full) }

// Served is a growing set S of atoms that serves points. It must not be used by several
// goroutines at once.
type Served struct {
	points *Points
	atoms  []int
	best   []float64 // max(0, max_{i in S} similarity_ij) of each point
}

// Serve returns the empty set.
func (p *Points) Serve() *Served { return &Served{points: p, best: make([]float64, p.Size())} }

// catchUp takes in the points that were added.
func (s *Served) catchUp() {
	for j := len(s.best); j < s.points.Size(); j++ {
		best := 0.0
		for _, i := range s.atoms {
			best = max(best, s.points.similarities[j][i])
		}
		s.best = append(s.best, best)
	}
}

// Add puts atom i into S.
func (s *Served) Add(i int) {
	s.catchUp()
	s.atoms = append(s.atoms, i)
	for j, row := range s.points.similarities {
		s.best[j] = max(s.best[j], row[i])
	}
}

// Value returns the mean similarity of the points to the atoms that serve them.
func (s *Served) Value() float64 {
	s.catchUp()
	return mean(s.best)
}

// Gain returns by how much Value would grow with atom i.
func (s *Served) Gain(i int) float64 {
	s.catchUp()
	sum := 0.0
	for j, row := range s.points.similarities {
		sum += max(0, row[i]-s.best[j])
	}
	return sum / float64(len(s.best))
}

// Gains sets values to the gain of every atom.
func (s *Served) Gains(values []float64) {
	s.catchUp()
	clear(values)
	for j, row := range s.points.similarities {
		best := s.best[j]
		for i := range values {
			values[i] += max(0, row[i]-best)
		}
	}
	for i := range values {
		values[i] /= float64(len(s.best))
	}
}

// WorstDeficits sets values to what S with each atom misses at most, over the points.
func (s *Served) WorstDeficits(values []float64) {
	s.catchUp()
	clear(values)
	for j, row := range s.points.similarities {
		best, full := s.best[j], s.points.full[j]
		for i := range values {
			values[i] = max(values[i], full-max(best, row[i]))
		}
	}
}

func mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
