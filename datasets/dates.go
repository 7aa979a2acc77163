package datasets

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/sparsero/directions/sparsero"
)

// dateLayout is how days are written in labels and in frames.
const dateLayout = time.DateOnly

// dateLayouts are the forms of days that are recognised in files.
var dateLayouts = []string{
	dateLayout, "2006/1/2", "2006.1.2", "20060102", "1/2/2006", "2/1/2006", "2.1.2006", "Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "2-Jan-2006",
}

// clock is a time of the day behind a day.
var clock = regexp.MustCompile(`[T ]+\d{1,2}:\d\d(:\d\d(\.\d+)?)?( ?[AaPp][Mm])?( ?(Z|UTC|[+-]\d\d:?\d\d))?$`)

// beginsDay is how a header of days in the place of assets begins.
var beginsDay = regexp.MustCompile(`^\d{4}[-/.]\d|^\d+[-/.]\d+[-/.]\d{4}`)

// parseDays reads the first column of a file with days. The layout "" stands for the one of dateLayouts that fits all
// cells; it is an error if none does, or if two of them do and give different days, as in 01/02/2020. A time of the day
// is left out.
func parseDays(table *sparsero.Table, layout string) ([]time.Time, error) {
	texts := make([]string, len(table.Texts))
	for i, text := range table.Texts {
		texts[i] = clock.ReplaceAllString(text, "")
	}
	if layout != "" {
		days, wrong := daysIn(texts, clock.ReplaceAllString(layout, ""))
		if wrong >= 0 {
			return nil, fmt.Errorf("datasets: %.60q in %s, column %.60q is no date of the form %q; correct the cell, or write the form as 2 January 2006 stands in it, such as 02/01/2006", table.Texts[wrong], table.Place(wrong), table.Text, layout)
		}
		return days, nil
	}
	var found []time.Time
	var form string
	furthest := 0 // the first cell that no layout reads together with those above it
	for _, layout := range dateLayouts {
		days, wrong := daysIn(texts, layout)
		switch {
		case wrong >= 0:
			furthest = max(furthest, wrong)
		case found == nil:
			found, form = days, layout
		case !slices.Equal(found, days):
			return nil, fmt.Errorf("datasets: the days of column %.60q, such as %.60q, can be read as %q and as %q; give the right one as Dates (-dates)", table.Text, table.Texts[0], form, layout)
		}
	}
	if found == nil {
		next := "the first column holds the days: write them as YYYY-MM-DD, give their form, written for 2 January 2006, as Dates (-dates), or drop the line"
		if beginsDay.MatchString(table.Names[0]) {
			next = "the days stand in the first line, so turn the table around: a line for each day"
		}
		return nil, fmt.Errorf("datasets: %.60q in %s, column %.60q is no date; %s", table.Texts[furthest], table.Place(furthest), table.Text, next)
	}
	return found, nil
}

// daysIn reads all days in one layout; wrong is the first that does not have it, or -1.
func daysIn(texts []string, layout string) (days []time.Time, wrong int) {
	days = make([]time.Time, len(texts))
	for i, text := range texts {
		day, err := time.Parse(layout, text)
		if err != nil {
			return nil, i
		}
		days[i] = day
	}
	return days, -1
}

// inOrder returns the rows of a file from the oldest to the newest day. A file may begin with either; it is an error if
// a day stands twice or out of order.
func inOrder(table *sparsero.Table, days []time.Time) ([]int, error) {
	order := make([]int, len(days))
	for i := range order {
		order[i] = i
	}
	if len(days) > 1 && days[len(days)-1].Before(days[0]) {
		slices.Reverse(order)
	}
	for k, i := range order[1:] {
		if before := order[k]; !days[i].After(days[before]) {
			next := "does not come after %s in %s; sort the days and remove repetitions"
			if days[i].Equal(days[before]) && table.Texts[i] != table.Texts[before] {
				next = "is the day of %s in %s, too; keep one price for each day, such as the last"
			}
			return nil, fmt.Errorf("datasets: %s in %s "+next, table.Texts[i], table.Place(i), table.Texts[before], table.Place(before))
		}
	}
	return order, nil
}
