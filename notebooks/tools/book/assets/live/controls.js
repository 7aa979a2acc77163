// Controls of a panel: each with a label, by pointer and by keys, and the values that it shows as text.
"use strict";
(() => {
  const { make, digits, atMost } = live;

  // range is a slider; of and to turn its position into a value and back, for scales that are not linear.
  live.range = (place, { label, min, max, step = 1, value, of = x => x, to = x => x, show = digits }, change) => {
    const line = make(place, "label", { class: "control" });
    make(line, "span", {}, label);
    const input = make(line, "input", { type: "range", min: to(min), max: to(max), step, "aria-label": label });
    const output = make(line, "output");
    input.value = to(value);
    const say = () => { output.textContent = show(of(+input.value)); input.setAttribute("aria-valuetext", output.textContent); };
    input.oninput = () => { say(); change(of(+input.value)); };
    say();
    return input;
  };

  live.select = (place, label, options, value, change) => {
    const line = make(place, "label", { class: "control" });
    make(line, "span", {}, label);
    const input = make(line, "select");
    for (const [key, text] of options) make(input, "option", { value: key }, text);
    input.value = value;
    input.onchange = () => change(input.value);
    return input;
  };

  live.button = (place, label, press) => {
    const button = make(place, "button", { type: "button" }, label);
    button.onclick = press;
    return button;
  };

  // checks are boxes that say which of some names are taken.
  live.checks = (place, label, names, taken, change) => {
    const group = make(place, "fieldset");
    make(group, "legend", {}, label);
    return names.map((name, i) => {
      const line = make(group, "label"), input = make(line, "input", { type: "checkbox" });
      line.append(name);
      input.checked = taken.includes(i);
      input.onchange = () => change(i, input.checked);
      return input;
    });
  };

  // file takes a table by a dialogue or dropped on the line, and hands on its text and name.
  live.file = (place, label, take) => {
    const line = make(place, "label", { class: "control drop" });
    make(line, "span", {}, label);
    const input = make(line, "input", { type: "file", accept: ".csv,text/csv,text/plain" });
    const read = async list => { if (list.length) take(await list[0].text(), list[0].name); };
    input.onchange = () => read(input.files);
    line.ondragover = event => { event.preventDefault(); line.classList.add("over"); };
    line.ondragleave = () => line.classList.remove("over");
    line.ondrop = event => { event.preventDefault(); line.classList.remove("over"); read(event.dataTransfer.files); };
  };

  // values are pairs of a term and a text, which a screen reader hears when they change.
  live.values = place => {
    const list = make(place, "dl", { class: "values", "aria-live": "polite" });
    return pairs => {
      list.replaceChildren();
      for (const [term, text] of pairs) {
        make(list, "dt", {}, term);
        make(list, "dd", {}, typeof text === "number" ? digits(text) : text);
      }
    };
  };

  // table shows rows below a header; numbers stand to the right, given as such or as { text }.
  live.table = (place, header, caption) => {
    const box = make(place, "div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption });
    const table = make(box, "table", { "aria-live": "polite" });
    make(table, "caption", {}, caption);
    const top = make(make(table, "thead"), "tr"), body = make(table, "tbody");
    const names = header.map(name => make(top, "th", { scope: "col" }, name));
    return rows => {
      body.replaceChildren();
      const numeric = header.map((_, k) => rows.some(row => typeof row[k] !== "string"));
      names.forEach((name, k) => name.classList.toggle("number", numeric[k]));
      for (const row of rows) {
        const line = make(body, "tr");
        row.forEach((cell, k) => make(line, "td", numeric[k] ? { class: "number" } : {}, typeof cell === "number" ? digits(cell) : cell.text ?? cell));
      }
    };
  };

  // bars are named lengths with a text for each, that of the value where none is given.
  live.bars = (place, caption) => {
    const box = make(place, "div", { class: "bars", role: "img", "aria-live": "polite" });
    return rows => {
      box.replaceChildren();
      make(box, "strong", {}, caption);
      const said = ({ value, text = digits(value) }) => text;
      const most = Math.max(...rows.map(row => row.value).filter(Number.isFinite), 1e-300);
      for (const row of rows) {
        const { name, value, kind = "few" } = row;
        const line = make(box, "div");
        make(line, "span", {}, name);
        make(make(line, "i"), "b", { class: kind, style: `width:${Math.min(100, Math.max(0, 100 * value / most))}%` });
        make(line, "span", {}, said(row));
      }
      box.setAttribute("aria-label", caption + ": " + rows.map(row => `${row.name} ${said(row)}`).join(", "));
    };
  };

  // ladderBars are rows of bars for the certificates of an answer, all of them bounds from above.
  live.ladderBars = ({ Rungs, Trivial }) => [
    ...Rungs.map(rung => ({ name: rung.Name, value: rung.Bound, kind: rung.Ordered ? "few" : "apart" })),
    { name: "trivial", value: Trivial, kind: "all" },
  ].map(row => ({ ...row, text: atMost(row.value) }));
})();
