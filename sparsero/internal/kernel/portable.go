package kernel

import (
	"math"
	"math/bits"
	"unsafe"
)

// portable is the twin of the assembly in Go, for every processor. It takes the
// same pointers so that both sides share one set of checks.
var portable = &Kernel{
	name: "portable", narrowStep: 1, lanes: 4,
	tile: tile[float32]{4, 4, tilePortable}, chainTile: tile[float64]{4, 4, chainTilePortable},
	excess: excessPortable, above: abovePortable, recount: recountPortable,
	halve: halvePortable, narrow: narrowPortable, chains: chainsPortable,
	quantize: quantizePortable, cover: coverPortable,
}

func tilePortable(k int, a *float32, lda int, b *float32, c *float32, ldc int, add bool) {
	left, right, out := unsafe.Slice(a, 3*lda+k), unsafe.Slice(b, 4*k), unsafe.Slice(c, 3*ldc+4)
	for from := 0; from < k; from += chunk {
		to := min(from+chunk, k)
		for r := range 4 {
			var s0, s1, s2, s3 float32
			columns := right[4*from : 4*to]
			for _, x := range left[r*lda+from : r*lda+to] {
				y := columns[:4]
				s0 += x * y[0]
				s1 += x * y[1]
				s2 += x * y[2]
				s3 += x * y[3]
				columns = columns[4:]
			}
			row := out[r*ldc:][:4]
			if add || from > 0 {
				s0, s1, s2, s3 = s0+row[0], s1+row[1], s2+row[2], s3+row[3]
			}
			row[0], row[1], row[2], row[3] = s0, s1, s2, s3
		}
	}
}

// upper is never fused, so that all loops see the same number.
func upper(h Half, e, weight float32) float32 { return float32(e*weight) + h.Float32() }

func excessPortable(row *Half, floor, weight *float32, n int, e float32, _ *Half) float32 {
	r, f, w := unsafe.Slice(row, n), unsafe.Slice(floor, n), unsafe.Slice(weight, n)
	var s0, s1, s2, s3 float32
	for len(r) >= 4 && len(f) >= 4 && len(w) >= 4 {
		s0 += max(0, upper(r[0], e, w[0])-f[0])
		s1 += max(0, upper(r[1], e, w[1])-f[1])
		s2 += max(0, upper(r[2], e, w[2])-f[2])
		s3 += max(0, upper(r[3], e, w[3])-f[3])
		r, f, w = r[4:], f[4:], w[4:]
	}
	return (s0 + s1) + (s2 + s3)
}

func abovePortable(mask *uint64, row *Half, floor, weight *float32, n int, e float32, _ *Half) {
	f, w, words := unsafe.Slice(floor, n), unsafe.Slice(weight, n), unsafe.Slice(mask, (n+63)/64)
	for j, h := range unsafe.Slice(row, n) {
		bit := uint64(1) << (j % 64)
		if words[j/64] &^= bit; upper(h, e, w[j]) > f[j] {
			words[j/64] |= bit
		}
	}
}

func recountPortable(counts *int32, from, n int, masks, open *uint64, words int, most int32) (at, renewed int) {
	list, wanted := unsafe.Slice(counts, n), unsafe.Slice(open, words)
	for at = from; at < n; at++ {
		if list[at] <= most {
			continue
		}
		mask := unsafe.Slice((*uint64)(unsafe.Add(unsafe.Pointer(masks), 8*words*at)), words)
		renewed, list[at] = renewed+1, 0
		for w, word := range wanted {
			list[at] += int32(bits.OnesCount64(mask[w] & word))
		}
		if list[at] > most {
			break
		}
	}
	return at, renewed
}

func halvePortable(dst *Half, src *float32, n int) {
	to := unsafe.Slice(dst, n)
	for i, value := range unsafe.Slice(src, n) {
		to[i] = halfAbove(value)
	}
}

func narrowPortable(dst *float32, src *float64, n int, scale float64, largest *float64) float64 {
	to, from, most := unsafe.Slice(dst, n), unsafe.Slice(src, n), unsafe.Slice(largest, n)
	squares := 0.0
	for i, value := range from {
		if size := math.Abs(value); size > most[i] {
			most[i] = size
		}
		value *= scale
		to[i] = float32(value)
		squares += value * value
	}
	return squares
}

func chainsPortable(k int, d, t *float64, columns *int32, groups int, sums *float64, _ int) {
	row, list, out := unsafe.Slice(d, k), unsafe.Slice(columns, chained*groups), unsafe.Slice(sums, chained*groups)
	at := func(c int) []float64 {
		return unsafe.Slice((*float64)(unsafe.Add(unsafe.Pointer(t), 8*k*int(list[c]))), k)
	}
	for c := 0; c < len(list); c += 4 {
		t0, t1, t2, t3 := at(c), at(c+1), at(c+2), at(c+3)
		var s0, s1, s2, s3 float64
		for i, x := range row {
			s0 = math.FMA(x, t0[i], s0)
			s1 = math.FMA(x, t1[i], s1)
			s2 = math.FMA(x, t2[i], s2)
			s3 = math.FMA(x, t3[i], s3)
		}
		out[c], out[c+1], out[c+2], out[c+3] = s0, s1, s2, s3
	}
}

func chainTilePortable(k int, a *float64, lda int, b *float64, c *float64, ldc int, add bool) {
	left, right, out := unsafe.Slice(a, 3*lda+k), unsafe.Slice(b, 4*k), unsafe.Slice(c, 3*ldc+4)
	for r := range 4 {
		row := out[r*ldc:][:4]
		var s0, s1, s2, s3 float64
		if add {
			s0, s1, s2, s3 = row[0], row[1], row[2], row[3]
		}
		for i, x := range left[r*lda:][:k] {
			y := right[4*i:][:4]
			s0 = math.FMA(x, y[0], s0)
			s1 = math.FMA(x, y[1], s1)
			s2 = math.FMA(x, y[2], s2)
			s3 = math.FMA(x, y[3], s3)
		}
		row[0], row[1], row[2], row[3] = s0, s1, s2, s3
	}
}

func quantizePortable(tile *uint8, rows *float32, stride, n int, weight, e *float32, perStep, margin float32, top *uint8) {
	levels, values, w := unsafe.Slice(tile, TileAtoms*(n-1)+LevelRows), unsafe.Slice(rows, (LevelRows-1)*stride+n), unsafe.Slice(weight, n)
	errors, largest := unsafe.Slice(e, LevelRows), unsafe.Slice(top, LevelRows)
	for k := range LevelRows {
		largest[k] = 0
		for j, value := range values[k*stride:][:n] {
			level := uint8(math.Ceil(float64(max(0, min(MaxLevel, float32(perStep*value)+margin+float32(errors[k]*w[j]))))))
			levels[TileAtoms*j+k] = level
			largest[k] = max(largest[k], level)
		}
	}
}

func coverPortable(sums *uint32, tiles *uint8, count, size int, list *int32, n int, from, to *uint8) {
	lines, all := unsafe.Slice(list, n), unsafe.Slice(tiles, count*size)
	low, high, total := unsafe.Slice(from, size/TileAtoms), unsafe.Slice(to, size/TileAtoms), unsafe.Slice(sums, count*TileAtoms)
	for t := range count {
		part := total[t*TileAtoms:][:TileAtoms]
		for _, j := range lines {
			least, most := low[j], high[j]
			for a, level := range all[t*size+int(j)*TileAtoms:][:TileAtoms] {
				if level = min(level, most); level > least {
					part[a] += uint32(level - least)
				}
			}
		}
	}
}
