package blocks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/selection"
)

// manifestName is the file that lists the blocks of a folder.
const manifestName = "manifest.json"

// Folder is a dictionary in blocks: NumPy files of rows, and a manifest with their sizes and
// checksums. As an [Engine] it asks one block after the other in this process, each on all cores.
type Folder struct {
	// Blocks are the files, in the order of their rows.
	Blocks []File

	columns int
	path    string
}

// manifest is what is written of a folder.
type manifest struct {
	Columns int    `json:"columns"`
	Blocks  []File `json:"blocks"`
}

// File is a block of a dictionary.
type File struct {
	Name   string `json:"name"`   // of the file in its folder
	From   int    `json:"from"`   // index of the first atom
	Atoms  int    `json:"atoms"`  // how many there are
	SHA256 string `json:"sha256"` // of the file, in hexadecimal digits
}

// Cut writes the rows of a NumPy file (N×p, rows are atoms, or N numbers for p = 1) to a folder as the given number of
// blocks whose sizes differ by at most one, and their manifest. Values keep their type. It is
// an error if there are fewer atoms than blocks, if two blocks have the same content, as where
// atoms repeat and a block holds few of them, or if a file cannot be read or written.
func Cut(path, folder string, blocks int) (*Folder, error) {
	atoms, err := selection.OpenNPY(path)
	if err != nil {
		return nil, err
	}
	defer atoms.Close()
	n := atoms.Size()
	if blocks < 1 || blocks > n {
		return nil, fmt.Errorf("blocks: %d blocks for %d atoms; use between 1 and %d", blocks, n, n)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	names := make([]string, blocks)
	for k := range names {
		names[k] = fmt.Sprintf("atoms-%05d-of-%05d.npy", k, blocks)
		if err := copyRows(filepath.Join(folder, names[k]), path, k*n/blocks, (k+1)*n/blocks); err != nil {
			return nil, fmt.Errorf("blocks: %w", err)
		}
	}
	return Describe(folder, names...)
}

// copyRows writes rows of a NumPy file to another one.
func copyRows(to, path string, first, end int) error {
	file, header, err := input.OpenArray(path)
	if err != nil {
		return err
	}
	defer file.Close()
	width := int64(header.Width())
	for _, size := range header.Shape[1:] { // none where p = 1
		width *= int64(size)
	}
	rows := io.NewSectionReader(file, header.Offset+int64(first)*width, int64(end-first)*width)
	header.Shape[0] = end - first
	if source, err := file.Stat(); err == nil {
		if target, err := os.Stat(to); err == nil && os.SameFile(source, target) {
			return fmt.Errorf("the block %s would overwrite the file that is cut; give another folder", to)
		}
	}
	written, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(written, io.MultiReader(bytes.NewReader(header.Bytes()), rows))
	return errors.Join(err, written.Close())
}

// Describe writes the manifest of blocks that are in a folder already, in the order of their
// rows. It reads every file once, and leaves out those without rows. It is an error if a name has a
// path, if a file is missing or no NumPy array N×p, or has another p than the first, and if two blocks
// have the same content, which would double their atoms.
func Describe(folder string, names ...string) (*Folder, error) {
	described, from := &Folder{path: folder}, 0
	for _, name := range names {
		if name != filepath.Base(name) {
			return nil, fmt.Errorf("blocks: block %q is not a file of the folder; move it there and give its name without a path", name)
		}
		file, header, err := input.OpenArray(filepath.Join(folder, name))
		if err != nil {
			return nil, fmt.Errorf("blocks: %w", err)
		}
		file.Close()
		if len(header.Shape) == 2 && header.Shape[0] == 0 {
			continue
		}
		block := File{Name: name, From: from}
		atoms, sum, err := described.read(block)
		if err != nil {
			return nil, err
		}
		block.Atoms, block.SHA256 = atoms.Size(), sum
		if described.columns == 0 {
			described.columns = atoms.Dim()
		}
		if err := errors.Join(described.fits(block, atoms), atoms.Close()); err != nil {
			return nil, err
		}
		if k := described.same(block); k >= 0 {
			return nil, fmt.Errorf("blocks: %s has the content of %s; leave one of them out, lest their atoms come twice, or cut fewer blocks where atoms repeat", name, described.Blocks[k].Name)
		}
		described.Blocks = append(described.Blocks, block)
		from += block.Atoms
	}
	if from == 0 {
		return nil, errors.New("blocks: there are no blocks; name the files in the order of their rows")
	}
	text, err := json.MarshalIndent(manifest{described.columns, described.Blocks}, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, manifestName), append(text, '\n'), 0o666)
	}
	if err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	return described, nil
}

