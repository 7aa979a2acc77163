package input

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// longestLine bounds the memory that one line of a table takes, in bytes: half a
// million numbers of one digit. Wider arrays belong into a NumPy file.
const longestLine = 1 << 20

// otherFiles are the first bytes of files that hold no text that can be read, and what to do with them.
var otherFiles = []struct{ begin, advice string }{
	{"\xff\xfe", "is text in UTF-16; save it as UTF-8"},
	{"\xfe\xff", "is text in UTF-16; save it as UTF-8"},
	{"\x93NUMPY", "is a NumPy array; a table is text with a header line"},
	{"PK\x03\x04", "is a packed file, such as .npz or .xlsx; save one table as CSV (one array of atoms also as .npy)"},
	{"PAR1", "is a Parquet file; save the table as CSV"},
	{"\xd0\xcf\x11\xe0", "is an Excel file; save a sheet as CSV"},
	{"<!", "is a page; save the table as CSV"},
	{"<html", "is a page; save the table as CSV"},
	{"<?xml", "is XML; save the table as CSV"},
	{"sep=", "begins with a line sep= for Excel; drop that line"},
	{"\x1f\x8b", "is packed by gzip; unpack it"},
}

// newReader returns a CSV reader for the delimiter of the first line. It is an error if the file holds no text.
func newReader(r io.Reader) (*csv.Reader, error) {
	lines := bufio.NewReaderSize(&lineLimit{reader: r}, 1<<16)
	for _, other := range otherFiles {
		if begin, _ := lines.Peek(len(other.begin)); string(begin) == other.begin {
			return nil, errors.New(other.advice)
		}
	}
	if mark, _ := lines.Peek(len(ByteOrderMark)); string(mark) == ByteOrderMark {
		_, _ = lines.Discard(len(mark)) // it was read
	}
	first, _ := lines.Peek(1 << 16) // what cannot be read is told by the reader
	if bytes.IndexByte(first, 0) >= 0 {
		return nil, errors.New("has bytes 0, as UTF-16 and files that are no text have; save it as UTF-8")
	}
	if bytes.IndexByte(first, '\r') >= 0 && bytes.IndexByte(first, '\n') < 0 {
		return nil, errors.New("has line ends CR alone; save it with LF or CRLF")
	}
	whole := first[:bytes.LastIndexByte(first, '\n')+1] // what is behind may be half a letter
	if at := bytes.IndexRune(whole, utf8.RuneError); at >= 0 && !utf8.Valid(whole) {
		return nil, fmt.Errorf("is no UTF-8 in line %d, as Latin-1 and Windows-1252 are not; save it as UTF-8", 1+bytes.Count(first[:at], []byte{'\n'}))
	}
	reader := csv.NewReader(lines)
	reader.Comma = delimiter(first)
	reader.FieldsPerRecord = -1                    // checked by the caller, to name what is wrong
	reader.TrimLeadingSpace = reader.Comma != '\t' // a tab counts as space
	reader.ReuseRecord = true
	return reader, nil
}

// delimiter finds what separates the names in the first line.
func delimiter(text []byte) rune {
	quoted, found := false, ','
	for _, char := range text {
		switch {
		case char == '"':
			quoted = !quoted
		case quoted:
		case char == '\n':
			return found
		case char == ',':
			return ','
		case found == ',' && (char == ';' || char == '\t'):
			found = rune(char)
		}
	}
	return found
}

// lineLimit refuses a line that is too long before it is held in memory.
type lineLimit struct {
	reader io.Reader
	length int // bytes since the last line end
}

func (l *lineLimit) Read(buffer []byte) (int, error) {
	n, err := l.reader.Read(buffer)
	if end := bytes.LastIndexByte(buffer[:n], '\n'); end >= 0 {
		l.length = n - end - 1
	} else {
		l.length += n
	}
	if l.length > longestLine {
		return 0, fmt.Errorf("a line has more than %d bytes; check the line ends, or store wide arrays as NumPy files", longestLine)
	}
	return n, err
}
