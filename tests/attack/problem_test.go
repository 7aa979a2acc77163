package attack

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// problem is everything that the library is asked about, as plain numbers, so that it can be printed and read again.
type problem struct {
	Atoms       [][]float64 // N×p
	Blocks      []block     `json:",omitempty"` // dictionaries that Atoms consist of; none for one
	Chosen      []int
	Radius      float64
	Map         [][]float64 `json:",omitempty"` // p×n; none for a certain objective
	Shift       []float64   `json:",omitempty"`
	Columns     []column
	Rows        []row       `json:",omitempty"`
	Quadratic   [][]float64 `json:",omitempty"` // n×n, upper triangle: sum over i <= j of Q_ij x_i x_j
	Offset      float64     `json:",omitempty"`
	Constraints []limit     `json:",omitempty"`
	Probes      [][]float64 `json:",omitempty"` // M×p: directions for coverage, points for the gauge
	Budget      int
	Pure        bool    `json:",omitempty"` // the pure Go solvers instead of HiGHS
	RelativeGap float64 `json:",omitempty"`
	NodeLimit   int     `json:",omitempty"`
	// Tolerance is that of the solver, for rows and for duals; MaxRounds bounds cutting planes. 0 means the defaults.
	Tolerance      float64 `json:",omitempty"`
	IterationLimit int     `json:",omitempty"`
	MaxRounds      int     `json:",omitempty"`
	Units          *units  `json:",omitempty"` // the problem is asked in these units
}

// column is a decision variable.
type column struct {
	Lower, Upper bound
	Cost         float64
	Integer      bool `json:",omitempty"`
}

// row is a row of the region.
type row struct {
	Values       []float64
	Lower, Upper bound
}

// limit is a robust constraint.
type limit struct {
	Nominal []float64
	Map     [][]float64
	Shift   []float64 `json:",omitempty"`
	Limit   float64
	Block   int `json:",omitempty"` // of the atoms that it meets; the objective meets those of block 0
}

// bound is a number that may be infinite, which JSON has no number for.
type bound float64

// MarshalJSON writes infinities as words.
func (b bound) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(b), 0) {
		return json.Marshal(strconv.FormatFloat(float64(b), 'g', -1, 64))
	}
	return json.Marshal(float64(b))
}

// UnmarshalJSON reads numbers and words.
func (b *bound) UnmarshalJSON(text []byte) error {
	var word string
	if json.Unmarshal(text, &word) != nil {
		word = string(text)
	}
	value, err := strconv.ParseFloat(word, 64)
	*b = bound(value)
	return err
}

func (p *problem) String() string {
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Sprintf("not printable: %v", err)
	}
	return string(text)
}

// clone is a deep copy.
func (p *problem) clone() *problem {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	copied := &problem{}
	if err := json.Unmarshal(text, copied); err != nil {
		panic(err)
	}
	return copied
}

// dimension is p, the dimension of the atoms.
func (p *problem) dimension() int { return len(p.Atoms[0]) }

func (p *problem) isInteger() bool {
	for _, c := range p.Columns {
		if c.Integer {
			return true
		}
	}
	return false
}

// chosen tells whether an atom belongs to S.
func (p *problem) chosen(atom int) bool {
	for _, i := range p.Chosen {
		if i == atom {
			return true
		}
	}
	return false
}

// everyAtom lists 0, ..., N-1.
func (p *problem) everyAtom() []int { return names(0, len(p.Atoms)) }
