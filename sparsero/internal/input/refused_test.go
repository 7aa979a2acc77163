package input

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestRefusedCells are told what to do: by what stands in them, and by what a table may hold.
func TestRefusedCells(t *testing.T) {
	for _, test := range []struct {
		cell               string
		textFirst, missing bool
		want, not          string
	}{
		{cell: "1,5", want: "or name the column as the one of labels"},
		{cell: "1,5", textFirst: true, want: "marks of thousands", not: "labels"},
		{cell: "2020-01-31", textFirst: true, missing: true, want: "let the days stand in the first column", not: "leave it empty"},
		{cell: "2020-01-31", textFirst: true, want: "marks of thousands", not: "let the days"},
		{cell: "AAPL", textFirst: true, missing: true, want: "so turn a long one of names and values around"},
		{cell: "EUR 5", textFirst: true, missing: true, want: "leave it empty where it is missing", not: "turn a long one"},
		{cell: "AAPL", textFirst: true, want: "marks of thousands", not: "leave it"},
		{cell: "1e-400", textFirst: true, missing: true, want: "float64 holds none so small", not: "marks of thousands"},
		{cell: "NA", textFirst: true, want: "missing value in line 7"},
		{cell: "", want: "missing value in line 7"},
		{cell: "-inf", textFirst: true, missing: true, want: "infinite value"},
		{cell: "1e400", textFirst: true, want: "infinite value"},
	} {
		_, err := number(test.cell, "line 7", "x", Options{Missing: test.missing, TextFirst: test.textFirst})
		if err == nil || !strings.Contains(err.Error(), test.want) || test.not != "" && strings.Contains(err.Error(), test.not) {
			t.Errorf("%+v: %v", test, err)
		}
	}
	if v, err := number("NA", "line 7", "x", Options{Missing: true}); err != nil || !math.IsNaN(v) {
		t.Errorf("a missing value is %v, %v", v, err)
	}
}

