package input

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// One file reads the same whatever separates its columns and whichever mark stands for what is missing.
func TestDelimitersAndMarks(t *testing.T) {
	for _, delimiter := range []string{",", ";", "\t"} {
		for _, mark := range []string{"", "NA", "n/a", "NaN", "null", "None", "-", " "} {
			text := strings.ReplaceAll("name,\"a;b,c\",d\none,1,MARK\n\"t,w;o\",3,4\n", "MARK", mark)
			outside := strings.Split(text, `"`)
			for k := 0; k < len(outside); k += 2 {
				outside[k] = strings.ReplaceAll(outside[k], ",", delimiter)
			}
			table, err := ReadTable(strings.NewReader(strings.Join(outside, `"`)), Options{Subject: "the table", Text: "name", Missing: true})
			if err != nil {
				t.Fatalf("%q, %q: %v", delimiter, mark, err)
			}
			if !slices.Equal(table.Names, []string{"a;b,c", "d"}) || !slices.Equal(table.Texts, []string{"one", "t,w;o"}) ||
				table.Rows() != 2 || !math.IsNaN(table.Values[1]) || table.Values[0] != 1 || table.Values[3] != 4 {
				t.Errorf("%q, %q: %+v", delimiter, mark, table)
			}
		}
	}
}

// A missing value is an error unless a table may have some.
func TestMissingIsRefusedUnlessAsked(t *testing.T) {
	read := func(o Options) (*Table, error) { return ReadTable(strings.NewReader("a\n1\nNA\n"), o) }
	if _, err := read(Options{Subject: "the file"}); err == nil || !strings.Contains(err.Error(), `missing value in line 3, column "a"`) {
		t.Error(err)
	}
	if table, err := read(Options{Missing: true}); err != nil || !math.IsNaN(table.Values[1]) {
		t.Errorf("%+v, %v", table, err)
	}
}

// What other programs do not read as a number is none here.
func TestNumbersOfGoAlone(t *testing.T) {
	for _, cell := range []string{"1_0", "0x1p3", "0X1P3", "-0x8", "1_000.5", "0b1", "0o7", "ten", "1e-400", "-0.1e-999"} {
		if table, err := ReadTable(strings.NewReader("a\n"+cell+"\n"), Options{Subject: "the table"}); err == nil {
			t.Errorf("%s is read as %v", cell, table.Values)
		}
		if _, err := Number(cell); err == nil {
			t.Errorf("%s is a number", cell)
		}
	}
	for _, cell := range []string{" 1.5", "+2", "-.5", "1.", "1e3", "1E-3 ", "0e-400", "-0", "5e-324"} {
		if table, err := ReadTable(strings.NewReader("a\n"+cell+"\n"), Options{Subject: "the table"}); err != nil || len(table.Values) != 1 {
			t.Errorf("%s: %v", cell, err)
		}
	}
	if _, err := ReadTable(strings.NewReader("a\n1e-400\n"), Options{Subject: "the table"}); err == nil || !strings.Contains(err.Error(), "other units") {
		t.Errorf("%v: what to do about a number that is too small", err)
	}
	// A header of names like 0x1 is a header.
	if _, err := ReadTable(strings.NewReader("0x1,0x5\n1,2\n"), Options{Subject: "the table"}); err != nil {
		t.Errorf("names: %v", err)
	}
}

// Ten million columns take little memory and a short error.
func TestLinesWithoutEnd(t *testing.T) {
	text := strings.Repeat("1,", 10_000_000)
	var err error
	grown := allocated(func() { _, err = ReadTable(strings.NewReader(text), Options{Subject: "the table"}) })
	if err == nil || !strings.Contains(err.Error(), "1048576 bytes") {
		t.Error(err)
	}
	const perByte = 100 // of a line: it is cut into cells of one character before the error is seen
	if grown > perByte*longestLine {
		t.Errorf("%d bytes were allocated", grown)
	}
}

