package solver

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

type modelJSON struct {
	Name      string     `json:"name"`
	Sense     string     `json:"sense"`
	Offset    float64    `json:"offset"`
	Columns   []Column   `json:"columns"`
	Rows      []Row      `json:"rows"`
	Quadratic []termJSON `json:"quadratic"`
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

// termJSON is a term as [i, j, value].
type termJSON Term

// MarshalJSON writes the list.
func (t termJSON) MarshalJSON() ([]byte, error) { return json.Marshal([3]any{t.I, t.J, t.Value}) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *termJSON) UnmarshalJSON(data []byte) error {
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
	form := modelJSON{Name: m.name, Sense: m.sense(), Offset: m.offset, Columns: m.columns, Rows: []Row{}, Quadratic: []termJSON{}}
	for i := range m.rows {
		form.Rows = append(form.Rows, m.Row(i))
	}
	for _, t := range m.Quadratic() {
		form.Quadratic = append(form.Quadratic, termJSON(t))
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
// a valid model, or has what [ReadJSON] refuses, such as the key "lb" for "lower".
func (m *Model) UnmarshalJSON(data []byte) error {
	var form modelJSON
	if err := ReadJSON(data, &form); err != nil {
		return fmt.Errorf("solver: model: %w", err)
	}
	read := NewModel(form.Name)
	read.SetMaximize(form.Sense == "maximize")
	if form.Sense != read.sense() && form.Sense != "" {
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
	read.revision += m.revision // a session on m must notice
	*m = *read
	return m.Validate()
}
