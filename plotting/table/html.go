package table

import (
	"fmt"
	"hash/fnv"
	"html"
	"strconv"
	"strings"
)

// HTML returns the table as an HTML fragment with every text escaped. Numbers are aligned
// right by an attribute, which survives where styles are stripped. A short script makes the
// headers sort the shown rows; where scripts are stripped the table is simply not sortable.
func (t *Table) HTML() string {
	header, rows := t.cells()
	columns, _ := t.shown()
	var b strings.Builder
	b.WriteString("<thead><tr>")
	for j, name := range header {
		fmt.Fprintf(&b, `<th align="%s" style="text-align:%[1]s">%s</th>`, alignment(columns[j]), html.EscapeString(name))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for i, row := range rows {
		b.WriteString("<tr>")
		for j, cell := range row {
			writeCell(&b, &columns[j], i, cell)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>")
	return t.wrap(b.String(), len(rows) > 1)
}

func writeCell(b *strings.Builder, c *column, i int, text string) {
	tag, text := "td", html.EscapeString(text)
	if c.label {
		tag = "th"
	}
	if c.best[i] {
		text = "<strong>" + text + "</strong>"
	}
	key := ""
	if c.numbers != nil {
		key = fmt.Sprintf(` data-key="%s"`, strconv.FormatFloat(c.numbers[i], 'g', -1, 64))
	}
	fmt.Fprintf(b, `<%s align="%s" style="text-align:%[2]s"%s>%s</%[1]s>`, tag, alignment(*c), key, text)
}

func alignment(c column) string {
	if c.numbers != nil {
		return "right"
	}
	return "left"
}

// wrap puts title, body and caption into a table element. Its identifier is a digest of the
// content, so that the same table gives the same HTML in every run.
func (t *Table) wrap(body string, sortable bool) string {
	digest := fnv.New64a()
	digest.Write([]byte(t.title + body))
	id := fmt.Sprintf("table-%016x", digest.Sum64())
	var b strings.Builder
	fmt.Fprintf(&b, `<div style="overflow-x:auto"><table id="%s" border="0" style="border-collapse:collapse;font-variant-numeric:tabular-nums">`+"\n", id)
	if t.title != "" {
		fmt.Fprintf(&b, `<caption style="text-align:left;font-weight:bold">%s</caption>`+"\n", html.EscapeString(t.title))
	}
	b.WriteString(body + "\n</table>")
	if caption := t.Caption(); caption != "" {
		fmt.Fprintf(&b, "\n<p><small>%s</small></p>", html.EscapeString(caption))
	}
	b.WriteString("</div>")
	if sortable {
		b.WriteString("\n" + strings.ReplaceAll(sortScript, "ID", id))
	}
	return b.String()
}

// sortScript lets a click on a header, or Enter, sort the rows by that column, the other way round at
// the second click. Numbers are compared by their full value, in which NaN comes last.
const sortScript = `<script>(function(){
document.querySelectorAll('#ID').forEach(function(t){
if(t.dataset.sortable)return;t.dataset.sortable='1';
t.querySelectorAll('thead th').forEach(function(h,j){
h.style.cursor='pointer';h.title='sort';h.tabIndex=0;var up=false;
h.addEventListener('keydown',function(e){if(e.key==='Enter'||e.key===' '){e.preventDefault();h.click()}});
h.addEventListener('click',function(){up=!up;
t.querySelectorAll('thead th').forEach(function(o){o.removeAttribute('aria-sort')});
h.setAttribute('aria-sort',up?'ascending':'descending');
var b=t.tBodies[0],r=Array.prototype.slice.call(b.rows);
r.sort(function(x,y){var p=x.cells[j],q=y.cells[j],k=p.dataset.key,l=q.dataset.key,c;
if(k===undefined){c=p.textContent.localeCompare(q.textContent)}else{
k=Number(k.replace('Inf','Infinity'));l=Number(l.replace('Inf','Infinity'));
if(isNaN(k)||isNaN(l))return isNaN(k)-isNaN(l);c=k<l?-1:k>l?1:0}
return up?c:-c});
r.forEach(function(x){b.appendChild(x)})})})})})()</script>`
