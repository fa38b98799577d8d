// The panels beside the picture: methods, check report, comparison, and how the last run went.

import { sentence } from "./editor.js";
import { job, Refused } from "./server.js";

const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) if (v !== undefined && v !== null) element.setAttribute(k, v);
  element.append(...children);
  return element;
};

const NUMBERS = {
  step: ["Step", "time step of fixed-step integrators, as in 1e-3 or 1 ms", "s"],
  tolerance: ["Tolerance", "of the error control, or of the corrector", ""],
  alpha: ["Alpha", "penalty factor", ""],
  xi: ["Xi", "damping ratio of the constraints", ""],
  omega: ["Omega", "natural frequency of the constraints", "rad/s"],
  rho: ["Rho", "spectral radius at infinite frequency: 1 damps nothing", ""],
  dissipation: ["Dissipation", "above 0, up to 1", ""],
  corrector_tolerance: ["Corrector", "what a corrector may still change, in the units of the coordinates", ""],
  position_tolerance: ["Positions", "what |Phi| may be where positions are solved", ""],
  starter: ["Starter", "first steps of the Adams methods: rk4, rk2", ""],
  multiplier_updates: ["Updates", "of the multipliers per evaluation; empty: until they settle", ""],
};

export class Method {
  constructor(box, menus, changed) {
    Object.assign(this, { box, menus, changed, fields: {} });
    this.menu("coordinates", "Coordinates", menus.coordinates);
    this.menu("formulation", "Formulation", menus.formulations);
    this.menu("integrator", "Integrator", menus.integrators);
    this.number("duration", "Duration", "how long to simulate; empty: what the model says", "s");
    for (const [name, [label, title, unit]] of Object.entries(NUMBERS)) this.number(name, label, title, unit);
    this.number("samples", "Samples", "instants that are kept; empty: as many as the motion needs on the screen, and 2000 in tables", "");
    this.number("limit", "Time limit", "seconds of computing after which a run is stopped; empty: 600", "s");
    this.refresh();
  }

  menu(name, label, entries) {
    const select = make("select", { id: "set-" + name });
    select.append(new Option("auto", ""));
    for (const e of entries) { const option = new Option(e.name, e.name); option.title = e.title; select.append(option); }
    const about = make("small", { id: "about-" + name });
    select.setAttribute("aria-describedby", about.id);
    select.addEventListener("change", () => { this.refresh(); this.changed(); });
    this.box.append(make("div", { class: "field" }, make("label", { for: select.id }, label), select, about));
    this.fields[name] = { select, entries, about };
  }

  number(name, label, title, unit) {
    const input = make("input", { id: "set-" + name, title, autocomplete: "off", placeholder: "auto" });
    const row = make("div", { class: "field short", title }, make("label", { for: input.id }, label), input, make("span", { class: "unit" }, unit));
    input.addEventListener("change", () => { if (name === "limit") this.limit; this.changed(); });
    this.box.append(row);
    this.fields[name] = { input, row };
  }

  // Only what the chosen methods use is shown, so that nothing is filled in for nothing.
  refresh() {
    const chosen = (name) => this.fields[name].entries.find((e) => e.name === this.fields[name].select.value);
    const f = chosen("formulation"), i = chosen("integrator"), c = chosen("coordinates");
    if (i?.direct && f) this.fields.formulation.select.value = "";
    this.fields.formulation.select.disabled = !!i?.direct;
    const used = new Set([...(f?.uses || (i?.direct ? [] : ["alpha", "xi", "omega"])), ...(i?.uses || ["tolerance"])]);
    for (const name of Object.keys(NUMBERS)) this.fields[name].row.hidden = !used.has(name);
    for (const [name, entry] of [["coordinates", c], ["formulation", f], ["integrator", i]]) {
      this.fields[name].about.textContent = entry ? entry.title : name === "formulation" && i?.direct ? "the integrator solves the constraints itself" : "biela chooses";
    }
  }

  get values() {
    const out = {};
    for (const [name, { select, input, row }] of Object.entries(this.fields)) {
      const value = (select || input).value.trim();
      if (value && name !== "limit" && !row?.hidden) out[name] = value;
    }
    return out;
  }

  set values(values) {
    for (const [name, { select, input }] of Object.entries(this.fields)) (select || input).value = values?.[name] || "";
    this.refresh();
  }

  // In seconds; what is no time is marked, and not used.
  get limit() {
    const { input } = this.fields.limit, found = /^([\d.]+(?:e[+-]?\d+)?)\s*(s|min|h)?$/i.exec(input.value.trim()), x = found && found[1] * { s: 1, min: 60, h: 3600 }[(found[2] || "s").toLowerCase()];
    input.setAttribute("aria-invalid", String(!!input.value.trim() && !(x > 0)));
    return x > 0 ? x : 600;
  }
}

// ------------------------------------------------------------------------------------------------ check report
export class Check {
  constructor(studio) {
    Object.assign(this, { studio, box: document.getElementById("check"), stale: true, number: 0 });
  }

