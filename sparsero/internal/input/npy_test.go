package input

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// npyFile writes a version-1 NumPy file with the given header fields and bytes.
func npyFile(kind, order, shape, body string) []byte {
	text := "{'descr': '" + kind + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }"
	text += strings.Repeat(" ", 64-(10+len(text)+1)%64) + "\n"
	return []byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(text)), byte(len(text) >> 8)}) + text + body)
}

func written(t testing.TB, value any) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := npy.Write(&file, value); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func read(content []byte) (Array, error) {
	file := bytes.NewReader(content)
	h, err := ReadHeader(file, int64(len(content)))
	if err != nil {
		return Array{}, err
	}
	return h.read("", file)
}

// bytesOf writes numbers of one type in one byte order.
func bytesOf(order binary.AppendByteOrder, numbers any) string {
	var body bytes.Buffer
	if err := binary.Write(&body, order.(binary.ByteOrder), numbers); err != nil {
		panic(err)
	}
	return body.String()
}

// Every type and byte order holds the same numbers.
func TestTypesAndOrders(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6}
	types := map[string]func(values []float64) any{
		"i1": func(v []float64) any { return convert[int8](v) }, "u1": func(v []float64) any { return convert[uint8](v) },
		"i2": func(v []float64) any { return convert[int16](v) }, "u2": func(v []float64) any { return convert[uint16](v) },
		"i4": func(v []float64) any { return convert[int32](v) }, "u4": func(v []float64) any { return convert[uint32](v) },
		"i8": func(v []float64) any { return convert[int64](v) }, "u8": func(v []float64) any { return convert[uint64](v) },
		"f4": func(v []float64) any { return convert[float32](v) }, "f8": func(v []float64) any { return v },
	}
	for kind, numbers := range types {
		for mark, order := range map[string]binary.AppendByteOrder{"<": binary.LittleEndian, ">": binary.BigEndian, "|": binary.LittleEndian} {
			if mark == "|" && kind[1] != '1' || kind == "u1" && mark == ">" {
				continue // NumPy writes | for single bytes, and only for them
			}
			a, err := read(npyFile(mark+kind, "False", "(2, 3)", bytesOf(order, numbers(values))))
			if err != nil {
				t.Errorf("%s%s: %v", mark, kind, err)
			} else if !slices.Equal(a.Values, values) {
				t.Errorf("%s%s: %v, want %v", mark, kind, a.Values, values)
			}
		}
	}
}

func convert[T int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32](values []float64) []T {
	numbers := make([]T, len(values))
	for i, value := range values {
		numbers[i] = T(value)
	}
	return numbers
}

// What npyio writes, we read, whatever the numbers.
func TestWrittenArraysComeBack(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rows, columns := rapid.IntRange(1, 6).Draw(r, "rows"), rapid.IntRange(1, 6).Draw(r, "columns")
		values := rapid.SliceOfN(rapid.Float64(), rows*columns, rows*columns).Draw(r, "values")
		a, err := read(written(t, mat.NewDense(rows, columns, values)))
		if err != nil {
			r.Fatal(err)
		}
		if !slices.Equal(a.Values, values) || !slices.Equal(a.Shape, []int{rows, columns}) {
			r.Fatalf("%v of shape %v, want %v", a.Values, a.Shape, values)
		}
	})
}

// A file cut short anywhere, or with bytes to spare, is never read as whole.
func TestNoTruncatedFileIsRead(t *testing.T) {
	for _, file := range [][]byte{
		written(t, mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})),
		npyFile("<f4", "False", "(1, 2)", "\x00\x00\x80\x3f\x00\x00\x00\x40"),
	} {
		if _, err := read(file); err != nil {
			t.Fatal(err)
		}
		for size := range file {
			if _, err := read(file[:size]); err == nil {
				t.Errorf("%d of %d bytes are read as whole", size, len(file))
			}
		}
		if _, err := read(append(file, 0)); err == nil {
			t.Error("a byte to spare is not noticed")
		}
	}
}

