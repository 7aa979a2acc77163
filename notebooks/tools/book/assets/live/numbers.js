// Numbers as the panels write them: with four digits that count, with three where they are small or large. What is proven is
// rounded outwards, as proof.Upper and proof.Lower do in Go.
"use strict";
globalThis.numbers = (() => {
  const smallest = -3, largest = 5; // the powers of ten of the first digit that are written without a power

  // outward writes value · 10^power, rounded up for side 1, down for -1 and to the nearest for 0.
  function outward(value, side, power = 0) {
    const sign = value < 0 ? "−" : "", size = Math.abs(value);
    if (Number.isNaN(size)) return "–";
    if (size === Infinity) return sign + "∞";
    let [exact, exponent] = size.toExponential(100).split("e").map(part => part.replace(".", "")); // all that float64 has
    exponent = Number(exponent) + power;
    const count = exponent < smallest || exponent > largest ? 3 : 4, rest = exact.slice(count);
    const away = side === 0 ? rest[0] >= "5" : side === Math.sign(value) && /[1-9]/.test(rest);
    const head = String(Number(exact.slice(0, count)) + (away ? 1 : 0));
    return sign + written(head.replace(/0+$/, ""), exponent + head.length - count);
  }

  // written puts digits, the first of which counts 10^exponent.
  function written(digits, exponent) {
    if (digits === "") return "0";
    if (exponent < smallest || exponent > largest) {
      const raised = [...String(exponent)].map(letter => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(letter)]).join("");
      return (digits === "1" ? "" : pointed(digits, 1) + " · ") + "10" + raised;
    }
    return exponent < 0 ? pointed("0".repeat(-exponent) + digits, 1) : pointed(digits.padEnd(exponent + 1, "0"), exponent + 1);
  }

  const pointed = (digits, front) => digits.slice(0, front) + (digits.length > front ? "." + digits.slice(front) : "");

  return {
    outward,
    digits: value => outward(value, 0), // of one argument, for lists
    atMost: (value, power) => outward(value, 1, power), // a bound from above; power 2 for one in per cent
    atLeast: (value, power) => outward(value, -1, power), // a bound from below
  };
})();
