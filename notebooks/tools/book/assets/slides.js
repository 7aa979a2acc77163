// Makes slides of 1280 x 720 pixels from the blocks of a page and turns them: one statement or one figure a slide, and before
// a figure the question that TEACHING asks. What only the code needs, and what explains at length, stays on the page.
"use strict";
(() => {
  const source = document.querySelector("main"), stage = document.querySelector(".stage"), bar = document.querySelector(".bar");
  const slides = [], largest = { figure: 2, other: 1.4 }, mostWords = 70;
  const questions = JSON.parse(document.querySelector("#questions").textContent);
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
    if (/^\s*[□∎]/.test(parts.at(-1).textContent) && parts.length > 1) parts.at(-2).append(...parts.pop().childNodes); // the end of a proof
    return parts.filter(part => part.textContent.trim());
  }

  // spoken: a sentence for the room, not for somebody who runs cells.
  function spoken(sentence) {
    return !sentence.querySelector("code") && !/\b(cells?|kernel|imports?|prints?|printed|notebooks?|tutorials?|slider|next picture|stars|Running time)\b|^For ★|^Below,|\bexample below\b/.test(sentence.textContent);
  }

  // short: at most so many words, the sentences with a formula or with bold words before others; of sentences that lead to
  // a formula the last ones.
  function short(parts, leads) {
    const kept = part => part.querySelector(".katex-display, strong") || leads && part === parts.at(-1);
    while (parts.length > 1 && parts.reduce((sum, part) => sum + countWords(part), 0) > mostWords) {
      const least = leads ? parts.findIndex(part => !kept(part)) : parts.findLastIndex(part => !kept(part));
      parts.splice(least >= 0 ? least : leads ? 0 : parts.length - 1, 1);
    }
    return parts;
  }

  // lines are the lines of a point without those that are about code; none where the first one is.
  function lines(point) {
    const parts = [make("span", "")];
    for (const node of [...point?.childNodes ?? []]) {
      if (node.nodeName === "BR") parts.push(make("span", ""));
      else parts.at(-1).append(node);
    }
    return spoken(parts[0]) ? parts.filter(spoken).flatMap((part, i) => i > 0 ? [make("br", ""), part] : [part]) : [];
  }

  // items are the points of a list, each down to the bold sentence that it opens with, or to its first sentence.
  function items(list) {
    const copies = [...list.children].map(item => {
      const copy = list.cloneNode(false), bold = item.querySelector("strong"), opens = bold && countWords(bold) > 2 && item.textContent.trim().startsWith(bold.textContent);
      const ended = opens && /[.?!]$/.test(bold.textContent), first = ended ? [] : lines(sentences(item)[0]);
      const alone = ended || (opens && !first.length), end = bold?.lastChild;
      if (alone && end.nodeType === Node.TEXT_NODE) end.data = end.data.replace(/[:,]$/, "");
      copy.append(make("li", "", ...(alone ? [bold] : first)));
      return copy;
    }).filter(copy => copy.textContent.trim() && spoken(copy));
    if (list.tagName === "OL") copies.forEach((copy, i) => { copy.start = list.start + i; }); // without gaps
    return copies;
  }

  // statements are what a block of text has for slides: how a section begins, what is bold, formulas with the sentence
  // that leads to them, lists and tables. Of the first block, which says where the page stands in the paper, only its list.
  let place = "", told = null, lead = [];
  function statements(block) {
    return [...block.children].flatMap(child => {
      const [before, leading] = [told, lead];
      [told, lead] = [null, []];
      if (/^H[12]$/.test(child.tagName)) { place = child.tagName === "H1" ? "head" : "opening"; return [{ title: child }]; }
      if (/^[UO]L$/.test(child.tagName)) {
        if (!before || before.words.at(-1) !== leading[0]) return [{ words: [...leading, ...items(child)] }];
        before.words.push(...items(child));
        return [];
      }
      if (child.tagName === "TABLE") return rowsThatFit(child);
      if (child.tagName === "SPAN" && child.querySelector(".katex-display")) {
        if (before) (told = before).words.push(child); // and so does a second formula
        return before ? [] : [{ words: [...leading, child] }];
      }
      if (child.tagName !== "P" || child.querySelector("img")) return [];
      const formula = child.querySelector(".katex-display"), bold = child.querySelector("strong"), parts = sentences(child); // which takes it apart
      if (!parts.length || !spoken(parts[0]) || /^(\(|Solutions:|Previous:)/.test(parts[0].textContent)) return [];
      const said = parts.filter(part => spoken(part) && !part.textContent.startsWith("("));
      lead = said.slice(-1);
      if (place === "head" || lead[0] === said[0] && bold?.textContent.trim() === said[0].textContent.trim()) return [];
      const first = place === "opening", leads = child.nextElementSibling?.matches("span:has(.katex-display)");
      if (/^\d+\. ★/.test(parts[0].textContent)) { place = ""; return parts.every(spoken) ? [{ words: parts }] : []; } // nobody solves half an exercise
      if (said.length === 1 && parts.length > 1 && countWords(said[0]) < 15 && !said[0].querySelector(".katex")) return []; // the rest is about code
      place = "";
      if (!formula && !bold && !first && !leads) return [];
      told = { words: short(formula || bold || leads ? said : said.slice(0, 2), leads) };
      return [told];
    });
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
      for (const rest of output.querySelectorAll("details")) {
        rest.parentElement.querySelector("p > small")?.remove(); // how many rows the page shows
        rest.replaceWith(make("small", "", "the first rows; more are on the page"));
      }
      if (output.querySelector(".figure")) return [...asked(output.firstElementChild), { shows: output.firstElementChild, figure: true }];
      return output.querySelector(".html table") ? rowsThatFit(output.firstElementChild) : [];
    });
    return program ? [{ program }, ...units] : units;
  }

  // asked is the question before a figure, where TEACHING has one for its title.
  function asked(figure) {
    const chart = figure.querySelector("script"), titled = chart ? [].concat(JSON.parse(chart.textContent).title?.text ?? "").join(" ") : "";
    const found = questions.find(([title]) => title === titled || figure.querySelector("img").alt.startsWith(title));
    return found ? [{ words: [make("p", "question", found[1])] }] : [];
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

  function headOf(title) { return [...title.childNodes].filter(node => node.className !== "anchor-link").map(node => node.cloneNode(true)); }

  // build puts words and something to show on a new slide; fits tells whether all of it has room and can be read.
  function build(section, kind, words, shown) {
    const body = make("div", "body"), slide = make("article", `slide ${kind}`, make("h2", "", ...headOf(section.title)), body);
    if (section.first) slide.classList.add("first");
    if (words.length) body.append(make("div", "words", ...words));
    if (shown) body.append(make("div", "shows", shown.shows));
    stage.append(slide);
    window.keepPunctuation(slide);
    window.fitFormulas(slide);
    return slide;
  }
  // countWords counts a formula as one word; its text holds it several times.
  function countWords(element) {
    const copy = element.cloneNode(true);
    for (const formula of copy.querySelectorAll(".katex")) formula.replaceWith("x");
    return copy.textContent.split(/\s+/).filter(Boolean).length;
  }
  function fits(slide) {
    const body = slide.querySelector(".body"), words = slide.querySelector(".words");
    return !words || words.offsetHeight <= body.clientHeight && words.scrollWidth <= words.clientWidth + 1;
  }

  function keep(section, slide, programs) {
    if (section.used) slide.classList.add("again");
    if (!section.used) slide.querySelector("h2").id = section.title.id;
    section.used = true;
    slide.programs = programs;
    slides.push(slide);
    if (slide.querySelector(".shows")) slide.addEventListener("input", () => requestAnimationFrame(() => fit(slide.querySelector(".shows"))));
  }

  // tell: one statement, on more slides only where it does not fit.
  function tell(section, words, programs) {
    const whole = build(section, "", words);
    if (fits(whole)) return keep(section, whole, programs);
    const heights = words.map(element => element.offsetHeight + 16);
    whole.remove();
    const starts = balanced(heights, 520);
    starts.forEach((start, part) => {
      const group = words.slice(start, starts[part + 1]), slide = build(section, "", group);
      if (!fits(slide)) slide.classList.add("dense");
      window.fitFormulas(slide);
      keep(section, slide, programs);
    });
  }

  function layOut() {
    const units = [...source.children].flatMap(block => block.className === "prose" ? statements(block) : codeUnits(block));
    let section = { title: make("h1", "", document.title) }, programs = [];
    for (const unit of units) {
      if (unit.title) {
        section = { title: unit.title, first: unit.title.tagName === "H1" };
        programs = [];
      } else if (unit.program) programs.push(unit.program);
      else if (unit.shows) {
        keep(section, build(section, "stacked", [], unit), programs);
        fit(slides.at(-1).querySelector(".shows"));
        programs = [];
      } else if (unit.words.reduce((sum, element) => sum + countWords(element), 0) > 2) tell(section, unit.words, programs);
    }
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
      const link = list.appendChild(make("a", "", make("b", "", i + 1), make("span", "", ...slide.querySelector("h2").cloneNode(true).childNodes)));
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
