package selection

// gainQueue keeps the atoms outside S in a heap by an upper bound of their
// marginal gain, larger first, then lower index. Gains only shrink while S
// grows, so a gain evaluated at an earlier S stays a valid bound, and only the
// atoms that reach the top need a new evaluation (Minoux 1978).
type gainQueue struct {
	state *State
	upper []float64 // bound of each atom's gain
	stamp []int     // |S| when the bound was evaluated; then it is exact
	heap  []int
}

// newGainQueue evaluates every atom outside S once.
func newGainQueue(state *State, chosen []bool) *gainQueue {
	n := state.coverage.Size()
	q := &gainQueue{state: state, upper: make([]float64, n), stamp: make([]int, n), heap: make([]int, 0, n)}
	state.gains(q.upper)
	for i := range n {
		q.stamp[i] = len(state.atoms)
		if !chosen[i] {
			q.heap = append(q.heap, i)
		}
	}
	for k := len(q.heap)/2 - 1; k >= 0; k-- {
		q.down(k)
	}
	return q
}

// pop removes and returns the atom with the largest gain at the present S, the
// lowest index among equals. The heap must not be empty.
func (q *gainQueue) pop() int {
	for {
		i := q.heap[0]
		if q.stamp[i] == len(q.state.atoms) {
			last := len(q.heap) - 1
			q.heap[0] = q.heap[last]
			q.heap = q.heap[:last]
			q.down(0)
			return i
		}
		q.upper[i] = q.state.Gain(i)
		q.stamp[i] = len(q.state.atoms)
		q.down(0)
	}
}

// push puts an atom back.
func (q *gainQueue) push(i int) {
	q.heap = append(q.heap, i)
	k := len(q.heap) - 1
	for k > 0 {
		parent := (k - 1) / 2
		if !q.before(q.heap[k], q.heap[parent]) {
			return
		}
		q.heap[k], q.heap[parent] = q.heap[parent], q.heap[k]
		k = parent
	}
}

func (q *gainQueue) down(k int) {
	for {
		child := 2*k + 1
		if child >= len(q.heap) {
			return
		}
		if child+1 < len(q.heap) && q.before(q.heap[child+1], q.heap[child]) {
			child++
		}
		if !q.before(q.heap[child], q.heap[k]) {
			return
		}
		q.heap[k], q.heap[child] = q.heap[child], q.heap[k]
		k = child
	}
}

// before is the order of the heap: larger bound first, then lower index.
func (q *gainQueue) before(i, j int) bool {
	if q.upper[i] != q.upper[j] {
		return q.upper[i] > q.upper[j]
	}
	return i < j
}
