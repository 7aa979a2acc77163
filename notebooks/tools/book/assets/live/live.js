// Panels in which the library itself computes: starts it once, in a worker, when the first panel comes near, and asks it. No
// network: the library lies beside the pages, packed in a script. Without WebAssembly or workers the panels stay hidden and
// the figures stand.
"use strict";
globalThis.live = (() => {
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const kinds = {}; // what draws a panel, by its kind
  const calls = []; // what was asked, with the answers as they came, for the test of the book
  const waiting = []; // who waits for an answer of the worker; it answers in the order of the questions
  let library, worker;

  function script(name) {
    return new Promise((done, failed) => {
      const element = document.createElement("script");
      element.src = base + name;
      element.onload = done;
      element.onerror = () => failed(new Error(`${name} is missing beside the page`));
      document.head.append(element);
    });
  }

  // serve runs in the worker, after Go's runner. Its first message is the packed library, the others are calls of it.
  function serve() {
    async function start(packed) {
      const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
      const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      const go = new Go();
      const { instance } = await WebAssembly.instantiate(await new Response(unpacked).arrayBuffer(), go.importObject);
      go.run(instance); // returns when main waits, and sparsero is there
      return {};
    }
    function call({ name, text }) {
      const begin = performance.now(), answer = globalThis.sparsero(name, text);
      return { answer, milliseconds: performance.now() - begin };
    }
    onmessage = async ({ data }) => {
      try {
        postMessage(await (data.library ? start(data.library) : call(data)));
      } catch (problem) {
        postMessage({ problem: problem.message });
      }
    };
  }

  // send gives the worker a message and waits for what it says to it.
  function send(message) {
    return new Promise((done, failed) => {
      waiting.push(said => said.problem ? failed(new Error(said.problem)) : done(said));
      worker.postMessage(message);
    });
  }

  // load starts the worker from a script made here: a page that was opened from a file may not start one from a file.
  async function load() {
    await script("library.js");
    const code = URL.createObjectURL(new Blob([atob(globalThis.sparseroRunner), `\n(${serve})();`], { type: "text/javascript" }));
    worker = new Worker(code);
    worker.onmessage = ({ data }) => waiting.shift()(data);
    worker.onerror = event => { while (waiting.length) waiting.shift()({ problem: event.message || "the worker does not start" }); };
    await send({ library: globalThis.sparseroLibrary });
    globalThis.sparseroLibrary = undefined;
    URL.revokeObjectURL(code);
  }

  // ask calls a function of the library. An error of the library is thrown with its text.
  async function ask(name, request) {
    const text = JSON.stringify(request), { answer, milliseconds } = await send({ name, text });
    calls.push({ name, request: text, answer, milliseconds });
    if (calls.length > 400) calls.shift();
    const read = JSON.parse(answer, (_, value) => value === "+Inf" ? Infinity : value === "-Inf" ? -Infinity : value === "NaN" ? NaN : value);
    if (read.Error) throw new Error(read.Error);
    return read;
  }

  // repeated runs update again whenever its state changes: once per picture, and never twice at the same time. The panel is
  // marked as busy meanwhile. What update gets tells it that the state has changed since it began.
  function repeated(section, update) {
    const trouble = make(section, "p", { class: "trouble", role: "alert" });
    let asked = false, busy = false;
    async function run() {
      busy = true;
      while (asked) {
        asked = false;
        trouble.textContent = "";
        try { await update(() => asked); } catch (problem) { trouble.textContent = problem.message; }
      }
      busy = false;
      section.removeAttribute("aria-busy");
    }
    return () => {
      asked = true;
      section.setAttribute("aria-busy", "true");
      if (!busy) { busy = true; requestAnimationFrame(run); }
    };
  }

  // start draws a panel once the library is there.
  async function start(section) {
    const place = section.querySelector(".work"), wait = section.querySelector(".wait");
    try {
      await (library ||= load());
      const settings = JSON.parse(section.querySelector("script").textContent);
      let changed = () => {};
      const update = await kinds[section.dataset.kind](place, settings, () => changed());
      wait.remove();
      changed = repeated(section, update);
      changed();
      let width = place.clientWidth;
      new ResizeObserver(() => { if (place.clientWidth !== width) { width = place.clientWidth; changed(); } }).observe(place);
      section.dataset.ready = "yes";
    } catch (problem) {
      section.hidden = true;
      console.error("panel: " + problem.message);
    }
  }

  // make adds an element; SVG inside of SVG.
  function make(parent, tag, attributes = {}, text = "") {
    const svg = tag === "svg" || parent.namespaceURI === "http://www.w3.org/2000/svg";
    const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== "") element.textContent = text;
    parent.append(element);
    return element;
  }

  function begin() {
    const sections = [...document.querySelectorAll("section.live")];
    if (!globalThis.WebAssembly || !globalThis.DecompressionStream || !globalThis.Worker) return;
    const watch = new IntersectionObserver(entries => entries.forEach(entry => {
      if (!entry.isIntersecting) return;
      watch.unobserve(entry.target);
      start(entry.target);
    }), { rootMargin: "800px" });
    for (const section of sections) {
      section.hidden = false;
      watch.observe(section);
    }
  }
  document.addEventListener("DOMContentLoaded", begin);
  return { ...globalThis.numbers, kinds, calls, ask, make };
})();
