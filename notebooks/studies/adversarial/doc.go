// Package adversarial mines dictionaries of uncertainty directions from frozen features: the perturbations that a
// projected-gradient attack finds for the examples of a binary task, normalised to length 1 (section 5.2 and appendix F.4 of
// the paper).
//
// Where things are:
//
//	task                where features come from, their four parts, the mined dictionary and its margins
//	classifier, attack  the linear classifier and its loss; projected gradient ascent on it
//	concentration       how much of a dictionary lies along one line
//	ensemble            dictionaries of several classifiers, with statistical directions
//
// A [Task] is a source of the scaling study (package notebooks/studies/scaling).
//
// # A degeneracy of the paper's dictionary
//
// The loss of a linear classifier has the gradient
//
//	∇_x log(1 + exp(-y(<w,x> + b))) = -y σ(-y(<w,x> + b)) w,
//
// so that every ascent step of every example points along w or -w. A converged attack ends at ±w/‖w‖₂, and a dictionary of
// thousands of atoms holds two directions and what is left of the random start. With h the length of all steps together and
// ε the radius, steps that are short against ε turn a start on the sphere, orthogonal to w, until
//
//	|cos(d, w)| = tanh(h/ε).
//
// [Concentration] measures it. A task with Classifiers, an ensemble, gives selection something to do: classifiers fitted on
// bootstrap resamples, several radii, class-mean and covariance directions.
package adversarial
