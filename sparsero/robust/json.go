package robust

import (
	"encoding/json"
	"fmt"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/portable"
	"github.com/sparsero/directions/sparsero"
)

// problemJSON is the form of a Problem in JSON, and part of a design file.
type problemJSON struct {
	Dictionary  json.RawMessage  `json:"dictionary"`
	Model       *solver.Model    `json:"model"`
	Objective   *mapJSON         `json:"objective"`
	Constraints []constraintJSON `json:"constraints"`
}

// form returns the problem with the dictionary as it was written.
func (p *Problem) form(dictionary []byte) problemJSON {
	form := problemJSON{Dictionary: dictionary, Model: p.region, Objective: newMapJSON(p.q), Constraints: []constraintJSON{}}
	for _, c := range p.constraints {
		form.Constraints = append(form.Constraints, constraintJSON{c.Name, c.Nominal, *newMapJSON(c.Map), c.Limit})
	}
	return form
}

// problem builds the problem over a dictionary.
func (form *problemJSON) problem(dictionary *sparsero.Dictionary) (*Problem, error) {
	q, err := form.Objective.affine()
	if err != nil {
		return nil, err
	}
	var constraints []Constraint
	for _, c := range form.Constraints {
		read := Constraint{Name: c.Name, Nominal: c.Nominal, Limit: c.Limit}
		if read.Map, err = c.affine(); err != nil {
			return nil, err
		}
		constraints = append(constraints, read)
	}
	return NewProblem(dictionary, form.Model, q, constraints...)
}

// MarshalJSON writes dictionary, model, objective and constraints under the keys of a design file.
func (p *Problem) MarshalJSON() ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	dictionary, err := json.Marshal(p.dictionary)
	if err != nil {
		return nil, err
	}
	return json.Marshal(p.form(dictionary))
}

// UnmarshalJSON reads what MarshalJSON wrote, or the problem of a design file that embeds the atoms. It is an error
// if the parts do not fit together.
func (p *Problem) UnmarshalJSON(data []byte) error {
	var form problemJSON
	if err := json.Unmarshal(data, &form); err != nil {
		return fmt.Errorf("robust: problem: %w", err)
	}
	dictionary, err := readDictionary(form.Dictionary, nil)
	if err != nil {
		return err
	}
	read, err := form.problem(dictionary)
	if err == nil {
		*p = *read
	}
	return err
}

// MarshalJSON writes the fields; +Inf is a string.
func (l Level) MarshalJSON() ([]byte, error) { return portable.Marshal(l) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (l *Level) UnmarshalJSON(data []byte) error { return portable.Unmarshal(data, l) }

// MarshalJSON writes the fields; NaN is a string.
func (it Iteration) MarshalJSON() ([]byte, error) { return portable.Marshal(it) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (it *Iteration) UnmarshalJSON(data []byte) error { return portable.Unmarshal(data, it) }

// MarshalJSON is an error: a step travels in its Tuned.
func (s TuneStep) MarshalJSON() ([]byte, error) { return partOf("step", "Tuned") }

// MarshalJSON is an error: the multipliers of a Solution travel in its design file.
func (d *Dual) MarshalJSON() ([]byte, error) { return partOf("dual solution", "Primal") }

// MarshalJSON is an error: an explanation is written as its String.
func (e *Explanation) MarshalJSON() ([]byte, error) { return partOf("explanation", "String") }

// MarshalJSON is an error: blocks do not travel.
func (s *Sharded) MarshalJSON() ([]byte, error) { return partOf("problem over blocks", "Solution") }

func partOf(what, instead string) ([]byte, error) {
	return nil, fmt.Errorf("robust: a %s has no form in JSON; write its %s", what, instead)
}
