//go:build linux

// Package verdict is linked into the programs that make grade makes of a submission: it hands out the answers of its functions,
// or says whether a test passed.
//
// A program reads a secret from standard input before any code of the submission runs, because packages that are imported are
// initialised first, and signs what it says with it. The grader copies this package to an import path that nobody can know
// beforehand, so that code of a submission cannot call it.
package verdict

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// longest is the size of an answer in bytes that is passed on.
const longest = 8 << 20

var (
	secret  string
	said    *os.File
	answers map[string][]json.RawMessage
)

// Line is what a program says at its end.
type Line struct {
	Secret, Name    string
	Passed, Skipped bool
	Answer          []any
	Problem         string
}

type matrix struct {
	Rows, Columns int
	Values        []string
}

func init() {
	if os.Getenv("DIRECTIONS_VERDICT") == "" {
		return // a program of somebody else
	}
	input := bufio.NewReader(os.Stdin)
	text, _ := input.ReadString('\n')
	secret = text
	if content, err := io.ReadAll(io.LimitReader(input, 2*longest)); err == nil {
		_ = json.Unmarshal(content, &answers) // without answers every exercise is open
	}
	hide()
}

// hide leaves the code of the submission without the input, keeps the way to the grader to this package, and keeps other
// processes from reading the memory of this one.
func hide() {
	channel, err := syscall.Dup(1)
	nowhere, wrong := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil || wrong != nil {
		panic(fmt.Sprint("verdict: ", err, wrong))
	}
	said = os.NewFile(uintptr(channel), "verdict")
	for _, standard := range []int{0, 1} {
		if err := syscall.Dup3(int(nowhere.Fd()), standard, 0); err != nil {
			panic(err)
		}
	}
	const dumpable = 4 // PR_SET_DUMPABLE
	if _, _, code := syscall.RawSyscall(syscall.SYS_PRCTL, dumpable, 0, 0); code != 0 {
		panic(code)
	}
}

func say(line Line) {
	line.Secret = secret
	text, err := json.Marshal(line)
	if err != nil || len(text) > longest {
		text, _ = json.Marshal(Line{Secret: secret, Name: line.Name, Problem: "the answer is too large"})
	}
	fmt.Fprintf(said, "\n%s\n", text)
}

// Collect calls the function that the first argument of the command line names, and says what it returned.
func Collect(functions map[string]func() []any) {
	name := os.Args[1]
	line := Line{Name: name}
	for _, value := range functions[name]() {
		plain, err := encoded(value)
		if err != nil {
			line.Problem = err.Error()
		}
		line.Answer = append(line.Answer, plain)
	}
	say(line)
}

// Test runs the test that the first argument of the command line names, says how it ended, and ends the program. What the
// test printed is on standard error.
func Test(tests map[string]func(*testing.T)) {
	if err := syscall.Dup3(2, 1, 0); err != nil {
		panic(err)
	}
	line := Line{Name: os.Args[1]}
	graded := func(t *testing.T) {
		line.Passed = t.Run("graded", func(t *testing.T) {
			defer func() { line.Skipped = t.Skipped() }()
			tests[line.Name](t)
		})
		say(line)
	}
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: line.Name, F: graded}}, nil, nil)
}

// encoded is a value of a kind that an answer may have as JSON; numbers are texts, which hold those that are not finite too.
func encoded(value any) (any, error) {
	switch v := value.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case []float64:
		texts := make([]string, len(v))
		for k, x := range v {
			texts[k] = strconv.FormatFloat(x, 'g', -1, 64)
		}
		return texts, nil
	case *mat.Dense:
		if v == nil {
			return matrix{}, nil
		}
		rows, columns := v.Dims()
		values, _ := encoded(mat.DenseCopyOf(v).RawMatrix().Data)
		return matrix{rows, columns, values.([]string)}, nil
	case string, []int, []string, []byte:
		return v, nil
	}
	return nil, fmt.Errorf("the answer is a %T", value)
}

// Fill puts the answer that the grader passed on for a function into the variables, and leaves those open that it has none for.
func Fill(name string, results ...any) {
	for k, result := range results {
		var raw json.RawMessage
		if k < len(answers[name]) {
			raw = answers[name][k]
		}
		if err := decode(raw, result); err != nil {
			panic(fmt.Sprintf("verdict: answer of %s: %v", name, err))
		}
	}
}

func decode(raw json.RawMessage, result any) error {
	if number, ok := result.(*float64); ok {
		*number = math.NaN()
	}
	if raw == nil {
		return nil
	}
	switch r := result.(type) {
	case *float64:
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
		number, err := strconv.ParseFloat(text, 64)
		*r = number
		return err
	case *[]float64:
		var texts []string
		err := json.Unmarshal(raw, &texts)
		*r, err = numbers(texts, err)
		return err
	case **mat.Dense:
		var m matrix
		err := json.Unmarshal(raw, &m)
		values, err := numbers(m.Values, err)
		if err != nil || m.Rows < 1 || m.Columns < 1 || m.Rows > len(values) || m.Rows*m.Columns != len(values) {
			return err
		}
		*r = mat.NewDense(m.Rows, m.Columns, values)
		return nil
	}
	return json.Unmarshal(raw, result)
}

func numbers(texts []string, err error) ([]float64, error) {
	var values []float64
	for _, text := range texts {
		if err != nil {
			return nil, err
		}
		var value float64
		value, err = strconv.ParseFloat(text, 64)
		values = append(values, value)
	}
	return values, err
}
