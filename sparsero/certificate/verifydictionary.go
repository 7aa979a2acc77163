package certificate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// tables returns the dictionary of the file and the one that was handed over, whichever there are.
func (f *designFile) tables(handed io.Reader) ([][][]float64, error) {
	var tables [][][]float64
	if f.Dictionary.Values != nil {
		tables = append(tables, f.Dictionary.Values)
	}
	if handed != nil {
		data, err := readWhole("dictionary", handed)
		if err != nil {
			return nil, err
		}
		read := f.readCSVTable
		if bytes.HasPrefix(data, []byte("\x93NUMPY")) {
			read = f.readNPYTable
		}
		table, err := read(data)
		if err != nil {
			return nil, err
		}
		tables = append(tables, table)
	}
	if len(tables) == 0 {
		return nil, notCheckable("its dictionary of %d atoms is not in it; hand over the NPY or CSV file with the SHA-256 %s", f.Dictionary.Atoms, f.Dictionary.SHA256)
	}
	return tables, nil
}

// checkTables compares the hash of every dictionary with that of the file.
func (f *designFile) checkTables(tables [][][]float64) error {
	for _, table := range tables {
		hash := hashTable(table, f.Dictionary.Dimension)
		if len(table) != f.Dictionary.Atoms || hash != f.Dictionary.SHA256 {
			return &FalseClaimError{"dictionary", f.Dictionary.SHA256, fmt.Sprintf("%s for the %d atoms at hand; hand over those of the design", hash, len(table))}
		}
		for _, row := range table {
			for _, v := range row {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return notCheckable("the dictionary holds %v; it must be finite", v)
				}
			}
		}
	}
	return nil
}

// hashTable is the SHA-256 of N, p and the numbers row by row.
func hashTable(table [][]float64, dimension int) string {
	sum := sha256.New()
	buffer := binary.LittleEndian.AppendUint64(nil, uint64(len(table)))
	buffer = binary.LittleEndian.AppendUint64(buffer, uint64(dimension))
	for _, row := range table {
		for _, v := range row {
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v+0)) // -0 counts as 0
		}
		sum.Write(buffer)
		buffer = buffer[:0]
	}
	sum.Write(buffer)
	return hex.EncodeToString(sum.Sum(nil))
}

var headerOfNPY = regexp.MustCompile(`'descr': *'<f([48])'.*'fortran_order': *False`)

// readNPYTable reads the numbers of a matrix of float64 or float32, an atom after the other. The hash tells whether
// they are those of the design.
func (f *designFile) readNPYTable(data []byte) ([][]float64, error) {
	start, length := 12, 0 // magic, version and the length of the header
	switch {
	case len(data) < start:
	case data[6] == 1:
		start, length = 10, int(binary.LittleEndian.Uint16(data[8:]))
	default:
		length = int(binary.LittleEndian.Uint32(data[8:]))
	}
	end := min(start+length, len(data))
	words := headerOfNPY.FindSubmatch(data[min(start, end):end])
	if words == nil {
		return nil, notCheckable("the NPY file of the dictionary is not a matrix of float64 or float32 in C order; save it as one")
	}
	size := int(words[1][0] - '0')
	numbers := data[end:]
	if len(numbers)%size != 0 {
		return nil, notCheckable("the NPY file of the dictionary is cut off")
	}
	values := make([]float64, len(numbers)/size)
	for i := range values {
		if size == 8 {
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(numbers[8*i:]))
		} else {
			values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(numbers[4*i:])))
		}
	}
	return slices.Collect(slices.Chunk(values, f.Dictionary.Dimension)), nil
}

// readCSVTable reads the last cells of every line; a line more than there are atoms is a header.
func (f *designFile) readCSVTable(data []byte) ([][]float64, error) {
	reader := csv.NewReader(bytes.NewReader(data))
	reader.LazyQuotes, reader.ReuseRecord, reader.FieldsPerRecord = true, true, -1
	var table [][]float64
	var inHeader error
	for {
		record, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, notCheckable("the CSV file of the dictionary: %v", err)
		}
		row, err := decimals(record[max(0, len(record)-f.Dictionary.Dimension):])
		if err != nil && len(table) > 0 {
			return nil, notCheckable("atom %d of the CSV file of the dictionary: %v", len(table), err)
		}
		if len(table) == 0 {
			inHeader = err
		}
		table = append(table, row)
	}
	if len(table) == f.Dictionary.Atoms+1 {
		return table[1:], nil
	}
	if inHeader != nil {
		return nil, notCheckable("the CSV file of the dictionary has %d lines for %d atoms, and in the first %v", len(table), f.Dictionary.Atoms, inHeader)
	}
	return table, nil
}

// decimals reads the cells of a line.
func decimals(record []string) ([]float64, error) {
	row := make([]float64, len(record))
	for j, cell := range record {
		value, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
			return nil, fmt.Errorf("%.40q is no finite number", cell)
		}
		row[j] = value
	}
	return row, nil
}
