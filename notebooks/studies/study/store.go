package study

import (
	"bytes"
	"cmp"
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
	wants, gots := o.properties(), found.properties()
	names := maps.Clone(wants)
	maps.Copy(names, gots)
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(names))) { // study and version come first
		if want, got := cmp.Or(wants[name], "absent"), cmp.Or(gots[name], "absent"); want != got {
			return foreign(path, field{name, want, got})
		}
	}
	return nil
}

// properties returns the parts of an origin by name. Side files have spaces in their configuration, which do not count.
func (o Origin) properties() map[string]string {
	all := map[string]string{"study": o.Study, "version": o.Version, "seed": strconv.FormatUint(o.Seed, 10), "configuration": o.Hash}
	var fields map[string]json.RawMessage
	if json.Unmarshal(o.Configuration, &fields) == nil {
		for name, value := range fields {
			var text bytes.Buffer
			_ = json.Compact(&text, value) // a value that was decoded is valid
			all["configuration field "+name] = text.String()
		}
	}
	return all
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
