// Package adversarial mines dictionaries of uncertainty directions from frozen features: the perturbations that a
// projected-gradient attack finds for the examples of a binary task, normalised to length 1 (section 5.2 and appendix F.4
// of the paper).
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
// Every ascent step on the loss of a linear classifier points along w or -w, so that a converged attack leaves two
// directions and what is left of the random start; tutorial 37 derives how far it has got. [Concentration] measures it. A
// task with Classifiers, an ensemble, gives selection something to do: classifiers fitted on bootstrap resamples, several
// radii, class-mean and covariance directions.
package adversarial