// However long the texts of a file are, errors quote at most 200 characters of it.
func TestErrorsQuoteLittle(t *testing.T) {
	long := strings.Repeat("€", 100_000)
	for _, text := range []string{
		long + "\n", long + "," + long + "\n", long + ",b\n" + long + ",2\n", long + ",b\n1\n", long + "\n-\n", long + "\nInf\n",
		strings.Repeat("9", 100_000) + ",3\n", "a\n" + strings.Repeat("9", 100_000) + "\n",
	} {
		for _, o := range []Options{{Subject: "the table"}, {Subject: "the table", Text: "nowhere"}, {Subject: "the table", TextFirst: true}} {
			_, err := ReadTable(strings.NewReader(text), o)
			if err != nil && strings.Count(err.Error(), "€")+strings.Count(err.Error(), "9") > 200 {
				t.Errorf("an error of %d bytes: %.300s", len(err.Error()), err)
			}
		}
	}
	if list := List(make([]string, 1000)); len(list) > 20 {
		t.Errorf("a list of %d bytes", len(list))
	}
}

// What parses is a full table of finite numbers; what does not says why. Nothing panics.
func FuzzReadTable(f *testing.F) {
	for _, seed := range []string{
		"a,y\n1,cat\n2,dog\n", "y;a;b\n0;1;2\n", "\ufeffy\ta\r\n1\t2\r\n", "a,y\n1\n", "a,y\n,1\n", "a,y\nNaN,1\n1e999,2\n", "", "y\n1\n2\n", "\"a", "1,2\n3,4\n", "a\n0x1p-2\n",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, textFirst bool) {
		table, err := ReadTable(strings.NewReader(text), Options{Subject: "the table", TextFirst: textFirst})
		if err != nil {
			return
		}
		if len(table.Values) != table.Rows()*len(table.Names) || len(table.lines) != table.Rows() || textFirst && len(table.Texts) != table.Rows() {
			t.Fatalf("%d values, %d texts in %d lines", len(table.Values), len(table.Texts), len(table.lines))
		}
		for _, value := range table.Values {
			if value-value != 0 {
				t.Fatalf("the value %g", value)
			}
		}
	})
}

// TestEncodings: what is no UTF-8 is refused at once, with what to do.
func TestEncodings(t *testing.T) {
	utf16 := ""
	for _, char := range "a,b\n1,2\n" {
		utf16 += string([]byte{byte(char), 0})
	}
	late := "label,v\n" + strings.Repeat("x,1\n", 1<<15) + "Z\xfcrich,1\n"
	for text, want := range map[string]string{
		"\xc4rger,b\n1,2\n": "line 1", utf16: "UTF-16", "\x00" + utf16: "UTF-16", "\xff\xfe" + utf16: "UTF-16", "caf\xe9,b\n1,2\n": "line 1", "label,b\nx,1\nZ\xfcrich,2\n": "line 3", late: "line 32770",
	} {
		if _, err := ReadTable(strings.NewReader(text), Options{Subject: "the table", Labelled: true}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "as UTF-8") {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
	if _, err := ReadTable(strings.NewReader("Zürich,b\r\n1,2\r\n"), Options{Subject: "the table"}); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"a\ufffd,b\n1,2\n", "\na,b\r\n1,2\r\n"} { // the mark of what is no letter is one, and the first line may be empty
		if table, err := ReadTable(strings.NewReader(text), Options{Subject: "the table"}); err != nil || table.Rows() != 1 {
			t.Errorf("%q: %v, %v", text, table, err)
		}
	}
	if _, err := ReadTable(strings.NewReader("\ra,b"), Options{Subject: "the table"}); err == nil || !strings.Contains(err.Error(), "line ends CR alone") {
		t.Error(err)
	}
	if _, err := ReadTable(strings.NewReader("a,b\r1,2\r"), Options{Subject: "the table"}); err == nil || !strings.Contains(err.Error(), "line ends CR alone") {
		t.Error(err)
	}
}

// TestCountingNames: a first line that counts the columns names them where the cells are no such numbers, and is in doubt elsewhere.
func TestCountingNames(t *testing.T) {
	for text, named := range map[string]bool{
		"0,1\n2.5,3\n": true, "1,2\n2.5,3\n": true, ",0,1\n0,2,3\n": true, "0,1\n2,3\n": false, "1\n3\n4\n": false, "1.0,2.0\n2.5,3\n": false, "1e0\n2.5\n": false, "1\n3\n": false, "1\n3.5\n": true,
	} {
		table, err := ReadTable(strings.NewReader(text), Options{Subject: "the table", Labelled: true})
		if (err == nil) != named || named && table.Rows() != 1 {
			t.Errorf("%q: %v, %v", text, table, err)
		}
	}
}

// A table may have a header alone, whatever its names, and one that was not read has no rows.
func TestTablesWithoutRows(t *testing.T) {
	for _, text := range []string{"a,b\n", "1\n", "0,1\n"} {
		if table, err := ReadTable(strings.NewReader(text), Options{Subject: "the table"}); err != nil || table.Rows() != 0 {
			t.Errorf("%q: %v, %v", text, table, err)
		}
	}
	if rows := (&Table{}).Rows(); rows != 0 {
		t.Errorf("%d rows", rows)
	}
}

// What separates the names is a comma wherever the first line has one outside quotation marks, however far behind; after it
// stands space, except where tabs separate cells, which may be empty.
func TestSpaceAndDelimiters(t *testing.T) {
	for text, want := range map[string]string{
		"a;b,c\n1,2\n": "[a;b c] [1 2]",
		"a name that is longer than sixteen;b\n1;2\n":       "[a name that is longer than sixteen b] [1 2]",
		strings.Repeat("n", 40_000) + "-\"x;y\";b\n1;2;3\n": "bare",
		"x, \"y,z\"\n1, \"2\"\n":                            "[x y,z] [1 2]",
		"x\ty\n\t2\n":                                       "[x y] [NaN 2]",
		"x\ty\tz\n1\t\t3\n":                                 "[x y z] [1 NaN 3]",
	} {
		table, err := ReadTable(strings.NewReader(text), Options{Subject: "the table", Missing: true})
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(table.Names, " ", table.Values)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%.40q: %.80s, want %s", text, got, want)
		}
	}
}

