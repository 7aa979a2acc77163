// Panels in which the library itself computes: loads it once, when the first panel comes near, and calls it. No network:
// the library lies beside the pages, packed in a script. Without WebAssembly the panels stay hidden and the figures stand.
"use strict";
globalThis.live = (() => {
  const base = document.currentScript.src.replace(/[^/]*$/, "");
  const kinds = {}; // what draws a panel, by its kind
  const calls = []; // what was asked, with the answers as they came, for the test of the book
  let library;

  function script(name) {
    return new Promise((done, failed) => {
      const element = document.createElement("script");
      element.src = base + name;
      element.onload = done;
      element.onerror = () => failed(new Error(`${name} is missing beside the page`));
      document.head.append(element);
    });
  }

  async function load() {
    await Promise.all([script("wasm_exec.js"), script("library.js")]);
    const packed = Uint8Array.from(atob(globalThis.sparseroLibrary), letter => letter.charCodeAt(0));
    globalThis.sparseroLibrary = undefined;
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(await new Response(unpacked).arrayBuffer(), go.importObject);
    go.run(instance); // returns when main waits, and sparsero is there
  }

  // ask calls a function of the library. An error of the library is thrown with its text.
  function ask(name, request) {
    const text = JSON.stringify(request), begin = performance.now();
    const answer = globalThis.sparsero(name, text);
    calls.push({ name, request: text, answer, milliseconds: performance.now() - begin });
    if (calls.length > 400) calls.shift();
    const read = JSON.parse(answer, (_, value) => value === "+Inf" ? Infinity : value === "-Inf" ? -Infinity : value === "NaN" ? NaN : value);
    if (read.Error) throw new Error(read.Error);
    return read;
  }

  // start draws a panel once the library is there. update is called again whenever its state changes, once per picture.
  async function start(section) {
    const place = section.querySelector(".work"), wait = section.querySelector(".wait");
    try {
      await (library ||= load());
      wait.remove();
      const settings = JSON.parse(section.querySelector("script").textContent);
      const trouble = make(section, "p", { class: "trouble", role: "alert" });
      let asked = false;
      const update = kinds[section.dataset.kind](place, settings, () => {
        if (asked) return;
        asked = true;
        requestAnimationFrame(() => { asked = false; attempt(); });
      });
      const attempt = () => {
        trouble.textContent = "";
        try { update(); } catch (problem) { trouble.textContent = problem.message; }
      };
      attempt();
      let width = place.clientWidth;
      new ResizeObserver(() => { if (place.clientWidth !== width) { width = place.clientWidth; attempt(); } }).observe(place);
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

  // digits writes a number with four digits that count.
  function digits(value) {
    if (value === Infinity) return "∞";
    if (!Number.isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
      const [front, power] = Number(value.toPrecision(3)).toExponential().split("e");
      const raised = [...power.replace("+", "")].map(letter => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(letter)]).join("");
      return (front === "1" ? "10" : front.replace("-", "−") + " · 10") + raised;
    }
    return String(Number(value.toPrecision(4))).replace("-", "−");
  }

  function begin() {
    const sections = [...document.querySelectorAll("section.live")];
    if (!globalThis.WebAssembly || !globalThis.DecompressionStream) return;
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
  return { kinds, calls, ask, make, digits };
})();
