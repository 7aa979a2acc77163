// Package cifar reads CIFAR-10 and CIFAR-100 in their binary form and turns the
// images of two classes into a [features.Set].
//
// [Read] takes the published archive or the folder it was extracted to. Nothing is
// downloaded: get cifar-10-binary.tar.gz (170 MB) or cifar-100-binary.tar.gz from the
// authors' page, whose published sum an archive must have.
//
//	images, err := cifar.Read("cifar-10-binary.tar.gz", cifar.Options{}) // 50,000 training images
//	pixels, err := images.Pair("cat", "dog")                             // 10,000×3,072 in [0, 1]
//
// Pixels are features of a kind, but the paper's experiment uses those of a
// network: package features says how to export them.
//
// The data sets are by Alex Krizhevsky, Vinod Nair and Geoffrey Hinton
// (https://www.cs.toronto.edu/~kriz/cifar.html; Krizhevsky, Learning Multiple
// Layers of Features from Tiny Images, 2009).
package cifar
