package robust

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/sparsero/directions/sparsero/calibration"
	"gonum.org/v1/gonum/mat"
)

// checkFresh refuses samples that the dictionary has seen: of the samples that occur once, more than twice as many
// equal an atom that occurs once as there are samples that occur more often. By what occurs more often a law with few
// values shows, or with one such as that of holidays, on which no price moves. Zero rows do not count. Independent
// draws of a law without repeated values equal no atom and are never refused; calibration.Fresh is believed. next says
// what serves instead. O(ΣN_k p_k + mp).
func (p *Problem) checkFresh(samples mat.Matrix, next string) error {
	if _, declared := samples.(interface{ DeclaredFresh() }); declared {
		return nil
	}
	m, dimension := samples.Dims()
	row, key := make([]float64, dimension), []byte(nil)
	rows := map[string][]int{}
	for j := range m {
		mat.Row(row, j, samples)
		key = key[:0]
		for _, set := range p.dictionary.summands {
			key = appendBlock(key, set.coordinate, row[set.coordinate:][:set.dictionary.Dim()])
		}
		if len(key) > 0 {
			rows[string(key)] = append(rows[string(key)], j)
		}
	}
	tied, shared, sample, atom := 0, 0, m, 0
	for _, equal := range rows {
		if len(equal) > 1 {
			tied += len(equal)
		}
	}
	atoms := map[string][]int{} // that equal a sample which occurs once
	for _, set := range p.dictionary.summands {
		for i := range set.dictionary.Size() {
			key = appendBlock(key[:0], set.coordinate, set.dictionary.RawRowView(i))
			if len(rows[string(key)]) == 1 {
				atoms[string(key)] = append(atoms[string(key)], set.atom+i)
			}
		}
	}
	for key, equal := range atoms {
		if len(equal) == 1 {
			shared++
			if j := rows[key][0]; j < sample { // the first one is named
				sample, atom = j, equal[0]
			}
		}
	}
	if shared <= 2*tied {
		return nil
	}
	return fmt.Errorf("%w: %d of %d samples are rows of the dictionary (sample %d is atom %d), which has seen them; give other draws, or %s; where equal rows are independent draws, pass calibration.Fresh(samples)",
		calibration.ErrReuse, shared, m, sample, atom, next)
}

// appendBlock appends text that equal blocks of a row share, nothing for one of zeros.
func appendBlock(key []byte, from int, block []float64) []byte {
	before, zero := len(key), true
	key = binary.LittleEndian.AppendUint64(key, uint64(from))
	for _, v := range block {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v+0)) // -0 + 0 is 0
		zero = zero && v == 0
	}
	if zero {
		return key[:before]
	}
	return key
}
