package solver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/sparsero/directions/solver/portable"
)

type modelJSON struct {
	Name      string   `json:"name"`
	Sense     string   `json:"sense"`
	Offset    float64  `json:"offset"`
	Columns   []Column `json:"columns"`
	Rows      []Row    `json:"rows"`
	Quadratic []Term   `json:"quadratic"`
}

// MarshalJSON writes a number, or null for no bound: JSON has no infinity.
func (s side) MarshalJSON() ([]byte, error) {
	if !s.some {
		return []byte("null"), nil
	}
	return json.Marshal(s.value)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *side) UnmarshalJSON(data []byte) error {
	var value *float64
	err := json.Unmarshal(data, &value)
	if *s = (side{}); value != nil {
		*s = side{*value, true}
	}
	return err
}

// MarshalJSON writes the term as [i, j, value].
func (t Term) MarshalJSON() ([]byte, error) { return json.Marshal([3]any{t.I, t.J, t.Value}) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Term) UnmarshalJSON(data []byte) error {
	parts := [3]any{&t.I, &t.J, &t.Value}
	return json.Unmarshal(data, &parts)
}

// MarshalJSON writes name, sense, offset, columns, rows and quadratic terms. It is an error if the model is
// not valid or a name is no UTF-8.
func (m *Model) MarshalJSON() ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if err := m.checkUTF8(); err != nil {
		return nil, err
	}
	form := modelJSON{Name: m.name, Sense: m.sense.String(), Offset: m.offset, Columns: m.columns, Rows: []Row{}, Quadratic: m.Quadratic()}
	for i := range m.rows {
		form.Rows = append(form.Rows, m.Row(i))
	}
	return json.Marshal(form)
}

// checkUTF8 finds a name that JSON cannot hold.
func (m *Model) checkUTF8() error {
	check := func(what, name string) error {
		if utf8.ValidString(name) {
			return nil
		}
		return fmt.Errorf("solver: %s has the name %q, which is no UTF-8, as JSON is; rename it", what, name)
	}
	err := check("model", m.name)
	for j, c := range m.columns {
		err = cmp.Or(err, check(place("column", j, ""), c.Name))
	}
	for i, l := range m.labels {
		err = cmp.Or(err, check(place("row", i, ""), l.name), check(place("row", i, ""), l.group))
	}
	return err
}

// UnmarshalJSON reads what MarshalJSON wrote, into an equal model. It is an error if what was written is not
// a valid model.
func (m *Model) UnmarshalJSON(data []byte) error {
	var form modelJSON
	if err := json.Unmarshal(data, &form); err != nil {
		return fmt.Errorf("solver: model: %w", err)
	}
	read := NewModel(form.Name)
	switch form.Sense {
	case Maximize.String():
		read.SetSense(Maximize)
	case Minimize.String(), "":
	default:
		return errors.New("solver: the sense of a model is minimize or maximize, not " + form.Sense)
	}
	read.SetOffset(form.Offset)
	for _, c := range form.Columns {
		read.AddColumn(c)
	}
	for _, r := range form.Rows {
		read.AddRow(r)
	}
	for _, t := range form.Quadratic {
		read.AddQuadratic(t.I, t.J, t.Value)
	}
	read.revision += m.revision + 1 // a session on m must notice
	*m = *read
	return m.Validate()
}

// resultJSON is the form of a Result in JSON: its fields, the cause by its words.
type resultJSON struct {
	plainResult
	Cause  string
	Proven bool
}

type plainResult Result

// causes are the errors that a Result names as Cause.
var causes = []error{context.Canceled, context.DeadlineExceeded, ErrIterationLimit, ErrUnproven}

// MarshalJSON writes the fields; NaN and the infinities are strings.
func (r Result) MarshalJSON() ([]byte, error) {
	form := resultJSON{plainResult: plainResult(r), Proven: r.proven}
	if r.Cause != nil {
		form.Cause = r.Cause.Error()
	}
	return portable.Marshal(form)
}

// UnmarshalJSON reads what MarshalJSON wrote; a cause that is not one of those that [Result] names keeps its words.
func (r *Result) UnmarshalJSON(data []byte) error {
	var form resultJSON
	if err := portable.Unmarshal(data, &form); err != nil {
		return fmt.Errorf("solver: result: %w", err)
	}
	*r = Result(form.plainResult)
	r.proven = form.Proven
	if form.Cause == "" {
		return nil
	}
	r.Cause = errors.New(form.Cause)
	for _, cause := range causes {
		if cause.Error() == form.Cause {
			r.Cause = cause
		}
	}
	return nil
}

// MarshalJSON is an error: an open session cannot travel.
func (s *Session) MarshalJSON() ([]byte, error) {
	return nil, errors.New("solver: a session is open work; write its Model or its Result")
}

// MarshalJSON is an error: a conflict is written as the text of Error.
func (c *Conflict) MarshalJSON() ([]byte, error) {
	return nil, errors.New("solver: a conflict has no form in JSON; write the text of its Error")
}
