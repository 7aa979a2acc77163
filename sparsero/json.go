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
	"slices"
	"unicode/utf8"

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

// Summary is the JSON of the dictionary without its atoms, which [Dictionary.Hash] stands for. It is an error if the
// dictionary is empty or a name or a label is not UTF-8, which JSON would change.
func (d *Dictionary) Summary() ([]byte, error) {
	form, err := d.form()
	if err != nil {
		return nil, err
	}
	return json.Marshal(form)
}

func (d *Dictionary) form() (form dictionaryJSON, err error) {
	n, p := d.dims()
	if n == 0 {
		return form, errNoAtoms
	}
	for _, name := range slices.Concat(d.labels, d.columns, []string{d.labelColumn}) {
		if !utf8.ValidString(name) {
			return form, fmt.Errorf("sparsero: the name %q is not UTF-8, and JSON would change it; rename it", name)
		}
	}
	form = dictionaryJSON{Atoms: n, Dimension: p, SHA256: d.Hash(), Labels: d.labels, Columns: d.columns, Sampled: d.sampled, Closed: d.closed}
	if d.labelColumn != defaultLabelColumn {
		form.LabelName = d.labelColumn
	}
	return form, nil
}

// MarshalJSON writes atoms, names and the hash of the atoms; UnmarshalJSON reads it back. It has the errors of Summary.
func (d Dictionary) MarshalJSON() ([]byte, error) { // of a value too, which would be {} otherwise
	form, err := d.form()
	if err != nil {
		return nil, err
	}
	for i := range form.Atoms {
		form.Values = append(form.Values, d.RawRowView(i))
	}
	return json.Marshal(form)
}

// UnmarshalJSON reads what MarshalJSON wrote. It is an error if the atoms are missing, if they do not have the
// hash, if an antipodal closure is declared to be sampled, or if atoms and names do not make a dictionary.
func (d *Dictionary) UnmarshalJSON(data []byte) error {
	var form dictionaryJSON
	if err := json.Unmarshal(data, &form); err != nil {
		return fmt.Errorf("sparsero: dictionary: %w", err)
	}
	if len(form.Values) != form.Atoms || form.Atoms < 1 || form.Dimension < 1 {
		return fmt.Errorf("sparsero: the dictionary is said to have %d atoms of dimension %d, but %d are given; hand it over apart from the file", form.Atoms, form.Dimension, len(form.Values))
	}
	if form.Sampled && form.Closed {
		return errClosed
	}
	for i, values := range form.Values {
		if len(values) != form.Dimension {
			return fmt.Errorf("sparsero: atom %d has %d numbers, not %d", i, len(values), form.Dimension)
		}
	}
	atoms := mat.NewDense(form.Atoms, form.Dimension, slices.Concat(form.Values...))
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
