package solver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
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
// a valid model, or has a key that a model does not know, such as "lb" for "lower".
func (m *Model) UnmarshalJSON(data []byte) error {
	var form modelJSON
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&form); err != nil {
		return fmt.Errorf("solver: model: %w%s", err, rightKey(err))
	}
	if listsNull(data) {
		return errors.New("solver: model: null stands in a list; it is no bound in lower and upper, and elsewhere give a number")
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
	read.revision += m.revision + 1 // a session on m must notice
	*m = *read
	return m.Validate()
}

// listsNull tells whether JSON that is known to be valid has null in a list, where decoders read 0.
func listsNull(data []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(data))
	var open []json.Token
	for {
		token, err := decoder.Token()
		switch {
		case err != nil:
			return false
		case token == json.Delim('{') || token == json.Delim('['):
			open = append(open, token)
		case token == json.Delim('}') || token == json.Delim(']'):
			open = open[:len(open)-1]
		case token == nil && len(open) > 0 && open[len(open)-1] == json.Delim('['):
			return true
		}
	}
}

// modelKeys are the keys of a model, its columns and its rows, each with what other programs call it.
var modelKeys = map[string][]string{
	"name": {"id", "label"}, "sense": {"direction", "objsense", "minimize", "maximize"}, "offset": {"constant"},
	"columns": {"variables", "vars", "index", "indices"}, "rows": {"constraints", "cons"}, "quadratic": {"q", "hessian", "quad"},
	"lower": {"lb", "lo", "min", "lower_bound", "lhs"}, "upper": {"ub", "up", "max", "upper_bound", "rhs"},
	"cost": {"obj", "objective", "c", "coef"}, "integer": {"type", "kind", "int", "vtype", "binary"}, "values": {"coefficients", "coefs", "a"},
	"group": {},
}

// rightKey ends the error of a key that a model does not know, with the one that was meant where that can be told.
func rightKey(err error) string {
	_, quoted, unknown := strings.Cut(err.Error(), "unknown field ")
	key, bad := strconv.Unquote(quoted)
	if !unknown || bad != nil {
		return ""
	}
	key = strings.ToLower(key)
	for _, right := range slices.Sorted(maps.Keys(modelKeys)) {
		if slices.Contains(modelKeys[right], key) || strings.HasPrefix(key, right) || len(key) > 2 && strings.HasPrefix(right, key) {
			return fmt.Sprintf("; write %q", right)
		}
	}
	return fmt.Sprintf("; the keys are %s", strings.Join(slices.Sorted(maps.Keys(modelKeys)), ", "))
}