// TestRefusedTables whose lines or names do not fit together.
func TestRefusedTables(t *testing.T) {
	for text, test := range map[string]struct {
		o    Options
		want string
	}{
		"a,b\n1\n":                          {want: "line 2 of it has 1 fields but the header has 2"},
		"a,b\n1,2,3\n":                      {want: "line 2 of it has 3 fields"},
		"a,,b\n1,2,3\n":                     {want: "column 2 of it has no name"},
		"a,b,a\n1,2,3\n":                    {want: "columns 1 and 3 of it are both named"},
		"a\n1\n":                            {o: Options{TextFirst: true}, want: "no numeric column besides"},
		"a,b\n1,2\n ":                       {o: Options{Text: "c"}, want: `no column "c" among its 2 columns`},
		"":                                  {want: "it is empty"},
		"Price,Close,Close2\nTicker,A,B\n":  {o: Options{Missing: true, TextFirst: true}, want: "lines 1 and 2 of it are both headers"},
		"Price,Close,Close2\nTicker,A1,B\n": {o: Options{Missing: true, TextFirst: true}, want: "lines 1 and 2 of it are both headers"},
		"day,ticker,kind\n31.1.2020,A,B\n":  {o: Options{Missing: true, TextFirst: true}, want: "turn a long one"},
		"Price,Close\nTicker,A\n":           {o: Options{Missing: true, TextFirst: true}, want: "lines 1 and 2 of it are both headers"},
		"Date,A,B\n,,\n":                    {o: Options{Missing: true, TextFirst: true}, want: "missing label in line 2"},
		"a,b\n\"1\n":                        {want: "cannot read it"},
		"\"a":                               {want: "cannot read the header of it"},
		"x,y\n1,2\n\xff,3\n":                {o: Options{Text: "x"}, want: "no UTF-8"},
		"1.5,2.5\n1,2\n":                    {want: "holds only numbers"},
		"a,1.5,2.5\nb,3,4\n":                {o: Options{Labelled: true}, want: "holds only numbers"},
		"20200131,2.5\n20200201,2\n":        {o: Options{Missing: true, TextFirst: true}, want: "holds only numbers"},
		"1,2\n1,2\n":                        {want: "may be names or a row"},
		"x\ty\n1\n":                         {want: "line 2 of it has 1 fields"},
	} {
		test.o.Subject = "it"
		if table, err := ReadTable(strings.NewReader(text), test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, %v", text, table, err)
		}
	}
	if _, err := ReadTable(nil, Options{Subject: "it"}); err == nil || !strings.Contains(err.Error(), "reader of it is nil") {
		t.Error(err)
	}
	for text, o := range map[string]Options{ // the neighbours are fine
		"1,2\n1.5,2\n": {Subject: "it"}, "day,1,2\nx,1,2\n": {Subject: "it", TextFirst: true, Missing: true},
		"day,600519,858\nx,1,2\n": {Subject: "it", TextFirst: true, Missing: true}, "Date,A,B\nday,,\n": {Subject: "it", TextFirst: true, Missing: true},
		"label,1.5,2.5\nx,1,2\n": {Subject: "it", Labelled: true}, "1.5,kind\n1,x\n": {Subject: "it", Text: "kind"},
	} {
		if _, err := ReadTable(strings.NewReader(text), o); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestSizesHaveALimit in all.
func TestSizesHaveALimit(t *testing.T) {
	for _, test := range []struct {
		sizes []int
		fits  bool
	}{
		{[]int{largestArray}, true}, {[]int{largestArray, 1}, true}, {[]int{1, largestArray + 1}, false}, {[]int{2, largestArray / 2}, true},
		{[]int{3, largestArray / 2}, false}, {[]int{0, largestArray, largestArray}, true}, {[]int{math.MaxInt, math.MaxInt}, false}, {nil, true},
	} {
		if err := CheckSize("it", test.sizes...); (err == nil) != test.fits {
			t.Errorf("%v: %v", test.sizes, err)
		}
	}
}

// TestArraysOfFiles come back, and what is wrong with a file is said with its name.
func TestArraysOfFiles(t *testing.T) {
	var text bytes.Buffer
	if err := WriteMatrix(&text, mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"whole": {data: text.Bytes()}, "short": {text.Bytes()[:text.Len()-1], "cut short"}, "long": {append(bytes.Clone(text.Bytes()), 0), "but 49 follow"}, "none": {[]byte("x"), ""},
	} {
		path := filepath.Join(t.TempDir(), name+".npy")
		if err := os.WriteFile(path, test.data, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := LoadArray(path)
		if name == "whole" {
			if err != nil || len(a.Values) != 6 || a.Values[5] != 6 || a.Shape[0] != 2 || a.Squares != 91 {
				t.Errorf("%+v, %v", a, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := LoadArray(filepath.Join(t.TempDir(), "missing.npy")); err == nil || !strings.Contains(err.Error(), "check the path") {
		t.Error(err)
	}
	if _, _, err := OpenArray(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not from a pipe or a folder") {
		t.Errorf("a folder: %v", err)
	}
	shrinking := filepath.Join(t.TempDir(), "shrinking.npy")
	if err := os.WriteFile(shrinking, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	file, h, err := OpenArray(shrinking)
	if err != nil || os.Truncate(shrinking, int64(text.Len()-1)) != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := h.read(shrinking, file); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), shrinking+": the values end too early") {
		t.Errorf("a file that shrinks while it is read: %v", err)
	}
	if _, err := LoadArray(t.TempDir()); err == nil || !strings.Contains(err.Error(), "from files, not from a pipe or a folder") {
		t.Error(err)
	}
	if _, err := ReadHeader(nil, 0); err == nil {
		t.Error("no reader has a header")
	}
	if m := mat.NewDense(1, 1, nil); Owned(m) == m || Owned(Handed{m}) != m {
		t.Error("a matrix that was not handed over is taken, or one that was is copied")
	}
	whole := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	for _, view := range []mat.Matrix{whole, whole.Slice(0, 2, 1, 3), whole.T()} {
		if owned := Owned(view); !mat.Equal(owned, view) {
			t.Errorf("the copy of %v is %v", view, owned)
		}
	}
	var none context.Context
	if Context(none) == nil || Context(context.Background()) != context.Background() {
		t.Error("a context changes")
	}
}
