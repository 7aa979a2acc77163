package compare

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// TestSidesAgree runs every workload on small data: picks and optima of NumPy,
// SciPy and this module must be the same. Times are not looked at.
func TestSidesAgree(t *testing.T) {
	rows, _, err := Run(context.Background(), Quick, lines{t})
	if errors.Is(err, ErrNoPeers) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Agreement == "" {
			t.Errorf("%s: nothing was compared", r.Key)
		}
	}
}

// lines passes what is written on to the log of a test.
type lines struct{ *testing.T }

func (l lines) Write(text []byte) (int, error) {
	l.Logf("%s", bytes.TrimSpace(text))
	return len(text), nil
}
