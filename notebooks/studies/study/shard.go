package study

import (
	"fmt"
	"strings"
)

// Shard is one of Count parts of the units of an experiment, for one of Count machines:
// unit k belongs to shard k mod Count. Its zero value is all units.
type Shard struct{ Index, Count int } // 0 <= Index < Count

// String returns "3/16" for the shard with the index 3 of 16.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Set reads a shard from text such as "3/16"; it makes *Shard a [flag.Value]. It is an error
// if the text is anything else or the index is outside.
func (s *Shard) Set(text string) error {
	var read Shard
	if _, err := fmt.Sscanf(text, "%d/%d", &read.Index, &read.Count); err != nil || read.String() != strings.TrimSpace(text) || read.Count < 1 {
		return fmt.Errorf("%.100q is no shard; write INDEX/COUNT such as 0/16", text)
	}
	if err := read.check(); err != nil {
		return err
	}
	*s = read
	return nil
}

func (s Shard) check() error {
	if s == (Shard{}) || s.Index >= 0 && s.Index < s.Count {
		return nil
	}
	return fmt.Errorf("there is no shard %v: indices begin at 0 and end at %d", s, s.Count-1)
}

// units returns the numbers of the shard among those of count units.
func (s Shard) units(count int) []int {
	var units []int
	for k := s.Index; k < count; k += max(s.Count, 1) {
		units = append(units, k)
	}
	return units
}
