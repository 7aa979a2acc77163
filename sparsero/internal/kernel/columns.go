package kernel

import "fmt"

// Lanes is the number of atoms that [Columns] holds and [Kernel.Sweep] takes at a time.
const Lanes = 64

// Columns holds the rows of Lanes atoms one column after the other.
type Columns struct {
	count   int
	entries []Half
}

// NewColumns makes room for a number of columns, a multiple of ColumnMultiple.
func NewColumns(count int) *Columns { return &Columns{count, make([]Half, count*Lanes)} }

// turned is how many rows are laid out together.
const turned = 8

// Fill takes in the given rows, at most Lanes, each as long as there are columns. What stands in the other lanes means nothing.
func (c *Columns) Fill(k *Kernel, rows [][]Half) {
	for from := 0; from < len(rows); from += turned {
		var group [turned]*Half
		for i := range group {
			group[i] = &rows[min(from+i, len(rows)-1)][:c.count][0]
		}
		k.turn(&c.entries[from], &group, c.count)
	}
}

// Rise says that the floor of a column, whose weight is given, rises.
type Rise struct {
	Column           int32
	Weight, From, To float32
}

// Sweep sets sums[l] to how much less atom l exceeds the floors after the rises, From < To each,
//
//	sum over the rises of min(max(h, From), To) - From,  h = the entry of atom l + e[l] Weight,
//
// added up in their order; h is rounded as in [Kernel.Excess]. All terms are at least 0.
func (k *Kernel) Sweep(sums *[Lanes]float32, c *Columns, e *[Lanes]float32, rises []Rise) {
	if len(rises) == 0 {
		clear(sums[:])
		return
	}
	for _, r := range rises {
		if r.Column < 0 || int(r.Column) >= c.count {
			panic(fmt.Sprintf("kernel: column %d of %d", r.Column, c.count))
		}
	}
	k.sweep(&sums[0], &c.entries[0], &e[0], &rises[0], len(rises))
}
