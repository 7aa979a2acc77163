package datasets

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sparsero/directions/datasets/internal/size"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// Streams of the generator: each part draws from its own stream, so that
// changing one size leaves the other parts as they were.
const (
	streamStructured uint64 = iota + 1
	streamIsotropic
	streamDecoys
	streamShuffle
	streamDirections
	streamProbes
	streamCalibration
	streamTest
)

const (
	// armSlope is the slope of the arms, |u_2/u_1|.
	armSlope = 0.22
	// radialSpread is the standard deviation of the length along an arm, whose mean is 1.
	radialSpread = 0.43
	// noise is the standard deviation around an arm, per coordinate.
	noise = 0.05
)

// XShapeOptions describes the X-shaped data of section 5.1. The zero value gives the sizes of the paper.
type XShapeOptions struct {
	Seed        uint64 // default 0
	Structured  int    // atoms along the arms; default 1200
	Isotropic   int    // atoms without a preferred direction; default 400
	Decoys      int    // long vertical atoms; default 400
	Directions  int    // evaluation directions besides (1, 0); default 800
	Probes      int    // held-out unit directions; default 4000
	Calibration int    // raw samples to calibrate a radius on; default 1000
	Test        int    // raw samples to report on; default 5000
}

// XShape holds one draw of the X-shaped data; all matrices have two columns.
type XShape struct {
	Dictionary  *sparsero.Dictionary // N×2, shuffled; labels are kind and running number
	Evaluation  []float64            // the direction x_eval = (1, 0) of section 5.1
	Directions  *mat.Dense           // T: (1+Directions)×2 unit vectors, the first is Evaluation
	Probes      *mat.Dense           // Probes×2 unit vectors, drawn like Directions
	Calibration *mat.Dense           // Calibration×2 raw samples of U
	Test        *mat.Dense           // Test×2 raw samples of U
}

// NewXShape draws X-shaped uncertainty and a dictionary with decoys.
//
// A sample is u = t(1, ±0.22) + N(0, 0.05²I) with |t| ~ |N(1, 0.43²)| and a random sign; directions are u/|u|. The
// dictionary holds structured atoms at the arms' angles (norm |N(1.5, 0.3²)|, angle noise 0.06 rad), isotropic atoms
// N(0, 0.3²I), and decoys (N(0, 0.05²), ±N(3, 0.25²)). The constants are inferred from the paper's tables, since its
// generator is not public.
//
// It returns an error when an option is negative.
func NewXShape(o XShapeOptions) (*XShape, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	dictionary, err := o.dictionary()
	if err != nil {
		return nil, err
	}
	evaluation := []float64{1, 0}
	directions := mat.NewDense(1+o.Directions, 2, nil)
	directions.SetRow(0, evaluation)
	directions.Slice(1, 1+o.Directions, 0, 2).(*mat.Dense).Copy(o.unitSamples(o.Directions, streamDirections))
	return &XShape{
		Dictionary:  dictionary,
		Evaluation:  evaluation,
		Directions:  directions,
		Probes:      o.unitSamples(o.Probes, streamProbes),
		Calibration: o.samples(o.Calibration, streamCalibration),
		Test:        o.samples(o.Test, streamTest),
	}, nil
}

func (o XShapeOptions) withDefaults() XShapeOptions {
	o.Structured, o.Isotropic, o.Decoys = cmp.Or(o.Structured, 1200), cmp.Or(o.Isotropic, 400), cmp.Or(o.Decoys, 400)
	o.Directions, o.Probes = cmp.Or(o.Directions, 800), cmp.Or(o.Probes, 4000)
	o.Calibration, o.Test = cmp.Or(o.Calibration, 1000), cmp.Or(o.Test, 5000)
	return o
}

func (o XShapeOptions) validate() error {
	return checkOptions("XShapeOptions", map[string]int{
		"Structured": o.Structured, "Isotropic": o.Isotropic, "Decoys": o.Decoys, "Directions": o.Directions,
		"Probes": o.Probes, "Calibration": o.Calibration, "Test": o.Test,
	}, 2)
}

