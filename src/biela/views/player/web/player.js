// The player.
//
//   const player = BielaPlayer.mount(element, data, options)
//
// data     what biela.views.player.scene_data gives
// options  autoplay (false), loop (true), speed (chosen by the duration), time, theme ("light", "dark", else the
//          system's), controls (true), header (true), plots (true), names (true), traces (true), grid (true),
//          centers (true), vectors (["velocity", ...] shown at first: none), perspective (true),
//          keyboard ("focus": when the player has the focus, "page": always, false: never),
//          draggable (names of points), drag(name, [x, y], "start" | "move" | "end")
//
// player.update(data)   other data of the same kind, at once: time, view, plots and switches stay as they are
// player.play() .pause() .toggle() .seek(t) .step(±n) .setSpeed(x) .setTheme(name) .fit() .destroy()
// player.on("time" | "play" | "pause" | "update", f) gives a function that takes it back
// player.time, .playing, .speed, .loop, .data, .camera (camera.toWorld(x, y) in the plane), .show (the switches)
// player.setPlots([channel, ...]) .setVectors([kind, ...]) .setTraces([point, ...])
(function (B) {
  "use strict";
  const ON = { controls: true, header: true, plots: true, names: true, traces: true, grid: true, centers: true, loop: true };

  B.mount = (element, data, options) => new Player(element, data, options || {});

  class Player {
    constructor(element, data, options) {
      this.options = { keyboard: "focus", ...ON, ...options };
      this.listeners = {};
      this.loop = this.options.loop;
      this.playing = false;
      this.show = { names: this.options.names, traces: this.options.traces, grid: this.options.grid,
        centers: this.options.centers, plots: this.options.plots, vectors: new Set(this.options.vectors || []),
        traced: null, results: new Set(), kinds: null };
      this.panel = B.panel(element, this.options);
      this.root = this.panel.root;
      if (this.options.theme) this.root.dataset.theme = this.options.theme;
      this.plots = new B.Plots(this);
      this.controls = new B.Controls(this);
      this.stage = new B.Stage(this);
      this.scheme = matchMedia("(prefers-color-scheme: dark)");
      this.recolour = () => { this.theme = B.theme(this.root); this.plots.redraw(); this.redraw(); };
      this.scheme.addEventListener("change", this.recolour);
      this.theme = B.theme(this.root);
      this.observer = new ResizeObserver(() => this.resize());
      this.update(data);
      this.observer.observe(this.panel.stage);
      this.observer.observe(this.panel.plots);
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (this.options.autoplay && !calm && this.end > this.start) this.play();
    }

    // ------------------------------------------------------------------------------------------------- data
    update(data) {
      const first = !this.data, other = first || data.dimension !== this.data.dimension;
      this.data = data;
      [this.start, this.end] = data.duration;
      this.motions = data.results.map((r) => new B.Motion(r, data.dimension));
      if (other) {
        this.camera = data.dimension === 2 ? new B.PlaneCamera(data) : new B.SpaceCamera(data);
        if (this.options.perspective === false) this.camera.perspective = false;
      } else this.camera.set(data);
      if (first || other) {
        this.speed = this.options.speed || pace(this.end - this.start);
        this.time = this.options.time ?? this.start;
        this.show.results = new Set(data.results.map((_, k) => k));
      }
      if (this.show.results.size === 0 || [...this.show.results].some((k) => k >= data.results.length) || this.results !== data.results.length) {
        this.show.results = new Set(data.results.map((_, k) => k));
      }
      this.results = data.results.length;
      const points = new Set(data.results.flatMap((r) => [...r.points, ...r.traces].map((p) => p.name)));
      if (!this.show.traced || ![...this.show.traced].every((p) => points.has(p))) {
        this.show.traced = new Set(data.results.flatMap((r) => r.traces.map((p) => p.name)));
      }
      this.time = Math.min(Math.max(this.time, this.start), this.end);
      this.controls.update();
      const rebuilt = this.plots.update();
      if (this.stage.width && !rebuilt && !other) this.refresh(); else this.resize();
      this.emit("update");
    }

    setPlots(names) { this.plots.set(names); }
    setVectors(kinds) { this.show.vectors = new Set(kinds); this.controls.update(); this.redraw(); }
    setTraces(names) { this.show.traced = new Set(names); this.show.traces = true; this.controls.update(); this.redraw(); }
    setTheme(name) {
      if (name) this.root.dataset.theme = name; else delete this.root.dataset.theme;
      this.recolour();
    }

    // ------------------------------------------------------------------------------------------------- time
    play() {
      if (this.playing || !(this.end > this.start)) return;
      if (this.time >= this.end) this.time = this.start;
      this.playing = true;
      this.last = null;
      this.controls.state();
      this.emit("play");
      this.tick();
    }

    pause() {
      if (!this.playing) return;
      this.playing = false;
      this.controls.state();
      this.emit("pause");
    }

    toggle() { if (this.playing) this.pause(); else this.play(); }

    seek(time) {
      this.time = Math.min(Math.max(time, this.start), this.end);
      this.redraw();
      this.emit("time");
    }

    // By instants that were computed, of the first motion.
    step(n) {
      this.pause();
      const t = this.motions[0].t, slack = 1e-6 * (this.end - this.start);
      let k = B.before(t, this.time + slack);
      if (n < 0 && t[k] < this.time - slack) k += 1;
      this.seek(t[Math.min(Math.max(k + n, 0), t.length - 1)]);
    }

    setSpeed(speed) {
      this.speed = Math.min(Math.max(speed, 1e-6), 1e6);
      this.controls.state();
    }

    tick() {
      if (!this.playing || this.frame) return;
      this.frame = requestAnimationFrame((now) => {
        this.frame = null;
        if (!this.playing) return;
        const passed = this.last === null ? 0 : Math.min(now - this.last, 250) / 1000;
        this.last = now;
        let time = this.time + passed * this.speed;
        if (time >= this.end) {
          if (this.loop) time = this.start + ((time - this.start) % (this.end - this.start));
          else { time = this.end; this.pause(); }
        }
        this.time = time;
        this.draw();
        this.emit("time");
        this.tick();
      });
    }

    // ---------------------------------------------------------------------------------------------- drawing
    redraw() {
      if (this.playing || this.pending) return;
      this.pending = requestAnimationFrame(() => { this.pending = null; if (!this.gone) this.draw(); });
    }

    draw() {
      for (const m of this.motions) m.seek(this.time);
      this.stage.draw();
      this.plots.cursor();
      this.controls.moved();
    }

    resize() {
      this.stage.resize();
      this.plots.resize();
      if (this.gone || !this.stage.width) return;
      this.draw();
    }

    // Other data in boxes of the same size: nothing is measured, which would make the browser lay out the page at once.
    refresh() {
      this.camera.resize(this.stage.width, this.stage.height);
      this.stage.traces.clear();
      for (const pane of this.plots.panes) this.plots.draw(pane);
      this.draw();
    }

    fit() { this.camera.fit(); this.redraw(); }

    // ------------------------------------------------------------------------------------------------ others
    on(name, f) {
      (this.listeners[name] = this.listeners[name] || new Set()).add(f);
      return () => this.listeners[name].delete(f);
    }

    emit(name) { for (const f of this.listeners[name] || []) f(this); }

    destroy() {
      this.gone = true;
      this.playing = false;
      cancelAnimationFrame(this.frame);
      cancelAnimationFrame(this.pending);
      this.observer.disconnect();
      this.scheme.removeEventListener("change", this.recolour);
      this.controls.destroy();
      this.root.remove();
    }
  }

  // Real time, unless that is over in a blink or takes minutes.
  function pace(duration) {
    if (!(duration > 0) || (duration >= 1.5 && duration <= 60)) return 1;
    return B.round(duration / (duration < 1.5 ? 4 : 20));
  }
})(globalThis.BielaPlayer);
