package cifar_test

import (
	"bytes"
	"fmt"

	"github.com/sparsero/directions/datasets/cifar"
)

// Two records stand for a file of 10,000: a grey cat and a black dog.
func ExampleDecode() {
	cat := append([]byte{3}, bytes.Repeat([]byte{51}, cifar.ImageBytes)...)
	dog := append([]byte{5}, make([]byte, cifar.ImageBytes)...)
	images, err := cifar.Decode(bytes.NewReader(append(cat, dog...)), cifar.CIFAR10)
	if err != nil {
		panic(err)
	}
	set, err := images.Pair("cat", "dog")
	if err != nil {
		panic(err)
	}
	fmt.Println(set)
	fmt.Println(set.X.At(0, 0), set.X.At(1, 0))
	// Output:
	// CIFAR-10, cat and dog, pixels: 2 examples × 3072 features, 1 cat (-1), 1 dog (+1)
	// 0.2 0
}

// A file that is cut short is never taken for a shorter one.
func ExampleDecode_cutShort() {
	_, err := cifar.Decode(bytes.NewReader(make([]byte, 5000)), cifar.CIFAR10)
	fmt.Println(err)
	// Output: cifar: the file is cut short: 5000 bytes are 1 records of CIFAR-10 (3073 bytes each) and 1927 bytes more; download it again
}

func ExampleVersion_Classes() {
	fmt.Println(cifar.CIFAR10.Classes())
	fmt.Println(cifar.CIFAR100.Classes()[:3], cifar.CIFAR100.Superclasses()[:2])
	// Output:
	// [airplane automobile bird cat deer dog frog horse ship truck]
	// [apple aquarium_fish baby] [aquatic_mammals fish]
}
