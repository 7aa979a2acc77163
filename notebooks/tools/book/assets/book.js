// Draws the charts and the formulas of a page. No network: Vega, Vega-Lite and KaTeX lie beside the pages.
"use strict";
(() => {
  // A pointer over a mark shows its values. Text goes in as text, never as markup.
  const hint = document.createElement("div");
  hint.className = "hint";
  hint.hidden = true;
  document.body.append(hint);

  function showHint(_, event, item, value) {
    hint.hidden = value === null || value === undefined || value === "";
    if (hint.hidden) return;
    const entries = typeof value === "object" ? Object.entries(value) : [["", value]];
    hint.replaceChildren(...entries.map(([name, content]) => {
      const line = document.createElement("div"), label = document.createElement("b");
      label.textContent = name;
      line.append(label, String(content));
      return line;
    }));
    const room = document.documentElement.clientWidth - hint.offsetWidth - 8;
    hint.style.left = Math.max(4, Math.min(event.pageX + 12, room)) + "px";
    hint.style.top = event.pageY + 14 + "px";
  }

  // lines breaks a title where it is longer than the chart is wide.
  function lines(title, width, size) {
    const most = Math.max(12, Math.floor(width / (0.6 * size)));
    return [].concat(title).flatMap(text => text.split(" ").reduce((broken, word) => {
      const last = broken.length - 1;
      if (last >= 0 && (broken[last] + " " + word).length <= most) broken[last] += " " + word;
      else broken.push(word);
      return broken;
    }, []));
  }

  const margin = 30; // pixels beside a text that is as wide as its chart

  // suit makes the words of a chart fit into a width: legends below it, long titles broken.
  function suit(chart, config, width) {
    const title = typeof chart.title === "object" && !Array.isArray(chart.title) ? chart.title : { text: chart.title || "" };
    const sizes = config.title || {};
    title.text = lines([].concat(title.text).join(" "), width - margin, sizes.fontSize || 16); // it may be broken for a wider chart
    if (title.subtitle) title.subtitle = lines([].concat(title.subtitle).join(" "), width - margin, sizes.subtitleFontSize || 12);
    chart.title = title;
    // A label at the edge of a small chart would be cut in the middle of its word.
    for (const layer of chart.layer || []) {
      if (layer.mark && layer.mark.type === "text") layer.mark.clip = false;
      const axis = layer.encoding?.x?.axis;
      if (axis?.title) axis.title = lines(axis.title, width - margin, config.axis?.titleFontSize || 13);
    }
  }

  // legendsBelow puts the legends below the plot, in two columns where the longest of the names fits into half of it.
  const letter = 6.6, symbol = 34, leftOfPlot = 45;
  function legendsBelow(chart, config, width) {
    const names = (chart.layer || []).flatMap(layer => layer.encoding?.shape?.scale?.domain || []);
    const room = width - 2 * leftOfPlot, longest = letter * Math.max(0, ...names.map(name => name.length));
    const columns = longest > room / 2 - symbol ? 1 : 2;
    config.legend = { ...config.legend, orient: "bottom", direction: "vertical", columns, labelLimit: room / columns - symbol };
  }

  // The plot of a narrowed chart has at least so many pixels each way; names beside it take what is left of the width without its
  // margins, and a part of it at least.
  const leastPlot = 150, margins = 70, leastNames = 0.22;

  // roomy is a chart whose plot is not lower than the least, such as one of a few bars, and whose frame grows with a note that
  // a slider makes longer.
  function roomy(specification) {
    return { ...specification, height: Math.max(leastPlot, specification.height), autosize: { type: "pad", resize: true } };
  }

  // notesBelow moves notes that stand beside the data, at a pixel of the chart, to between its axis and the legend. Beside
  // the data they would leave no width to the plot.
  const axisHeight = 46, noteLine = 17;
  function notesBelow(chart) {
    const notes = (chart.layer || []).filter(layer => layer.mark && layer.mark.type === "text" && typeof layer.mark.x === "number");
    const rows = [...new Set(notes.map(layer => layer.mark.y))].sort((a, b) => a - b);
    for (const { mark } of notes) {
      mark.y = { expr: `height + ${axisHeight + noteLine * rows.indexOf(mark.y)}` };
      mark.x = -leftOfPlot;
      mark.fontSize = 11;
    }
    if (rows.length) chart.config.legend.offset = 18 + noteLine * rows.length;
  }

  // narrowed is the same chart for a screen that is narrower than it.
  function narrowed(specification, width) {
    const chart = structuredClone(specification);
    chart.autosize = { type: "fit-x", contains: "padding" };
    chart.width = width;
    chart.config = chart.config || {};
    chart.config.axisY = { ...chart.config.axisY, labelLimit: Math.max(leastNames * width, width - leastPlot - margins) };
    legendsBelow(chart, chart.config, width);
    notesBelow(chart);
    suit(chart, chart.config, width);
    chart.title.frame = "bounds"; // from the edge of the whole: a plot is narrower than its title
    return chart;
  }

  // lowered sets what stands behind an underscore lower, as in "Φ_[N]" and "s_t": Vega knows no scripts.
  const scripted = /(?<![\p{L}\d_])(\p{L})_(\[[^\]]*\]|[\p{L}\d∞∅]+)/u, drop = 3;
  function lowered(text) {
    const svg = "http://www.w3.org/2000/svg", place = text.parentElement, pieces = text.data.split(scripted);
    const piece = (content, dy, size) => {
      const span = document.createElementNS(svg, "tspan");
      span.textContent = content;
      span.setAttribute("dy", dy);
      if (size) span.setAttribute("font-size", size);
      return span;
    };
    const line = [pieces[0] + pieces[1]], size = 0.75 * parseFloat(getComputedStyle(place).fontSize);
    for (let k = 2; k < pieces.length; k += 3) line.push(piece(pieces[k], drop, size + "px"), piece(pieces[k + 1] + (pieces[k + 2] || "") || "\u200b", -drop));
    text.replaceWith(...line);
  }

  function lowerAll(part) {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT), found = [];
    while (walker.nextNode()) if (walker.currentNode.parentElement?.closest("svg text") && scripted.test(walker.currentNode.data)) found.push(walker.currentNode);
    found.forEach(lowered);
  }

  // A slider changes texts: each change is looked at before it is painted.
  const watcher = new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(node => lowerAll(node.nodeType === Node.TEXT_NODE ? change.target : node))));

  async function view(specification, place) {
    const drawn = new vega.View(vega.parse(vegaLite.compile(specification).spec), { renderer: "svg", logLevel: vega.Error });
    await drawn.tooltip(showHint).initialize(place).hover().runAsync();
    return drawn;
  }

  async function draw(figure) {
    const place = figure.querySelector(".chart");
    const specification = roomy(JSON.parse(figure.querySelector("script").textContent));
    place.replaceChildren();
    watcher.observe(place, { childList: true, subtree: true });
    figure.classList.add("drawn");
    const room = figure.clientWidth;
    let drawn = await view(specification, place);
    const wanted = place.querySelector("svg").getBoundingClientRect().width;
    if (wanted > room) {
      drawn.finalize();
      place.replaceChildren();
      drawn = await view(narrowed(specification, room), place);
      // The shape stays: circles round, slopes as steep.
      await drawn.height(Math.max(leastPlot, specification.height * drawn.width() / specification.width)).runAsync();
    }
    figure.dataset.marks = place.querySelectorAll("svg .mark-group path, svg .mark-group text").length;
    return { drawn, wanted, room };
  }

  // The charts as they stand. Another width of the page draws those again that it changes.
  const charts = new Map();

  async function drawAll() {
    for (const figure of document.querySelectorAll(".interactive")) {
      const chart = charts.get(figure);
      if (chart && (chart.room === figure.clientWidth || chart.wanted <= Math.min(chart.room, figure.clientWidth))) continue;
      try {
        if (chart) chart.drawn.finalize();
        charts.set(figure, await draw(figure));
      } catch (problem) { // then the picture stays, and the page says why
        figure.classList.remove("drawn");
        console.error("chart: " + problem);
      }
    }
  }

  // A long table shows ten rows; opened it shows all of them, or those that hold a text.
  for (const details of document.querySelectorAll(".html details")) {
    const short = details.parentElement.querySelector("table"), rows = [...details.querySelectorAll("tbody tr")];
    const filter = document.createElement("input");
    filter.type = "search";
    filter.placeholder = "filter rows";
    filter.setAttribute("aria-label", "filter rows");
    filter.addEventListener("input", () => {
      const wanted = filter.value.toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
    details.querySelector("summary").after(filter);
    details.addEventListener("toggle", () => { short.tHead.hidden = short.tBodies[0].hidden = details.open; });
  }

  // A line may end before or behind a formula, and would then end with its bracket or begin with its full stop; so these
  // belong to the first and the last part of the formula.
  window.keepPunctuation = prose => {
    for (const formula of prose.querySelectorAll(".katex")) {
      const parts = formula.querySelectorAll(".base"), { previousSibling: before, nextSibling: after } = formula.parentNode;
      if (!parts.length || formula.closest(".katex-display")) continue;
      const opens = before?.nodeType === Node.TEXT_NODE && /[([]$/.exec(before.data);
      const ends = after?.nodeType === Node.TEXT_NODE && /^[)\].,;:?!]+/.exec(after.data);
      if (opens) { parts[0].prepend(opens[0]); before.data = before.data.slice(0, -1); }
      if (ends) { parts[parts.length - 1].append(ends[0]); after.data = after.data.slice(ends[0].length); }
    }
  };

  for (const prose of document.querySelectorAll(".prose, .card")) {
    renderMathInElement(prose, {
      delimiters: [
        { left: "$$", right: "$$", display: true }, { left: "\\[", right: "\\]", display: true },
        { left: "\\begin{align}", right: "\\end{align}", display: true },
        { left: "\\begin{aligned}", right: "\\end{aligned}", display: true },
        { left: "$", right: "$", display: false }, { left: "\\(", right: "\\)", display: false },
      ],
      throwOnError: false,
      errorColor: "#c00001", // by which the check of the pages knows an unknown command
    });
    if (!document.querySelector(".stage")) window.keepPunctuation(prose); // slides are taken apart at the ends of sentences
  }
  // The sections of the page: below its entry in the contents where these are shown, else at the top. The one that is read
  // is marked.
  const heads = [...document.querySelectorAll("main h2[id]")], current = document.querySelector(".contents .current");
  function listSections() {
    const list = document.createElement("ol"), top = document.createElement("details"), name = document.createElement("summary");
    list.className = "sections";
    for (const head of heads) {
      const item = list.appendChild(document.createElement("li")), link = item.appendChild(document.createElement("a"));
      link.href = "#" + head.id;
      link.append(...[...head.childNodes].filter(node => node.className !== "anchor-link").map(node => node.cloneNode(true)));
    }
    current.append(list);
    name.textContent = "Sections of this page";
    top.className = "sections";
    top.append(name, list.cloneNode(true));
    document.querySelector("main h1").after(top);
    const links = [...list.querySelectorAll("a")];
    const mark = () => {
      const read = heads.findLastIndex(head => head.getBoundingClientRect().top < 120);
      links.forEach((link, k) => link.classList.toggle("here", k === read));
    };
    document.addEventListener("scroll", mark, { passive: true });
    mark();
    current.scrollIntoView({ block: "nearest" });
  }
  if (current && heads.length > 1) listSections();

  // The first column of a table that scrolls sideways stays, where it is narrow.
  const mostPinned = 0.35;
  function pin() {
    for (const table of document.querySelectorAll("main table")) {
      const first = table.querySelector("td, th");
      table.classList.toggle("pinned", !!first && table.scrollWidth > table.clientWidth && first.offsetWidth < mostPinned * table.clientWidth);
    }
  }

  // A formula that is wider than its column is set smaller, down to where it can still be read.
  const smallest = 0.6;
  window.fitFormulas = (part = document) => {
    for (const place of part.querySelectorAll(".katex-display")) {
      const formula = place.querySelector(".katex");
      formula.style.fontSize = "";
      const ratio = place.clientWidth / place.scrollWidth;
      if (ratio < 1) formula.style.fontSize = Math.max(smallest, 0.98 * ratio * 1.08) + "em";
    }
  };
  document.fonts.ready.then(() => { window.fitFormulas(); pin(); });
  window.drawn = drawAll();
  if (document.querySelector(".stage")) return; // slides have one width, and are scaled to the window
  window.addEventListener("resize", () => { window.fitFormulas(); pin(); });
  window.addEventListener("resize", () => { window.drawn = window.drawn.then(drawAll); });
})();
