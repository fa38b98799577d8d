// Colours: from the style sheet, so that light and dark, and whoever embeds the player, decide.
(function (B) {
  "use strict";
  const NAMES = ["ink", "grey", "paper", "steel", "case", "grid", "velocity", "acceleration", "force", "reaction"];

  B.theme = function (element) {
    const style = getComputedStyle(element), out = { bodies: [] };
    const read = (name) => style.getPropertyValue("--biela-" + name).trim();
    for (const name of NAMES) out[name] = read(name);
    for (let k = 0; k < 6; k++) out.bodies.push(read("body-" + k));
    out.body = (k) => (k < 0 ? out.grey : out.bodies[k % out.bodies.length]);
    const known = new Map();
    out.mix = (colour, share) => { // a colour mixed with the paper
      const key = colour + share;
      if (!known.has(key)) known.set(key, mixed(colour, out.paper, share));
      return known.get(key);
    };
    out.font = style.fontFamily || "sans-serif";
    return out;
  };

  function rgb(text) {
    if (text[0] === "#") {
      const full = text.length === 4 ? text.slice(1).split("").map((c) => c + c).join("") : text.slice(1);
      return [0, 2, 4].map((k) => parseInt(full.slice(k, k + 2), 16));
    }
    return (text.match(/[\d.]+/g) || [0, 0, 0]).slice(0, 3).map(Number);
  }

  function mixed(colour, paper, share) {
    const a = rgb(colour), b = rgb(paper);
    return "rgb(" + a.map((x, k) => Math.round(x + share * (b[k] - x))).join(",") + ")";
  }
})(globalThis.BielaPlayer);
