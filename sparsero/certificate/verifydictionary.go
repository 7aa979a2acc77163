package certificate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// readTables returns the dictionary of the file and the one that was handed over, whichever there are.
func (f *designFile) readTables(handed io.Reader) [][][]float64 {
	var tables [][][]float64
	if f.values != nil {
		tables = append(tables, f.values)
	}
	if handed != nil {
		data := readWhole("dictionary", handed)
		if bytes.HasPrefix(data, []byte("\x93NUMPY")) {
			tables = append(tables, f.readNPYTable(data))
		} else {
			tables = append(tables, f.readCSVTable(string(data)))
		}
	}
	need(len(tables) > 0, "its dictionary of %d atoms is not in it; hand over the NPY or CSV file with the SHA-256 %s", f.atoms, f.hash)
	return tables
}

var headerOfNPY = regexp.MustCompile(`'descr': *'<(f[48])'.*'fortran_order': *False`)

// readNPYTable reads the numbers of a matrix of float64 or float32, an atom after the other, which follow the line of
// its header. The hash tells whether they are those of the design.
func (f *designFile) readNPYTable(data []byte) [][]float64 {
	header, binaries, _ := bytes.Cut(data, []byte("\n"))
	words := headerOfNPY.FindSubmatch(header)
	need(words != nil, "the NPY file of the dictionary is not a matrix of float64 or float32 in C order; save it as one")
	size := int(words[1][1] - '0')
	need(len(binaries)%(size*f.dimension) == 0, "the NPY file of the dictionary is cut off")
	var values []float64
	for cell := range slices.Chunk(binaries, size) {
		if size == 8 {
			values = append(values, math.Float64frombits(binary.LittleEndian.Uint64(cell)))
		} else {
			values = append(values, float64(math.Float32frombits(binary.LittleEndian.Uint32(cell))))
		}
	}
	return slices.Collect(slices.Chunk(values, f.dimension))
}

// spaceInCell may stand around a number, and at the end of a line.
const spaceInCell = " \t\r\n"

// readCSVTable reads the last cells of every line; a line more than there are atoms is a header.
func (f *designFile) readCSVTable(text string) [][]float64 {
	lines, skipped := strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1, 0
	if lines == f.atoms+1 {
		skipped = 1
	}
	var table [][]float64
	for line := range strings.Lines(text) {
		if skipped > 0 {
			skipped--
			continue
		}
		cells := strings.Split(line, ",")
		need(len(cells) >= f.dimension, "atom %d of the CSV file of the dictionary has %d cells for %d numbers", len(table), len(cells), f.dimension)
		row := make([]float64, f.dimension)
		for j, cell := range cells[len(cells)-f.dimension:] {
			value, err := strconv.ParseFloat(strings.Trim(cell, spaceInCell), 64)
			need(err == nil && strings.Trim(cell, spaceInCell+"0123456789+-.eE") == "", "atom %d of the CSV file of the dictionary has %.40q for a number", len(table), cell)
			row[j] = value
		}
		table = append(table, row)
	}
	return table
}

// checkHash compares the SHA-256 of N, p and the numbers row by row with that of the file.
func (f *designFile) checkHash(table [][]float64) {
	sum := sha256.New()
	buffer := binary.LittleEndian.AppendUint64(nil, uint64(len(table)))
	buffer = binary.LittleEndian.AppendUint64(buffer, uint64(f.dimension))
	for _, row := range table {
		for _, v := range row {
			need(!math.IsNaN(v-v), "the dictionary holds %v; it must be finite", v)
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v+0)) // -0 counts as 0
		}
		sum.Write(buffer)
		buffer = buffer[:0]
	}
	hash := hex.EncodeToString(sum.Sum(nil))
	ensure(len(table) == f.atoms && hash == f.hash, "dictionary", f.hash,
		fmt.Sprintf("%s for the %d atoms at hand; hand over those of the design", hash, len(table)))
}
