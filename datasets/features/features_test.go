package features_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/sparsero/directions/datasets/features"
)

// The real features that lie beside the repository: 5,000 training and 1,000
// test images of each class, 64 features (a ResNet-56's last hidden layer).
func TestRealFeatures(t *testing.T) {
	for _, task := range []string{"cat_dog", "automobile_truck"} {
		for part, examples := range map[string]int{"train": 10_000, "test": 2_000} {
			stem := "../../../shared/data/cifar10_" + task + "_" + part
			s, err := features.ReadNPY(stem+"_x.npy", stem+"_y.npy")
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("the real features are not at ../shared/data beside the repository")
			}
			if err != nil {
				t.Fatal(err)
			}
			if s.Len() != examples || s.Dimension() != 64 || s.Counts() != [2]int{examples / 2, examples / 2} || s.Synthetic {
				t.Errorf("%v, want %d examples of 64 features, half of them in each class", s, examples)
			}
		}
	}
}

func TestStandInHasThePapersSizes(t *testing.T) {
	s, err := features.StandIn(features.StandInOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != 12_000 || s.Dimension() != 512 || !s.Synthetic {
		t.Errorf("%v, want a synthetic set of 12,000 examples and 512 features", s)
	}
}
