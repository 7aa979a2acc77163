// Atoms in the plane: greedy's picks, support and deficit in a direction, the gauge of a point, the certificate of a decision.
"use strict";
live.kinds.plane = async (place, settings, changed) => {
  const { ask, make, digits, atMost, atLeast } = live;
  const given = await ask("atoms", settings.Atoms), few = given.Rows.length <= 40;
  const state = { moved: {}, atom: 0, budget: settings.Budget, radius: 1, direction: settings.Direction, point: settings.Point };
  const at = i => state.moved[i] || given.Rows[i];
  const extent = given.Rows.flatMap(row => row.map(Math.abs)), reach = Math.max(...extent) * 1.1;
  const drawing = make(place, "div"), side = make(place, "div", { class: "side" });
  const plot = live.plot(drawing, { label: "Atoms and the set that the chosen ones span", x: [-reach, reach], y: [-reach, reach], xLabel: "first coordinate", yLabel: "second coordinate", equal: true });
  const move = i => point => { state.moved[i] = point; changed(); };
  const atoms = few ? given.Rows.map((_, i) => plot.handle(`atom ${given.Labels[i]}`, "atom", () => at(i), move(i)))
    : [plot.handle(() => `atom ${given.Labels[state.atom]}`, "atom", () => at(state.atom), point => move(state.atom)(point))];
  plot.handle("direction s", "direction", () => state.direction, point => { state.direction = point; changed(); });
  plot.handle("point u", "point", () => state.point, point => { state.point = point; changed(); });
  live.range(side, { label: "atoms chosen by greedy, B", min: 1, max: settings.Most, value: state.budget }, value => { state.budget = value; changed(); });
  live.range(side, { label: "radius r", min: 0.05, max: 1.5, step: 0.05, value: 1 }, value => { state.radius = value; changed(); });
  if (!few) {
    const number = live.range(side, { label: "atom to move (or click it)", min: 0, max: given.Rows.length - 1, value: 0, show: i => given.Labels[i] }, i => { state.atom = i; changed(); });
    plot.pick = (point, pixel) => {
      const distance = i => Math.hypot(at(i)[0] - point[0], at(i)[1] - point[1]);
      let best = 0;
      for (let i = 1; i < given.Rows.length; i++) if (distance(i) < distance(best)) best = i;
      if (distance(best) < 25 * pixel) { state.atom = best; number.value = best; number.dispatchEvent(new Event("input")); }
    };
  }
  let decision = null;
  const share = part => `${atLeast(Math.min(1, part), 2)} %`;
  const buttons = make(side, "div");
  if (settings.Model) live.button(buttons, "turn s to the decision", () => { if (decision) { state.direction = decision; changed(); } });
  live.button(buttons, "reset", () => { state.moved = {}; state.direction = settings.Direction; state.point = settings.Point; changed(); });
  const values = live.values(side);
  const waves = settings.Waves && live.plot(make(place, "div", { class: "wide" }), { label: "Heights by the angle of the direction", x: [0, 360], y: [0, reach], xLabel: "angle of the direction [°]", yLabel: "height", shape: 0.4 });

  return async () => {
    const atomsNow = { ...settings.Atoms, Moved: state.moved };
    const answer = await ask("choose", { ...atomsNow, Probes: settings.Probes, Budget: state.budget, Radius: state.radius, Direction: state.direction, Point: state.point });
    const certified = settings.Model && await ask("certify", { ...atomsNow, Chosen: answer.Chosen || [], Radius: state.radius, Model: settings.Model });
    decision = certified && certified.X;
    draw(plot, answer);
    atoms.forEach((mark, i) => mark.classList.toggle("taken", (answer.Chosen || []).includes(few ? i : state.atom)));
    if (waves) drawWaves(answer);
    const last = (answer.Coverage || []).length - 1;
    values([
      ["chosen", (answer.Labels || ["nothing"]).join(", ")],
      ["coverage", last < 0 ? "0 %" : `${share(answer.Coverage[last])} of that of all atoms; proven at least ${share(answer.Proven[last])} of the best`],
      ["support in direction s", `${digits(answer.Support)} by ${answer.WorstChosen}; of all atoms ${digits(state.radius * answer.Full)} by ${answer.WorstOfAll}`],
      ["deficit Δ(s)", answer.Deficit],
      ["gauge of u", `${digits(answer.Gauge)}: ${answer.Gauge <= state.radius ? "inside" : "outside"} the set of radius ${digits(state.radius)}`],
      ...certified ? [["decision", `x = (${certified.X.map(digits).join(", ")}), value ${digits(certified.Value)}`],
        ["certificate", `loses at most ${atMost(certified.Certificate)}; the value gap is ${digits(Math.max(0, certified.Gap))}`]] : [],
    ]);
  };

  function draw(plot, answer) {
    const scaled = point => point.map(value => value * state.radius);
    plot.clear();
    plot.area(answer.Hull.map(scaled), "all");
    plot.area((answer.SetHull || []).map(scaled), "few");
    if (!few) plot.dots(given.Rows.map((_, i) => at(i)), "all");
    const [a, b] = state.direction, size = Math.hypot(a, b);
    const level = (height, kind) => {
      const foot = [a, b].map(value => value * height / (size * size)), far = 3 * reach / size;
      plot.line([[foot[0] - far * b, foot[1] + far * a], [foot[0] + far * b, foot[1] - far * a]], kind);
    };
    if (size > 0) {
      level(state.radius * answer.Full, "all dashed");
      level(answer.Support, "few dashed");
      plot.arrow([0, 0], state.direction, "direction");
      plot.word(state.direction, "s", "direction");
    }
    plot.word(state.point, "u", "point");
    plot.dots((answer.Chosen || []).map(at), "taken");
    (answer.Chosen || []).slice(0, 9).forEach((i, k) => plot.word(at(i), String(k + 1)));
  }

  function drawWaves(answer) {
    const angle = k => 360 * k / answer.ReachedAll.length;
    const curve = heights => [...heights, heights[0]].map((height, k) => [angle(k), height]);
    waves.y = [0, Math.max(0.1, ...answer.ReachedAll) * 1.08];
    waves.clear();
    waves.area([...curve(answer.ReachedAll), ...curve(answer.ReachedByFew).reverse()], "missed");
    waves.line(curve(answer.ReachedAll), "all");
    waves.line(curve(answer.ReachedByFew), "few");
    const turn = (Math.atan2(state.direction[1], state.direction[0]) * 180 / Math.PI + 360) % 360;
    waves.line([[turn, 0], [turn, waves.y[1]]], "direction dashed");
    waves.word([turn, waves.y[1]], "s", "direction");
  }
};
