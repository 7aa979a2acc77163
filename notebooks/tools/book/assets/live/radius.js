// The radius of each calibration rule on samples that are drawn in the page.
"use strict";
live.kinds.radius = (place, settings, changed) => {
  const { ask, make, digits, atMost } = live;
  const state = { ...settings };
  const drawing = make(place, "div"), side = make(place, "div", { class: "side" });
  const plot = live.plot(drawing, { label: "Scores of the samples and the radius of each rule", x: [0, 5], y: [0, 1], xLabel: "score Z, radius r", yLabel: "share of samples", shape: 0.7 });
  const power = { of: x => 10 ** x, to: Math.log10, step: 0.05 };
  live.range(side, { label: "samples m", min: 10, max: 20000, value: state.Samples, ...power, of: x => Math.round(10 ** x) }, value => { state.Samples = value; changed(); });
  live.range(side, { label: "α, share that may be missed", min: 0.005, max: 0.5, value: state.Alpha, ...power, of: x => Number((10 ** x).toPrecision(2)) }, value => { state.Alpha = value; changed(); });
  live.range(side, { label: "δ, probability of failure", min: 1e-6, max: 0.1, value: state.Delta, ...power, of: x => Number((10 ** x).toPrecision(1)) }, value => { state.Delta = value; changed(); });
  live.button(side, "draw new samples", () => { state.Seed++; changed(); });
  const table = live.table(make(place, "div", { class: "wide" }), ["", "rule", "for", "radius", "covers %", "rank", "needs m ≥"], "Radius of each rule, and the true share of new samples that it covers");

  return async () => {
    const answer = await ask("radii", state);
    const most = Math.max(4.5, ...answer.Scores.slice(-1)), width = most / 45, bins = new Array(45).fill(0);
    for (const score of answer.Scores) bins[Math.min(44, Math.floor(score / width))] += 1 / answer.Scores.length;
    plot.x = [0, most];
    plot.y = [0, Math.max(...bins) * 1.25];
    plot.clear();
    bins.forEach((share, k) => plot.area([[k * width, 0], [k * width, share], [(k + 1) * width, share], [(k + 1) * width, 0]], "all"));
    answer.Rules.forEach((rule, k) => {
      if (!rule.Rank) return;
      plot.line([[rule.Radius, 0], [rule.Radius, plot.y[1] * (0.96 - 0.09 * k)]], "series" + k);
      plot.word([rule.Radius, plot.y[1] * (0.96 - 0.09 * k)], String(k + 1), "series" + k);
    });
    table(answer.Rules.map((rule, k) => [String(k + 1), rule.Rule, rule.Family,
      { text: atMost(rule.Radius) }, rule.Rank ? 100 * rule.Coverage : "–", rule.Rank || "–", rule.Need]));
  };
};
