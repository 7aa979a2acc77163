package compare

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"

	"gonum.org/v1/gonum/mat"
)

// array is an N×p matrix stored by rows.
type array[F float32 | float64] struct {
	rows, columns int
	values        []F
}

// write writes the array in the format of numpy.save (NEP 1, version 1.0).
func (a array[F]) write(path string) error {
	kind := "<f4"
	if _, ok := any(a.values).([]float64); ok {
		kind = "<f8"
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", kind, a.rows, a.columns)
	const preamble, alignment = 10, 64
	padded := (preamble+len(header)+1+alignment-1)/alignment*alignment - preamble
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00%s%-*s\n", binary.LittleEndian.AppendUint16(nil, uint16(padded)), padded-1, header)
	for from := 0; from < len(a.values); from += 1 << 16 {
		if err := binary.Write(w, binary.LittleEndian, a.values[from:min(from+1<<16, len(a.values))]); err != nil {
			return err
		}
	}
	return w.Flush()
}

// dense returns the array as a float64 matrix.
func (a array[F]) dense() *mat.Dense {
	wide := make([]float64, len(a.values))
	for k, v := range a.values {
		wide[k] = float64(v)
	}
	return mat.NewDense(a.rows, a.columns, wide)
}

// slice returns rows from..to-1.
func (a array[F]) slice(from, to int) array[F] {
	return array[F]{to - from, a.columns, a.values[from*a.columns : to*a.columns]}
}

// narrow returns a matrix rounded to float32.
func narrow(m mat.Matrix) array[float32] {
	rows, columns := m.Dims()
	a := array[float32]{rows, columns, make([]float32, 0, rows*columns)}
	for i := range rows {
		for j := range columns {
			a.values = append(a.values, float32(m.At(i, j)))
		}
	}
	return a
}

// wide returns a matrix as an array.
func wide(m mat.Matrix) array[float64] {
	d := mat.DenseCopyOf(m)
	rows, columns := d.Dims()
	return array[float64]{rows, columns, d.RawMatrix().Data}
}

// cloud draws rows of independent normal values or, with clusters > 0, around so
// many normal centres at half the spread.
func cloud(seed uint64, rows, columns, clusters int) array[float32] {
	source := rand.New(rand.NewPCG(seed, uint64(clusters)))
	draw := func(rows int) array[float32] {
		a := array[float32]{rows, columns, make([]float32, rows*columns)}
		for k := range a.values {
			a.values[k] = float32(source.NormFloat64())
		}
		return a
	}
	a := draw(rows)
	if clusters > 0 {
		centres := draw(clusters)
		for i := range rows {
			c := source.IntN(clusters)
			row := a.slice(i, i+1).values
			for k, v := range centres.slice(c, c+1).values {
				row[k] = v + row[k]/2
			}
		}
	}
	return a
}
