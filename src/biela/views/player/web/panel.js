// The boxes of the player: header, stage, plots, controls.
(function (B) {
  "use strict";

  B.make = function (tag, attributes, text) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
  };

  B.panel = function (element, options) {
    const root = B.make("div", { class: "biela-player", tabindex: "0", role: "group", "aria-label": "Mechanism player" });
    const header = B.make("header", { class: "bp-header" }), body = B.make("div", { class: "bp-body" });
    const title = B.make("h1", { class: "bp-title" }), legend = B.make("div", { class: "bp-legend" });
    const made = B.make("p", { class: "bp-made" });
    header.append(title, legend, made);
    const stage = B.make("div", { class: "bp-stage" }), canvas = B.make("canvas", { role: "img", "aria-label": "Mechanism" });
    stage.append(canvas);
    const plots = B.make("aside", { class: "bp-plots", "aria-label": "Plots" });
    body.append(stage, plots);
    const controls = B.make("div", { class: "bp-controls", role: "toolbar", "aria-label": "Playback" });
    const help = B.make("dialog", { class: "bp-help", "aria-label": "Keys" });
    if (options.header) root.append(header);
    root.append(body);
    if (options.controls) root.append(controls);
    root.append(help);
    element.append(root);
    return { root, header, title, legend, made, stage, canvas, plots, controls, help };
  };
})(globalThis.BielaPlayer);
