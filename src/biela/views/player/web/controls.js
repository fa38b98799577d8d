// Buttons, menus and keys.
(function (B) {
  "use strict";
  const ICON = {
    play: "M5 3l11 7-11 7z", pause: "M5 3h4v14H5zM12 3h4v14h-4z", start: "M4 4h2v12H4zM16 4v12l-9-6z",
    back: "M13 4v12l-8-6zM15 4h2v12h-2z", ahead: "M7 4v12l8-6zM3 4h2v12H3z",
    loop: "M6 5h7a4 4 0 0 1 0 8h-1v-2h1a2 2 0 0 0 0-4H6v2L2 6l4-3zM14 15H7a4 4 0 0 1-2.6-7L6 9.400a2 2 0 0 0 1 3.600h7v-2l4 3-4 3z",
    fit: "M3 3h5v2H5v3H3zM12 3h5v5h-2V5h-3zM3 12h2v3h3v2H3zM15 12h2v5h-5v-2h3z",
  };
  const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
  const KEYS = [["Space", "play or pause"], ["← →", "one instant back or ahead (with Shift: ten)"], ["Home End", "start, end"],
    ["↑ ↓", "faster, slower"], ["+ −", "zoom in, zoom out"], ["f", "the whole mechanism"], ["l", "repeat"],
    ["t", "paths"], ["v", "arrows"], ["n", "names"], ["c", "plots"], ["g", "grid"], ["p", "perspective (in space)"],
    ["d", "light or dark"], ["?", "this help"]];
  const MICE = { 2: "Drag to move the drawing, turn the wheel to zoom, double-click to see all of it.",
    3: "Drag to rotate, with Shift to move, turn the wheel to zoom, double-click to see all of it." };

  const icon = (name) => '<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="' + ICON[name] + '"/></svg>';

  B.Controls = class {
    constructor(player) {
      this.player = player;
      this.root = player.panel.root;
      this.key = (e) => this.pressed(e);
      this.outside = (e) => { for (const m of this.menus) if (!m.contains(e.target)) m.open = false; };
      this.build();
      const { keyboard } = player.options;
      this.target = keyboard === "page" ? document : keyboard ? this.root : null;
      this.target?.addEventListener("keydown", this.key);
      document.addEventListener("pointerdown", this.outside);
    }

    button(name, label, act, text) {
      const b = B.make("button", { type: "button", "aria-label": label, title: label, class: "bp-" + name }, text);
      if (ICON[name]) b.innerHTML = icon(name);
      b.addEventListener("click", act);
      return b;
    }

    build() {
      const { player } = this, { controls } = player.panel;
      this.playing = this.button("play", "Play", () => player.toggle());
      this.scrub = B.make("input", { type: "range", class: "bp-scrub", min: "0", max: "1000000", step: "any", value: "0", "aria-label": "Time" });
      this.scrub.addEventListener("input", () => {
        player.pause();
        player.seek(player.start + this.scrub.value / 1e6 * (player.end - player.start));
      });
      this.clock = B.make("output", { class: "bp-clock", "aria-label": "Time in seconds" });
      this.speed = B.make("select", { "aria-label": "Speed", title: "Speed", class: "bp-speed" });
      this.speed.addEventListener("change", () => player.setSpeed(Number(this.speed.value)));
      this.loop = this.button("loop", "Repeat", () => this.flip("loop"));
      this.menus = [];
      this.traces = this.menu("Paths");
      this.vectors = this.menu("Arrows");
      this.view = this.menu("View");
      const left = B.make("div", { class: "bp-group" }), middle = B.make("div", { class: "bp-group bp-wide" }), right = B.make("div", { class: "bp-group" });
      left.append(this.button("start", "To the start", () => { player.pause(); player.seek(player.start); }),
        this.button("back", "One instant back", () => player.step(-1)), this.playing,
        this.button("ahead", "One instant ahead", () => player.step(1)));
      middle.append(this.scrub, this.clock);
      right.append(this.speed, this.loop, this.traces.box, this.vectors.box, this.view.box,
        this.button("fit", "The whole mechanism", () => player.fit()), this.button("keys", "Keys", () => this.help(), "?"));
      controls.append(left, middle, right);
    }

    menu(name) {
      const box = B.make("details", { class: "bp-menu" }), list = B.make("div", { class: "bp-list" });
      box.append(B.make("summary", {}, name), list);
      this.menus.push(box);
      return { box, list };
    }

    check(list, label, on, act) {
      const row = B.make("label"), input = B.make("input", { type: "checkbox" });
      input.checked = on;
      input.addEventListener("change", () => act(input.checked));
      row.append(input, document.createTextNode(label));
      list.append(row);
    }

    // New data, or a switch was turned.
    update() {
      const { player } = this, { data, show, panel } = player;
      const key = JSON.stringify([data.title, data.results.map((r) => [r.name, r.method, r.quality, r.notes, r.points.map((p) => p.name),
        r.vectors.map((v) => v.kind)]), [...show.vectors], [...(show.traced || [])], [...show.results], show.names, show.traces, show.grid,
        show.centers, show.plots, player.camera.perspective]);
      this.state();
      if (key === this.last) return;
      this.last = key;
      panel.title.textContent = data.title;
      player.root.setAttribute("aria-label", "Player: " + data.title);
      const one = data.results.length === 1 ? data.results[0] : null;
      const notes = data.results.flatMap((r) => (r.notes || []).map((n) => (one ? n : r.name + ": " + n)));
      panel.made.textContent = [one && one.method, one && one.quality, ...notes].filter(Boolean).join(" · ");
      panel.made.title = panel.made.textContent;
      this.legend();
      const points = [...new Set(data.results.flatMap((r) => [...r.traces, ...r.points].map((p) => p.name)))];
      this.fill(this.traces.list, points.slice(0, 60), show.traced, (on, name) => {
        if (on) { show.traced.add(name); show.traces = true; } else show.traced.delete(name);
      });
      const kinds = [...new Set(data.results.flatMap((r) => r.vectors.map((v) => v.kind)))];
      this.vectors.box.hidden = !kinds.length;
      this.kinds = kinds;
      this.fill(this.vectors.list, kinds, show.vectors, (on, name) => { if (on) show.vectors.add(name); else show.vectors.delete(name); });
      this.view.list.replaceChildren();
      for (const name of ["names", "traces", "centers", "grid", "plots"]) {
        const label = { names: "names", traces: "paths", centers: "centres of mass", grid: "grid", plots: "plots" }[name];
        this.check(this.view.list, label, show[name], () => this.flip(name));
      }
      if (data.dimension === 3) this.check(this.view.list, "perspective", player.camera.perspective, () => this.flip("perspective"));
    }

    fill(list, names, on, act) {
      list.replaceChildren();
      for (const name of names) {
        this.check(list, name, on.has(name), (checked) => { act(checked, name); this.last = null; this.player.redraw(); });
      }
    }

    // Several results: each with its colour, to show or hide.
    legend() {
      const { data, show, panel } = this.player;
      panel.legend.replaceChildren();
      if (data.results.length < 2) return;
      data.results.forEach((r, k) => {
        const b = B.make("button", { type: "button", "aria-pressed": String(show.results.has(k)), title: r.quality || "" });
        const dot = B.make("i", { style: "background: var(--biela-body-" + (k % 6) + ")" });
        b.append(dot, document.createTextNode(r.name));
        b.addEventListener("click", () => {
          if (show.results.has(k)) show.results.delete(k); else show.results.add(k);
          b.setAttribute("aria-pressed", String(show.results.has(k)));
          this.player.plots.redraw();
          this.player.redraw();
        });
        panel.legend.append(b);
      });
    }

    flip(name) {
      const { player } = this, { show } = player;
      if (name === "loop") { player.loop = !player.loop; this.state(); return; }
      if (name === "perspective") {
        player.camera.perspective = !player.camera.perspective;
        player.resize();
      } else if (name === "vectors") {
        if (show.vectors.size) { this.shown = [...show.vectors]; show.vectors.clear(); }
        else for (const kind of this.shown || (this.kinds || []).slice(0, 1)) show.vectors.add(kind);
      } else show[name] = !show[name];
      if (name === "plots") { player.plots.update(); player.resize(); }
      this.update();
      player.redraw();
    }

    state() {
      const { player } = this, { playing } = player;
      if (this.shownPlaying !== playing) {
        this.shownPlaying = playing;
        this.playing.innerHTML = icon(playing ? "pause" : "play");
        this.playing.setAttribute("aria-label", playing ? "Pause" : "Play");
        this.playing.title = playing ? "Pause" : "Play";
      }
      this.loop.setAttribute("aria-pressed", String(player.loop));
      if (this.shownSpeed !== player.speed) {
        this.shownSpeed = player.speed;
        const speeds = [...new Set([...SPEEDS, player.speed])].sort((a, b) => a - b);
        this.speed.replaceChildren(...speeds.map((s) => new Option((s < 1 ? "1/" + B.say(1 / s, 3) : B.say(s, 3)) + "×", s)));
        this.speed.value = String(player.speed);
      }
      this.moved();
    }

    moved() {
      const { player } = this, whole = player.end - player.start;
      if (document.activeElement !== this.scrub || player.playing || true) this.scrub.value = whole > 0 ? 1e6 * (player.time - player.start) / whole : 0;
      const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(whole || 1))));
      const text = player.time.toFixed(digits).replace("-", "\u2212") + " s";
      if (this.clock.textContent !== text) {
        this.clock.textContent = text;
        this.scrub.setAttribute("aria-valuetext", text);
      }
    }

    faster(way) {
      const { player } = this, next = way > 0 ? SPEEDS.find((s) => s > player.speed * 1.001) : [...SPEEDS].reverse().find((s) => s < player.speed * 0.999);
      if (next) player.setSpeed(next);
    }

    pressed(e) {
      if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
      const tag = e.target.tagName, field = tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && !/range|checkbox/.test(e.target.type));
      if (field || e.target.isContentEditable) return;
      if (e.key === " " && (tag === "BUTTON" || tag === "SUMMARY" || (tag === "INPUT" && e.target.type === "checkbox"))) return;
      const { player } = this, { camera, stage } = player, n = e.shiftKey ? 10 : 1;
      const zoom = (k) => { camera.zoomAt(stage.width / 2, stage.height / 2, k); player.redraw(); };
      const acts = {
        " ": () => player.toggle(), ArrowLeft: () => player.step(-n), ArrowRight: () => player.step(n),
        Home: () => { player.pause(); player.seek(player.start); }, End: () => { player.pause(); player.seek(player.end); },
        ArrowUp: () => this.faster(1), ArrowDown: () => this.faster(-1), "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8),
        f: () => player.fit(), l: () => this.flip("loop"), t: () => this.flip("traces"), v: () => this.flip("vectors"),
        n: () => this.flip("names"), c: () => this.flip("plots"), g: () => this.flip("grid"), "?": () => this.help(),
        p: () => { if (player.data.dimension === 3) this.flip("perspective"); },
        d: () => player.setTheme(this.dark() ? "light" : "dark"),
        Escape: () => { for (const m of this.menus) m.open = false; },
      };
      const act = acts[e.key.length === 1 ? e.key.toLowerCase() : e.key];
      if (!act) return;
      act();
      if (e.key !== "Escape") e.preventDefault();
    }

    dark() { return (this.root.dataset.theme || (this.player.scheme.matches ? "dark" : "light")) === "dark"; }

    help() {
      const { help } = this.player.panel;
      if (help.open) { help.close(); return; }
      const list = B.make("dl");
      for (const [key, what] of KEYS) list.append(B.make("dt", {}, key), B.make("dd", {}, what));
      const close = this.button("close", "Close", () => help.close(), "Close");
      help.replaceChildren(B.make("h2", {}, "Keys"), list, B.make("p", {}, MICE[this.player.data.dimension]),
        B.make("p", {}, "A click on a plot over time goes to that time."), close);
      help.showModal();
    }

    destroy() {
      this.target?.removeEventListener("keydown", this.key);
      document.removeEventListener("pointerdown", this.outside);
    }
  };
})(globalThis.BielaPlayer);
