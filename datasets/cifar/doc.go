// Package cifar reads CIFAR-10 and CIFAR-100 in their binary form and turns the
// images of two classes into a [features.Set].
//
// [Read] takes the published archive (cifar-10-binary.tar.gz or
// cifar-100-binary.tar.gz) or the folder it was extracted to. Nothing is
// downloaded unless [Fetch] is called: it puts the archive into a cache folder and
// accepts only a file with the published sum.
//
//	archive, err := cifar.Fetch(ctx, cifar.Download{})          // 170 MB, once
//	images, err := cifar.Read(archive, cifar.Options{})         // 50,000 training images
//	pixels, err := images.Pair("cat", "dog")                    // 10,000×3,072 in [0, 1]
//
// Pixels are features of a kind, but the paper's experiment uses those of a
// network: package features says how to export them.
//
// The data sets are by Alex Krizhevsky, Vinod Nair and Geoffrey Hinton
// (https://www.cs.toronto.edu/~kriz/cifar.html; Krizhevsky, Learning Multiple
// Layers of Features from Tiny Images, 2009).
package cifar
