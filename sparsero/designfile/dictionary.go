package designfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// mostTable bounds an NPY file of a dictionary in bytes, as many numbers as an array may have and a header, and
// mostText one in CSV, which is read as a whole before anything is known of it.
const mostTable, mostText int64 = 8193 << 20, 1_200_000_000

// readTable reads the atoms from an NPY or a CSV file.
func readTable(d *lifted.Dictionary, handed io.Reader) [][]float64 {
	reader := bufio.NewReaderSize(io.LimitReader(handed, mostTable), mostHeader)
	if start, _ := reader.Peek(6); string(start) == "\x93NUMPY" {
		return readNPY(d, reader)
	}
	return readCSV(d, string(readWhole("dictionary", reader, mostText)))
}

var headerOfNPY = regexp.MustCompile(`'descr': *'<f([48])'.*'fortran_order': *False(?:.*'shape': *\(\d+, *(\d{1,9})\))?`)

// mostHeader bounds the header of an NPY file.
const mostHeader = 1 << 16

// readNPY reads the numbers of a matrix of float64 or float32, an atom after the other, which follow the line of its
// header. The hash tells whether they are those of the design.
func readNPY(d *lifted.Dictionary, reader *bufio.Reader) [][]float64 {
	header, err := reader.Peek(mostHeader)
	end := bytes.IndexByte(header, '\n') + 1
	words := headerOfNPY.FindSubmatch(header[:end])
	lifted.Need((err == nil || err == io.EOF) && words != nil,
		"the NPY file of the dictionary is not a matrix of float64 or float32 in C order; save it as one")
	columns := string(words[2]) // "" where the header has no two sizes
	lifted.Need(columns == "" || strings.TrimLeft(columns, "0") == strconv.Itoa(d.Dimension), "the NPY file of the dictionary has %s columns for atoms of %d numbers; "+
		"constraints with dictionaries of their own make one matrix with these as its blocks", columns, d.Dimension)
	reader.Discard(end)
	size := int(words[1][0] - '0')
	lifted.Need(int64(size)*int64(d.Dimension) <= mostTable, "the NPY file of the dictionary is cut off")
	atoms, cells := [][]float64{}, make([]byte, size*d.Dimension)
	for {
		if _, err := io.ReadFull(reader, cells); err == io.EOF {
			return atoms
		} else if err != nil {
			lifted.Need(false, "the NPY file of the dictionary is cut off, has more than %d bytes, or cannot be read: %v", mostTable, err)
		}
		atom := make([]float64, d.Dimension)
		for j := range atom {
			if size == 8 {
				atom[j] = math.Float64frombits(binary.LittleEndian.Uint64(cells[8*j:]))
			} else {
				atom[j] = float64(math.Float32frombits(binary.LittleEndian.Uint32(cells[4*j:])))
			}
		}
		atoms = append(atoms, finite(atom))
	}
}

// finite ends the check of a dictionary with a number that is not finite.
func finite(atom []float64) []float64 {
	for _, v := range atom {
		if math.IsNaN(v - v) {
			lifted.Need(false, "the dictionary holds %v; it must be finite", v)
		}
	}
	return atom
}

// spaceInCell may stand around a number, and at the end of a line.
const spaceInCell = " \t\r\n"

// readCSV reads the last cells of every line; a line more than there are atoms is a header.
func readCSV(d *lifted.Dictionary, text string) [][]float64 {
	atoms := [][]float64{}
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	lifted.Need(text != "" && (lines == d.Atoms || lines == d.Atoms+1), "the CSV file of the dictionary has %d lines for %d atoms", lines, d.Atoms)
	header := lines > d.Atoms
	for line := range strings.Lines(text) {
		if header {
			header = false
			continue
		}
		cells := strings.Split(line, ",")
		lifted.Need(len(cells) >= d.Dimension, "atom %d of the CSV file of the dictionary has %d cells for %d numbers; let commas stand between them", len(atoms), len(cells), d.Dimension)
		atom := make([]float64, d.Dimension)
		for j, cell := range cells[len(cells)-d.Dimension:] {
			cell = strings.Trim(cell, spaceInCell)
			value, err := strconv.ParseFloat(cell, 64)
			if err != nil || len(cell) > longestNumber || strings.Trim(cell, "0123456789+-.eE") != "" {
				lifted.Need(false, "atom %d of the CSV file of the dictionary has %.40q for a number", len(atoms), cell)
			}
			atom[j] = value
		}
		atoms = append(atoms, atom)
	}
	return atoms
}
