// A plot in SVG: axes with labels, marks in the units of the data, and points that pointer, touch and keys move.
"use strict";
(() => {
  const { make, digits } = live;
  const left = 52, right = 10, top = 10, bottom = 44;

  // nice are round numbers between two ends, about as many as asked for.
  function nice(low, high, count) {
    const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find(factor => factor * power >= rough * 0.999);
    const ticks = [];
    for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9; k++) ticks.push(k * step);
    return ticks;
  }

  // plot: x and y are [low, high]; with equal, a unit is as long on both axes and y keeps its middle; whole is for counts on x.
  live.plot = (place, { label, x, y, xLabel, yLabel, equal = false, shape = 0.62, whole = false }) => {
    const svg = make(make(place, "div", { class: "plot" }), "svg", { role: "group", "aria-label": label });
    const axes = make(svg, "g", { class: "axes" });
    const cut = "cut" + document.querySelectorAll(".live clipPath").length;
    const frame = make(make(svg, "clipPath", { id: cut }), "rect");
    const marks = make(svg, "g", { "clip-path": `url(#${cut})` }), words = make(svg, "g"), handles = make(svg, "g");
    const movable = [];
    const self = { svg, x, y, pick: null };
    let width = 0, height = 0;
    const X = value => left + (value - self.x[0]) / (self.x[1] - self.x[0]) * (width - left - right);
    const Y = value => height - bottom - (value - self.y[0]) / (self.y[1] - self.y[0]) * (height - top - bottom);
    const at = ([a, b]) => `${X(a).toFixed(2)},${Y(b).toFixed(2)}`;
    const where = event => {
      const box = svg.getBoundingClientRect();
      const a = (event.clientX - box.left) / box.width * width, b = (event.clientY - box.top) / box.height * height;
      return [self.x[0] + (a - left) / (width - left - right) * (self.x[1] - self.x[0]),
        self.y[0] + (height - bottom - b) / (height - top - bottom) * (self.y[1] - self.y[0])];
    };
    const inside = ([a, b]) => [Math.min(self.x[1], Math.max(self.x[0], a)), Math.min(self.y[1], Math.max(self.y[0], b))];

    // clear begins a picture: the size of the place, the axes, no marks.
    self.clear = () => {
      width = Math.max(240, svg.parentNode.clientWidth);
      height = equal ? Math.min(width, 520) : Math.max(230, width * shape);
      if (equal) {
        const unit = (self.x[1] - self.x[0]) / (width - left - right), middle = (y[0] + y[1]) / 2;
        const need = (y[1] - y[0]) / (x[1] - x[0]) * (width - left - right) + top + bottom;
        height = Math.min(need, 560);
        const half = unit * (height - top - bottom) / 2;
        self.y = [middle - half, middle + half];
      }
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("height", height);
      for (const [name, value] of Object.entries({ x: left, y: top, width: width - left - right, height: height - top - bottom })) frame.setAttribute(name, value);
      for (const layer of [axes, marks, words]) layer.replaceChildren();
      make(axes, "rect", { x: left, y: top, width: width - left - right, height: height - top - bottom });
      for (const tick of nice(...self.x, Math.max(4, width / 80))) {
        if (whole && !Number.isInteger(tick)) continue;
        make(axes, "line", { x1: X(tick), x2: X(tick), y1: top, y2: height - bottom });
        make(axes, "text", { x: X(tick), y: height - bottom + 16, "text-anchor": "middle" }, digits(tick));
      }
      for (const tick of nice(...self.y, Math.max(4, height / 60))) {
        make(axes, "line", { x1: left, x2: width - right, y1: Y(tick), y2: Y(tick) });
        make(axes, "text", { x: left - 6, y: Y(tick) + 4, "text-anchor": "end" }, digits(tick));
      }
      make(axes, "text", { class: "name", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, xLabel);
      make(axes, "text", { class: "name", transform: `translate(13 ${(top + height - bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, yLabel);
      for (const place of movable) place();
    };
    self.line = (points, kind) => make(marks, "path", { class: "line " + kind, d: points.length ? "M" + points.map(at).join("L") : "" });
    self.area = (points, kind) => make(marks, "path", { class: "area " + kind, d: points.length ? "M" + points.map(at).join("L") + "Z" : "" });
    // dots are one path whatever their number: lines of no length with round ends.
    self.dots = (points, kind) => make(marks, "path", { class: "dots " + kind, d: points.map(point => `M${at(point)}h0`).join("") });
    self.arrow = (from, to, kind) => {
      self.line([from, to], kind);
      const angle = Math.atan2(Y(to[1]) - Y(from[1]), X(to[0]) - X(from[0])), tip = [X(to[0]), Y(to[1])];
      const wing = turn => `${tip[0] - 9 * Math.cos(angle + turn)},${tip[1] - 9 * Math.sin(angle + turn)}`;
      make(marks, "path", { class: "head " + kind, d: `M${wing(0.4)}L${tip}L${wing(-0.4)}Z` });
    };
    // word writes beside a point, on the side where there is room.
    self.word = (point, text, kind = "") => {
      const end = X(point[0]) > width - right - 8 * text.length - 12;
      make(words, "text", { class: "word " + kind, x: X(point[0]) + (end ? -12 : 12), y: Math.max(top + 12, Y(point[1]) - 9), "text-anchor": end ? "end" : "start" }, text);
    };
    self.within = ([a, b]) => a >= self.x[0] && a <= self.x[1] && b >= self.y[0] && b <= self.y[1];

    // handle is a point that moves: by pointer or touch, and by arrow keys when it has the focus (with Shift by less).
    self.handle = (name, kind, get, set) => {
      const mark = make(handles, "g", { class: "handle " + kind, tabindex: 0, role: "button", "aria-roledescription": "movable point" });
      make(mark, "circle", { class: "reach", r: 18 });
      make(mark, "circle", { r: 6.5 });
      const stand = () => {
        const point = get();
        mark.style.display = point ? "" : "none";
        if (!point) return;
        mark.setAttribute("transform", `translate(${X(point[0])} ${Y(point[1])})`);
        mark.setAttribute("aria-label", `${typeof name === "function" ? name() : name} at ${digits(point[0])}, ${digits(point[1])}; arrow keys move it`);
      };
      const move = point => { set(inside(point)); stand(); };
      mark.onpointerdown = event => { mark.setPointerCapture(event.pointerId); mark.focus({ preventScroll: true }); event.stopPropagation(); event.preventDefault(); };
      mark.onpointermove = event => { if (mark.hasPointerCapture(event.pointerId)) move(where(event)); };
      mark.onkeydown = event => {
        const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        if (!turn) return;
        event.preventDefault();
        const size = (self.x[1] - self.x[0]) / (event.shiftKey ? 400 : 50), point = get();
        move([point[0] + turn[0] * size, point[1] + turn[1] * size]);
      };
      movable.push(stand);
      return mark;
    };
    svg.addEventListener("click", event => { if (self.pick) self.pick(where(event), (self.x[1] - self.x[0]) / (width - left - right)); });
    return self;
  };

  // around is a range that holds the values with some room on both sides.
  live.around = (values, room = 0.12) => {
    const low = Math.min(...values), high = Math.max(...values), more = room * (high - low || 1);
    return [low - more, high + more];
  };
})();
