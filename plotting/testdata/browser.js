// Draws every chart of `charts` with the Vega of the page, moves its sliders, and writes what it
// saw as JSON into the page: messages of the console, painted pixels, texts with their places.
"use strict";
const messages = [];
for (const kind of ["error", "warn"]) console[kind] = (...words) => messages.push(kind + ": " + words.join(" "));
window.addEventListener("error", (e) => messages.push("error: " + e.message));

function painted(canvas) {
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0, digest = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const v = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
    if (v !== 0xffffff || pixels[i + 3] !== 255) count++;
    digest = (Math.imul(digest, 31) + v + pixels[i + 3]) | 0;
  }
  return { count, digest };
}

// texts lists the texts of a scene with the boxes that they take, in pixels of the data area. Those of ticks have a
// value, and are listed where they overlap others and are left out, too.
function texts(item, x, y, role, out) {
  if (item.marktype === "text" || (item.mark && item.mark.marktype === "text" && item.text !== undefined)) {
    for (const t of item.items || [item]) {
      const text = Array.isArray(t.text) ? t.text.join(" ") : t.text;
      const hidden = t.opacity === 0 && !role.startsWith("axis-label"); // of the labels of an axis those that overlap
      if (text === undefined || text === null || text === "" || hidden) continue;
      out.push({ text: String(text), role, left: t.bounds.x1 + x, right: t.bounds.x2 + x, top: t.bounds.y1 + y, bottom: t.bounds.y2 + y, value: t.datum ? Number(t.datum.value) : null });
    }
    return out;
  }
  for (const child of item.items || []) {
    const group = child.mark && child.mark.marktype === "group";
    const r = child.role || (child.mark && child.mark.role) || role;
    texts(child, x + (group ? child.x || 0 : 0), y + (group ? child.y || 0 : 0), r === "mark" ? role : r, out);
  }
  return out;
}

async function draw(chart, theme) {
  const place = document.createElement("div");
  document.body.appendChild(place);
  const result = await vegaEmbed(place, JSON.parse(JSON.stringify(chart)), { theme, actions: false, renderer: "canvas" });
  await result.view.runAsync();
  return { place, view: result.view, canvas: place.querySelector("canvas") };
}

async function look(name, chart, moves) {
  const start = messages.length;
  const drawn = await draw(chart);
  const first = painted(drawn.canvas);
  const report = {
    painted: first.count, width: drawn.canvas.clientWidth, height: drawn.canvas.clientHeight,
    data: { width: drawn.view.signal("width") || 0, height: drawn.view.signal("height") || 0 },
    texts: texts(drawn.view.scenegraph().root, 0, 0, "", []), image: drawn.canvas.toDataURL(),
  };
  report.sliders = [...drawn.place.querySelectorAll("input[type=range]")].map((i) => i.name);
  report.moves = [];
  for (const move of moves) {
    for (const [signal, value] of Object.entries(move)) drawn.view.signal(signal, value);
    await drawn.view.runAsync();
    const p = painted(drawn.canvas);
    report.moves.push({ changed: p.digest !== first.digest, painted: p.count, digest: p.digest, texts: texts(drawn.view.scenegraph().root, 0, 0, "", []), image: drawn.canvas.toDataURL() });
  }
  drawn.view.finalize();
  drawn.place.remove();
  const dark = await draw(chart, "dark");
  report.dark = painted(dark.canvas).digest === first.digest;
  report.digest = first.digest;
  dark.view.finalize();
  dark.place.remove();
  report.messages = messages.slice(start);
  return report;
}

(async () => {
  const reports = {};
  for (const [name, { chart, moves }] of Object.entries(charts)) {
    try {
      reports[name] = await look(name, chart, moves || []);
    } catch (e) {
      reports[name] = { messages: ["error: " + e] };
    }
  }
  const out = document.createElement("script");
  out.type = "application/json";
  out.id = "reports";
  out.textContent = JSON.stringify(reports).replaceAll("<", "\\u003c");
  document.body.appendChild(out);
})();
