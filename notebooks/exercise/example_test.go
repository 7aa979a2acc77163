package exercise_test

import (
	"fmt"
	"testing"

	"github.com/sparsero/directions/notebooks/exercise"
)

// reader shows what a reader of a notebook sees below a test.
type reader struct{ testing.TB }

func (reader) Helper()                        {}
func (reader) Logf(format string, a ...any)   { fmt.Printf(format+"\n", a...) }
func (reader) Errorf(format string, a ...any) { fmt.Printf(format+"\n", a...) }

// The author prints the key of the answer once and puts it into the test; the notebook holds the
// key and never the answer.
func ExampleNumber() {
	key := exercise.NumberKey(1-1/2.718281828, 3)
	fmt.Println(len(key), "characters, other ones each time")

	var t reader
	exercise.Number(t, 0.5, key)
	exercise.Number(t, 0.632, key)
	// Output:
	// 23 characters, other ones each time
	// 0.5 is not the answer (3 decimals count)
	// right: 0.632
}
