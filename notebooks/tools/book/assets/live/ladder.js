// All certificates of the kept atoms, and what each looks at.
"use strict";
live.kinds.ladder = (place, settings, changed) => {
  const { ask, make, atMost } = live;
  const rows = settings.Lengths.map((length, k) => [length * Math.cos(k * Math.PI / 18), length * Math.sin(k * Math.PI / 18)]);
  const taken = new Set(settings.Chosen), names = rows.map((_, k) => `${10 * k}°`);
  const along = Array.from({ length: 201 }, (_, k) => [k / 100]);
  const drawing = make(place, "div"), side = make(place, "div", { class: "side" });
  const plot = live.plot(drawing, { label: "Ten atoms", x: [-0.25, 2.3], y: [-0.25, 2.3], xLabel: "first coordinate", yLabel: "second coordinate", equal: true });
  const handles = rows.map((_, i) => plot.handle(`atom at ${names[i]}`, "atom", () => rows[i], point => { rows[i] = point; changed(); }));
  live.checks(side, "atoms that are kept, S", names, settings.Chosen, (i, on) => { on ? taken.add(i) : taken.delete(i); changed(); });
  let points = 12;
  live.range(side, { label: "points of the net", min: 4, max: 200, value: points }, value => { points = value; changed(); });
  const bars = live.bars(make(place, "div", { class: "wide" }), "Bounds on the value gap");
  const curve = live.plot(make(place, "div", { class: "wide" }), { label: "The deficit along the line of decisions", x: [0, 2], y: [0, 1], xLabel: "decision x", yLabel: "deficit", shape: 0.36 });

  return async () => {
    const answer = await ask("ladder", { ...settings.Problem, Rows: rows, Labels: names, Radius: 1, Chosen: [...taken].sort((a, b) => a - b), Along: along, MaxPoints: points });
    plot.clear();
    rows.forEach((row, i) => {
      handles[i].classList.toggle("taken", taken.has(i));
      if (taken.has(i)) { plot.line([[0, 0], row], "few"); plot.word(row, names[i]); } else plot.line([[0, 0], row], "all");
    });
    bars(live.ladderBars({ ...answer, Rungs: answer.Rungs.filter(rung => !settings.Rungs || settings.Rungs.includes(rung.Name)) }));
    curve.y = [0, Math.max(0.1, ...answer.Deficits) * 1.2];
    curve.clear();
    curve.line(answer.Deficits.map((deficit, k) => [along[k][0], deficit]), "few");
    const pointwise = answer.Rungs.find(rung => rung.Name === "pointwise"), uniform = answer.Rungs.find(rung => rung.Name === "exact uniform");
    curve.dots([[answer.X[0], pointwise.Bound]], "taken");
    curve.word([answer.X[0], pointwise.Bound], `pointwise ${atMost(pointwise.Bound)}`);
    if (answer.UniformX) {
      curve.dots([[answer.UniformX[0], uniform.Bound]], "summit");
      curve.word([answer.UniformX[0], uniform.Bound], `exact uniform ${atMost(uniform.Bound)}`);
    }
  };
};
