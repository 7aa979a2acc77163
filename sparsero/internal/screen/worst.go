package screen

import "slices"

// WorstDeficit returns the largest difference between the full support and that of
// the listed atoms, as [State.WorstDeficit] does once all are added, from fewer
// float64 alignments: only where the bounds leave the largest difference open.
func (s *Screen) WorstDeficit(atoms []int) (float64, error) {
	b := s.newBlock()
	deficits, err := s.deficitsAtMost(b, atoms)
	if err != nil {
		return 0, err
	}
	exact := make([]bool, s.m)
	for {
		b.columns = largestOf(b.columns[:0], deficits)
		if exact[b.columns[0]] {
			return max(0, deficits[b.columns[0]]), nil
		}
		b.columns = slices.DeleteFunc(b.columns, func(j int32) bool { return exact[j] })
		if err := s.deficitsOf(deficits, b, atoms); err != nil {
			return 0, err
		}
		for _, j := range b.columns {
			exact[j] = true
		}
	}
}

// deficitsAtMost returns an upper bound of the deficit of the listed atoms in each
// direction.
func (s *Screen) deficitsAtMost(b *block, atoms []int) ([]float64, error) {
	floor := slices.Clone(s.nothing.floor)
	for _, i := range atoms {
		row, err := b.row(i)
		if err != nil {
			return nil, err
		}
		b.lift(floor, i, row)
	}
	deficits := make([]float64, s.m)
	for j, full := range s.full {
		deficits[j] = full - float64(floor[j])*s.unit
	}
	return deficits, nil
}

// deficitsOf sets the deficits of the listed atoms in the directions of b.columns.
func (s *Screen) deficitsOf(deficits []float64, b *block, atoms []int) error {
	for _, j := range b.columns {
		deficits[j] = s.full[j]
	}
	for _, i := range atoms {
		values, err := b.align(i)
		if err != nil {
			return err
		}
		for k, value := range values {
			j := b.columns[k]
			deficits[j] = min(deficits[j], s.full[j]-value)
		}
	}
	return nil
}

// largestOf appends the directions of the largest values to the list, falling, as
// many as the kernel aligns together.
func largestOf(list []int32, values []float64) []int32 {
	for j, value := range values {
		if len(list) == alignedTogether && value <= values[list[len(list)-1]] {
			continue
		}
		at := len(list)
		for at > 0 && value > values[list[at-1]] {
			at--
		}
		list = slices.Insert(list, at, int32(j))
		list = list[:min(len(list), alignedTogether)]
	}
	return list
}