  get visible() { return !this.box.hidden; }
  changed() { this.stale = true; if (this.visible) { clearTimeout(this.timer); this.timer = setTimeout(() => this.refresh(), 600); } }

  async refresh() {
    if (!this.stale) return;
    this.stale = false;
    const number = ++this.number;
    this.box.setAttribute("aria-busy", "true");
    try {
      const { data } = await job("full_check", this.studio.request()).result;
      if (number !== this.number) return;
      this.box.replaceChildren(...this.told(data));
    } catch (error) {
      if (number === this.number) this.box.replaceChildren(make("p", { class: "empty" }, error instanceof Refused ? "No report: " + error.problems.map(sentence).join("; ") : String(error)));
    } finally {
      this.box.removeAttribute("aria-busy");
    }
  }

  told({ text, data }) {
    const good = data.ok && !data.doubts.length;
    const first = data.coordinates["reference-point"];
    const head = make("p", { class: data.ok ? (good ? "good" : "doubt") : "bad" }, data.ok ? (good ? "No problems found" : "See the warnings") : "Cannot be simulated");
    const facts = make("p", {}, first.freedom + " freedom" + (first.freedom === 1 ? "" : "s") + " by rank, " + data.freedom_by_counting + " by counting; " + data.bodies + " bodies");
    const rows = Object.entries(data.coordinates).map(([name, m]) => make("tr", {}, make("th", { scope: "row" }, name), ...[m.n, m.m, m.rank, m.redundant, m.freedom].map((x) => make("td", {}, String(x)))));
    const headers = ["", "n", "m", "rank", "redundant", "freedom"].map((h) => make("th", { scope: "col" }, h));
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...headers)), make("tbody", {}, ...rows));
    const remarks = [...data.problems.map((p) => "problem: " + p), ...data.doubts.map((d) => "warning: " + d), ...data.notes, ...(data.singular ? [data.singular] : [])];
    const list = remarks.length ? [make("ul", {}, ...remarks.map((r) => make("li", {}, r.replace(/^note: /, ""))))] : [];
    return [head, facts, make("div", { class: "scroll" }, table), ...list, make("details", {}, make("summary", {}, "In full"), make("pre", {}, text))];
  }
}

// -------------------------------------------------------------------------------------------------- comparison
export class Compare {
  constructor(studio, menus) {
    Object.assign(this, { studio, box: document.getElementById("compare"), pairs: menus.pairs.slice(), usual: menus.pairs });
    this.list = make("ul", { class: "pairs" });
    const menu = (label, entries) => {
      const select = make("select", { "aria-label": label });
      for (const e of entries) { const option = new Option(e.name, e.value ?? e.name); option.title = e.title || ""; select.append(option); }
      return select;
    };
    const any = (what) => ({ name: what + ": auto", value: "" });
    const c = menu("Coordinates", [any("coordinates"), ...menus.coordinates]), f = menu("Formulation", [any("formulation"), ...menus.formulations]), i = menu("Integrator", menus.integrators);
    [f.value, i.value] = ["augmented", "rk4"];
    const direct = () => { f.disabled = !!menus.integrators.find((e) => e.name === i.value)?.direct; };
    i.addEventListener("change", direct);
    const add = make("button", { type: "button" }, "Add");
    add.addEventListener("click", () => {
      const way = (c.value ? c.value + ":" : "") + (f.value && !f.disabled ? f.value + "+" : "") + i.value;
      this.pairs = [...new Set([...this.pairs, way])];
      this.draw();
    });
    this.steps = make("input", { placeholder: "the model's, and ten times that", "aria-label": "Steps", title: "time steps, as in 1e-3, 10 ms" });
    this.tolerances = make("input", { placeholder: "1e-5, 1e-8", "aria-label": "Tolerances", title: "of integrators that control their error" });
    this.go = make("button", { type: "button", class: "main" }, "Compare");
    this.go.addEventListener("click", () => (this.running ? this.running.cancel() : this.run()));
    this.out = make("div", { role: "status" });
    this.box.append(make("p", {}, "The same motion by several methods: what each costs, and how far it is off."), this.list,
      make("div", { class: "adder" }, c, f, i, add), make("div", { class: "field" }, make("label", {}, "Steps", this.steps)),
      make("div", { class: "field" }, make("label", {}, "Tolerances", this.tolerances)), this.go, this.out);
    this.draw();
  }

  // What a reload should bring back.
  get state() { return { pairs: this.pairs, steps: this.steps.value, tolerances: this.tolerances.value }; }
  set state(state) {
    this.running?.cancel(); // of another mechanism
    this.running = null;
    this.go.textContent = "Compare";
    this.pairs = state?.pairs || this.usual.slice();
    this.steps.value = state?.steps || "";
    this.tolerances.value = state?.tolerances || "";
    this.out.replaceChildren();
    this.draw();
  }

