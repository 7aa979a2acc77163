package selection

import (
	"encoding/json"

	"github.com/sparsero/directions/sparsero/internal/screen"
)

// plain is a Selection without methods.
type plain Selection

// roundedJSON is a Selection with its rounding errors, on which later bounds rest.
type roundedJSON struct {
	*plain
	Rounding screen.Rounding
}

// MarshalJSON writes the fields and the rounding error of the coverage. It is an error if a number is not finite.
func (s *Selection) MarshalJSON() ([]byte, error) {
	return json.Marshal(roundedJSON{(*plain)(s), s.rounding})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Selection) UnmarshalJSON(data []byte) error {
	read := roundedJSON{plain: &plain{}}
	err := json.Unmarshal(data, &read)
	*s = Selection(*read.plain)
	s.rounding = read.Rounding
	return err
}
