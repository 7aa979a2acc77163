package kernel

import (
	"encoding/binary"
	"fmt"
	"unsafe"
)

// Lanes is the number of atoms that [Columns] holds and [Kernel.Sweep] takes at a time.
const Lanes = 64

// Columns holds the rows of Lanes atoms one column after the other.
type Columns struct {
	count   int
	entries []Half
}

// NewColumns makes room for a number of columns, a multiple of ColumnMultiple.
func NewColumns(count int) *Columns { return &Columns{count, make([]Half, count*Lanes)} }

// group is how many atoms, and columns, are moved together: as many halves as fit one word.
const group = 4

// Fill takes in the given rows, at most Lanes, each as long as there are columns. What stands in the other lanes means nothing.
func (c *Columns) Fill(rows [][]Half) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&c.entries[0])), 2*len(c.entries))
	for from := 0; from < len(rows); from += group {
		var words [group][]byte
		for k := range words {
			row := rows[min(from+k, len(rows)-1)]
			words[k] = unsafe.Slice((*byte)(unsafe.Pointer(&row[0])), 2*c.count)
		}
		fillGroup(bytes[2*from:], words[0], words[1], words[2], words[3])
	}
}

// fillGroup transposes four rows, four columns at a time. The order of the bytes in a word does not matter as long as words are
// written as they are read.
func fillGroup(to, a, b, c, d []byte) {
	const step, low, high = 2 * Lanes, 0x0000ffff0000ffff, 0xffff0000ffff0000
	for at := 0; at+2*group <= len(a) && at+2*group <= len(b) && at+2*group <= len(c) && at+2*group <= len(d); at += 2 * group {
		w, x := binary.LittleEndian.Uint64(a[at:]), binary.LittleEndian.Uint64(b[at:])
		y, z := binary.LittleEndian.Uint64(c[at:]), binary.LittleEndian.Uint64(d[at:])
		w, x = w&low|x<<16&high, w>>16&low|x&high // columns 0 and 2, 1 and 3 of the rows a and b
		y, z = y&low|z<<16&high, y>>16&low|z&high
		out := to[:3*step+2*group]
		binary.LittleEndian.PutUint64(out, w&0xffffffff|y<<32)
		binary.LittleEndian.PutUint64(out[step:], x&0xffffffff|z<<32)
		binary.LittleEndian.PutUint64(out[2*step:], w>>32|y>>32<<32)
		binary.LittleEndian.PutUint64(out[3*step:], x>>32|z>>32<<32)
		if at+2*group < len(a) {
			to = to[group*step:]
		}
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
