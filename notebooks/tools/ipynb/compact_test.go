package ipynb

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const withCharts = `{"nbformat": 4, "metadata": {}, "cells": [
 {"cell_type": "markdown", "source": ["specification 0 is held back"]},
 {"cell_type": "code", "source": [], "outputs": [
  {"output_type": "display_data", "data": {
   "application/vnd.vegalite.v5+json": {"mark": "point", "data": {"values": [{"x": 1.25, "y": null}, {"x": 2}]}},
   "text/plain": ["specification 1 is held back"]}},
  {"output_type": "display_data", "data": {"application/vnd.vegalite.v5+json": {"mark": "bar"}}}]}]}`

// TestSpecificationsTakeOneLine also checks that nothing else changes: texts
// that look like the ones used to hold a place stay as they are.
func TestSpecificationsTakeOneLine(t *testing.T) {
	document, err := Parse([]byte(withCharts))
	if err != nil {
		t.Fatal(err)
	}
	content, err := document.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(content), `"application/vnd.vegalite.v5+json": {"data":{"values":[{"x":1.25,"y":null},{"x":2}]},"mark":"point"}`) {
		t.Errorf("the specification is not on one line:\n%s", content)
	}
	var want, got any
	if err := json.Unmarshal([]byte(withCharts), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &got); err != nil {
		t.Fatalf("what was written is no JSON: %v\n%s", err, content)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("writing changed the notebook:\n%s", content)
	}
	again, err := document.Bytes()
	if err != nil || !bytes.Equal(again, content) {
		t.Errorf("writing twice gave two texts (error %v)", err)
	}
}
