package sparsero

import "errors"

// errNoAtoms is what a dictionary says that was not built.
var errNoAtoms = errors.New("sparsero: the dictionary holds no atoms; build one with NewDictionary")

// MarshalJSON is an error: a dictionary goes to a file with [Dictionary.WriteCSV].
func (d Dictionary) MarshalJSON() ([]byte, error) { // of a value too, which would be {} otherwise
	return nil, errors.New("sparsero: a dictionary has no form in JSON; use its WriteCSV")
}

// MarshalJSON is an error: write the dictionary, the indices and the radius.
func (a AtomicSet) MarshalJSON() ([]byte, error) {
	return nil, errors.New("sparsero: an atomic set has no form in JSON; write its Atoms, its Radius and its Dictionary")
}

// MarshalJSON is an error: an open program cannot travel.
func (g *Gauge) MarshalJSON() ([]byte, error) {
	return nil, errors.New("sparsero: a gauge holds an open program; write its AtomicSet instead")
}
