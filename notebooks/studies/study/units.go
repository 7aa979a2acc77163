package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// unitFile holds the finished units of an experiment by key, and appends each to a file of JSON
// lines: first the origin, then the units.
type unitFile[R any] struct {
	path     string // "" for no file
	header   []byte // the line of the origin as long as the file has none
	torn     bool   // whether the file does not end with a line break
	finished map[string]Finished[R]
}

// openUnits reads the units of a file. A line that is no unit was torn by a kill or a full disk, or has results of
// another type; its unit is computed again. A file of another origin is an error, unless it was torn in its first line.
func openUnits[R any](o Options, origin Origin) (*unitFile[R], error) {
	header, err := json.Marshal(origin)
	if err != nil {
		return nil, err
	}
	u := &unitFile[R]{path: o.Path, header: header, finished: make(map[string]Finished[R])}
	if o.Path == "" {
		return u, nil
	}
	text, err := os.ReadFile(o.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return u, nil
	}
	if err != nil {
		return nil, fmt.Errorf("study: cannot read the finished units: %w", err)
	}
	if bytes.HasPrefix(header, text) { // it was torn in its first line
		return u, os.Remove(o.Path)
	}
	u.torn = !bytes.HasSuffix(text, []byte("\n"))
	return u, u.read(text, origin)
}

// read takes the units of the text of a file, unless their origin is another one.
func (u *unitFile[R]) read(text []byte, origin Origin) error {
	for line := range bytes.Lines(text) {
		if found, err := decode[Origin](line); err == nil {
			if err := origin.check(found, u.path); err != nil {
				return err
			}
			u.header = nil
			continue
		}
		if unit, err := decode[Finished[R]](line); err == nil && u.header == nil {
			u.finished[unit.Unit] = unit
		}
	}
	if u.header != nil {
		return fmt.Errorf("%w: %s is no file of units; it was left as it is: give another folder, or delete it", ErrForeign, u.path)
	}
	return nil
}

// decode reads a T that has no other fields.
func decode[T any](line []byte) (value T, err error) {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&value)
	return value, err
}

// add stores a finished unit and takes it as a later run will read it.
func (u *unitFile[R]) add(unit Finished[R]) error {
	line, err := json.Marshal(unit)
	if err != nil {
		return fmt.Errorf("the result cannot be stored: %w; results must be JSON values, without NaN and Inf", err)
	}
	if unit, err = decode[Finished[R]](line); err != nil {
		return fmt.Errorf("the result cannot be read again: %w", err)
	}
	if err := u.append(line); err != nil {
		return fmt.Errorf("%w; the units before are still there: make room or give another folder, and run again", err)
	}
	u.finished[unit.Unit] = unit
	return nil
}

// append brings a line to disk, behind the header in a file without one. What was torn before ends at a line break.
func (u *unitFile[R]) append(line []byte) error {
	if u.path == "" {
		return nil
	}
	if u.header != nil {
		line = bytes.Join([][]byte{u.header, line}, []byte("\n"))
	}
	line = append(line, '\n')
	if u.torn {
		line = append([]byte("\n"), line...)
	}
	if err := os.MkdirAll(filepath.Dir(u.path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(u.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		u.torn = true
		return err
	}
	u.header, u.torn = nil, false
	return nil
}