// checkOptions reports the first size, by name, that is negative or too large for a matrix of so many columns.
func checkOptions(options string, sizes map[string]int, columns int) error {
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		if sizes[name] < 0 {
			return fmt.Errorf("datasets: %s.%s = %d is negative; use a positive size, or 0 for the default", options, name, sizes[name])
		}
		if err := size.Check("datasets: "+options+"."+name, sizes[name], columns); err != nil {
			return err
		}
	}
	return nil
}

func (o XShapeOptions) stream(id uint64) *rand.Rand {
	return rand.New(rand.NewPCG(o.Seed, id))
}

func (o XShapeOptions) samples(count int, id uint64) *mat.Dense {
	random := o.stream(id)
	samples := mat.NewDense(count, 2, nil)
	for i := range count {
		length := 1 + float64(radialSpread*random.NormFloat64())
		if random.IntN(2) == 0 {
			length = -length
		}
		slope := armSlope
		if random.IntN(2) == 0 {
			slope = -slope
		}
		samples.Set(i, 0, length+float64(noise*random.NormFloat64()))
		samples.Set(i, 1, float64(length*slope)+float64(noise*random.NormFloat64()))
	}
	return samples
}

// armAngle draws the angle of one of the four half-arms.
func (o XShapeOptions) armAngle(random *rand.Rand) float64 {
	angle := math.Atan(armSlope)
	if random.IntN(2) == 0 {
		angle = -angle
	}
	if random.IntN(2) == 0 {
		angle += math.Pi
	}
	return angle
}

func (o XShapeOptions) unitSamples(count int, id uint64) *mat.Dense {
	samples := o.samples(count, id)
	for i := range count {
		row := samples.RawRowView(i)
		norm := math.Hypot(row[0], row[1])
		row[0], row[1] = row[0]/norm, row[1]/norm
	}
	return samples
}

// dictionary draws the atoms kind by kind and shuffles them, so that an index says nothing about the kind.
func (o XShapeOptions) dictionary() (*sparsero.Dictionary, error) {
	const (
		angleNoise                  = 0.06 // radians around an arm
		structuredMean, structuredS = 1.5, 0.3
		decoyMean                   = 3.0
		isotropicS, decoyS, decoyX  = 0.3, 0.25, 0.05
	)
	var atoms [][2]float64
	var labels []string
	add := func(x, y float64, kind string, number int) {
		atoms = append(atoms, [2]float64{x, y})
		labels = append(labels, fmt.Sprintf("%s-%d", kind, number))
	}
	random := o.stream(streamStructured)
	for i := range o.Structured {
		angle := o.armAngle(random) + float64(angleNoise*random.NormFloat64())
		norm := math.Abs(structuredMean + float64(structuredS*random.NormFloat64()))
		add(norm*math.Cos(angle), norm*math.Sin(angle), "structured", i)
	}
	random = o.stream(streamIsotropic)
	for i := range o.Isotropic {
		add(isotropicS*random.NormFloat64(), isotropicS*random.NormFloat64(), "isotropic", i)
	}
	random = o.stream(streamDecoys)
	for i := range o.Decoys {
		height := decoyMean + float64(decoyS*random.NormFloat64())
		if random.IntN(2) == 0 {
			height = -height
		}
		add(decoyX*random.NormFloat64(), height, "decoy", i)
	}
	o.stream(streamShuffle).Shuffle(len(atoms), func(i, j int) {
		atoms[i], atoms[j] = atoms[j], atoms[i]
		labels[i], labels[j] = labels[j], labels[i]
	})
	matrix := mat.NewDense(len(atoms), 2, nil)
	for i, atom := range atoms {
		matrix.SetRow(i, atom[:])
	}
	return sparsero.NewDictionary(matrix, &sparsero.DictionaryOptions{Labels: labels, Columns: []string{"u1", "u2"}})
}
