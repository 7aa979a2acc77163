package robust

import (
	"fmt"

	"github.com/sparsero/directions/sparsero"
)

// Demand is one robust row: a constraint that has to hold against an atom.
type Demand struct {
	// Constraint is the constraint's name, Atom the atom or sparsero.NullAtom for
	// the nominal row, Label the atom's label.
	Constraint string
	Atom       int
	Label      string
}

// words name the constraint and the atom.
func (d Demand) words() string {
	if d.Atom == sparsero.NullAtom {
		return fmt.Sprintf("%q without any uncertainty", d.Constraint)
	}
	return fmt.Sprintf("%q against atom %s", d.Constraint, d.Label)
}
