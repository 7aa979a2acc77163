package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// unitsExtension ends the names of files of units: one JSON object a line.
const unitsExtension = ".jsonl"

// fileName begins the names of the files that hold units of the experiment, of whatever shard.
func (r Record) fileName() string {
	return fmt.Sprintf("%s-%s-%d-%.16s", r.Study, r.Version, r.Seed, r.Hash)
}

// readUnits reads the units of all files in a folder whose names begin so. A line that is no unit
// was torn by a kill or a full disk, or has the results of other code; its unit is computed again.
func readUnits[R any](folder, name string) (map[string]Finished[R], error) {
	units := make(map[string]Finished[R])
	files, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("study: cannot read the finished units: %w", err)
	}
	for _, file := range files {
		if !strings.HasPrefix(file.Name(), name) || !strings.HasSuffix(file.Name(), unitsExtension) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return nil, fmt.Errorf("study: cannot read the finished units: %w", err)
		}
		for line := range bytes.Lines(text) {
			if unit, err := decodeUnit[R](line); err == nil {
				units[unit.Unit] = unit
			}
		}
	}
	return units, nil
}

// decodeUnit reads a unit as it was stored; another type of result is an error.
func decodeUnit[R any](line []byte) (unit Finished[R], err error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err = decoder.Decode(&unit); err != nil {
		err = fmt.Errorf("the result does not fit %T: %w", unit.Result, err)
	}
	return unit, err
}

// appendUnit adds a line to a file of units and brings it to disk; the folder is created if missing.
// The line break comes first, so that what was torn before ends there.
func appendUnit(folder, name string, line []byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(folder, name+unitsExtension), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append([]byte("\n"), line...))
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("%w; the units before are still there: make room or give another folder, and run again", err)
	}
	return nil
}

// Shard is one of Count parts of the units of an experiment, for one of Count machines:
// unit k belongs to shard k mod Count. Its zero value is all units.
type Shard struct{ Index, Count int } // 0 <= Index < Count

// String returns "3/16" for the shard with the index 3 of 16.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Set reads a shard from text such as "3/16"; it makes *Shard a [flag.Value]. It is an error
// if the text is anything else or the index is outside.
func (s *Shard) Set(text string) error {
	var read Shard
	if _, err := fmt.Sscanf(text, "%d/%d", &read.Index, &read.Count); err != nil || read.String() != text || read.Count < 1 {
		return fmt.Errorf("%.100q is no shard; write INDEX/COUNT such as 0/16", text)
	}
	if err := read.check(); err != nil {
		return err
	}
	*s = read
	return nil
}

// check reports an index outside the count.
func (s Shard) check() error {
	if s != (Shard{}) && (s.Index < 0 || s.Index >= s.Count) {
		return fmt.Errorf("there is no shard %v: indices begin at 0 and end at %d", s, s.Count-1)
	}
	return nil
}

// suffix ends the name of the shard's file: shards may share a folder.
func (s Shard) suffix() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("-%d-of-%d", s.Index, s.Count)
}

// units returns the numbers of the shard among those of count units.
func (s Shard) units(count int) []int {
	var units []int
	for k := s.Index; k < count; k += max(s.Count, 1) {
		units = append(units, k)
	}
	return units
}