// allocated returns the bytes that a call takes from the heap: the least of ten calls, because the runtime counts what
// its own goroutines take at the same time, too.
func allocated(call func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 10 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// A header is believed only as far as the file goes: reading takes no more memory than the
// file justifies, whatever the header claims.
func TestClaimsOfHeadersAreChecked(t *testing.T) {
	for shape, says := range map[string]string{
		"(2305843009213693951, 1)":                      "needs 9223372036854775804 bytes",
		"(2305843009213693952, 1)":                      "the file is cut short",
		"(4294967296, 4294967296)":                      "the file is cut short",
		"(99999999999999999999, 1)":                     "is no list of sizes",
		"(1000000000, 2)":                               "needs 8000000000 bytes, 2 follow the header",
		"(-2, -2)":                                      "does not name the type, the order and the shape",
		"(0, 4294967296)":                               "needs 0 bytes, but 2 follow the header",
		"(1, 4611686018427387904)":                      "the file is cut short",
		"(4611686018427387904, 4611686018427387904, 0)": "needs 0 bytes, but 2 follow the header",
	} {
		content := npyFile("<f4", "False", shape, "ab")
		var err error
		bytes := allocated(func() { _, err = read(content) })
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want an error that says %q", shape, err, says)
		}
		if bytes > 100_000 {
			t.Errorf("%s: %d bytes were allocated for a file of %d", shape, bytes, len(content))
		}
	}
}

func TestHeadersThatAreNone(t *testing.T) {
	good := npyFile("<f4", "False", "(2,)", "abcdefgh")
	for name, test := range map[string]struct {
		content []byte
		says    string
	}{
		"empty":             {nil, "no NumPy file (its 0 bytes"},
		"text":              {[]byte("x1,x2,label\n1,2,3\n"), "no NumPy file"},
		"version 0":         {bytes.Replace(good, []byte("NUMPY\x01"), []byte("NUMPY\x00"), 1), "format version is 0.0"},
		"version 9":         {bytes.Replace(good, []byte("NUMPY\x01"), []byte("NUMPY\x09"), 1), "format version is 9.0"},
		"cut header":        {good[:20], "header is cut short"},
		"huge header":       {[]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"), "header is cut short"},
		"long header":       {append([]byte("\x93NUMPY\x02\x00\x01\x00\x10\x00"), make([]byte, 1<<20+1)...), "a header of 1048577 bytes"},
		"no shape":          {bytes.Replace(good, []byte("'shape'"), []byte("'SHAPE'"), 1), "does not name"},
		"half precision":    {npyFile("<f2", "False", "(4,)", "abcdefgh"), `the type "<f2"`},
		"Python objects":    {npyFile("|O", "False", "(1,)", "abcdefgh"), `the type "|O"`},
		"columns first":     {npyFile("<f4", "True", "(2, 1)", "abcdefgh"), "save numpy.ascontiguousarray of it"},
		"text labels":       {npyFile("<U3", "False", "(2,)", "abcdefgh"), "labels as integers, floats or bools"},
		"a very long type":  {npyFile(strings.Repeat("z", 5000), "False", "(2,)", "abcdefgh"), `zzz"... are not read`},
		"a long dictionary": {npyFile("<f4'"+strings.Repeat("z", 5000), "no", "(2,)", "abcdefgh"), "does not name"},
	} {
		_, err := read(test.content)
		if err == nil || !strings.Contains(err.Error(), test.says) || len(err.Error()) > 400 {
			t.Errorf("%s: %v, want an error of at most 400 bytes that says %q", name, err, test.says)
		}
	}
}

// The versions with a length of four bytes hold the same array, and a later one is none that is known.
func TestVersionsOfTheFormat(t *testing.T) {
	for version := range byte(7) {
		header := "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n"
		content := append([]byte("\x93NUMPY"), version, 0, byte(len(header)), 0)
		if version > 1 {
			content = append(content, 0, 0)
		}
		content = binary.LittleEndian.AppendUint64(append(content, header...), math.Float64bits(2.5))
		a, err := read(content)
		if known := version >= 1 && version <= 3; known != (err == nil) || known && !slices.Equal(a.Values, []float64{2.5}) {
			t.Errorf("version %d: %v, %v", version, a, err)
		}
	}
}

// A header may be as long as the limit, and is read to its end.
func TestLengthOfHeaders(t *testing.T) {
	header := func(length int) []byte {
		text := "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }"
		content := binary.LittleEndian.AppendUint32([]byte("\x93NUMPY\x02\x00"), uint32(length))
		return append(content, text+strings.Repeat(" ", length-len(text))+"\x07"...)
	}
	if a, err := read(header(longestHeader)); err != nil || !slices.Equal(a.Values, []float64{7}) {
		t.Errorf("a header of %d bytes: %v, %v", longestHeader, a.Values, err)
	}
	if _, err := read(header(longestHeader + 1)); err == nil || !strings.Contains(err.Error(), "is not that of an array") {
		t.Errorf("a longer header: %v", err)
	}
	content := header(200)
	if _, err := ReadHeader(bytes.NewReader(content[:100]), int64(len(content))); err == nil || !strings.Contains(err.Error(), "cannot read the header") {
		t.Errorf("a file that ends before its size: %v", err)
	}
}

// Values are read from bytes elsewhere, in both orders.
func TestDecodeFromOtherMemory(t *testing.T) {
	for kind, order := range map[string]binary.AppendByteOrder{"<f8": binary.LittleEndian, ">f8": binary.BigEndian} {
		values := make([]float64, 2)
		Header{Kind: kind}.Decode(values, []byte(bytesOf(order, []float64{0.1, -3})))
		if !slices.Equal(values, []float64{0.1, -3}) {
			t.Errorf("%s: %v", kind, values)
		}
	}
}

// What parses has as many values as its shape says; what does not says why. Nothing panics.
func FuzzReadArray(f *testing.F) {
	f.Add(written(f, mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})))
	f.Add(written(f, []int8{-1, 1}))
	f.Add(npyFile("<f4", "True", "(2, 1)", "\x00\x00\x80\x3f\x00\x00\x00\x40"))
	f.Add(npyFile(">i2", "False", "(2,)", "\x00\x01\x00\x02"))
	f.Add(npyFile("|b1", "False", "(2,)", "\x00\x01"))
	f.Add(npyFile("<f4", "False", "(4294967296, 4294967296)", ""))
	f.Add(npyFile("<f8", "False", "()", "12345678"))
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"))
	f.Add([]byte("\x93NUMPY\x01\x00\x36\x00'descr': '<f4', 'fortran_order': False, 'shape': } (1,)\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		a, err := read(content)
		if err != nil {
			return
		}
		entries := 1
		for _, size := range a.Shape {
			entries *= size
		}
		if len(a.Values) != entries || entries > len(content) {
			t.Fatalf("%d values of the shape %v from %d bytes", len(a.Values), a.Shape, len(content))
		}
	})
}

