package study

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// store is an open, locked results file that ends with a complete line.
type store struct {
	file *os.File
	path string
	size int64
	// fresh tells that the file held no header before.
	fresh bool
}

// openStore opens or creates the results file of an experiment and returns the
// units in it. An incomplete last line, which a killed run leaves behind, is
// cut off; nothing else in an existing file is ever changed.
func openStore(path string, want header) (s *store, units []line, err error) {
	file, err := openLocked(path)
	if err != nil {
		return nil, nil, err
	}
	s = &store{file: file, path: path}
	if units, err = s.load(want); err != nil {
		if s.fresh {
			s.discard() // nothing was in it, and nothing could be written
		}
		return nil, nil, errors.Join(err, s.close())
	}
	return s, units, nil
}

// load reads the units of the file and makes it end with a complete line.
func (s *store) load(want header) ([]line, error) {
	content, err := io.ReadAll(s.file)
	if err != nil {
		return nil, fmt.Errorf("study: cannot read the results file: %w", err)
	}
	units, missing, err := s.parse(content, want)
	if err != nil {
		return nil, err
	}
	return units, s.repair(int64(len(content)), missing)
}

// openLocked opens or creates a file and takes its lock. Another run may remove
// the file between the two ([store.discard]); what is then locked has no name any
// more, and the file is opened again.
func openLocked(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("study: cannot create the folder of the results file: %w", err)
	}
	for {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, fmt.Errorf("study: cannot open the results file: %w; give a path in a folder that can be written", err)
		}
		if err := lock(file); err != nil {
			file.Close()
			return nil, fmt.Errorf("%w: another run is writing to %s; wait for it or give another path (%v)", ErrBusy, path, err)
		}
		locked, err := file.Stat()
		named, nameErr := os.Stat(path)
		if err == nil && nameErr == nil && os.SameFile(locked, named) {
			return file, nil
		}
		file.Close()
		if err := errors.Join(err, nameErr); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("study: cannot open the results file: %w", err)
		}
	}
}

// parse checks a file's content, sets s.size to the length of the part to keep,
// and returns the units in that part and the bytes that are missing after it.
func (s *store) parse(content []byte, want header) (units []line, missing []byte, err error) {
	first, err := encodeLine(want)
	if err != nil {
		return nil, nil, fmt.Errorf("study: header: %w", err)
	}
	if len(content) < len(first) && bytes.HasPrefix(first, content) {
		s.fresh = true // or killed while the header was written
		return nil, first, nil
	}
	end := bytes.IndexByte(content, '\n') + 1
	if err := s.checkHeader(content[:end], want); err != nil {
		return nil, nil, err
	}
	seen := make(map[string]int)
	for number := 2; end < len(content); number++ {
		length := bytes.IndexByte(content[end:], '\n') + 1
		if length == 0 {
			break
		}
		var unit line
		err := decodeLine(content[end:end+length], &unit)
		if before, twice := seen[unit.Unit]; err == nil && twice {
			err = fmt.Errorf("unit %q is already on line %d", unit.Unit, before)
		}
		if err != nil {
			return nil, nil, corrupt(s.path, number, err)
		}
		seen[unit.Unit] = number
		units = append(units, unit)
		end += length
	}
	s.size = int64(end)
	var last line
	if err := decodeLine(content[end:], &last); err == nil && seen[last.Unit] == 0 {
		s.size = int64(len(content)) // only the newline was lost
		return append(units, last), []byte{'\n'}, nil
	}
	return units, nil, nil
}

// checkHeader compares the first line of a file with the header it must have.
func (s *store) checkHeader(text []byte, want header) error {
	if !startsAsHeader(text) {
		return foreign(s.path, field{"format", formatName, "unknown (the first line is no header)"})
	}
	var got header
	if err := decodeLine(text, &got); err != nil {
		return corrupt(s.path, 1, err)
	}
	if err := checkFields(s.path,
		field{"format", want.Format, got.Format},
		field{"study", want.Study, got.Study},
		field{"version", want.Version, got.Version},
		field{"seed", strconv.FormatUint(want.Seed, 10), strconv.FormatUint(got.Seed, 10)},
	); err != nil {
		return err
	}
	if want.Hash != got.Hash || !bytes.Equal(want.Configuration, got.Configuration) {
		return foreign(s.path, configurationDifference(want.Configuration, got.Configuration))
	}
	return nil
}

// configurationDifference returns the first field, in alphabetical order, in
// which two configurations differ.
func configurationDifference(want, got json.RawMessage) field {
	var wants, gots map[string]json.RawMessage
	if json.Unmarshal(want, &wants) == nil && json.Unmarshal(got, &gots) == nil {
		both := make(map[string]json.RawMessage)
		maps.Copy(both, wants)
		maps.Copy(both, gots)
		for _, name := range slices.Sorted(maps.Keys(both)) {
			if !bytes.Equal(wants[name], gots[name]) {
				return field{"configuration field " + name, presence(wants[name]), presence(gots[name])}
			}
		}
	}
	return field{"configuration", string(want), string(got)}
}

func presence(value json.RawMessage) string { return cmp.Or(string(value), "absent") }

// repair cuts off what follows the part to keep and appends the missing bytes.
func (s *store) repair(length int64, missing []byte) error {
	if length > s.size {
		if err := s.file.Truncate(s.size); err != nil {
			return fmt.Errorf("study: cannot cut the incomplete last line off %s: %w", s.path, err)
		}
	}
	return s.write(missing)
}

// append writes the line of a unit.
func (s *store) append(l line) error {
	text, err := encodeLine(l)
	if err != nil {
		return fmt.Errorf("study: unit %q: %w", l.Unit, err)
	}
	return s.write(text)
}

// write appends bytes and waits until they are on disk.
func (s *store) write(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	_, err := s.file.WriteAt(text, s.size)
	if err == nil {
		err = s.file.Sync()
	}
	if err != nil {
		// Leave no half line behind, so that the units before it stay readable.
		return fmt.Errorf("study: cannot append to %s: %w", s.path, errors.Join(err, s.file.Truncate(s.size)))
	}
	s.size += int64(len(text))
	return nil
}

// discard removes the file; where an open file cannot be removed, an empty one stays.
func (s *store) discard() {
	if s.file.Truncate(0) == nil {
		os.Remove(s.path)
	}
}

func (s *store) close() error { return s.file.Close() }
