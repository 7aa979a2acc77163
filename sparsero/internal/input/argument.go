package input

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// AnyColumns stands for any number of columns.
const AnyColumns = -1

// CheckRows reports a matrix that is nil or empty, or that has another number of columns than the atoms or a value that
// is not finite. The text gets the name of the argument and what one row holds.
func CheckRows(name, row string, m mat.Matrix, columns int) error {
	if err := CheckShape(name, row, m, columns); err != nil {
		return err
	}
	rows, width := m.Dims()
	dense, held := m.(mat.RawMatrixer)
	values := make([]float64, width)
	for i := range rows {
		if held {
			values = dense.RawMatrix().Data[i*dense.RawMatrix().Stride:][:width]
		} else {
			mat.Row(values, i, m)
		}
		if j := firstNotFinite(values); j >= 0 {
			return fmt.Errorf("%s has the value %v in row %d, column %d; use finite values", name, values[j], i, j)
		}
	}
	return nil
}

// Handed is a matrix that its maker gives away, and the names of its rows and columns: whoever takes it makes no copy.
type Handed struct{ *mat.Dense }

// Owned returns a copy of a matrix that is neither nil nor empty, or the matrix itself where it was handed over. It
// does not ask mat.DenseCopyOf, which would link the matrices of all kinds into every cell.
func Owned(m mat.Matrix) *mat.Dense {
	if handed, ok := m.(Handed); ok {
		return handed.Dense
	}
	rows, columns := m.Dims()
	values := Uncleared[float64](rows * columns)
	if dense, ok := m.(*mat.Dense); ok && dense.RawMatrix().Stride == columns {
		copy(values, dense.RawMatrix().Data)
		return mat.NewDense(rows, columns, values)
	}
	for i := range rows {
		mat.Row(values[i*columns:(i+1)*columns], i, m)
	}
	return mat.NewDense(rows, columns, values)
}

// CheckShape reports a matrix that is nil or empty, or that has another number of columns, as [CheckRows] does.
func CheckShape(name, row string, m mat.Matrix, columns int) error {
	if missingMatrix(m) {
		return fmt.Errorf("%s is nil; give a matrix with one %s per row", name, row)
	}
	rows, width := m.Dims()
	if rows == 0 || width == 0 {
		return fmt.Errorf("%s is empty (%d×%d); give at least one %s per row", name, rows, width, row)
	}
	if columns >= 0 && width != columns {
		return fmt.Errorf("%s has %s but the atoms have dimension %d; give one %s per row with %s", name, Count(width, "column"), columns, row, Count(columns, "column"))
	}
	return nil
}

// CheckVector reports a vector of another length or with a value that is not finite.
func CheckVector(name string, v []float64, length int) error {
	if len(v) != length {
		return fmt.Errorf("%s has length %d but needs %d; give %d values", name, len(v), length, length)
	}
	if j := firstNotFinite(v); j >= 0 {
		return fmt.Errorf("%s has the value %v at position %d; use finite values", name, v[j], j)
	}
	return nil
}

// CheckIndices reports an index outside [0,n) and one that is listed twice.
func CheckIndices(name string, indices []int, n int) error {
	seen := make(map[int]int, len(indices))
	for k, i := range indices {
		if i < 0 || i >= n {
			return fmt.Errorf("%s[%d] = %d is outside [0,%d); use 0-based atom indices", name, k, i, n)
		}
		if first, ok := seen[i]; ok {
			return fmt.Errorf("%s lists atom %d twice (positions %d and %d); list each atom once", name, i, first, k)
		}
		seen[i] = k
	}
	return nil
}

// Number reads a decimal number between spaces as other programs do: digits, a point, signs and an exponent, or words
// for infinities and NaN. 1_0 and 0x1p3, which are numbers of Go alone, are errors, and so is one so small that it would be 0.
func Number(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if strings.ContainsAny(text, "_xX") {
		return 0, strconv.ErrSyntax
	}
	value, err := strconv.ParseFloat(text, 64)
	if digits, _, _ := strings.Cut(strings.ToLower(text), "e"); value == 0 && err == nil && strings.ContainsAny(digits, "123456789") {
		err = strconv.ErrRange
	}
	return value, err
}

func firstNotFinite(v []float64) int {
	return slices.IndexFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// Context is the context of a call, context.Background() for nil.
func Context(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// Missing tells whether an argument of an interface type is nil or a nil pointer.
func Missing(argument any) bool { return missing(reflect.ValueOf(argument)) }

func missing(v reflect.Value) bool { return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() }

// missingMatrix is Missing, also for a struct around nothing but a matrix that is missing, as mat.Transpose is one.
func missingMatrix(m mat.Matrix) bool {
	v := reflect.ValueOf(m)
	for inner := reflect.Indirect(v); inner.Kind() == reflect.Struct && inner.NumField() == 1 && inner.Field(0).Kind() == reflect.Interface; {
		v = inner.Field(0).Elem()
		inner = reflect.Indirect(v)
	}
	return missing(v)
}

// largestArray is how many numbers one array may hold: 8 GB of float64.
const largestArray = 1 << 30

// CheckSize refuses an array that no memory holds, before it is allocated. The text
// says what asks for it; its sizes are at least 0.
func CheckSize(what string, sizes ...int) error {
	product := 1
	for _, size := range sizes {
		if size > 0 && product > largestArray/size {
			return fmt.Errorf("%s with sizes %v would hold more than %d numbers; use smaller sizes", what, sizes, largestArray)
		}
		product *= size
	}
	return nil
}

// longestQuote is how many bytes of one text an error quotes: enough to find it in a file.
const longestQuote = 60

// Quote returns text in quotation marks for an error; what is long is cut and says so.
func Quote(text string) string {
	if len(text) <= longestQuote {
		return strconv.Quote(text)
	}
	return strconv.Quote(strings.ToValidUTF8(text[:longestQuote], "")) + "..."
}

// Count writes a number of things, "1 atom" and "2 atoms".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprint(n, " ", thing)
}

// List returns names for an error: all of a few, and the first and the last of many.
func List(names []string) string {
	const shown = 3
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = Quote(name)
	}
	if len(quoted) > shown {
		quoted = slices.Replace(quoted, shown-1, len(quoted)-1, "...")
	}
	return fmt.Sprintf("(%s)", strings.Join(quoted, ", "))
}