// same returns which block has the content of another one, -1 if none has.
func (f *Folder) same(block File) int {
	return slices.IndexFunc(f.Blocks, func(b File) bool { return b.SHA256 == block.SHA256 })
}

// Open reads the manifest of a folder. It is an error if it is missing or contradicts itself, as by a block that stands in it
// twice.
func Open(folder string) (*Folder, error) {
	text, err := os.ReadFile(filepath.Join(folder, manifestName))
	if err != nil {
		return nil, fmt.Errorf("blocks: %w; write the manifest with Cut or Describe", err)
	}
	var listed manifest
	if err := json.Unmarshal(text, &listed); err != nil {
		return nil, fmt.Errorf("blocks: the manifest of %s: %w", folder, err)
	}
	opened, from := &Folder{columns: listed.Columns, path: folder}, 0
	for k, block := range listed.Blocks {
		if same := opened.same(block); same >= 0 {
			return nil, fmt.Errorf("blocks: the manifest of %s lists %s and %s with the same content; write it again with Describe and each block once", folder, opened.Blocks[same].Name, block.Name)
		}
		if block.From != from || block.Atoms < 1 || block.Name != filepath.Base(block.Name) {
			return nil, fmt.Errorf("blocks: block %d of the manifest is %q with atoms from %d, %d of them; a block is a file of the folder and follows the one before", k, block.Name, block.From, block.Atoms)
		}
		opened.Blocks = append(opened.Blocks, block)
		from += block.Atoms
	}
	if from == 0 || listed.Columns < 1 {
		return nil, fmt.Errorf("blocks: the manifest of %s lists no atoms; write it with Cut or Describe", folder)
	}
	return opened, nil
}

// Size implements [Engine].
func (f *Folder) Size() int {
	if f == nil || len(f.Blocks) == 0 {
		return 0
	}
	last := f.Blocks[len(f.Blocks)-1]
	return last.From + last.Atoms
}

// Dim implements [Engine].
func (f *Folder) Dim() int {
	if f == nil {
		return 0
	}
	return f.columns
}

// Run implements [Engine].
func (f *Folder) Run(ctx context.Context, task *Task) (merged *Answer, err error) {
	if f.Size() < 1 {
		return nil, errNoAtoms
	}
	for k := range f.Blocks {
		answer, err := f.Work(ctx, k, task, nil)
		if err != nil {
			return nil, err
		}
		if merged, err = Merge(merged, answer); err != nil {
			return nil, err
		}
	}
	return merged, nil
}

// Work answers a task for block k, whose checksum is compared first.
func (f *Folder) Work(ctx context.Context, k int, task *Task, r *Resources) (*Answer, error) {
	if f == nil || k < 0 || k >= len(f.Blocks) {
		return nil, fmt.Errorf("blocks: there is no block %d; open a folder with Open, and use its blocks", k)
	}
	block := f.Blocks[k]
	atoms, sum, err := f.read(block)
	if err != nil {
		return nil, err
	}
	defer atoms.Close()
	if sum != block.SHA256 {
		return nil, fmt.Errorf("blocks: the checksum of %s is %s, the manifest says %s; copy the file again", block.Name, sum, block.SHA256)
	}
	if err := f.fits(block, atoms); err != nil {
		return nil, err
	}
	return Work(ctx, atoms, block.From, task, r)
}

// read opens a block and returns its checksum.
func (f *Folder) read(block File) (*selection.File, string, error) {
	path := filepath.Join(f.path, block.Name)
	file, err := os.Open(path)
	if err != nil {
		return nil, "", fmt.Errorf("blocks: %w", err)
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return nil, "", fmt.Errorf("blocks: %s: %w", path, err)
	}
	atoms, err := selection.OpenNPY(path)
	return atoms, hex.EncodeToString(sum.Sum(nil)), err
}

// fits compares a block with what is said of it.
func (f *Folder) fits(block File, atoms selection.Source) error {
	if atoms.Size() != block.Atoms || atoms.Dim() != f.columns {
		return fmt.Errorf("blocks: %s holds %d atoms of dimension %d, expected are %d of dimension %d; give blocks of one dimension, and write the manifest again", block.Name, atoms.Size(), atoms.Dim(), block.Atoms, f.columns)
	}
	return nil
}
