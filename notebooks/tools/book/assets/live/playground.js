// The whole chain on a reader's own table: atoms, decision, certificate, guarantee, what unseen rows say, the design file.
"use strict";
live.kinds.playground = (place, settings, changed) => {
  const { ask, make, digits, atMost, atLeast } = live, example = "an example, generated prices of 2,000 days";
  const state = { Rule: 1, Budget: 0, Gap: 0.01, Violation: 0.05, Delta: 1e-3, Most: 0.25, CSV: null, name: example };
  let stale = true;
  const side = make(place, "div", { class: "side" }), main = make(place, "div");
  const take = (text, name) => { state.CSV = text; state.name = name; stale = true; changed(); };
  const set = (key, value) => { state[key] = value; stale = true; changed(); };
  live.file(side, "your table: a CSV file (or drop it here)", take);
  live.button(side, "use generated prices", () => take(null, example));
  live.select(side, "rule for the next atom", [["1", "coverage gain (greedy)"], ["2", "smallest deficit"], ["3", "most violated"]], "1", value => set("Rule", Number(value)));
  live.range(side, { label: "budget: at most so many atoms", min: 0, max: 40, value: 0, show: value => value || "any" }, value => set("Budget", value));
  const power = { of: x => Number((10 ** x).toPrecision(2)), to: Math.log10, step: 0.05 }, percent = value => `${digits(100 * value)} %`;
  live.range(side, { label: "certificate: loss against all atoms at most", min: 1e-4, max: 0.3, value: state.Gap, ...power, show: percent }, value => set("Gap", value));
  live.range(side, { label: "α: fraction of new rows that may cost more", min: 0.005, max: 0.5, value: state.Violation, ...power, show: percent }, value => set("Violation", value));
  live.range(side, { label: "δ: probability that the samples mislead", min: 1e-6, max: 0.1, value: state.Delta, ...power, of: x => Number((10 ** x).toPrecision(1)) }, value => set("Delta", value));
  live.range(side, { label: "largest part of one column", min: 0.05, max: 1, step: 0.05, value: state.Most, show: percent }, value => set("Most", value));
  live.button(side, "compute again", () => { stale = true; changed(); });
  const status = make(main, "p", { class: "said", role: "status" }, "");
  const values = live.values(main), download = make(make(main, "p"), "a", { class: "download", download: "design.json", hidden: "" }, "download the design file");
  const shares = live.bars(make(place, "div", { class: "half" }), "Parts of the columns, which sum to 1");
  const costs = live.plot(make(place, "div", { class: "half" }), { label: "Costs on unseen rows", x: [-1, 1], y: [0, 1], xLabel: "cost of an unseen row (line: the guarantee)", yLabel: "fraction of rows", shape: 0.7 });
  const bounds = live.plot(make(place, "div", { class: "wide" }), { label: "Certified loss by the number of atoms, in per cent of the value", x: [0, 1], y: [0, 1], xLabel: "atoms", yLabel: "certified loss [%]", shape: 0.36, whole: true });
  const said = make(make(place, "div", { class: "wide" }), "div");
  const results = [...place.children].slice(2);
  let answer = null;

  async function compute() {
    const { name, ...request } = state, begin = performance.now();
    status.textContent = `Computing with ${name} …`;
    try {
      answer = { ...await ask("own", request), name };
      status.textContent = answer.Missed ? `Not all demands are met: ${answer.Missed.replace(/^robust: Tune: /, "")}` : `Done in ${digits((performance.now() - begin) / 1000)} s: all demands are met.`;
    } catch (problem) {
      answer = null;
      status.textContent = problem.message;
    }
  }

  // lost says what is proven to be lost at most, in words where it is nothing or less than float64 tells.
  const tiny = 1e-9;
  function lost({ Gap, RelativeGap, Value }) {
    if (Gap <= 0) return "nothing is lost, proven";
    if (Gap <= tiny * Math.abs(Value)) return `nothing is lost, up to rounding (proven: at most ${atMost(Gap)}),`;
    return `at most ${atMost(Gap)} above the best decision` + (Number.isFinite(RelativeGap) ? `, ${atMost(RelativeGap, 2)} % of the value,` : "");
  }

  function show() {
    download.hidden = !answer;
    for (const part of results) part.hidden = !answer;
    said.replaceChildren();
    if (!answer) { values([]); return; }
    values([
      ["table", `${answer.name}: ${answer.Rows} rows of ${answer.Columns.length} columns; ${answer.Atoms} are atoms, ${answer.Fresh} fresh for the guarantee, ${answer.Unseen} unseen`],
      ["limit", `each column takes at most ${percent(answer.Most)}` + (answer.Most === state.Most ? "" : `: ${percent(state.Most)} of each of ${answer.Columns.length} columns would leave nothing to choose`)],
      ["chosen atoms", answer.Labels.join(", ")],
      ["certificate", `${lost(answer)} against all ${answer.Atoms} atoms`],
      ["radius", answer.Radius],
      ["guarantee", `a new row costs more than ${atMost(answer.Value)} with probability at most ${atMost(answer.Violation, 2)} %`],
      ["unseen rows", `${answer.Above.Violations || "none"} of ${answer.Above.Samples} ${answer.Above.Violations === 1 ? "costs" : "cost"} more (99 % interval ${atLeast(answer.Above.Lower, 2)} to ${atMost(answer.Above.Upper, 2)} %)`],
    ]);
    URL.revokeObjectURL(download.href);
    download.href = URL.createObjectURL(new Blob([answer.File], { type: "application/json" }));
    shares(answer.Columns.map((name, j) => ({ name, value: answer.Shares[j] })).filter(row => row.value > 1e-9).sort((a, b) => b.value - a.value).slice(0, 25));
    drawCosts();
    drawBounds();
    make(said, "p", {}, answer.Statement);
  }

  function drawCosts() {
    const [low, high] = live.around([...answer.Outcomes, answer.Value]), count = 40, width = (high - low) / count, bins = new Array(count).fill(0);
    for (const cost of answer.Outcomes) bins[Math.min(count - 1, Math.floor((cost - low) / width))] += 1 / answer.Outcomes.length;
    costs.x = [low, high];
    costs.y = [0, Math.max(...bins) * 1.2];
    costs.clear();
    bins.forEach((share, k) => costs.area([[low + k * width, 0], [low + k * width, share], [low + (k + 1) * width, share], [low + (k + 1) * width, 0]], "few"));
    costs.line([[answer.Value, 0], [answer.Value, costs.y[1]]], "direction");
    costs.word([answer.Value, costs.y[1]], "guarantee", "direction");
  }

  function drawBounds() {
    const steps = answer.Steps.filter(step => Number.isFinite(step.RelativeGap)).map(step => ({ ...step, percent: 100 * step.RelativeGap }));
    bounds.x = [-0.5, Math.max(1, ...steps.map(step => step.Size)) + 0.5];
    const most = Math.max(...steps.map(step => step.percent), 100 * state.Gap);
    bounds.y = [0, Math.min(most, 100) * 1.15];
    bounds.clear();
    const cut = percent => Math.min(percent, bounds.y[1]);
    const radii = [...new Set(steps.map(step => step.Radius))];
    for (const radius of radii) bounds.line(steps.filter(step => step.Radius === radius).map(step => [step.Size, cut(step.percent)]), "series" + radii.indexOf(radius) % 5);
    bounds.dots(steps.filter(step => step.Met).map(step => [step.Size, cut(step.percent)]), "taken");
    bounds.line([[bounds.x[0], 100 * state.Gap], [bounds.x[1], 100 * state.Gap]], "direction dashed");
    bounds.word([bounds.x[0], 100 * state.Gap], "what is allowed", "direction");
    const legend = make(said, "p", { class: "legend" }, "");
    radii.forEach((radius, k) => { make(legend, "i", { class: "series" + k % 5 }); legend.append(`radius\u00a0${digits(radius)} `); });
    legend.append("dots: all demands are met");
  }

  return async () => {
    if (stale) {
      stale = false;
      await compute();
    }
    show();
  };
};
