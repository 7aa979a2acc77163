package study

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// TestEveryUnitBelongsToOneShard, and shards differ by at most one unit in size.
func TestEveryUnitBelongsToOneShard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count, machines := rapid.IntRange(1, 300).Draw(t, "units"), rapid.IntRange(1, 40).Draw(t, "shards")
		seen := make([]int, count)
		for index := range machines {
			units := Shard{index, machines}.units(count)
			if len(units) < count/machines || len(units) > (count+machines-1)/machines {
				t.Fatalf("shard %d/%d has %d of %d units", index, machines, len(units), count)
			}
			for _, k := range units {
				seen[k]++
			}
		}
		for k, times := range seen {
			if times != 1 {
				t.Fatalf("unit %d is in %d of %d shards", k, times, machines)
			}
		}
		if whole := (Shard{}).units(count); len(whole) != count {
			t.Fatalf("without a shard there are %d of %d units", len(whole), count)
		}
	})
}

func TestShardText(t *testing.T) {
	for _, text := range []string{"0/1", "3/16", "15/16"} {
		var s Shard
		if err := s.Set(text); err != nil || s.String() != text {
			t.Errorf("%q was read as %v (%v)", text, s, err)
		}
	}
	for text, want := range map[string]string{
		"16/16": "indices begin at 0 and end at 15", "-1/3": "no shard -1/3", "": "no shard", "3": "no shard", "3/": "no shard", "0/0": "no shard",
		"1/2/3": "no shard", "1/2 x": "no shard", "01/2": "no shard", "0/-3": "no shard", "+1/2": "no shard",
	} {
		s := Shard{1, 2}
		if err := s.Set(text); err == nil || !strings.Contains(err.Error(), want) || s != (Shard{1, 2}) {
			t.Errorf("%q was read as %v (%v)", text, s, err)
		}
	}
	for _, s := range []Shard{{1, 0}, {-1, 3}, {3, 3}, {0, -1}} {
		if _, err := Run(context.Background(), walks(3, 1, nil), Options{Shard: s}); !errors.Is(err, ErrInvalid) {
			t.Errorf("shard %v: error = %v", s, err)
		}
	}
}

// TestShardsMerge computes random shards, some of them twice, and merges their folders.
func TestShardsMerge(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		count, machines := rapid.IntRange(1, 12).Draw(t, "units"), rapid.IntRange(1, 15).Draw(t, "shards")
		place, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Fatal(err)
		}
		var computed atomic.Int64
		var folders []string
		for _, index := range rapid.SliceOfN(rapid.IntRange(0, machines-1), 0, 2*machines).Draw(t, "machines") {
			folder := filepath.Join(place, Shard{index, len(folders)}.String())
			r, err := Run(context.Background(), walks(count, 2, &computed), Options{Shard: Shard{index, machines}, Path: folder, Progress: func(p Progress) {
				if p.Total != len(Shard{index, machines}.units(count)) {
					t.Fatalf("progress of %d units", p.Total)
				}
			}})
			if err != nil || r.Partial != (machines > 1 && r.Done < count) || r.Total != count {
				t.Fatalf("shard %d/%d: %d of %d units, partial %v (%v)", index, machines, r.Done, r.Total, r.Partial, err)
			}
			folders = append(folders, folder)
		}
		if len(folders) == 0 {
			return
		}
		missing := make(map[string]bool)
		for _, key := range walks(count, 2, nil).Units {
			missing[key] = true
			for _, folder := range folders {
				if _, err := os.Stat(unitPath(folder, key)); err == nil {
					delete(missing, key)
				}
			}
		}
		computed.Store(0)
		merged, err := Run(context.Background(), walks(count, 2, &computed), Options{Merge: folders})
		if computed.Load() != 0 {
			t.Fatal("a merge computed units")
		}
		if len(missing) == 0 {
			if err != nil || merged.Partial || merged.Done != count || merged.Resumed != count {
				t.Fatalf("merging %d folders: %+v (%v)", len(folders), merged, err)
			}
			return
		}
		if !errors.Is(err, ErrMerge) {
			t.Fatalf("%d units are missing: error = %v", len(missing), err)
		}
		for key := range missing {
			if !strings.Contains(err.Error(), `"`+key+`"`) {
				t.Fatalf("%v does not name unit %s", err, key)
			}
		}
	})
}

// TestMergeComparesWhatIsThereTwice: equal results pass, also with other times, others are named.
func TestMergeComparesWhatIsThereTwice(t *testing.T) {
	one, file := finishedFolder(t, 3, 3)
	two, _ := finishedFolder(t, 3, 3)
	merge := func(change func(*Experiment[walk])) error {
		e := walks(3, 3, nil)
		change(&e)
		_, err := Run(context.Background(), e, Options{Merge: []string{two, one}})
		return err
	}
	same := func(*Experiment[walk]) {}
	if err := merge(same); err != nil {
		t.Errorf("equal folders: %v", err)
	}
	writeFile(t, file, strings.Replace(readFile(t, file), `"Note":"`, `"Note":"another `, 1))
	if err := merge(same); !errors.Is(err, ErrMerge) || !strings.Contains(err.Error(), `unit "1" of walks in `+one) {
		t.Errorf("another result: error = %v", err)
	}
	if err := merge(func(e *Experiment[walk]) { e.Version = "2" }); !errors.Is(err, ErrForeign) {
		t.Errorf("another version: error = %v", err)
	}
	writeFile(t, file, "{")
	if err := merge(same); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a torn file: error = %v", err)
	}
}
