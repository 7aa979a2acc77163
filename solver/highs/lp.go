//go:build cgo

package highs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
)

func readLP(path string) (*solver.Model, error) {
	var text bytes.Buffer
	model := binding.NewRawModel()
	err := convert(model, path, func() error { return model.ReadModelFromFile(path) }, func() error { return model.WriteModel(&text) })
	if err != nil {
		return nil, fmt.Errorf("%w; check the path, and compare the file with an exported one", err)
	}
	return solver.ReadMPS(&text)
}

func writeLP(path string, m *solver.Model) error {
	var text bytes.Buffer
	model := binding.NewRawModel()
	return convert(model, path, func() error {
		if err := m.WriteMPS(&text); err != nil {
			return err
		}
		divided := bytes.ReplaceAll(text.Bytes(), []byte("/"), []byte("%2F")) // group and name, where HiGHS would read a division
		if err := model.ReadModel(bytes.NewReader(divided)); err != nil {
			return fmt.Errorf("HiGHS changes the model or refuses it (%w), as it does coefficients below 1e-9; scale the model, or write it as .mps", err)
		}
		return nil
	}, func() error { return model.WriteModelToFile(path) })
}

// convert lets HiGHS read a model and write it, in silence.
func convert(model *binding.RawModel, path string, read, write func() error) error {
	defer runtime.KeepAlive(model) // the binding frees it once nobody refers to it, in the middle of a call too
	err := checkLPName(path)
	if err == nil {
		err = model.SetBoolOption("output_flag", false)
	}
	if err == nil {
		err = read()
	}
	if err == nil {
		err = written(write())
	}
	if err != nil {
		return fmt.Errorf("solver/highs: LP file %s: %w", path, err)
	}
	return nil
}

func checkLPName(path string) error {
	if !strings.EqualFold(filepath.Ext(path), ".lp") {
		return errors.New("the name does not end in .lp, by which HiGHS knows the format; rename the file")
	}
	_, err := os.Stat(filepath.Dir(path))
	return err
}

// written lets pass what HiGHS only warns of when it writes, such as names that it has to make up, and the status of
// success, which the binding returns as an error.
func written(err error) error {
	var status binding.CallStatus
	if errors.As(err, &status) && (status.IsWarning() || status.Status == 0) {
		return nil
	}
	return err
}
