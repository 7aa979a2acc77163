// Cuts the blocks of a page into slides of 1280 x 720 pixels and turns them. What does not fit goes to the next slide;
// figures, tables and code are scaled to the room that is left.
"use strict";
(() => {
  const source = document.querySelector("main"), stage = document.querySelector(".stage"), bar = document.querySelector(".bar");
  const slides = [], largest = { figure: 2, other: 1.4 }, mostWords = 110;
  let current = 0;

  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    element.className = className;
    element.append(...children);
    return element;
  }

  // sentences cuts a paragraph where one sentence ends and the next begins; formulas, links and bold words stay whole.
  function sentences(paragraph) {
    const parts = [make("p", "opens")];
    for (const node of [...paragraph.childNodes]) {
      const pieces = node.nodeType === Node.TEXT_NODE ? node.data.split(/(?<=[a-z0-9)%][.?!]\)?)\s+(?=[A-Z(]|$)/) : [node];
      pieces.forEach((piece, i) => {
        if (i > 0 && parts.at(-1).textContent.length > 40) parts.push(make("p", ""));
        parts.at(-1).append(piece, ...(i < pieces.length - 1 ? [" "] : []));
      });
    }
    return parts.filter(part => part.textContent.trim());
  }

  // proseUnits: the smallest parts of a block of text that may stand on different slides.
  function proseUnits(block) {
    return [...block.children].flatMap(child => {
      if (/^H[12]$/.test(child.tagName)) return [{ title: child }];
      if (/^[UO]L$/.test(child.tagName)) return [...child.children].map((item, i) => {
        const list = child.cloneNode(false);
        if (child.tagName === "OL") list.start = child.start + i;
        list.append(item);
        return { words: list };
      });
      if (child.tagName === "TABLE") return rowsThatFit(child);
      if (child.tagName === "P" && !child.querySelector("img")) return sentences(child).map(words => ({ words }));
      return [{ words: child }];
    });
  }

  // printed: the claims of what a cell printed, and the rest of it. Exercises that are open print nothing worth seeing.
  function printed(pre) {
    const text = pre.textContent, units = [];
    if (text.startsWith("=== RUN")) return units;
    const lines = text.split("\n"), claims = lines.filter(line => line.startsWith("checked: "));
    const rest = lines.filter(line => !line.startsWith("checked: ") && line.trim());
    if (rest.length > 0) {
      pre.textContent = rest.join("\n");
      units.push(rest.length > 2 ? { shows: pre } : { words: pre, note: true });
    }
    return units.concat(claims.map(line => ({ words: make("p", "claim", line.slice(9)), note: true })));
  }

  // balanced cuts things with heights into as few groups as fit into a height, about equally high. A thing that opens
  // a group of its own starts one. It returns where groups begin.
  function balanced(heights, limit, opens = () => false) {
    const starts = most => {
      const found = [0];
      let height = 0;
      heights.forEach((own, i) => {
        height += own;
        if (i > 0 && (height > most || opens(i))) { found.push(i); height = own; }
      });
      return found;
    };
    const count = starts(limit).length;
    let most = limit;
    while (most > 40 && starts(most - 20).length === count) most -= 20;
    return starts(most);
  }

  // rowsThatFit cuts a table into pieces that are as high as a slide, each with its head.
  function rowsThatFit(element) {
    const box = stage.appendChild(make("div", "shows", element.cloneNode(true))), table = box.querySelector("table");
    if (table.offsetWidth > 1250) { element.classList.add("broad"); box.firstElementChild.classList.add("broad"); }
    const rows = [...table.tBodies[0].rows].filter(row => !row.hidden), room = 480 / Math.min(1, 1180 / table.offsetWidth);
    const starts = balanced(rows.map(row => row.offsetHeight), room);
    box.remove();
    return starts.map((start, part) => {
      const piece = element.cloneNode(true), end = starts[part + 1] ?? rows.length;
      [...piece.querySelector("tbody").rows].forEach((row, i) => { if (i < start || i >= end) row.remove(); });
      return { shows: piece };
    });
  }

  function codeUnits(block) {
    const program = block.querySelector(".program");
    const units = [...block.querySelectorAll(".output")].flatMap(output => {
      for (const rest of output.querySelectorAll("details")) rest.remove(); // the whole of a long table is on the page
      if (output.querySelector(".figure")) return [{ shows: output.firstElementChild, figure: true }];
      if (output.querySelector(".html table")) return rowsThatFit(output.firstElementChild);
      return [...output.querySelectorAll("pre")].flatMap(printed);
    });
    return program ? [{ program }, ...units] : units;
  }

  // fit scales what a box shows to the room that the box has, and returns the factor.
  function fit(box) {
    const inner = box.firstElementChild, width = inner.offsetWidth, height = inner.offsetHeight;
    const most = inner.classList.contains("figure") ? largest.figure : largest.other;
    const scale = Math.min(most, (box.clientWidth - 4) / width, (box.clientHeight - 4) / height);
    const left = (box.clientWidth - scale * width) / 2, top = (box.clientHeight - scale * height) / 2;
    inner.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    box.dataset.scale = scale;
    return scale;
  }

  // build puts words and something to show on a new slide; fits tells whether all of it has room and can be read.
  function build(section, kind, words, shown) {
    const body = make("div", "body"), slide = make("article", `slide ${kind}`, make("h2", "", section.title.textContent.replace("¶", "")), body);
    if (section.first) slide.classList.add("first");
    if (words.length) body.append(make("div", "words", ...words.map(unit => unit.words)));
    if (shown) body.append(make("div", "shows", shown.shows));
    stage.append(slide);
    window.fitFormulas(slide);
    return slide;
  }
  function countWords(element) { return element.textContent.split(/\s+/).length; }
  function fits(slide, least) {
    const body = slide.querySelector(".body"), words = slide.querySelector(".words"), box = slide.querySelector(".shows");
    const scale = box ? fit(box) : 1;
    if (words && words.children.length > 1 && countWords(words) > mostWords) return false;
    if (box && [...slide.querySelectorAll(".words .katex")].some(formula => parseFloat(formula.style.fontSize) < 0.8)) return false;
    return (!words || words.offsetHeight <= body.clientHeight && words.scrollWidth <= words.clientWidth + 1) && scale >= least;
  }
  function tries(section, kind, words, shown, least) {
    const slide = build(section, kind, words, shown);
    if (fits(slide, least)) return slide;
    slide.remove();
    return null;
  }

  function keep(section, slide, programs) {
    if (section.used) slide.classList.add("again");
    if (!section.used) slide.querySelector("h2").id = section.title.id;
    section.used = true;
    slide.programs = programs;
    slides.push(slide);
    if (slide.querySelector(".shows")) slide.addEventListener("input", () => requestAnimationFrame(() => fit(slide.querySelector(".shows"))));
  }

  // cut: words on as few slides as they need, about equally full. Where small print would allow more, words count too.
  function cut(section, words, limit) {
    const slide = build(section, "", words), heights = words.map(unit => Math.max(unit.words.offsetHeight + 16, 5 * countWords(unit.words)));
    slide.remove();
    const starts = balanced(heights, limit, i => /^\d+\. ★/.test(words[i].words.textContent));
    return starts.map((start, part) => words.slice(start, starts[part + 1]));
  }

  function tell(section, words, programs) {
    if (!words.length) return;
    for (const group of cut(section, words, 540)) {
      keep(section, tries(section, "", group, null, 1) || build(section, "dense", group), programs);
    }
  }

  // show: the figure or table with as many of the words before it as have room beside or above it.
  function show(section, words, shown, notes, programs) {
    const wide = shown.shows.scrollWidth > (shown.figure ? 640 : 560), kinds = wide ? ["stacked", "beside"] : ["beside", "stacked"];
    const starts = words.map((_, i) => i).filter(i => i === 0 || words[i].words.className === "opens");
    for (const least of shown.figure ? [1.25, 1.05] : [0.95, 0.85]) for (const start of [...starts, words.length]) for (const kind of kinds) for (const dense of ["", " dense"]) {
      const slide = tries(section, kind + dense, [...words.slice(start), ...notes], shown, least);
      if (!slide) continue;
      slide.remove();
      tell(section, words.slice(0, start), programs);
      stage.append(slide);
      return keep(section, slide, programs);
    }
    tell(section, words, programs);
    keep(section, build(section, "stacked", [], shown), programs);
    fit(slides.at(-1).querySelector(".shows"));
    tell(section, notes, programs);
  }

  function layOut() {
    const units = [...source.children].flatMap(block => block.className === "prose" ? proseUnits(block) : codeUnits(block));
    let section = { title: make("h1", "", document.title) }, words = [], programs = [];
    for (let i = 0; i < units.length; i++) {
      const unit = units[i];
      if (unit.title) {
        tell(section, words, programs);
        section = { title: unit.title, first: unit.title.tagName === "H1" };
        [words, programs] = [[], []];
      } else if (unit.program) programs.push(unit.program);
      else if (unit.shows) {
        const notes = [];
        while (units[i + 1] && units[i + 1].note) notes.push(units[++i]);
        show(section, words, unit, notes, programs);
        [words, programs] = [[], []];
      } else words.push(unit);
    }
    tell(section, words, programs);
  }

  function turn(to) {
    current = Math.max(0, Math.min(slides.length - 1, to));
    closeViews();
    slides.forEach((slide, i) => slide.classList.toggle("shown", i === current));
    bar.querySelector(".where").textContent = `${current + 1} / ${slides.length}`;
    bar.querySelector("[data-key=c]").disabled = !slides[current].programs.length;
    history.replaceState(null, "", "#" + (current + 1));
  }
  function goTo(hash) {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    turn(Number(hash.slice(1)) - 1 || (target ? slides.indexOf(target.closest(".slide")) : 0));
  }

  // The code of a slide, one cell at a time, and the list of sections lie over it.
  function closeViews() { for (const view of stage.querySelectorAll(".code-view, .list")) view.hidden = true; }
  function nextProgram() {
    const slide = slides[current];
    slide.views ||= slide.programs.map(program => slide.appendChild(make("div", "code-view shows", program.cloneNode(true))));
    const at = slide.views.findIndex(view => !view.hidden && view.dataset.open);
    for (const view of slide.views) { view.hidden = true; delete view.dataset.open; }
    const next = slide.views[at + 1];
    if (next) { next.hidden = false; next.dataset.open = "1"; fit(next); }
  }
  function contents() {
    const list = stage.querySelector(".list"), open = list.hidden;
    closeViews();
    list.hidden = !open;
  }
  function listSections() {
    const list = stage.appendChild(make("nav", "list"));
    slides.forEach((slide, i) => {
      if (slide.classList.contains("again")) return;
      const link = list.appendChild(make("a", "", make("b", "", i + 1), slide.querySelector("h2").textContent));
      link.href = "#" + (i + 1);
    });
    list.hidden = true;
  }

  const keys = {
    ArrowRight: () => turn(current + 1), ArrowDown: () => turn(current + 1), PageDown: () => turn(current + 1), " ": () => turn(current + 1),
    ArrowLeft: () => turn(current - 1), ArrowUp: () => turn(current - 1), PageUp: () => turn(current - 1),
    Home: () => turn(0), End: () => turn(slides.length - 1), c: nextProgram, o: contents,
    Escape: () => { document.activeElement.blur(); closeViews(); },
    f: () => document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
  };
  // A slider that has the focus gets the arrows, Home and End; PageUp, PageDown and Space, the keys of a clicker, turn.
  const belongToControls = /^(Arrow|Home|End|[a-z]$)/;
  function press(event) {
    const control = event.target.closest && event.target.closest("input, select, textarea");
    const typing = control && control.type !== "range" && control.type !== "checkbox";
    const onButton = event.key === " " && event.target.closest && event.target.closest("button, a");
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key] || onButton) return;
    if (control && (typing ? event.key !== "Escape" : belongToControls.test(event.key))) return;
    event.preventDefault();
    keys[event.key]();
  }

  function scaleStage() {
    const scale = Math.min(innerWidth / 1280, innerHeight / 720);
    const left = (innerWidth - 1280 * scale) / 2, top = (innerHeight - 720 * scale) / 2;
    stage.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    bar.style.transform = `translate(${left}px, ${top + 680 * scale}px) scale(${scale})`;
  }

  // Vega measures where a pointer is in pixels of the screen; a chart that is scaled needs pixels of its own.
  let chart = null;
  function unscale(event) {
    if (event.type !== "mousemove" || event.buttons === 0) chart = event.target.closest && event.target.closest(".chart svg");
    if (!chart) return;
    const box = chart.getBoundingClientRect(), scale = box.width / Number(chart.getAttribute("width"));
    const x = box.left + (event.clientX - box.left) / scale, y = box.top + (event.clientY - box.top) / scale;
    Object.defineProperties(event, { clientX: { value: x }, clientY: { value: y } });
  }

  function listen() {
    for (const type of ["mousedown", "mousemove", "mouseup", "wheel", "click", "dblclick"]) window.addEventListener(type, unscale, { capture: true, passive: true });
    document.addEventListener("keydown", press);
    window.addEventListener("hashchange", () => goTo(location.hash));
    window.addEventListener("resize", scaleStage);
    bar.addEventListener("click", event => {
      const key = event.target.dataset.key;
      if (key) { keys[key](); event.target.blur(); }
    });
    let start = null;
    document.addEventListener("touchstart", event => { start = event.target.closest(".chart") ? null : event.touches[0]; }, { passive: true });
    document.addEventListener("touchend", event => {
      const way = start ? event.changedTouches[0].clientX - start.clientX : 0;
      if (Math.abs(way) > 50) turn(current + (way < 0 ? 1 : -1));
    });
  }

  window.slides = window.drawn.then(() => document.fonts.ready).then(() => {
    scaleStage();
    layOut();
    source.remove();
    listSections();
    goTo(location.hash || "#1");
    listen();
    return slides;
  });
})();
