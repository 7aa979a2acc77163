package lifted

import "testing"

// TestConvexityByDominance at its edges: what is left of b by the squares has a diagonal of 0 or more, and a number off it is at
// most the root of both diagonal ones over m-1.
func TestConvexityByDominance(t *testing.T) {
	square := func(divisor float64, values ...float64) (s Square) {
		s.Divisor = Float(divisor)
		for _, v := range values {
			s.Values = append(s.Values, Float(v))
		}
		return s
	}
	const more = 1 + 0x1p-52
	for _, test := range []struct {
		m                              int
		xx, xy, yy, slackOfX, slackOfY float64
		squares                        []Square
		want                           bool
	}{
		{m: 2, want: true},
		{m: 2, xx: 1, xy: 2, yy: 1, want: true}, {m: 2, xx: 1, xy: -2, yy: 1, want: true},
		{m: 2, xx: 1, xy: 2 * more, yy: 1}, {m: 2, xx: 1, xy: -2 * more, yy: 1}, {m: 2, xx: 4, xy: 4, yy: 1, want: true},
		{m: 2, xx: 0, xy: 0x1p-1074, yy: 1}, {m: 2, xx: 1, xy: 0, yy: -0x1p-1074}, {m: 2, xx: -1, xy: 0, yy: -1},
		{m: 2, xx: -1, xy: 0, yy: -3, slackOfX: 1, slackOfY: 3, want: true}, {m: 2, xx: -1, xy: 0, yy: -3, slackOfX: 2, slackOfY: 2},
		{m: 3, xx: 1, xy: 1, yy: 1, want: true}, {m: 3, xx: 1, xy: more, yy: 1}, {m: 4, xx: 3, xy: 2, yy: 3, want: true}, {m: 4, xx: 3, xy: 2 * more, yy: 3},
		{m: 2, xx: 0.25, xy: 1, yy: 1, squares: []Square{square(4, 1, 2)}, want: true},
		{m: 2, xx: 0.25, xy: 1, yy: 1, squares: []Square{square(2, 1, 2)}},
		{m: 2, xx: 0.5, xy: 2, yy: 2, squares: []Square{square(4, 1, 2)}, want: true},
		{m: 2, xx: 0.25, xy: more, yy: 1, squares: []Square{square(4, 1, 2)}}, {m: 2, xx: 0.25, xy: 1, yy: 1 / more, squares: []Square{square(4, 1, 2)}},
		{m: 2, xx: 1, xy: 2, yy: 1.5625, squares: []Square{square(1, 1, 1), square(1, 0.75)}, want: true},
		{m: 2, xx: 1, xy: 2, yy: 1.5625 / more, squares: []Square{square(1, 1, 1), square(1, 0.75)}},
		{m: 2, xx: 1, xy: 2, yy: 1.5625, squares: []Square{square(1, 0.75), square(1, 1, 1)}, want: true},
		{m: 2, xx: 0, xy: 0, yy: 1, squares: []Square{square(0.5, 0, 0.5), square(0.25, 0x1p-2), square(1, 0.5)}, want: true},
		{m: 2, xx: 1, xy: 0, yy: 0, squares: []Square{square(1, 0x1p-40)}},
		{m: 3, xx: 1, xy: 0, yy: 0.25, squares: []Square{square(1, 0.5), square(1, 1, 0, 0), square(1, 1, 0)}, want: true},
		{m: 3, xx: 1 / more, xy: 0, yy: 0.25, squares: []Square{square(1, 0.5), square(1, 0, 1, 0)}},
	} {
		c := &Curvature{Columns: []int{3, 7}, Slack: []float64{test.slackOfX, test.slackOfY}, Squares: test.squares}
		q := &Quadratic{I: []int{3, 7, 7}, J: []int{3, 3, 7}, Values: []float64{test.xx, test.xy, test.yy}}
		for j := 2; j < test.m; j++ { // more columns, with terms of their own
			c.Columns, c.Slack = append([]int{10 + j}, c.Columns...), append([]float64{1}, c.Slack...)
		}
		if got := c.Convex(q); got != test.want {
			t.Errorf("%+v: convex %v", test, got)
		}
		if q.Values = append(q.Values, 0x1p-3); len(test.squares) == 0 && test.want && test.xx > 0 && test.xy > 0 {
			if q.I, q.J = append(q.I, 3), append(q.J, 7); c.Convex(q) {
				t.Errorf("%+v: a second term of the pair does not count", test)
			}
		}
	}
}