  draw() {
    this.list.replaceChildren(...this.pairs.map((pair) => {
      const drop = make("button", { type: "button", class: "icon", "aria-label": "Leave out " + pair }, "×");
      drop.addEventListener("click", () => { this.pairs = this.pairs.filter((p) => p !== pair); this.draw(); });
      return make("li", {}, pair, drop);
    }));
    this.go.disabled = !this.pairs.length;
  }

  get request() {
    const list = (input) => input.value.split(/[,;]/).map((s) => s.trim()).filter(Boolean);
    return { pairs: this.pairs, steps: list(this.steps), tolerances: list(this.tolerances), duration: this.studio.request().settings.duration };
  }

  async run() {
    this.out.replaceChildren(make("p", {}, "…"));
    const running = this.running = job("compare", { ...this.studio.request(), ...this.request }, (m) => { if (this.running === running) this.out.replaceChildren(make("p", { class: "doing" }, (m.text || "computing") + " …")); });
    this.go.textContent = "Cancel";
    try {
      const { kind, data } = await running.result;
      if (this.running !== running) return;
      this.out.replaceChildren(...(kind === "cancelled" || !data.rows.length ? [make("p", {}, "cancelled")] : this.told(data)));
    } catch (error) {
      if (this.running !== running) return;
      this.out.replaceChildren(...(error.problems || [{ what: String(error) }]).map((p) => make("p", { class: "bad" }, sentence(p))));
    }
    this.running = null;
    this.go.textContent = "Compare";
  }

  told(data) {
    const say = (x, f) => (x === null || x === undefined ? "–" : f(x)), e = (x) => x.toExponential(1);
    const named = (pair) => { const [first, rest] = pair.split("+"); return rest ? [first, make("wbr"), "+" + rest] : [pair]; };
    const rows = data.rows.map((r) => make("tr", { title: r.message || "" }, make("th", { scope: "row" }, ...named(r.pair)), make("td", {}, r.step === null ? "tol " + say(r.tolerance, String) : String(+r.step.toPrecision(6))),
      ...(r.status === "finished" ? [say(r.time, (x) => (1e3 * x).toPrecision(3)), say(r.energy_error, e), say(r.position_error, e), say(r.order, (x) => x.toFixed(1))] : [r.status, "–", "–", "–"]).map((x) => make("td", {}, x))));
    const headers = ["method", "step [s]", "time [ms]", "energy [J]", "place [m]", "order"].map((h) => make("th", { scope: "col" }, h));
    const failed = data.rows.filter((r) => r.status !== "finished" && r.message), reasons = [...new Set(failed.map((r) => r.pair + ": " + r.message))];
    return [make("p", {}, "Largest error of the energy, and of the places at the end; " + (data.reference ? "reference: " + data.reference : "no reference") + (data.interrupted ? "; cancelled before the end" : "")),
      make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...headers)), make("tbody", {}, ...rows))),
      ...(reasons.length ? [make("ul", { class: "reasons" }, ...reasons.map((r) => make("li", {}, r)))] : []), ...(data.recommendation ? [make("p", { class: "advice" }, data.recommendation)] : [])];
  }
}

// ------------------------------------------------------------------------------------------------- the last run
export function summary(box, data, live) {
  const s = data.summary, share = s.energy_scale > 0 && s.energy_error !== null ? s.energy_error / s.energy_scale : null;
  const e = (x, digits) => (x === null ? "not finite" : x.toExponential(digits)); // JSON has no infinity
  const state = s.ok ? (share === null || share < 1e-5 ? "good" : share < 1e-2 ? "doubt" : "bad") : "bad";
  const end = s.ok ? "finished at t = " + +s.t_end.toPrecision(6) + " s" : data.ended_by === "limit" ? "stopped by the time limit at t = " + +s.t_end.toPrecision(4) + " of " + s.duration + " s" + (live ? "; Run computes all of it" : "")
    : data.ended_by === "cancelled" ? "cancelled at t = " + +s.t_end.toPrecision(4) + " of " + s.duration + " s" : "stopped at t = " + +s.t_end.toPrecision(4) + " s";
  const lines = [make("p", { class: state }, end)];
  const interrupted = !s.ok && data.ended_by;
  if (s.message && !interrupted) lines.push(make("p", {}, s.message));
  if (s.cure && !interrupted) lines.push(make("p", {}, "try: " + s.cure));
  lines.push(make("p", { class: "facts" }, "energy error " + e(s.energy_error, 1) + (s.energy_error === null ? "" : " J") + (share === null ? "" : " (" + e(share, 0) + ")") + "; |Φ| " + e(s.violation, 0) + "; " + s.steps + " steps in " + +(1e3 * s.wall_s).toPrecision(3) + " ms"));
  lines.push(make("p", { class: "facts" }, s.method.split(" (")[0]));
  for (const note of s.notes) lines.push(make("p", { class: "facts" }, note.replace(/^note: /, "")));
  box.replaceChildren(...lines);
}
