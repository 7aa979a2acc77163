// Package browser tests JupyterLab as its users meet it: the container image from outside, and the tutorials in a real
// browser. It holds tests only; .ci/docker.sh builds what they look at and names it in the environment:
//
//	DIRECTIONS_IMAGE    the container image; with it all tests run
//	DIRECTIONS_HUB_IMAGE, DIRECTIONS_STUDENT_IMAGE  the images of a class; with them its test runs
//	DIRECTIONS_LAB      the command jupyter-lab of this machine; with it, and no image, the tests of the page run
//	DIRECTIONS_ALL      not empty: every tutorial is run, and not only some
//	DIRECTIONS_LABEL    a label (name=value) for every Docker object, by which the caller removes what is left
//	DIRECTIONS_RESULTS  a folder for screenshots
//
// It is a module of its own because chromedp asks for a newer Go than the project.
package browser
