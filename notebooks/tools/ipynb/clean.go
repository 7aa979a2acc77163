package ipynb

import (
	"encoding/base64"
	"strings"
)

const (
	vegaLitePrefix = "application/vnd.vegalite."
	// dataPrefix starts a Vega-Lite specification that the kernel had to send as a string: its pipe carries flat data
	// only, whereas readers of the saved notebook expect a JSON object.
	dataPrefix = "data:application/json;base64,"
)

// Clean brings an executed notebook into the form that is kept: Vega-Lite specifications become JSON objects, pieces
// of one output stream are joined, and what differs from run to run without saying anything (times of execution, the
// kernel's version) is removed. Running it twice changes nothing more.
func (d *Document) Clean() error {
	for _, cell := range d.cellNodes() {
		if metadata, ok := cell["metadata"].(map[string]any); ok {
			delete(metadata, "execution")
		}
		outputs, ok := cell["outputs"].([]any)
		if !ok {
			continue
		}
		for _, output := range objects(outputs) {
			if err := unpackVegaLite(output); err != nil {
				return err
			}
		}
		cell["outputs"] = joinStreams(outputs)
	}
	d.cleanMetadata()
	return nil
}

// cleanMetadata keeps of the metadata what says how to run and how to colour the cells.
func (d *Document) cleanMetadata() {
	metadata, _ := d.tree["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		d.tree["metadata"] = metadata
	}
	metadata["kernelspec"] = map[string]any{"display_name": "Go (gonb)", "language": "go", "name": KernelName}
	metadata["language_info"] = map[string]any{"file_extension": ".go", "mimetype": "text/x-go", "name": "go"}
}

func unpackVegaLite(output map[string]any) error {
	data, _ := output["data"].(map[string]any)
	for kind, value := range data {
		packed := text(value)
		if !strings.HasPrefix(kind, vegaLitePrefix) || !strings.HasPrefix(packed, dataPrefix) {
			continue
		}
		specification, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(packed, dataPrefix))
		if err != nil {
			return &OutputError{Kind: kind, Err: err}
		}
		object := map[string]any{}
		if err := decode(specification, &object); err != nil {
			return &OutputError{Kind: kind, Err: err}
		}
		data[kind] = object
	}
	return nil
}

// OutputError says that an output is not what its MIME type promises.
type OutputError struct {
	Kind string
	Err  error
}

func (e *OutputError) Error() string {
	return "ipynb: output of type " + e.Kind + " is not a packed JSON object: " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *OutputError) Unwrap() error { return e.Err }

// joinStreams joins neighbouring pieces of the same stream: where a kernel cuts its output depends on timing.
func joinStreams(outputs []any) []any {
	joined := []any{}
	var last map[string]any
	for _, item := range outputs {
		output, _ := item.(map[string]any)
		if output == nil || output["output_type"] != "stream" {
			last = nil
			joined = append(joined, item)
			continue
		}
		if last != nil && last["name"] == output["name"] {
			last["text"] = lines(text(last["text"]) + text(output["text"]))
			continue
		}
		output["text"] = lines(text(output["text"]))
		last = output
		joined = append(joined, output)
	}
	return joined
}
