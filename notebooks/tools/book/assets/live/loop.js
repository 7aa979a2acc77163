// Algorithm 1 in the plane, a step at a time: solve, look in the direction of the decision, add an atom.
"use strict";
live.kinds.loop = (place, settings, changed) => {
  const { ask, make, digits, atMost } = live;
  const state = { rows: settings.Rows.map(row => [...row]), at: 0, cost: [...settings.Cost] };
  const decisions = live.plot(make(place, "div", { class: "half" }), { label: "Decisions", x: [-1.25, 1.25], y: [-1.25, 1.25], xLabel: "x₁", yLabel: "x₂", equal: true });
  const plane = live.plot(make(place, "div", { class: "half" }), { label: "Atoms", x: [-2.2, 2.2], y: [-2.2, 2.2], xLabel: "first coordinate of an atom", yLabel: "second coordinate", equal: true });
  const sub = count => [...String(count)].map(digit => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("");
  const handles = state.rows.map((_, i) => plane.handle(`atom d${i}`, "atom", () => state.rows[i], point => { state.rows[i] = point; changed(); }));
  const side = make(place, "div", { class: "wide" }), walk = make(side, "div");
  const back = live.button(walk, "← back", () => { state.at--; changed(); });
  const next = live.button(walk, "next step →", () => { state.at++; changed(); });
  for (const j of [0, 1]) live.range(side, { label: `a unit of x${"₁₂"[j]} earns`, min: -3, max: 3, step: 0.1, value: -state.cost[j] }, value => { state.cost[j] = -value; state.at = 0; changed(); });
  const said = make(side, "p", { class: "said", "aria-live": "polite" });
  const table = live.table(side, ["round", "atoms", "value", "certificate", "added"], "The log of the loop until here");

  return async () => {
    const columns = state.cost.map((cost, j) => ({ name: `x${j + 1}`, lower: -1, upper: 1, cost }));
    const answer = await ask("steps", { Rows: state.rows, Radius: 1, Budget: state.rows.length, Model: { columns } });
    const last = answer.Steps.length - 1;
    state.at = Math.max(0, Math.min(state.at, 3 * last + 1)); // the last round has no atom to add
    const round = Math.floor(state.at / 3), phase = state.at % 3, step = answer.Steps[round];
    const chosen = answer.Steps.slice(0, round + (phase === 2 ? 1 : 0)).map(s => s.Added).filter(i => i >= 0);
    back.disabled = state.at === 0;
    next.disabled = state.at === 3 * last + 1;
    decisions.clear();
    decisions.area([[-1, -1], [1, -1], [1, 1], [-1, 1]], "all");
    const path = answer.Steps.slice(0, round + 1).map(s => s.X);
    decisions.line(path, "few");
    decisions.dots(path, "few");
    decisions.dots([step.X], "taken");
    path.forEach((x, t) => { if (t === round || !path.slice(t + 1).some(y => Math.hypot(x[0] - y[0], x[1] - y[1]) < 0.15)) decisions.word(x, `x${sub(t + 1)}`); });
    plane.clear();
    plane.area(wedge(chosen.map(i => state.rows[i])), "few");
    if (phase > 0) {
      plane.arrow([0, 0], step.Direction, "direction");
      plane.word(step.Direction, `s${sub(round + 1)}`, "direction");
    }
    handles.forEach((mark, i) => mark.classList.toggle("taken", chosen.includes(i)));
    chosen.forEach((i, k) => plane.word(state.rows[i], `${k + 1}`));
    said.textContent = tell(answer, step, round, phase, chosen.length, round === last);
    table(answer.Steps.slice(0, round + 1).map((s, t) => [String(t + 1), String(t), s.Value, t < round || phase > 0 ? { text: atMost(s.Certificate) } : "?", s.Added >= 0 && (t < round || phase === 2) ? s.Label : ""]));
  };

  function tell(answer, step, round, phase, size, end) {
    const x = `x${sub(round + 1)} = (${step.X.map(digits).join(", ")})`;
    if (phase === 0) return `Solve: with ${size} atom${size === 1 ? "" : "s"} the best decision is ${x}, its value ${digits(step.Value)}.`;
    if (phase === 2) return `Atom: ${step.Label} gains most for the directions seen so far, and joins S.`;
    const certificate = `Direction: at ${x} the deficit is at most ${atMost(step.Certificate)}.`;
    if (!end) return certificate + " The decision may lose that much, so the loop goes on.";
    return certificate + (answer.Certified ? ` ${answer.Steps.length - 1} of ${state.rows.length} atoms are enough: no other atom changes the value.` : ` The loop ends: ${answer.Stop}.`);
  }

  // wedge is the triangle fan of the chosen atoms and 0, by angle.
  function wedge(points) {
    const sorted = [...points, [0, 0]], middle = [0, 1].map(j => sorted.reduce((sum, p) => sum + p[j], 0) / sorted.length);
    return sorted.sort((p, q) => Math.atan2(p[1] - middle[1], p[0] - middle[0]) - Math.atan2(q[1] - middle[1], q[0] - middle[0]));
  }
};