// Errors name the line in the file, empty ones counted, and what a row without its label lacks.
func TestErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n\n\n1,2\n3,bad\n":  `"bad" in line 5, column "b"`,
		"label,b\nx,1\n\n,2\n":   `missing label in line 4, column "label"`,
		"name,b\nx,1\n\n\ny,q\n": `"q" in line 5, column "b"`,
	} {
		if _, err := ReadTable(strings.NewReader(text), Options{Subject: "the table", Labelled: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A limit of lines counts what stands behind the last line end, however the text comes in.
func TestLineLimit(t *testing.T) {
	for _, size := range []int{1, 7, 64} {
		text := "\nab\n\ncde\nfghijklmnop"
		limit, read := &lineLimit{reader: strings.NewReader(text)}, 0
		for buffer := make([]byte, size); ; {
			n, err := limit.Read(buffer)
			if read += n; err != nil {
				break
			}
			if want := read - 1 - strings.LastIndexByte(text[:read], '\n'); limit.length != want {
				t.Fatalf("%d bytes at a time: a line of %d after %d bytes, want %d", size, limit.length, read, want)
			}
		}
	}
	for length, fits := range map[int]bool{longestLine: true, longestLine + 1: false} {
		_, err := io.ReadAll(&lineLimit{reader: strings.NewReader("a\n" + strings.Repeat("b", length))})
		if fits != (err == nil) {
			t.Errorf("a line of %d bytes: %v", length, err)
		}
	}
}

// TestLongTables: names in the place of numbers are a long table, of which the error speaks.
func TestLongTables(t *testing.T) {
	_, err := ReadTable(strings.NewReader("day,ticker,close\n2020-01-31,ALFA,1\n"), Options{Subject: "the table", TextFirst: true, Missing: true})
	if err == nil || !strings.Contains(err.Error(), "turn a long one") {
		t.Error(err)
	}
	_, err = ReadTable(strings.NewReader(",day,ALFA\n0,2020-01-31,1\n"), Options{Subject: "the table", TextFirst: true, Missing: true})
	if err == nil || !strings.Contains(err.Error(), "days stand in the first column") {
		t.Error(err)
	}
	_, err = ReadTable(strings.NewReader("# prices\nday,ALFA\n2020-01-31,1\n"), Options{Subject: "the table", TextFirst: true, Missing: true})
	if err == nil || !strings.Contains(err.Error(), "drop lines above it") {
		t.Error(err)
	}
}

// TestLabelled: the first column holds labels where no number can be meant.
func TestLabelled(t *testing.T) {
	for text, want := range map[string]string{
		"label,a\n3,1\n": "3", "Label,a\n3,1\n": "3", "Date,a\n20200131,1\n": "20200131", "day,a\n7,1\n": "7", ",a\n0,1\n": "0", "day,a\n2020-01-31,1\n": "2020-01-31", "city,a\nUlm,1\n": "Ulm", "a,b\n3,1\n": "", "date\n3\n": "",
	} {
		table, err := ReadTable(strings.NewReader(text), Options{Subject: "the table", Labelled: true})
		if err != nil || strings.Join(table.Texts, " ") != want {
			t.Errorf("%q: %v, %v", text, table, err)
		}
	}
	table, err := ReadTable(strings.NewReader("city,a,b\nUlm,,1\n"), Options{Subject: "the table", Labelled: true, Missing: true})
	if err != nil || strings.Join(table.Texts, " ") != "Ulm" {
		t.Errorf("a label before a missing value: %v, %v", table, err)
	}
	for _, text := range []string{"a;b\n1,5;2\n", "a,b\n$1.5,2\n", "a,b\n1.5 EUR,2\n", "a,b\nEUR 3,2\n", "a,b\n-,2\n", "a,b\nNaN,2\n", "a\nx\n"} {
		if _, err := ReadTable(strings.NewReader(text), Options{Subject: "the table", Labelled: true}); err == nil {
			t.Errorf("%q: numbers that were written otherwise count as labels", text)
		}
	}
}

// TestEmptyLinesOfOneColumn are missing values, which the CSV reader passes over; at the end of the file they are nothing.
func TestEmptyLinesOfOneColumn(t *testing.T) {
	text := "x\n1\n\n3\n\n\n"
	if _, err := ReadTable(strings.NewReader(text), Options{Subject: "the file"}); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("error %v, want the missing value in line 3", err)
	}
	table, err := ReadTable(strings.NewReader(text), Options{Subject: "the file", Missing: true})
	if err != nil || table.Rows() != 3 || !math.IsNaN(table.Values[1]) || table.Place(2) != "line 4" {
		t.Errorf("%v (%v), want 1, NaN and 3", table, err)
	}
}

// A mark that the text is in UTF-8, as Excel writes it, is no part of the first name.
func TestByteOrderMark(t *testing.T) {
	table, err := ReadTable(strings.NewReader(ByteOrderMark+"a,b\n1,2\n"), Options{Subject: "the table"})
	if err != nil || !slices.Equal(table.Names, []string{"a", "b"}) {
		t.Errorf("%+v, %v", table, err)
	}
}

// The room for a long table is taken at once, and little more of it than the table needs.
func TestRoomForLongTables(t *testing.T) {
	const rows = 10_000
	text := "a,b\n" + strings.Repeat("1.25,2.25\n", rows)
	read := func(bytes int) (grown uint64) {
		return allocated(func() {
			if table, err := ReadTable(strings.NewReader(text), Options{Bytes: int64(bytes)}); err != nil || table.Rows() != rows {
				t.Errorf("%+v, %v", table, err)
			}
		})
	}
	const perRow = 3 * 8 // of two values and the line
	if grown, foretold := read(0), read(len(text)); foretold+perRow*rows > grown {
		t.Errorf("%d bytes where the length is known, %d where it is not", foretold, grown)
	}
}

// TestFilesThatAreNoTables: they are told by how they begin, and what to do with them.
func TestFilesThatAreNoTables(t *testing.T) {
	for _, other := range otherFiles {
		if _, err := ReadTable(strings.NewReader(other.begin+"a,b\n1,2\n"), Options{Subject: "the table"}); err == nil || !strings.Contains(err.Error(), "the table "+other.advice) {
			t.Errorf("%q: %v", other.begin, err)
		}
	}
}

// TestPlacesOfRows are their lines in the file; what is no row has its own number.
func TestPlacesOfRows(t *testing.T) {
	table, err := ReadTable(strings.NewReader("a,b\n1,2\n\n3,4\n"), Options{Subject: "the table"})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range map[int]string{-1: "line -1", 0: "line 2", 1: "line 4", 2: "line 2", 7: "line 7"} {
		if got := table.Place(row); got != want {
			t.Errorf("row %d is at %s, want %s", row, got, want)
		}
	}
}
