// Plots beside the stage: each shows one channel over time, or over another, with a cursor at the player's time.
(function (B) {
  "use strict";
  const MOST = 8, PAD = { left: 58, right: 14, top: 8, bottom: 24 };

  B.Plots = class {
    constructor(player) {
      Object.assign(this, { player, box: player.panel.plots, panes: [], names: "" });
      this.add = B.make("button", { class: "bp-add", type: "button", "aria-label": "Add a plot" }, "+ plot");
      this.add.addEventListener("click", () => this.append());
      this.box.append(this.add);
    }

    // New data: panes stay where their channels still exist.
    update() {
      const { data, show } = this.player, lists = data.results.map((r) => r.channels.items.map((c) => c.name));
      const names = [...new Set(lists.flat())], key = names.join("\n");
      this.units = new Map(data.results.flatMap((r) => r.channels.items.map((c) => [c.name, c.unit])));
      this.known = names;
      const rebuilt = key !== this.names;
      if (rebuilt) {
        this.names = key;
        const kept = this.panes.length ? this.panes.map((p) => p.y).filter((y) => names.includes(y)) : [];
        this.set(kept.length ? kept : data.shown.filter((n) => names.includes(n)));
      }
      this.player.root.classList.toggle("bp-no-plots", !show.plots || !names.length);
      return rebuilt;
    }

    set(names) {
      for (const pane of this.panes) pane.box.remove();
      this.panes = [];
      for (const y of names.slice(0, MOST)) this.append(y);
      this.resize();
    }

    append(y) {
      if (this.panes.length >= MOST || !this.known.length) return;
      const used = this.panes.map((p) => p.y), first = y || this.known.find((n) => !used.includes(n)) || this.known[0];
      const pane = { y: first, x: "t", box: B.make("section", { class: "bp-pane" }) };
      const head = B.make("div", { class: "bp-pane-head" });
      const vertical = this.menu(pane, "y", "Channel"), across = this.menu(pane, "x", "Against");
      const close = B.make("button", { type: "button", class: "bp-x", "aria-label": "Remove this plot", title: "Remove this plot" }, "×");
      close.addEventListener("click", () => {
        this.panes = this.panes.filter((p) => p !== pane);
        pane.box.remove();
        this.resize();
      });
      pane.value = B.make("output", { class: "bp-value" });
      head.append(vertical, B.make("span", { class: "bp-over" }, "over"), across, pane.value, close);
      const frame = B.make("div", { class: "bp-pane-frame" });
      pane.canvas = B.make("canvas", { role: "img" });
      pane.over = B.make("canvas", { class: "bp-cursor", "aria-hidden": "true" });
      frame.append(pane.canvas, pane.over);
      pane.box.append(head, frame);
      pane.frame = frame;
      this.scrub(pane);
      this.panes.push(pane);
      this.box.insertBefore(pane.box, this.add);
      this.add.hidden = this.panes.length >= MOST;
      if (!y) this.resize();
    }

    menu(pane, axis, label) {
      const select = B.make("select", { "aria-label": label, title: label });
      if (axis === "x") select.append(new Option("t [s]", "t"));
      const groups = new Map();
      for (const name of this.known) {
        const group = name.split(".")[0], unit = this.units.get(name);
        if (!groups.has(group)) groups.set(group, B.make("optgroup", { label: group }));
        groups.get(group).append(new Option(unit && unit !== "1" ? name + " [" + unit + "]" : name, name));
      }
      select.append(...groups.values());
      select.value = pane[axis];
      select.addEventListener("change", () => { pane[axis] = select.value; this.draw(pane); this.cursor(); });
      select.addEventListener("keydown", (e) => e.stopPropagation());
      return select;
    }

    scrub(pane) { // a plot over time is a second scrubber
      const to = (e) => {
        if (pane.x !== "t" || !pane.scale) return;
        const box = pane.over.getBoundingClientRect();
        this.player.pause();
        this.player.seek(pane.scale.time(e.clientX - box.left));
      };
      pane.over.addEventListener("pointerdown", (e) => { pane.over.setPointerCapture(e.pointerId); to(e); });
      pane.over.addEventListener("pointermove", (e) => { if (e.buttons) to(e); });
    }

    resize() {
      if (!this.player.data || this.player.root.classList.contains("bp-no-plots")) return;
      const ratio = Math.min(devicePixelRatio || 1, 3);
      for (const pane of this.panes) {
        const box = pane.frame.getBoundingClientRect();
        const width = Math.floor(box.width), height = Math.floor(box.height);
        if (width === pane.width && height === pane.height && ratio === pane.ratio) { this.draw(pane); continue; }
        Object.assign(pane, { width, height, ratio });
        for (const canvas of [pane.canvas, pane.over]) {
          canvas.width = pane.width * ratio;
          canvas.height = pane.height * ratio;
          canvas.style.width = pane.width + "px";
          canvas.style.height = pane.height + "px";
          canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
        }
        this.draw(pane);
      }
      this.cursor();
    }

    redraw() { for (const pane of this.panes) this.draw(pane); this.cursor(); }

    curves(pane) {
      const { data, show } = this.player;
      return data.results.map((r, k) => ({ k, x: B.curve(r, pane.x), y: B.curve(r, pane.y) }))
        .filter(({ k, x, y }) => show.results.has(k) && x && y && y.y.length);
    }

    draw(pane) {
      if (!(pane.width > PAD.left + PAD.right + 20)) return;
      const { theme, start, end } = this.player, c = pane.canvas.getContext("2d"), lines = this.curves(pane);
      c.clearRect(0, 0, pane.width, pane.height);
      const oy = lines.length ? lines[0].y.offset : 0, ox = pane.x === "t" || !lines.length ? 0 : lines[0].x.offset;
      const [y0, y1] = B.range(lines.map((l) => l.y), oy);
      const [x0, x1] = pane.x === "t" ? [start, end > start ? end : start + 1] : B.range(lines.map((l) => l.x), ox);
      const w = pane.width - PAD.left - PAD.right, h = pane.height - PAD.top - PAD.bottom;
      const x = (v) => PAD.left + w * (v - x0) / (x1 - x0), y = (v) => PAD.top + h * (1 - (v - y0) / (y1 - y0));
      pane.scale = { x, y, ox, oy, lines, time: (px) => x0 + (px - PAD.left) / w * (x1 - x0) };
      axes(c, pane, theme, x, y, [x0, x1, ox], [y0, y1, oy]);
      c.save();
      c.beginPath(); c.rect(PAD.left, PAD.top - 2, w, h + 4); c.clip();
      c.lineJoin = "round"; c.lineWidth = 1.6;
      for (const line of [...lines].reverse()) {
        c.strokeStyle = theme.body(line.k);
        if (pane.x === "t") B.stroke(c, line.y, oy, x, y, w); else B.strokePlane(c, line.x, line.y, [ox, oy], x, y);
      }
      c.restore();
      pane.canvas.setAttribute("aria-label", "Plot of " + pane.y + " over " + pane.x);
    }

    cursor() {
      if (this.player.root.classList.contains("bp-no-plots")) return;
      const { theme, time, start, end } = this.player;
      for (const pane of this.panes) {
        if (!pane.scale) continue;
        const c = pane.over.getContext("2d"), { x, y, ox, oy, lines } = pane.scale;
        c.clearRect(0, 0, pane.width, pane.height);
        if (pane.x === "t") {
          const px = Math.round(x(time)) + 0.5;
          B.signs.line(c, [[px, PAD.top], [px, pane.height - PAD.bottom]], theme.grey, 1);
        }
        const said = [];
        for (const line of lines) {
          const over = time > line.y.t[line.y.t.length - 1] + 1e-6 * (end - start); // of several motions the shorter ones
          const v = over ? NaN : B.valueAt(line.y, time), u = pane.x === "t" ? time : B.valueAt(line.x, time);
          said.push(over ? "–" : B.say(v, 4));
          if (isFinite(v) && isFinite(u)) B.signs.circle(c, x(u - ox), y(v - oy), 3.6, theme.body(line.k), theme.paper, 1.4);
        }
        const text = said.slice(0, 3).join("  ");
        if (pane.value.textContent !== text) pane.value.textContent = text;
      }
    }
  };

  function axes(c, pane, theme, x, y, across, up) {
    const bottom = pane.height - PAD.bottom, right = pane.width - PAD.right;
    c.font = "11px " + theme.font; c.fillStyle = theme.grey; c.lineWidth = 1; c.strokeStyle = theme.grid;
    const [y0, y1, oy] = up, [x0, x1, ox] = across;
    const rows = B.ticks(y0, y1, Math.max(2, Math.floor(pane.height / 42)));
    const columns = B.ticks(x0, x1, Math.max(2, Math.floor(pane.width / 80)));
    c.beginPath();
    for (const v of rows.values) { const py = Math.round(y(v)) + 0.5; c.moveTo(PAD.left, py); c.lineTo(right, py); }
    for (const v of columns.values) { const px = Math.round(x(v)) + 0.5; c.moveTo(px, PAD.top); c.lineTo(px, bottom); }
    c.stroke();
    // values that need more room than there is are told by their difference from the first
    const wide = oy !== 0 && rows.values.some((v) => c.measureText(B.tick(v, rows.step, oy)).width > PAD.left - 8);
    c.textAlign = "right"; c.textBaseline = "middle";
    for (const v of rows.values) c.fillText(B.tick(v, rows.step, wide ? 0 : oy), PAD.left - 6, y(v));
    c.textAlign = "left"; c.textBaseline = "top";
    if (wide) c.fillText("difference from " + B.say(oy, 8), PAD.left + 6, PAD.top);
    c.textAlign = "center"; c.textBaseline = "top";
    for (const v of columns.values) if (x(v) < right - 8) c.fillText(B.tick(v, columns.step, ox), x(v), bottom + 6);
    c.strokeStyle = theme.grey; c.beginPath();
    c.moveTo(PAD.left + 0.5, PAD.top); c.lineTo(PAD.left + 0.5, bottom + 0.5); c.lineTo(right, bottom + 0.5);
    c.stroke();
  }
})(globalThis.BielaPlayer);
