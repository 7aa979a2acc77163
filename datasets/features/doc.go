// Package features holds frozen features: for the images of two classes, the rows that a network's last hidden layer gives,
// with a label -1 or +1 each. Section 5.2 of the paper fits a linear classifier to them and mines directions of uncertainty
// from it.
//
// Where things are:
//
//	set                   the features of two classes, and which label becomes -1
//	split                 the parts to fit, mine, select and report
//	digits, npy, standin  handwritten digits; features that NumPy saved; generated features
//
// A [Set] comes from [Digits], [LoadNPY], [NewSet] or [StandIn], which says so in its name.
//
// # Features of your own
//
// The Python program resnet18.py beside this file writes the 512 features of a ResNet-18 (trained on ImageNet) for the cats
// and dogs of CIFAR-10. It needs torch, torchvision and numpy.
//
// Then, in Go, where label 3 becomes -1 and label 5 becomes +1:
//
//	set, err := features.LoadNPY("cat_dog_x.npy", "cat_dog_y.npy")
//	set.Classes = [2]string{"cat", "dog"}
package features
