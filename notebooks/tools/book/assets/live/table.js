// A reader's own atoms from a table: greedy's selection, then the ladder of certificates of the picks.
"use strict";
live.kinds.table = (place, settings, changed) => {
  const { ask, make, atLeast } = live;
  const state = { csv: settings.CSV, name: "an example of six atoms", budget: 2, size: null };
  const side = make(place, "div", { class: "side" }), main = make(place, "div");
  live.file(side, "your atoms: a CSV file with a header and one atom per line (or drop it here)", (text, name) => { state.csv = text; state.name = name; state.size = null; changed(); });
  const budget = live.range(side, { label: "atoms chosen by greedy, B", min: 1, max: 6, value: 2 }, value => { state.budget = value; changed(); });
  make(side, "p", {}, "Decisions x lie in the box −1 ≤ x ≤ 1 with one coordinate for each column, q(x) = x, and a unit of each earns half of the largest entry of its column. The file stays on your machine.");
  const values = live.values(side);
  const picks = live.table(main, ["B", "atom", "gain", "coverage %", "proven %"], "Greedy's picks; proven is the share of the best that they reach");
  const bars = live.bars(make(place, "div", { class: "wide" }), "Bounds on the value gap of this choice");

  async function read() {
    const csv = state.csv, rows = (await ask("atoms", { CSV: csv })).Rows, columns = rows[0].map((_, j) => ({
      name: `x${j + 1}`, lower: -1, upper: 1, cost: -Math.max(...rows.map(row => Math.abs(row[j]))) / 2,
    }));
    if (state.csv !== csv) return; // another table has come
    state.size = rows.length;
    state.model = { columns };
    state.probes = Math.max(16, Math.min(64, Math.floor(200000 / (rows.length * columns.length)))); // so that an answer comes at once
    budget.max = Math.min(30, rows.length);
    state.budget = Math.min(state.budget, budget.max);
  }

  return async outdated => {
    bars([]);
    if (state.size === null) await read();
    if (state.size === null) return;
    const answer = await ask("choose", { CSV: state.csv, Probes: state.probes, Budget: state.budget, Radius: 1 }), chosen = answer.Chosen || [];
    values([["read", `${state.name}: ${state.size} atoms of ${state.model.columns.length} coordinates, looked at from ${state.probes} directions`], ["chosen", (answer.Labels || ["nothing"]).join(", ")]]);
    picks(chosen.map((_, b) => [b + 1, answer.Labels[b], answer.Gains[b], 100 * answer.Coverage[b], { text: atLeast(Math.min(1, answer.Proven[b]), 2) }]));
    // The selection is on the screen while the ladder, which may take a second for thousands of atoms, is computed.
    if (outdated()) return;
    const found = await ask("ladder", { CSV: state.csv, Radius: 1, Chosen: chosen, Model: state.model, MaxPoints: 64 });
    bars(live.ladderBars(found));
  };
};
