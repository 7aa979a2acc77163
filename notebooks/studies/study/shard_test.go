package study

import (
	"context"
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
}

// TestShardOutsideItsCount was not read from text, which would have refused it.
func TestShardOutsideItsCount(t *testing.T) {
	for _, shard := range []Shard{{-1, 3}, {5, 3}, {3, 3}, {1, 0}} {
		if _, err := Run(context.Background(), walks(3, 3, nil), Options{Shard: shard}); err == nil || !strings.Contains(err.Error(), "there is no shard "+shard.String()) {
			t.Errorf("shard %v: error %v", shard, err)
		}
	}
}

// TestShardsOfOneFolder computes random shards, some of them twice, half of them in a folder of their own that is copied to
// the others, and then what is missing.
func TestShardsOfOneFolder(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		count, machines := rapid.IntRange(1, 12).Draw(t, "units"), rapid.IntRange(1, 15).Draw(t, "shards")
		folder, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Fatal(err)
		}
		missing := count
		seen := make(map[int]bool)
		for _, index := range rapid.SliceOfN(rapid.IntRange(0, machines-1), 0, 2*machines).Draw(t, "machines") {
			shard, own := Shard{index, machines}, folder
			if index%2 == 1 && !seen[index] {
				own = filepath.Join(folder, shard.suffix())
			}
			r, err := Run(context.Background(), walks(count, 2, nil), Options{Shard: shard, Path: own})
			if size := len(shard.units(count)); err != nil || r.Done != size || r.Total != count || r.Partial != (size < count) {
				t.Fatalf("shard %v: %d of %d units, partial %v (%v)", shard, r.Done, r.Total, r.Partial, err)
			} else if !seen[index] {
				missing -= size
			}
			if _, err := os.Stat(own); own != folder && err == nil {
				if err := os.CopyFS(folder, os.DirFS(own)); err != nil {
					t.Fatal(err)
				}
			}
			seen[index] = true
		}
		var computed atomic.Int64
		whole, err := Run(context.Background(), walks(count, 2, &computed), Options{Path: folder})
		if err != nil || whole.Partial || int(computed.Load()) != missing {
			t.Fatalf("%d units were computed, %d were missing; partial %v (%v)", computed.Load(), missing, whole.Partial, err)
		}
	})
}
