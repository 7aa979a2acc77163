package cifar

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/sparsero/input"
	"gonum.org/v1/gonum/mat"
)

// Images holds images of one version in the order of their files.
type Images struct {
	Version Version // the data set they belong to
	Name    string  // where they come from, such as "CIFAR-10 train"
	Pixels  []uint8 // n×3,072: of each image the red, green and blue planes, row by row
	Labels  []uint8 // n classes, 0 to 9 or 0 to 99
	Coarse  []uint8 // n superclasses, 0 to 19, for CIFAR-100; nil for CIFAR-10
}

// Decode reads the records of one binary file, any number from 1.
//
// It returns an error when the length is no multiple of the record's, a label
// is out of range, or a superclass is not the one of the class: the file is cut
// short, of the other version, or mislabelled.
func Decode(r io.Reader, v Version) (*Images, error) {
	p, err := v.publication()
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errors.New("cifar: the reader is nil; open a file")
	}
	images := &Images{Version: v, Name: v.String()}
	record := make([]uint8, p.recordBytes())
	for {
		read, err := io.ReadFull(r, record)
		switch {
		case errors.Is(err, io.EOF) && images.Len() > 0:
			return images, nil
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return nil, lengthError(v, int64(images.Len()*len(record)+read))
		case err != nil:
			return nil, fmt.Errorf("cifar: reading record %d: %w; download the file again", images.Len(), err)
		}
		if err := images.add(record[:p.labels], record[p.labels:]); err != nil {
			rest, _ := io.Copy(io.Discard, r) // a wrong length explains a wrong label
			if length := int64((images.Len()+1)*len(record)) + rest; length%int64(len(record)) != 0 {
				return nil, lengthError(v, length)
			}
			return nil, err
		}
	}
}

// lengthError says how much of the last record is missing, and whether the
// length fits the other version.
func lengthError(v Version, length int64) error {
	size := int64(publications[v].recordBytes())
	other := CIFAR10 + CIFAR100 - v
	if otherSize := int64(publications[other].recordBytes()); length > 0 && length%otherSize == 0 {
		return fmt.Errorf("cifar: %d bytes are records of %s (%d bytes each), not of %s (%d); use the version %s",
			length, other, otherSize, v, size, other)
	}
	return fmt.Errorf("cifar: the file is cut short: %d bytes are %d records of %s (%d bytes each) and %d bytes more; download it again",
		length, length/size, v, size, length%size)
}

// add appends one image after a check of its labels.
func (m *Images) add(labels, pixels []uint8) error {
	record, class := m.Len(), labels[len(labels)-1]
	if names := m.classNames(); int(class) >= len(names) {
		return fmt.Errorf("cifar: record %d has the class %d, but %s has classes 0 to %d; the file is mislabelled or of another kind: check its origin and download it again",
			record, class, m.Version, len(names)-1)
	}
	if m.Version == CIFAR100 {
		if coarse := labels[0]; coarse != superclassOf[class] {
			return fmt.Errorf("cifar: record %d has the superclass %d, but class %d (%s) belongs to superclass %d; the file is mislabelled or of another kind: check its origin and download it again",
				record, coarse, class, hundredClasses[class], superclassOf[class])
		}
		m.Coarse = append(m.Coarse, labels[0])
	}
	m.Labels = append(m.Labels, class)
	m.Pixels = append(m.Pixels, pixels...)
	return nil
}

func (m *Images) classNames() []string {
	if m.Version == CIFAR100 {
		return hundredClasses
	}
	return tenClasses
}

// Len returns the number of images.
func (m *Images) Len() int { return len(m.Labels) }

// Pair returns the images of two classes as features: 3,072 pixels scaled to
// [0, 1], in the order of the file, -1 for the first class and +1 for the
// second. Names are those of [Version.Classes] or, for CIFAR-100,
// [Version.Superclasses].
//
// It returns an error when a name is unknown, both are the same, one contains
// the other, or a class has no image.
func (m *Images) Pair(first, second string) (*features.Set, error) {
	chosen := make([][]bool, 2)
	for k, name := range []string{first, second} {
		var err error
		if chosen[k], err = m.members(name); err != nil {
			return nil, err
		}
	}
	if len(m.Pixels) != len(m.Labels)*ImageBytes {
		return nil, fmt.Errorf("cifar: %d bytes of pixels for %d labels; give %d per label", len(m.Pixels), len(m.Labels), ImageBytes)
	}
	var rows []int
	var labels []float64
	for i, label := range m.Labels {
		if int(label) >= len(chosen[0]) {
			return nil, fmt.Errorf("cifar: label %d is %d, but %s has %d classes; check the labels", i, label, m.Version, len(chosen[0]))
		}
		switch in := [2]bool{chosen[0][label], chosen[1][label]}; in {
		case [2]bool{true, true}:
			return nil, fmt.Errorf("cifar: the classes %q and %q share %q; choose two that share no image", first, second, m.classNames()[label])
		case [2]bool{true, false}:
			rows, labels = append(rows, i), append(labels, -1)
		case [2]bool{false, true}:
			rows, labels = append(rows, i), append(labels, 1)
		}
	}
	for k, name := range []string{first, second} {
		if !slices.Contains(labels, float64(2*k-1)) {
			return nil, fmt.Errorf("cifar: none of the %d images of %s is of class %q; choose a class that is there, or read more files", m.Len(), m.Name, name)
		}
	}
	x := mat.NewDense(len(rows), ImageBytes, nil)
	for row, i := range rows {
		scaled := x.RawRowView(row)
		for j, value := range m.Pixels[i*ImageBytes : (i+1)*ImageBytes] {
			scaled[j] = float64(value) / 255
		}
	}
	set, err := features.NewSet(fmt.Sprintf("%s, %s and %s, pixels", m.Name, first, second), x, labels)
	if err != nil {
		return nil, err
	}
	set.Classes = [2]string{first, second}
	return set, nil
}

// members says of each class whether it bears the name or belongs to the
// superclass of that name.
func (m *Images) members(name string) ([]bool, error) {
	classes, groups := m.classNames(), m.Version.Superclasses()
	in := make([]bool, len(classes))
	if class := slices.Index(classes, name); class >= 0 {
		in[class] = true
		return in, nil
	}
	group := slices.Index(groups, name)
	if group < 0 {
		return nil, fmt.Errorf("cifar: %s has no class %s; choose one that Version.Classes or Version.Superclasses lists, such as %s", m.Version, input.Quote(name), input.List(classes))
	}
	for class := range classes {
		in[class] = int(superclassOf[class]) == group
	}
	return in, nil
}
