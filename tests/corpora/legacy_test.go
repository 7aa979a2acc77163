package corpora

import (
	"math"
	"testing"
)

// legacy is the generator behind NumPy's numpy.random.seed and rand: the Mersenne twister MT19937 (Matsumoto and
// Nishimura 1998) with two outputs for each number of 53 bits.
type legacy struct {
	state [624]uint32
	next  int
}

func newLegacy(seed uint32) *legacy {
	r := &legacy{next: 624}
	for k := range r.state {
		r.state[k] = seed
		seed = 1812433253*(seed^seed>>30) + uint32(k) + 1
	}
	return r
}

func (r *legacy) word() uint32 {
	if r.next == len(r.state) {
		r.next = 0
		for k := range r.state {
			y := r.state[k]&0x80000000 | r.state[(k+1)%624]&0x7fffffff
			r.state[k] = r.state[(k+397)%624] ^ y>>1 ^ (y&1)*0x9908b0df
		}
	}
	y := r.state[r.next]
	r.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// uniforms returns the next numbers in [0,1).
func (r *legacy) uniforms(n int) []float64 {
	values := make([]float64, n)
	for k := range values {
		high, low := r.word()>>5, r.word()>>6
		values[k] = (float64(high)*(1<<26) + float64(low)) / (1 << 53)
	}
	return values
}

// The numbers that NumPy's documentation and thousands of notebooks show for seed 0.
func TestLegacyGenerator(t *testing.T) {
	for k, v := range newLegacy(0).uniforms(3) {
		if want := []float64{0.5488135, 0.71518937, 0.60276338}[k]; math.Abs(v-want) > 1e-8 {
			t.Errorf("number %d is %v, want %v", k, v, want)
		}
	}
}
