// Sliders: one for every number that can be turned. While one moves, its value lies over the text; let go, it is written.

import { sentence } from "./editor.js";

const GROUPS = { parameters: "Parameters", start: "At the start", bodies: "Bodies", joints: "Joints", forces: "Forces" };
const OPEN = ["parameters", "start"];

const digits = (x) => (Number.isInteger(x) ? String(x) : String(+x.toPrecision(5)));

export class Sliders {
  constructor(turned, settled, measured) {
    Object.assign(this, { turned, settled, measured, box: document.getElementById("sliders"), rows: new Map(), moved: new Map(), open: {} });
  }

  // What the server found in the text. Rows that are there stay as they are: somebody may be holding one.
  show(controls) {
    const keys = controls.map((c) => key(c.path)), same = keys.length === this.rows.size && keys.every((k) => this.rows.has(k));
    if (!same) this.build(controls);
    for (const c of controls) {
      const row = this.rows.get(key(c.path));
      row.control = c;
      if (this.moved.has(key(c.path)) || document.activeElement === row.number || row.refused) continue;
      this.fit(row, c.value);
      row.range.value = c.value;
      row.number.value = digits(c.value);
      row.unit.textContent = c.unit;
    }
  }

  build(controls) {
    this.rows.clear();
    this.box.replaceChildren();
    const groups = new Map();
    for (const c of controls) {
      if (!groups.has(c.group)) {
        const group = document.createElement("details"), head = document.createElement("summary");
        head.textContent = GROUPS[c.group] || c.group;
        const few = controls.every((other) => !OPEN.includes(other.group));
        group.open = this.open[c.group] ?? (OPEN.includes(c.group) || few);
        group.addEventListener("toggle", () => { this.open[c.group] = group.open; });
        group.append(head);
        groups.set(c.group, group);
        this.box.append(group);
      }
      groups.get(c.group).append(this.row(c));
    }
    if (!controls.length) {
      const note = document.createElement("p");
      note.className = "empty";
      note.textContent = "No sliders: give numbers in [parameters] or [initial].";
      this.box.append(note);
    }
  }

  row(c) {
    const box = document.createElement("div"), id = "slider-" + key(c.path).replace(/[^\w-]/g, "_");
    box.className = "slider";
    const label = document.createElement("label"), range = document.createElement("input"), number = document.createElement("input"), unit = document.createElement("span");
    label.htmlFor = id;
    label.textContent = label.title = c.name;
    Object.assign(range, { type: "range", id, min: c.least, max: c.most, step: c.step });
    range.dataset.path = key(c.path);
    Object.assign(number, { type: "text", inputMode: "decimal", autocomplete: "off" });
    number.setAttribute("aria-label", c.name + " as a number");
    unit.className = "unit";
    const value = document.createElement("span");
    value.className = "value";
    value.append(number, unit);
    const why = document.createElement("p");
    Object.assign(why, { className: "bad refused", id: id + "-why", hidden: true });
    why.setAttribute("role", "alert");
    box.append(label, value, range, why);
    const row = { control: c, range, number, unit, why };
    this.rows.set(key(c.path), row);
    range.addEventListener("input", () => this.turn(row, +range.value));
    range.addEventListener("change", () => this.settle());
    number.addEventListener("change", () => this.typed(row));
    number.addEventListener("keydown", (e) => {
      if (e.key !== "Escape" || !row.refused) return;
      e.stopPropagation();
      number.value = digits(+range.value);
      this.refuse(row, "");
    });
    return box;
  }

  // A number, or one with a unit, which the server knows; what cannot be taken stays to be mended, with the reason.
  async typed(row) {
    const text = row.number.value.trim().replace(",", "."), count = (row.count = (row.count || 0) + 1);
    let x = Number(text);
    if (text === "") { row.number.value = digits(+row.range.value); this.refuse(row, ""); return; }
    if (!isFinite(x)) {
      try {
        x = await this.measured(row, text);
      } catch (error) {
        if (count === row.count) this.refuse(row, (error.problems || [{ what: String(error) }]).map(sentence).join("; "));
        return;
      }
      if (count !== row.count) return; // typed anew, or turned, in the meantime
    }
    if (row.control.whole && x !== Math.round(x)) { this.refuse(row, text + " is not a whole number, and this counts something"); return; }
    this.fit(row, x);
    row.range.value = x;
    this.turn(row, x);
    this.settle();
  }

  // Why what was typed is not taken; nothing, when all is well.
  refuse(row, why) {
    row.refused = !!why;
    row.why.hidden = !why;
    row.why.textContent = why ? why + "; it is still " + digits(+row.range.value) + (row.control.unit ? " " + row.control.unit : "") : "";
    row.number.setAttribute("aria-invalid", String(!!why));
    if (why) row.number.setAttribute("aria-describedby", row.why.id); else row.number.removeAttribute("aria-describedby");
  }

  // A value outside of the range makes it wider.
  fit(row, x) {
    const { least, most, step } = row.control;
    row.range.step = "any";
    row.range.min = Math.min(least, x < least ? x * 1.5 : least, +row.range.min);
    row.range.max = Math.max(most, x > most ? x * 1.5 : most, +row.range.max);
    if (!row.control.whole && isFinite(step)) row.range.step = step / 10;
    if (row.control.whole) { row.range.min = 1; row.range.step = 1; }
  }

  turn(row, x) {
    row.count = (row.count || 0) + 1;
    this.refuse(row, "");
    if (row.control.whole) x = Math.round(x);
    row.number.value = digits(x);
    const { path, unit } = row.control, value = +digits(x);
    this.moved.set(key(path), { path, value: unit ? value + " " + unit : row.control.whole ? Math.round(value) : value });
    this.turned();
  }

  settle() { this.settled([...this.moved.values()]); }

  get values() { return [...this.moved.values()]; }
  written(values) {
    for (const v of values) {
      const now = this.moved.get(key(v.path));
      if (now && now.value === v.value) this.moved.delete(key(v.path));
    }
  }
  clear() { this.moved.clear(); this.rows.clear(); }
}

const key = (path) => path.join(".");
