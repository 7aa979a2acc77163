// Two objectives on a segment: move the atoms, choose the kept ones, and see gap, regret and certificate.
"use strict";
live.kinds.gap = (place, settings, changed) => {
  const { ask, make, digits, atMost } = live;
  const rows = settings.Rows.map(row => [...row]), taken = new Set(settings.Chosen);
  const along = Array.from({ length: 101 }, (_, k) => [k / 50, 2 - k / 50]);
  const drawing = make(place, "div"), side = make(place, "div", { class: "side" });
  const plot = live.plot(drawing, { label: "Five atoms", x: [-1.5, 2.2], y: [-0.6, 2], xLabel: "first coordinate", yLabel: "second coordinate", equal: true });
  const handles = rows.map((_, i) => plot.handle(`atom ${settings.Labels[i]}`, "atom", () => rows[i], point => { rows[i] = point; changed(); }));
  live.checks(side, "atoms that are kept, S", settings.Labels, settings.Chosen, (i, on) => { on ? taken.add(i) : taken.delete(i); changed(); });
  let radius = 1;
  live.range(side, { label: "radius r", min: 0, max: 2, step: 0.05, value: 1 }, value => { radius = value; changed(); });
  const values = live.values(side);
  const curves = live.plot(make(place, "div", { class: "wide" }), { label: "Objectives along the segment", x: [0, 2], y: [0, 1], xLabel: "t, where x = (t, 2 − t)", yLabel: "value", shape: 0.42 });

  return async () => {
    const chosen = [...taken].sort((a, b) => a - b);
    const answer = await ask("certify", { Rows: rows, Labels: settings.Labels, Chosen: chosen, Radius: radius, Model: settings.Model, Along: along });
    plot.clear();
    plot.area(hull([...rows, [0, 0]]), "all");
    plot.area(hull([...chosen.map(i => rows[i]), [0, 0]]), "few");
    rows.forEach((row, i) => { plot.word(row, settings.Labels[i]); handles[i].classList.toggle("taken", taken.has(i)); });
    curves.y = live.around([...answer.Objective, ...answer.ObjectiveFew, ...answer.Deficits, 0], 0.08);
    curves.clear();
    const curve = heights => heights.map((height, k) => [along[k][0], height]);
    curves.area([...curve(answer.Objective), ...curve(answer.ObjectiveFew).reverse()], "missed");
    curves.line(curve(answer.Objective), "all");
    curves.line(curve(answer.ObjectiveFew), "few");
    curves.line(curve(answer.Deficits), "deficit");
    for (const [x, kind] of [[answer.X, "few"], [answer.FullX, "all"]]) curves.line([[x[0], curves.y[0]], [x[0], curves.y[1]]], kind + " dashed");
    legend(curves);
    values([
      ["decision with S", `x = (${answer.X.map(digits).join(", ")}), value ${digits(answer.Value)}`],
      ["decision with all", `x = (${answer.FullX.map(digits).join(", ")}), value ${digits(answer.FullValue)}`],
      ["gap + regret", `${digits(answer.Gap)} + ${digits(answer.Regret)} = ${digits(answer.Gap + answer.Regret)}`],
      ["certificate", `at most ${atMost(answer.Certificate)}, worst atom ${answer.WorstAtom}`],
      ["rΔ at the decision with all, no more than the gap", answer.FullDeficit],
    ]);
  };

  function legend(curves) {
    if (curves.svg.parentNode.querySelector(".legend")) return;
    const list = make(curves.svg.parentNode, "p", { class: "legend" });
    for (const [kind, text] of [["all", "Φ with all atoms"], ["few", "Φ with S"], ["deficit", "rΔ, the certificate at each x"]]) {
      make(list, "i", { class: kind });
      list.append(text + " · ");
    }
    list.append("dashed: the two minima");
  }

  // hull draws around points: the corners in order of their angle, inner ones left out.
  function hull(points) {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const half = list => list.reduce((kept, p) => {
      const turns = ([a, b]) => (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0;
      while (kept.length > 1 && !turns(kept.slice(-2))) kept.pop();
      return [...kept, p];
    }, []);
    return [...half(sorted), ...half(sorted.reverse())];
  }
};
