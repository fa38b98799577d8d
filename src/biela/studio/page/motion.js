// The motion: asks for a run whenever something has changed, and hands it to the player.
//
// While a slider moves, only what is on the screen is computed and sent (the curves that are plotted, the arrows that
// are shown), and the next run begins when the last one is there: the picture follows as fast as the engine can.
// When all is quiet, one full run brings the rest.

import { Handles } from "./handles.js";
import { sentence } from "./editor.js";
import { job, Refused } from "./server.js";

const QUIET = 350, PATIENCE = 400, BEHIND = 1500; // milliseconds
const LONG = 2.5; // seconds of computing

export class MotionView {
  constructor(studio) {
    Object.assign(this, { studio, element: document.getElementById("player"), player: null, wanted: null, busy: false, current: 0 });
    this.timings = []; // milliseconds from a slider's event to the new picture
    this.drag = document.getElementById("drag");
    this.hint = document.getElementById("hint");
    this.drag.addEventListener("click", () => this.setDragging(!this.dragging));
  }

  // ------------------------------------------------------------------------------------------------- runs
  // Something has changed: follow it. `since` is when.
  follow(since = performance.now()) {
    this.wanted = { since };
    this.hush();
    if (this.running?.behind) this.running.cancel(); // it is of before, and would only be in the way
    if (!this.busy) this.next();
  }

  async next() {
    const { since } = this.wanted;
    this.wanted = null;
    this.busy = true;
    const number = ++this.current;
    try {
      await this.one({ live: true, channels: this.plotted(), vectors: this.arrows() }, number, since);
    } finally {
      this.busy = false;
    }
    if (this.wanted) return this.next();
    // what costs seconds is not computed twice by itself
    if (!this.failed && number === this.current && this.studio.last?.engine_s < LONG) this.quiet = setTimeout(() => this.full({}), QUIET);
  }

  // The full run that was to come is not needed.
  hush() {
    clearTimeout(this.quiet);
    this.quiet = 0;
  }

  // Nothing is being computed, and nothing is about to be.
  get idle() { return !this.busy && !this.running && !this.wanted && !this.quiet && !this.pulling; }

  // All of it: every curve and arrow.
  full(options) {
    this.hush();
    return this.one(options, ++this.current, performance.now());
  }

  // The button Run: to the end, however long it takes.
  run() {
    this.hush();
    this.wanted = null;
    return this.one({ asked: true }, ++this.current, performance.now());
  }

  async one(options, number, since) {
    const { studio } = this, request = { ...studio.request(), ...options };
    if (options.asked) request.limit = studio.limit;
    const running = job("run", request, (message) => this.progress(number, message));
    this.running = { number, behind: !options.live && !options.asked, ...running };
    const slow = setTimeout(() => this.progress(number, { text: "computing" }), options.asked ? 0 : options.live ? PATIENCE : BEHIND);
    try {
      const { kind, data } = await running.result;
      if (number !== this.current) return;
      if (kind === "cancelled") { studio.say("cancelled: the picture shows the previous run"); studio.before("cancelled"); return; }
      this.failed = !!data.problems;
      if (data.problems) { studio.failed(data.problems); studio.before("failed"); return; }
      this.show(data, options.live, since);
    } catch (error) {
      if (number === this.current) { this.failed = true; studio.failed(error instanceof Refused ? error.problems : [{ what: String(error) }]); studio.before("failed"); }
    } finally {
      clearTimeout(slow);
      if (this.running?.number === number) { this.running = null; this.studio.progress(null, "run"); }
    }
  }

  progress(number, message) {
    if (this.running?.number === number && number === this.current) this.studio.progress(message, "run");
  }

  cancel() { this.running?.cancel(); }

  // ---------------------------------------------------------------------------------------------- picture
  show(data, live, since) {
    const scene = live && this.player ? this.merged(data.player) : data.player;
    if (!this.player) this.mount(scene); else this.player.update(scene);
    this.studio.ran(data, live);
    requestAnimationFrame(() => requestAnimationFrame(() => { // the first comes before the picture is painted
      this.timings.push(performance.now() - since);
      if (this.timings.length > 500) this.timings.shift();
    }));
  }

  // A live run brings the curves and arrows that are shown; the others stay in the menus until a full run brings them.
  merged(scene) {
    const before = this.player.data;
    if (!before || before.results.length !== scene.results.length) return scene;
    scene.results.forEach((r, k) => {
      const fresh = new Map(r.channels.items.map((c) => [c.name, c])), old = before.results[k].channels;
      const items = old.items.map((c) => fresh.get(c.name) || { t: old.t, ...c });
      for (const c of r.channels.items) if (!old.items.some((o) => o.name === c.name)) items.push(c);
      r.channels.items = items;
      r.vectors = [...r.vectors, ...before.results[k].vectors.filter((v) => !r.vectors.some((w) => w.kind === v.kind))];
    });
    scene.scales = { ...before.scales, ...scene.scales };
    return scene;
  }

