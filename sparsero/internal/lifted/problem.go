package lifted

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// Decision is X and the atoms S for which it was found.
type Decision struct {
	X     []float64 `json:"x"`     // length n
	Atoms []int     `json:"atoms"` // distinct
}

// Problem is min b(x) + r max(0, max_i ⟨d_i, q(x)⟩) over x in X, with robust constraints.
type Problem struct {
	Dictionary  Dictionary   `json:"dictionary"`
	Model       Model        `json:"model"`
	Objective   *Map         `json:"objective"` // q, nil if the objective is certain
	Constraints []Constraint `json:"constraints"`
	Radius      float64      `json:"radius"` // r >= 0
	// Set takes the place of the hull of all atoms; nil for none.
	Set *Set `json:"set,omitempty"`
}

// MostEmbedded is the largest Np of a dictionary that is written into a file. The points of a set always are, as no
// other file has them.
const MostEmbedded = 200_000

// Dictionary holds N atoms in p coordinates.
type Dictionary struct {
	Atoms     int      `json:"atoms"`     // N
	Dimension int      `json:"dimension"` // p
	SHA256    string   `json:"sha256"`    // what Hash returns; Save fills it in
	Labels    []string `json:"labels"`    // N, or none
	Columns   []string `json:"columns"`   // p, or none
	// Values is N×p, rows are atoms. A file has none of more than 200,000 numbers but for points of a set; Verify then
	// takes them from another file.
	Values [][]float64 `json:"values"`
}

// Model is X and the certain cost b(x), which is to be minimised.
type Model struct {
	Name      string    `json:"name"`
	Offset    float64   `json:"offset"`
	Columns   []Column  `json:"columns"`
	Rows      []Row     `json:"rows"`
	Quadratic Quadratic `json:"quadratic"`
}

// Column is a variable. Bounds that are nil are missing; those of an integer column are whole numbers.
type Column struct {
	Name    string   `json:"name"`
	Lower   *float64 `json:"lower"`
	Upper   *float64 `json:"upper"`
	Cost    float64  `json:"cost"`
	Integer bool     `json:"integer"`
}

// Row is Lower <= Σ_k Values[k] x_{Columns[k]} <= Upper with distinct columns; bounds that are nil are missing.
type Row struct {
	Name    string    `json:"name"`
	Group   string    `json:"group"`
	Lower   *float64  `json:"lower"`
	Upper   *float64  `json:"upper"`
	Columns []int     `json:"columns"`
	Values  []float64 `json:"values"`
}

// Side is a bound of a column or row, nil for an infinite one.
func Side(bound float64) *float64 {
	if math.IsInf(bound, 0) {
		return nil
	}
	return &bound
}

// Quadratic is Σ_k Values[k] x_{I[k]} x_{J[k]}.
type Quadratic struct {
	I      []int     `json:"i"`
	J      []int     `json:"j"`
	Values []float64 `json:"values"`
}

// Map is q(x) = Matrix x + Constant; Matrix has p rows over n columns, Constant has a number for each of them or none.
// With First there may be fewer rows: that of coordinate First and those that follow, the others being 0.
type Map struct {
	Matrix   []Entries `json:"matrix"`
	Constant []float64 `json:"constant"`
	First    *int      `json:"first,omitempty"`
}

// first is the coordinate of the first row.
func (q *Map) first() int {
	if q.First == nil {
		return 0
	}
	return *q.First
}

// Row returns that of a coordinate, with its constant.
func (q *Map) Row(coordinate int) (entries Entries, constant float64) {
	k := coordinate - q.first()
	if k < 0 || k >= len(q.Matrix) {
		return Entries{}, 0
	}
	if len(q.Constant) > 0 {
		constant = q.Constant[k]
	}
	return q.Matrix[k], constant
}

// Entries are those of a row of a matrix that are not 0, in distinct columns.
type Entries struct {
	Columns []int     `json:"columns"`
	Values  []float64 `json:"values"`
}

// Constraint is ⟨Nominal, x⟩ + r max(0, max_i ⟨d_i, q(x)⟩) <= Limit; Nominal has length n or 0.
type Constraint struct {
	Name    string    `json:"name"`
	Nominal []float64 `json:"nominal"`
	Map     Map       `json:"map"`
	Limit   float64   `json:"limit"`
}

// Hash returns the SHA-256, in hexadecimal, of the number of atoms and their dimension as 64-bit little-endian integers
// followed by the atoms as little-endian float64, one after the other; -0 counts as 0. O(Np).
func Hash(dimension int, atoms [][]float64) string {
	digest := sha256.New()
	sizes := binary.LittleEndian.AppendUint64(nil, uint64(len(atoms)))
	digest.Write(binary.LittleEndian.AppendUint64(sizes, uint64(dimension)))
	var buffer []byte
	for _, atom := range atoms {
		buffer = buffer[:0]
		for _, v := range atom {
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v+0)) // -0 + 0 is 0
		}
		digest.Write(buffer)
	}
	return hex.EncodeToString(digest.Sum(nil))
}
