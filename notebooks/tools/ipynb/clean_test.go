package ipynb

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

// chart is a code cell whose output carries a Vega-Lite specification as the kernel sends it.
func chart(specification string) string {
	packed := dataPrefix + base64.StdEncoding.EncodeToString([]byte(specification))
	return `{"cell_type": "code", "metadata": {}, "source": "%%", "execution_count": 1, "outputs": [
		{"output_type": "display_data", "metadata": {}, "data": {
			"application/vnd.vegalite.v5+json": "` + packed + `", "text/plain": "` + dataPrefix + `"}}]}`
}

func TestCleanUnpacksVegaLite(t *testing.T) {
	document := parse(t, chart(`{"mark": {"type": "point"}, "size": 1.50}`))
	if err := document.Clean(); err != nil {
		t.Fatal(err)
	}
	data := document.Cells()[0].Outputs[0]["data"].(map[string]any)
	specification, ok := data["application/vnd.vegalite.v5+json"].(map[string]any)
	if !ok {
		t.Fatalf("the specification is a %T, want a JSON object", data["application/vnd.vegalite.v5+json"])
	}
	if mark, _ := specification["mark"].(map[string]any); mark["type"] != "point" {
		t.Errorf("mark is %v, want the nested object", specification["mark"])
	}
	if data["text/plain"] != dataPrefix {
		t.Errorf("text/plain became %v; only Vega-Lite types are unpacked", data["text/plain"])
	}
	content, err := document.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(content), `1.50`) {
		t.Error("the number 1.50 was not kept as it was written")
	}
}

func TestCleanRejectsBrokenSpecification(t *testing.T) {
	for name, cell := range map[string]string{
		"no JSON":   chart(`{"mark": `),
		"no base64": strings.Replace(chart(`{}`), dataPrefix, dataPrefix+"!", 1),
	} {
		var broken *OutputError
		if err := parse(t, cell).Clean(); !errors.As(err, &broken) {
			t.Errorf("%s: error %v, want an *OutputError", name, err)
		}
	}
}

func TestCleanJoinsNeighbouringStreams(t *testing.T) {
	document := parse(t, `{"cell_type": "code", "metadata": {}, "source": "%%", "execution_count": 1, "outputs": [
		{"output_type": "stream", "name": "stdout", "text": "a"},
		{"output_type": "stream", "name": "stdout", "text": ["b\n", "c"]},
		{"output_type": "stream", "name": "stderr", "text": "d"},
		{"output_type": "display_data", "data": {}},
		{"output_type": "stream", "name": "stderr", "text": "e"}]}`)
	if err := document.Clean(); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, output := range document.Cells()[0].Outputs {
		texts = append(texts, text(output["text"]))
	}
	if got := strings.Join(texts, "|"); got != "ab\nc|d||e" {
		t.Errorf("streams are %q, want %q", got, "ab\nc|d||e")
	}
}

func TestCleanRemovesWhatChangesFromRunToRun(t *testing.T) {
	times := `{"cell_type": "code", "metadata": {"execution": {"iopub.status.busy": "2026"}, "tags": ["kept"]},
		"source": "%%", "execution_count": 1, "outputs": []}`
	document := parse(t, times)
	document.tree["metadata"].(map[string]any)["language_info"] = map[string]any{"name": "go", "version": "go1.26"}
	if err := document.Clean(); err != nil {
		t.Fatal(err)
	}
	content, err := document.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	for _, volatile := range []string{"iopub", "go1.26"} {
		if strings.Contains(string(content), volatile) {
			t.Errorf("%q is still there", volatile)
		}
	}
	if !strings.Contains(string(content), "kept") {
		t.Error("the tags of the cell are gone")
	}
}

func TestCleanIsIdempotent(t *testing.T) {
	document := read(t, "executed")
	before, err := document.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Clean(); err != nil {
		t.Fatal(err)
	}
	after, err := document.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Errorf("a clean notebook changed:\n%s", after)
	}
}