  mount(scene) {
    this.player = globalThis.BielaPlayer.mount(this.element, scene, {
      header: false, autoplay: true, keyboard: "focus", theme: this.studio.theme, draggable: [],
      drag: (name, at, phase) => this.dragged(name, at, phase),
    });
    const plots = this.studio.plots;
    if (this.studio.vectors?.length) this.player.setVectors(this.studio.vectors);
    if (plots?.length) this.player.setPlots(plots.filter((n) => scene.results[0].channels.items.some((c) => c.name === n)));
  }

  // Another mechanism: what is still being computed of this one is not shown in it.
  forget() {
    this.setDragging(false);
    this.hush();
    this.wanted = this.place = this.pulled = null;
    this.current++;
    this.running?.cancel();
    this.player?.destroy();
    this.player = null;
  }

  plotted() {
    const panes = this.player?.plots?.panes || [];
    return [...new Set(panes.flatMap((p) => [p.y, p.x]).filter((n) => n && n !== "t"))];
  }

  arrows() { return [...(this.player?.show?.vectors || [])]; }

  // --------------------------------------------------------------------------------------------- dragging
  handles(list) {
    this.points = list;
    this.movable = list.filter((h) => h.ok).map((h) => h.point);
    this.drag.hidden = !list.length;
    if (!list.length) this.setDragging(false);
    else if (this.dragging) this.setDragging(true, true);
  }

  // Which points formulas hold is tried out when somebody wants to drag: it takes a moment.
  async probe() {
    const { studio } = this, text = studio.editor.text;
    try {
      const { data } = await job("check", { ...studio.request(), drag: true }).result;
      if (this.dragging && studio.editor.text === text && data?.handles?.length) this.handles(data.handles);
    } catch { /* the list of before will do */ }
  }

  setDragging(on, again = false) {
    const same = again && this.rings && this.rings.list === this.points.map((h) => h.point + h.ok).join();
    if (same) return;
    this.dragging = on;
    this.rings?.destroy();
    this.rings = null;
    this.drag.setAttribute("aria-pressed", String(on));
    this.element.classList.toggle("dragging", on);
    const none = on && !this.movable.length;
    this.hint.textContent = none ? "No point can be dragged here; for example " + this.points[0].point + ": " + this.points[0].why + "." : on ? "Drag a point: the lengths follow, and the text takes the new numbers." : "";
    if (!this.player) return;
    this.player.options.draggable = on ? this.movable : [];
    if (!on) return;
    if (!again) this.probe();
    this.rings = new Handles(this.player, this.points, (point, why) => { this.hint.textContent = point + " cannot be dragged: " + why + "."; }, (point, to) => { this.dragged(point, to, "start"); this.dragged(point, to, "end"); });
    this.player.pause();
    this.player.seek(this.player.start);
  }

  dragged(point, to, phase) {
    if (phase === "start") {
      this.player.pause();
      this.player.seek(this.player.start);
      this.write(); // of the drag before, if its answer was still to come
      this.base = this.studio.editor.text;
    }
    this.place = { point, to, since: performance.now(), end: phase === "end" };
    if (!this.pulling && phase !== "start") this.pull();
  }

  async pull() {
    this.pulling = true;
    while (this.place) {
      const { point, to, since, end } = this.place;
      this.place = null;
      const number = ++this.current;
      this.hush();
      try {
        const request = { ...this.studio.request(), text: this.base, values: [], live: true, channels: this.plotted(), vectors: this.arrows() };
        const { data } = await job("drag", { ...request, point, to, run: true }).result;
        this.pulled = data.text;
        this.studio.editor.preview(data.text);
        if (number === this.current && data.player) this.show(data, true, since);
        if (data.problems) { this.studio.failed(data.problems); this.studio.before("failed"); }
        this.hint.textContent = data.notes?.length ? data.notes.join("; ") : point + " = (" + to.map((x) => x.toPrecision(4)).join(", ") + ") m";
      } catch (error) {
        this.hint.textContent = (error.problems || [{ what: error.message }]).map(sentence).join("; ");
      }
      if (end && !this.place) { this.write(); this.studio.changed(); }
    }
    this.pulling = false;
  }

  // The point was let go: its numbers go into the text, all at once.
  write() {
    const text = this.pulled;
    this.pulled = null;
    if (text) this.studio.pulled(text);
  }
}
