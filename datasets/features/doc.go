// Package features holds frozen features: for the images of two classes, the
// rows that a network's last hidden layer gives, with a label -1 or +1 each.
// Section 5.2 of the paper fits a linear classifier to them and mines
// directions of uncertainty from it.
//
// A [Set] comes from one of these:
//
//   - [Digits] has images of handwritten digits, real data that come with the module;
//   - [LoadNPY] reads what NumPy saves;
//   - [NewSet] takes any matrix and its labels;
//   - [StandIn] generates features of the same sizes where no real ones are at
//     hand. Such a set says so in its name.
//
// Labels may be any two values. The smaller becomes -1, the larger +1, and the
// classes are named after the values; set Classes to names of your own.
//
// [Set.Split] cuts a set into parts, each class in proportion, by default those of the paper to fit, mine, select and report.
//
// # Features of your own
//
// The Python program resnet18.py beside this file writes the 512 features of a ResNet-18 (trained on
// ImageNet) for the cats and dogs of CIFAR-10. It needs torch, torchvision and numpy.
//
// Then, in Go, where label 3 becomes -1 and label 5 becomes +1:
//
//	set, err := features.LoadNPY("cat_dog_x.npy", "cat_dog_y.npy")
//	set.Classes = [2]string{"cat", "dog"}
package features
