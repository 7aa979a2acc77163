// Package features reads frozen features and their labels: the rows that a
// network's last hidden layer gives for the images of two classes.
package features
