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
    title.text = lines(title.text, width - margin, sizes.fontSize || 16);
    if (title.subtitle) title.subtitle = lines(title.subtitle, width - margin, sizes.subtitleFontSize || 12);
    chart.title = title;
    // A label at the edge of a small chart would be cut in the middle of its word.
    for (const layer of chart.layer || []) {
      if (layer.mark && layer.mark.type === "text") layer.mark.clip = false;
      const axis = layer.encoding?.x?.axis;
      if (axis?.title) axis.title = lines(axis.title, width - margin, config.axis?.titleFontSize || 13);
    }
  }

  // legendsBelow puts the legends below the plot, in two columns where the longest of the names fits into half of it.
  const letter = 6.6, symbol = 30, leftOfPlot = 45;
  function legendsBelow(charts, config, width) {
    const names = charts.flatMap(chart => (chart.layer || []).flatMap(layer => layer.encoding?.color?.scale?.domain || []));
    const room = width - 2 * leftOfPlot, longest = letter * Math.max(0, ...names.map(name => name.length));
    const columns = longest > room / 2 - symbol ? 1 : 2;
    config.legend = { ...config.legend, orient: "bottom", direction: "vertical", columns, labelLimit: room / columns - symbol };
  }

  // The plot of a narrowed chart has at least so many pixels each way; names beside it take at most a part of the width.
  const leastPlot = 150, mostNames = 0.22;

  // roomy is a chart whose plot is not lower than the least, such as one of a few bars, and whose frame grows with a note that
  // a slider makes longer.
  function roomy(specification) {
    if (specification.concat) return specification;
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
    chart.config.axisY = { ...chart.config.axisY, labelLimit: mostNames * width };
    legendsBelow([chart], chart.config, width);
    notesBelow(chart);
    suit(chart, chart.config, width);
    chart.title.frame = "bounds"; // from the edge of the whole: a plot is narrower than its title
    return chart;
  }

  // narrowedGrid is the same grid of charts for a narrower screen: as many side by side as can be read. Vega fits no
  // grids into a width, so each chart gets its share of it, less what axes and spaces have turned out to take.
  const leastPanel = 240;
  function narrowedGrid(specification, width, taken) {
    const grid = structuredClone(specification);
    grid.config = grid.config || {};
    grid.columns = Math.max(1, Math.min(grid.columns || grid.concat.length, Math.floor(width / leastPanel)));
    const share = width / grid.columns;
    legendsBelow(grid.concat, grid.config, share);
    if (grid.title) suit(grid, grid.config, width);
    const own = Math.max(60, share - taken), mean = grid.concat.reduce((sum, panel) => sum + panel.width, 0) / grid.concat.length;
    for (const panel of grid.concat) {
      panel.height = Math.max(leastPlot, panel.height * own / mean); // the shape stays, and rows stay level
      panel.width = own;
      suit(panel, grid.config, own);
    }
    return grid;
  }

  async function view(specification, place) {
    const drawn = new vega.View(vega.parse(vegaLite.compile(specification).spec), { renderer: "svg", logLevel: vega.Error });
    await drawn.tooltip(showHint).initialize(place).hover().runAsync();
    return drawn;
  }

  async function draw(figure) {
    const place = figure.querySelector(".chart");
    const specification = roomy(JSON.parse(figure.querySelector("script").textContent));
    place.replaceChildren();
    figure.classList.add("drawn");
    const room = figure.clientWidth;
    let drawn = await view(specification, place);
    const width = () => place.querySelector("svg").getBoundingClientRect().width;
    const again = async changed => {
      drawn.finalize();
      place.replaceChildren();
      drawn = await view(changed, place);
    };
    const wanted = width();
    if (wanted > room && specification.concat) {
      for (let taken = 70, attempt = 0; attempt < 4 && width() > room; attempt++) {
        await again(narrowedGrid(specification, room, taken));
        taken += Math.ceil(Math.max(0, width() - room)) + 1;
      }
    } else if (wanted > room) {
      await again(narrowed(specification, room));
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
  document.fonts.ready.then(() => window.fitFormulas());
  window.drawn = drawAll();
  if (document.querySelector(".stage")) return; // slides have one width, and are scaled to the window
  window.addEventListener("resize", () => window.fitFormulas());
  window.addEventListener("resize", () => { window.drawn = window.drawn.then(drawAll); });
})();