// TestWriteMatrix: what is written reads back bit by bit.
func TestWriteMatrix(t *testing.T) {
	for _, m := range []*mat.Dense{
		mat.NewDense(2, 3, []float64{1, math.Copysign(0, -1), math.NaN(), math.Inf(1), 5e-324, 0.1}),
		mat.NewDense(3, 1, []float64{1, 2, 3}), mat.NewDense(1, 1, []float64{7}),
	} {
		var file bytes.Buffer
		if err := WriteMatrix(&file, m); err != nil {
			t.Fatal(err)
		}
		got, err := read(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if values := file.Len() - 8*len(m.RawMatrix().Data); values != 128 {
			t.Errorf("the values begin at byte %d, and not at a multiple of 64 for NumPy to map", values)
		}
		shape := []int{m.RawMatrix().Rows, m.RawMatrix().Cols}
		if shape[1] == 1 {
			shape = shape[:1]
		}
		if !slices.Equal(got.Shape, shape) || !slices.EqualFunc(got.Values, m.RawMatrix().Data, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Errorf("got %v, want %v", got, m)
		}
	}
	if WriteMatrix(nil, mat.NewDense(1, 1, nil)) == nil || WriteMatrix(io.Discard, nil) == nil {
		t.Error("nil was accepted")
	}
}

// passes counts what is asked of a reader.
type passes struct {
	io.Reader
	bytes, most int
}

func (p *passes) Read(data []byte) (int, error) {
	n, err := p.Reader.Read(data)
	p.bytes, p.most = p.bytes+n, max(p.most, len(data))
	return n, err
}

// A file is read once, in blocks that stay in the cache, and the sum of squares tells whether a value is not finite, wherever it stands.
func TestFillReadsBlocksOnce(t *testing.T) {
	const count = 2*fillBlock + 5
	values, read := make([]float64, count), make([]float64, count)
	for _, kind := range []string{"<f8", ">f8", "<f4"} {
		for _, at := range []int{-1, 0, fillBlock - 1, fillBlock, count - 1} {
			for k := range values {
				values[k] = float64(k % 7)
			}
			if at >= 0 {
				values[at] = math.Inf(1 - 2*(at%2))
			}
			var body string
			switch kind {
			case "<f8":
				body = bytesOf(binary.LittleEndian, values)
			case ">f8":
				body = bytesOf(binary.BigEndian, values)
			case "<f4":
				body = bytesOf(binary.LittleEndian, convert[float32](values))
			}
			reader := &passes{Reader: strings.NewReader(body)}
			squares, err := Header{Kind: kind}.Fill(read, reader)
			if err != nil || !slices.Equal(read, values) || math.IsInf(squares, 1) != (at >= 0) {
				t.Fatalf("%s with %d infinite: %v, the sum of squares is %v", kind, at, err, squares)
			}
			if reader.bytes != len(body) || reader.most > 8*fillBlock {
				t.Errorf("%s: %d of %d bytes were read, up to %d at once", kind, reader.bytes, len(body), reader.most)
			}
		}
	}
}

// A bool is 1 wherever its byte is not 0.
func TestBoolsAreZeroOrOne(t *testing.T) {
	a, err := read(npyFile("|b1", "False", "(3,)", "\x00\x01\x02"))
	if err != nil || !slices.Equal(a.Values, []float64{0, 1, 1}) {
		t.Errorf("%v, error %v", a.Values, err)
	}
}

// A shape is a tuple of Python: a comma stands behind a single size, without which it would be a number.
func TestShapesAreTuples(t *testing.T) {
	for want, shape := range map[string][]int{"()": nil, "(3,)": {3}, "(2, 3)": {2, 3}, "(1, 2, 3, 4)": {1, 2, 3, 4}, "(1, 2, 3, 4, ...)": {1, 2, 3, 4, 5}} {
		if got := ShapeText(shape); got != want {
			t.Errorf("%v: %s, want %s", shape, got, want)
		}
	}
}

// Values that data does not hold are no values, and neither are those of an unknown type.
func TestDecodeNeedsItsBytes(t *testing.T) {
	for kind, bytes := range map[string]int{"<f8": 15, "<i2": 3, "<c16": 32} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.Contains(said, "do not hold 2 values") {
					t.Errorf("%d bytes of %s: %q", bytes, kind, said)
				}
			}()
			Header{Kind: kind}.Decode(make([]float64, 2), make([]byte, bytes))
		}()
	}
}

