package sparsero

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// errNoAtoms is what a dictionary says that was not built.
var errNoAtoms = errors.New("sparsero: the dictionary holds no atoms; build one with NewDictionary")

// dictionaryJSON is the form of a dictionary in JSON and in design files.
type dictionaryJSON struct {
	Atoms     int         `json:"atoms"`
	Dimension int         `json:"dimension"`
	SHA256    string      `json:"sha256"`
	Labels    []string    `json:"labels,omitempty"`
	LabelName string      `json:"label column,omitempty"`
	Columns   []string    `json:"columns,omitempty"`
	Sampled   bool        `json:"sampled,omitempty"`
	Closed    bool        `json:"closed,omitempty"`
	Values    [][]float64 `json:"values,omitempty"`
}

// Hash returns the SHA-256, in hexadecimal, of N and p as 64-bit little-endian integers followed by the atoms
// as little-endian float64, row by row; -0 counts as 0, and names do not count. O(Np).
func (d *Dictionary) Hash() string {
	digest, row := sha256.New(), bytes.Buffer{}
	n, p := d.dims()
	binary.Write(digest, binary.LittleEndian, []uint64{uint64(n), uint64(p)}) // a digest has no errors
	for i := range n {
		row.Reset()
		for _, v := range d.RawRowView(i) {
			binary.Write(&row, binary.LittleEndian, v+0) // -0 + 0 is 0
		}
		digest.Write(row.Bytes())
	}
	return hex.EncodeToString(digest.Sum(nil))
}

// Summary is the JSON of the dictionary without its atoms, which [Dictionary.Hash] stands for.
func (d *Dictionary) Summary() ([]byte, error) {
	if d.Size() == 0 {
		return nil, errNoAtoms
	}
	return json.Marshal(d.form())
}

func (d *Dictionary) form() dictionaryJSON {
	n, p := d.dims()
	form := dictionaryJSON{Atoms: n, Dimension: p, SHA256: d.Hash(), Labels: d.labels, Columns: d.columns, Sampled: d.sampled, Closed: d.closed}
	if d.labelColumn != defaultLabelColumn {
		form.LabelName = d.labelColumn
	}
	return form
}

// MarshalJSON writes atoms, names and the hash of the atoms; UnmarshalJSON reads it back.
func (d Dictionary) MarshalJSON() ([]byte, error) { // of a value too, which would be {} otherwise
	if d.Size() == 0 {
		return nil, errNoAtoms
	}
	form := d.form()
	for i := range form.Atoms {
		form.Values = append(form.Values, d.RawRowView(i))
	}
	return json.Marshal(form)
}

// UnmarshalJSON reads what MarshalJSON wrote. It is an error if the atoms are missing, if they do not have the
// hash, or if they and the names do not make a dictionary.
func (d *Dictionary) UnmarshalJSON(data []byte) error {
	var form dictionaryJSON
	if err := json.Unmarshal(data, &form); err != nil {
		return fmt.Errorf("sparsero: dictionary: %w", err)
	}
	if len(form.Values) != form.Atoms || form.Atoms == 0 || form.Dimension == 0 {
		return fmt.Errorf("sparsero: the dictionary is said to have %d atoms of dimension %d, but %d are given; hand it over apart from the file", form.Atoms, form.Dimension, len(form.Values))
	}
	atoms := mat.NewDense(form.Atoms, form.Dimension, nil)
	for i, values := range form.Values {
		if len(values) != form.Dimension {
			return fmt.Errorf("sparsero: atom %d has %d numbers, not %d", i, len(values), form.Dimension)
		}
		atoms.SetRow(i, values)
	}
	read, err := NewDictionary(atoms, &DictionaryOptions{Labels: form.Labels, Columns: form.Columns})
	if err != nil {
		return err
	}
	if hash := read.Hash(); hash != form.SHA256 {
		return fmt.Errorf("sparsero: the atoms have the hash %.12s…, not %.12s…; they were changed", hash, form.SHA256)
	}
	read.labelColumn, read.sampled, read.closed = cmp.Or(form.LabelName, defaultLabelColumn), form.Sampled, form.Closed
	*d = *read
	return nil
}

// MarshalJSON is an error: write the dictionary, the indices and the radius.
func (a AtomicSet) MarshalJSON() ([]byte, error) {
	return nil, errors.New("sparsero: an atomic set has no form in JSON; write its Atoms, its Radius and its Dictionary")
}

// MarshalJSON is an error: an open program cannot travel.
func (g *Gauge) MarshalJSON() ([]byte, error) {
	return nil, errors.New("sparsero: a gauge holds an open program; write its AtomicSet instead")
}
