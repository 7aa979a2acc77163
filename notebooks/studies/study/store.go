package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Origin identifies the experiment that a file belongs to.
type Origin struct {
	Study         string          `json:"study"`
	Version       string          `json:"version"`
	Seed          uint64          `json:"seed"`
	Hash          string          `json:"configuration_hash"` // SHA-256 of Configuration, hexadecimal
	Configuration json.RawMessage `json:"configuration"`
}

func newOrigin(study, version string, seed uint64, configuration []byte) Origin {
	sum := sha256.Sum256(configuration)
	return Origin{Study: study, Version: version, Seed: seed, Hash: hex.EncodeToString(sum[:]), Configuration: configuration}
}

// check reports the first property in which the origin found in a file differs from o.
func (o Origin) check(path string, found Origin) error {
	for _, f := range []field{
		{"study", o.Study, found.Study},
		{"version", o.Version, found.Version},
		{"seed", strconv.FormatUint(o.Seed, 10), strconv.FormatUint(found.Seed, 10)},
	} {
		if f.want != f.got {
			return foreign(path, f)
		}
	}
	if o.Hash != found.Hash {
		return foreign(path, configurationDifference(o.Configuration, found.Configuration))
	}
	return nil
}

// configurationDifference returns the first field, in alphabetical order, in
// which two configurations differ.
func configurationDifference(want, got json.RawMessage) field {
	var wants, gots map[string]json.RawMessage
	if json.Unmarshal(want, &wants) == nil && json.Unmarshal(got, &gots) == nil {
		both := maps.Clone(wants)
		maps.Copy(both, gots)
		for _, name := range slices.Sorted(maps.Keys(both)) {
			if want, got := compact(wants[name]), compact(gots[name]); want != got {
				return field{"configuration field " + name, want, got}
			}
		}
	}
	return field{"configuration", compact(want), compact(got)}
}

// compact returns a value without spaces, which side files have.
func compact(value json.RawMessage) string {
	var text bytes.Buffer
	if err := json.Compact(&text, value); err != nil {
		return "absent"
	}
	return text.String()
}

// unitFile is the file of a finished unit.
type unitFile struct {
	Origin
	Unit    string          `json:"unit"`
	Result  json.RawMessage `json:"result"`
	Seconds float64         `json:"seconds"`
}

// unitPath returns the file of a unit: characters of the key that a file name cannot hold are escaped.
func unitPath(folder, key string) string { return filepath.Join(folder, url.QueryEscape(key)+".json") }

// readUnit reads the file of a unit; found is false if there is none.
func readUnit(folder, key string, origin Origin) (unit unitFile, found bool, err error) {
	path := unitPath(folder, key)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return unit, false, nil
	}
	if err != nil {
		return unit, false, fmt.Errorf("study: cannot read the result of unit %q: %w", key, err)
	}
	if err := json.Unmarshal(text, &unit); err != nil {
		return unit, false, corrupt(path, err)
	}
	if err := origin.check(path, unit.Origin); err != nil {
		return unit, false, err
	}
	if unit.Unit != key { // file names may not tell upper from lower case
		return unit, false, foreign(path, field{"unit", key, unit.Unit})
	}
	return unit, true, nil
}

// write stores a unit in its file.
func (u unitFile) write(folder string) error {
	text, err := json.Marshal(u)
	if err != nil {
		return fmt.Errorf("study: unit %q: %w", u.Unit, err)
	}
	return replaceFile(unitPath(folder, u.Unit), append(text, '\n'))
}

// replaceFile writes a file beside its place, brings it to disk and moves it there in one
// step, so that whoever finds it finds it whole. Its folder is created if missing.
func replaceFile(path string, content []byte) error {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = writeBeside(path, content)
	}
	if err != nil {
		return fmt.Errorf("study: cannot write %s: %w; what was there before is still there: make room or give another folder, and run again", path, err)
	}
	return nil
}

func writeBeside(path string, content []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.unfinished")
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	err = errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

var (
	// ErrCorrupt says that the file of a unit does not hold what was written to it.
	ErrCorrupt = errors.New("study: corrupt results file")
	// ErrForeign says that a file belongs to another experiment.
	ErrForeign = errors.New("study: foreign results file")
	// ErrMerge says that units to be merged are missing, or there twice and different.
	ErrMerge = errors.New("study: units do not merge")
)

// corrupt says what is wrong with the file of a unit.
func corrupt(path string, reason error) error {
	return fmt.Errorf("%w: %s: %w; it was left as it is: remove it to compute its unit again, or give another folder", ErrCorrupt, path, reason)
}

// foreign says in which field a file differs from what it must hold.
func foreign(path string, f field) error {
	return fmt.Errorf("%w: %s holds the results of something else: its %s is %s, this experiment has %s; it was left as it is: give another folder or move it away",
		ErrForeign, path, f.name, f.got, f.want)
}

// field is a property of an experiment and of a file.
type field struct{ name, want, got string }
