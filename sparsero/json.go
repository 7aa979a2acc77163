package sparsero

import (
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// dictionaryJSON is the form of a dictionary in JSON. Go writes each number with the
// digits that bring it back.
type dictionaryJSON struct {
	Columns     []string    `json:",omitempty"`
	LabelColumn string      `json:",omitempty"`
	Labels      []string    `json:",omitempty"`
	Sampled     bool        `json:",omitempty"`
	Closed      bool        `json:",omitempty"`
	Atoms       [][]float64 // one row per atom
}

// errNoAtoms is what a dictionary says that was not built.
var errNoAtoms = errors.New("sparsero: the dictionary holds no atoms; build one with NewDictionary")

// MarshalJSON writes atoms, labels and names of coordinates, all digits included. It is an
// error if the dictionary was not built with [NewDictionary] or a name is no valid UTF-8,
// so that it would not come back.
func (d Dictionary) MarshalJSON() ([]byte, error) { // of a value too, which would be {} otherwise
	if d.atoms == nil {
		return nil, errNoAtoms
	}
	form := dictionaryJSON{Columns: d.columns, Labels: d.labels, LabelColumn: d.labelColumn, Sampled: d.sampled, Closed: d.closed}
	for i := range d.Size() {
		form.Atoms = append(form.Atoms, d.RawRowView(i))
	}
	text, err := json.Marshal(form)
	if err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	var back Dictionary
	if err := back.UnmarshalJSON(text); err != nil || !d.equal(&back) {
		return nil, errors.New("sparsero: a name or a label of the dictionary changes in JSON; use names in UTF-8")
	}
	return text, nil
}

// UnmarshalJSON reads what [Dictionary.MarshalJSON] writes, with the checks of
// [NewDictionary].
func (d *Dictionary) UnmarshalJSON(text []byte) error {
	var form dictionaryJSON
	if err := json.Unmarshal(text, &form); err != nil {
		return fmt.Errorf("sparsero: the JSON text holds no dictionary: %w; write one with json.Marshal", err)
	}
	if len(form.Atoms) == 0 || len(form.Atoms[0]) == 0 {
		return errNoAtoms
	}
	atoms := mat.NewDense(len(form.Atoms), len(form.Atoms[0]), nil)
	for i, atom := range form.Atoms {
		if len(atom) != len(form.Atoms[0]) {
			return fmt.Errorf("sparsero: atom %d has %d coordinates, atom 0 has %d; give atoms of one dimension", i, len(atom), len(form.Atoms[0]))
		}
		atoms.SetRow(i, atom)
	}
	read, err := NewDictionary(atoms, &DictionaryOptions{Labels: form.Labels, Columns: form.Columns, LabelColumn: form.LabelColumn})
	if err != nil {
		return err
	}
	read.sampled, read.closed = form.Sampled, form.Closed
	*d = *read
	return nil
}

// MarshalJSON is an error: an open program cannot travel.
func (g *Gauge) MarshalJSON() ([]byte, error) {
	return nil, errors.New("sparsero: a gauge holds an open program; write its AtomicSet instead")
}

// setJSON is the form of an atomic set in JSON.
type setJSON struct {
	Dictionary *Dictionary
	Atoms      []int
	Radius     float64
}

// MarshalJSON writes the dictionary, the indices and the radius. Errors are those of
// [Dictionary.MarshalJSON].
func (a AtomicSet) MarshalJSON() ([]byte, error) {
	if a.dictionary == nil {
		return nil, errors.New("sparsero: the atomic set has no dictionary; build one with NewAtomicSet")
	}
	return json.Marshal(setJSON{Dictionary: a.dictionary, Atoms: a.atoms, Radius: a.radius})
}

// UnmarshalJSON reads what [AtomicSet.MarshalJSON] writes, with the checks of
// [NewAtomicSet].
func (a *AtomicSet) UnmarshalJSON(text []byte) error {
	var form setJSON
	if err := json.Unmarshal(text, &form); err != nil {
		return fmt.Errorf("sparsero: the JSON text holds no atomic set: %w; write one with json.Marshal", err)
	}
	read, err := NewAtomicSet(form.Dictionary, form.Atoms, form.Radius)
	if err != nil {
		return err
	}
	*a = *read
	return nil
}
