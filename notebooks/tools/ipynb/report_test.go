package ipynb

import (
	"strings"
	"testing"
	"time"
)

func TestWriteTable(t *testing.T) {
	begin := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	results := []Result{ // the second one beside the first
		{Name: "00_quickstart", Cells: 12, Executed: 12, Begin: begin, Elapsed: 14230 * time.Millisecond},
		{Name: "01_long", Cells: 9, Executed: 3, Begin: begin.Add(13900 * time.Millisecond), Elapsed: time.Second, Failures: []string{"cell 4 failed"}},
		{Name: "solutions/01_long_solutions", Cells: 2, Executed: 2, Begin: begin.Add(time.Minute), Elapsed: 3400 * time.Millisecond},
	}
	var table strings.Builder
	if err := WriteTable(&table, results); err != nil {
		t.Fatal(err)
	}
	want := "" +
		"notebook                       cells  seconds  status\n" +
		"00_quickstart                  12/12     14.2  ok\n" +
		"01_long                          3/9      1.0  FAILED\n" +
		"solutions/01_long_solutions      2/2      3.4  ok\n" +
		"\n" +
		"tutorials: 2 in 15 s\n" +
		"solutions: 1 in 3 s\n"
	if table.String() != want {
		t.Errorf("table:\n%s\nwant:\n%s", table.String(), want)
	}
	if Failed(results) != 1 || Failed(nil) != 0 {
		t.Errorf("failed: %d and %d, want 1 and 0", Failed(results), Failed(nil))
	}
}

func TestTextShowsWhatAReaderNeeds(t *testing.T) {
	document := parse(t, `{"cell_type": "code", "execution_count": 1, "source": "", "outputs": [
		{"output_type": "stream", "name": "stderr", "text": "panic: no\n"},
		{"output_type": "display_data", "data": {"text/html": "<style>\nb {}\n</style><b>x &lt; y</b>\n\n<i>z</i>"}},
		{"output_type": "display_data", "data": {"text/html": "<p>", "text/plain": "plain"}},
		{"output_type": "error", "evalue": "exit status 2"}]}`)
	want := "panic: no\nx < y\nz\nplain\nexit status 2\n"
	if got := document.Cells()[0].Text(); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}
