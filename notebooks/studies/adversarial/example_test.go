package adversarial_test

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/adversarial"
)

// A dictionary of the paper's construction points along one line; an ensemble does not.
func ExampleTask() {
	small := adversarial.Generated{Options: features.StandInOptions{Examples: 600, Features: 20}}
	for _, classifiers := range []int{0, 5} {
		task := adversarial.Task{Features: small, Classifiers: classifiers}
		mined, err := task.Mine(context.Background(), 0, 200)
		if err != nil {
			fmt.Println(err)
			return
		}
		c, err := adversarial.NewConcentration(mined.Dictionary.Matrix(), mined.Classifier.Weights)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d atoms, %.0f %% of the energy along w\n", task.Name(), mined.Dictionary.Size(), 100*c.Energy)
	}
	// Output:
	// single: 200 atoms, 96 % of the energy along w
	// ensemble: 200 atoms, 65 % of the energy along w
}