// Whole numbers of every size have their signs, the least and the largest too.
func TestSignsOfWholeNumbers(t *testing.T) {
	for kind, test := range map[string]struct {
		numbers any
		want    []float64
	}{
		"i1": {[]int8{math.MinInt8, -1, math.MaxInt8}, []float64{math.MinInt8, -1, math.MaxInt8}}, "u1": {[]uint8{0, 128, 255}, []float64{0, 128, 255}},
		"i2": {[]int16{math.MinInt16, -1, math.MaxInt16}, []float64{math.MinInt16, -1, math.MaxInt16}}, "u2": {[]uint16{0, 1 << 15, math.MaxUint16}, []float64{0, 1 << 15, math.MaxUint16}},
		"i4": {[]int32{math.MinInt32, -1, math.MaxInt32}, []float64{math.MinInt32, -1, math.MaxInt32}}, "u4": {[]uint32{0, 1 << 31, math.MaxUint32}, []float64{0, 1 << 31, math.MaxUint32}},
		"i8": {[]int64{math.MinInt64, -1, 1 << 53}, []float64{math.MinInt64, -1, 1 << 53}}, "u8": {[]uint64{0, 1 << 63, 1 << 53}, []float64{0, 1 << 63, 1 << 53}},
	} {
		if a, err := read(npyFile("<"+kind, "False", "(3,)", bytesOf(binary.LittleEndian, test.numbers))); err != nil || !slices.Equal(a.Values, test.want) {
			t.Errorf("%s: %v, %v; want %v", kind, a.Values, err, test.want)
		}
	}
}

// A shape that no memory holds fits into no file, whatever is left of the product of its sizes.
func TestShapesBeyondAllFiles(t *testing.T) {
	for _, shape := range [][]int{{math.MaxInt, 1}, {1, math.MaxInt}, {math.MaxInt, math.MaxInt}, {2, 1 << 61}} {
		if err := (Header{Kind: "<f8", Shape: shape}).fits(16); err == nil {
			t.Errorf("shape %v fits into 16 bytes", shape)
		}
	}
	if err := (Header{Kind: "<f8", Shape: []int{1, 2}}).fits(16); err != nil {
		t.Error(err)
	}
}
