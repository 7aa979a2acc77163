package cifar

import (
	"fmt"
	"slices"
	"strings"
)

// Version is one of the two published data sets.
type Version int

// The data sets in their binary form, and the length of a record: the labels,
// then 1,024 red, 1,024 green and 1,024 blue bytes, each 32×32 row by row.
const (
	CIFAR10  Version = iota // 3,073 bytes: the class, the pixels
	CIFAR100                // 3,074 bytes: the superclass, the class, the pixels
)

// Side is the width and height of an image; ImageBytes is 3·32·32.
const (
	Side       = 32
	ImageBytes = 3 * Side * Side
)

// Part is the published division into training and test images.
type Part int

// The training images (50,000) and the test images (10,000).
const (
	Train Part = iota
	Test
)

// String returns "train" or "test".
func (p Part) String() string {
	if p == Test {
		return "test"
	}
	return "train"
}

// publication describes how a version is published.
type publication struct {
	name         string
	archive      string // the file to download
	md5          string // of that file, in hexadecimal
	folder       string // inside the archive
	labels       int    // bytes before the pixels of a record
	files        [2][]string
	imagesInFile [2]int // images in each file of a part
}

var publications = [...]publication{
	CIFAR10: {
		name: "CIFAR-10", archive: "cifar-10-binary.tar.gz", md5: "c32a1d4ab5d03f1284b67883e8d87530",
		folder: "cifar-10-batches-bin", labels: 1,
		files: [2][]string{
			{"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"},
			{"test_batch.bin"},
		},
		imagesInFile: [2]int{10_000, 10_000},
	},
	CIFAR100: {
		name: "CIFAR-100", archive: "cifar-100-binary.tar.gz", md5: "03b5dce01913d631647c71ecec9e9cb8",
		folder: "cifar-100-binary", labels: 2,
		files:        [2][]string{{"train.bin"}, {"test.bin"}},
		imagesInFile: [2]int{50_000, 10_000},
	},
}

func (v Version) publication() (publication, error) {
	if v < 0 || int(v) >= len(publications) {
		return publication{}, fmt.Errorf("cifar: version %d is unknown; use CIFAR10 or CIFAR100", int(v))
	}
	return publications[v], nil
}

func (p publication) recordBytes() int { return p.labels + ImageBytes }

// String returns the name of the data set.
func (v Version) String() string {
	p, err := v.publication()
	if err != nil {
		return fmt.Sprintf("Version(%d)", int(v))
	}
	return p.name
}

// Classes returns the names of the classes in the order of their labels, 10 or
// 100. Names of several words are written with underscores, as published.
func (v Version) Classes() []string {
	if v == CIFAR100 {
		return slices.Clone(hundredClasses)
	}
	return slices.Clone(tenClasses)
}

// Superclasses returns the names of the 20 superclasses of CIFAR-100 in the
// order of their labels, and nil for CIFAR-10. Each holds five classes.
func (v Version) Superclasses() []string {
	if v != CIFAR100 {
		return nil
	}
	names := make([]string, len(superclasses))
	for i, superclass := range superclasses {
		names[i], _, _ = strings.Cut(superclass, ": ")
	}
	return names
}

var tenClasses = strings.Fields("airplane automobile bird cat deer dog frog horse ship truck")

// superclasses lists the superclasses of CIFAR-100, in the order of their
// labels, with their classes.
var superclasses = []string{
	"aquatic_mammals: beaver dolphin otter seal whale",
	"fish: aquarium_fish flatfish ray shark trout",
	"flowers: orchid poppy rose sunflower tulip",
	"food_containers: bottle bowl can cup plate",
	"fruit_and_vegetables: apple mushroom orange pear sweet_pepper",
	"household_electrical_devices: clock keyboard lamp telephone television",
	"household_furniture: bed chair couch table wardrobe",
	"insects: bee beetle butterfly caterpillar cockroach",
	"large_carnivores: bear leopard lion tiger wolf",
	"large_man-made_outdoor_things: bridge castle house road skyscraper",
	"large_natural_outdoor_scenes: cloud forest mountain plain sea",
	"large_omnivores_and_herbivores: camel cattle chimpanzee elephant kangaroo",
	"medium_mammals: fox porcupine possum raccoon skunk",
	"non-insect_invertebrates: crab lobster snail spider worm",
	"people: baby boy girl man woman",
	"reptiles: crocodile dinosaur lizard snake turtle",
	"small_mammals: hamster mouse rabbit shrew squirrel",
	"trees: maple_tree oak_tree palm_tree pine_tree willow_tree",
	"vehicles_1: bicycle bus motorcycle pickup_truck train",
	"vehicles_2: lawn_mower rocket streetcar tank tractor",
}

// hundredClasses are the classes of CIFAR-100, which are labelled in
// alphabetical order, and superclassOf the superclass of each.
var hundredClasses, superclassOf = classesOfSuperclasses()

func classesOfSuperclasses() (names []string, of []uint8) {
	superclass := map[string]uint8{}
	for i, line := range superclasses {
		_, classes, _ := strings.Cut(line, ": ")
		for _, class := range strings.Fields(classes) {
			superclass[class] = uint8(i)
			names = append(names, class)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		of = append(of, superclass[name])
	}
	return names, of
}
