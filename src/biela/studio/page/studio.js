// The studio: one mechanism, its text, its sliders, its motion. The text is the model; all else follows from it.

import { ask, job, Refused } from "./server.js";
import { Drafts, page, settings } from "./drafts.js";
import { Editor, sentence } from "./editor.js";
import { Sliders } from "./sliders.js";
import { MotionView } from "./motion.js";
import { Check, Compare, Method, summary } from "./panels.js";

const $ = (id) => document.getElementById(id);
const EXPORTS = [["model", "Model (.toml)"], ["player", "Player (.html)"], ["report", "Report (.html)"], ["gif", "Film (.gif)"], ["mp4", "Film (.mp4)"], ["csv", "Motion (.csv)"], ["json", "Motion (.json)"],
  ["plot-png", "Plots (.png)"], ["plot-svg", "Plots (.svg)"], ["sketch-png", "Sketch (.png)"], ["sketch-svg", "Sketch (.svg)"], ["comparison", "Comparison (.csv)"]];
const TYPING = 250; // milliseconds of rest before a text is looked at
const SLOW = 1200; // milliseconds after which a look is worth a word

class Studio {
  async begin() {
    this.theme = settings.get("theme", "");
    this.setTheme(this.theme);
    const start = await ask("start");
    Object.assign(this, { menus: start, files: start.files, folder: start.folder });
    $("version").textContent = "biela " + start.version + ", folder: " + start.folder;
    this.drafts = new Drafts(start.place);
    this.editor = new Editor(() => this.typed());
    this.sliders = new Sliders(() => this.turned(), (values) => this.settle(values), (row, typed) => this.measured(row.control, typed));
    this.motion = new MotionView(this);
    this.method = new Method($("method"), start, () => { this.keep(); this.changed(); });
    this.check = new Check(this);
    this.compare = new Compare(this, start);
    $("live").checked = settings.get("live", true);
    this.listen();
    this.exports();
    const tab = $(settings.get("tab", "tab-sliders"));
    if (tab && tab.id !== "tab-check") this.tab(tab); // a report needs a model
    const known = page.open || start.first || settings.get("open") || "library:four-bar";
    await this.open(known).catch(async (error) => {
      const wanted = known === page.open || known === start.first;
      await this.open("library:four-bar");
      if (wanted) this.banner(known.slice(known.indexOf(":") + 1) + " is not opened: " + error.message);
    });
  }

  // --------------------------------------------------------------------------------------------- documents
  // id: "library:NAME" or "file:PATH"
  async open(id) {
    const [kind, name] = [id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1)];
    const draft = this.drafts.get(id);
    const told = await ask("open", kind === "library" ? { library: name } : { file: name }).catch((error) => {
      if (!(error.status === 422 && typeof draft?.text === "string")) throw error;
      return { name: name.replace(/^.*\//, "").replace(/\.toml$/i, ""), text: "", mark: null, gone: error.message }; // what was typed is here
    });
    this.doc = { id, kind, name: told.name, file: kind === "file" ? name : null, saved: told.text, mark: told.mark };
    page.open = id;
    this.motion.forget();
    this.sliders.clear();
    this.method.values = { ...draft?.settings, limit: draft?.limit };
    this.compare.state = draft?.compare;
    this.plots = draft?.plots;
    this.vectors = draft?.vectors;
    const kept = draft && typeof draft.text === "string" && draft.text !== told.text;
    this.editor.load(kept ? draft.text : told.text);
    if (kept && draft.mark && !told.gone) this.doc.mark = draft.mark; // a file that changed since is not written over unseen
    this.banner(kept ? "Your earlier changes, not saved yet." : "", kept ? ["Discard them", () => this.discard()] : null);
    if (told.gone) this.banner("Your earlier changes; the file itself cannot be read (" + told.gone + "). Save creates it again.");
    else if (kept && kind === "file" && draft.mark && draft.mark !== told.mark) this.banner("Your earlier changes. The file on disk has been changed since by someone else.", ["Take the file", () => this.discard()]);
    this.titled();
    $("summary").replaceChildren();
    await this.look();
    if (settings.get("tab") === "tab-check") this.tab($("tab-check"));
    if (draft?.moved?.length) { // sliders that were let go just before the page went
      await this.settle(draft.moved);
      if ($("live").checked) this.motion.follow();
    }
  }

  discard() {
    this.drafts.drop(this.doc.id);
    return this.open(this.doc.id);
  }

  get dirty() { return this.editor.text !== this.doc.saved; }

  titled() {
    $("doc").textContent = this.doc.file || this.doc.name;
    $("dirty").hidden = !this.dirty;
    $("save").disabled = !this.dirty && !!this.doc.file;
    document.title = (this.dirty ? "● " : "") + (this.doc.file || this.doc.name) + " – biela studio";
  }

  // Everything that a reload should bring back.
  keep() {
    const plots = this.motion.player ? this.motion.plotted() : this.plots;
    const moved = this.sliders.values; // not in the text yet
    const arrows = this.motion.player ? this.motion.arrows() : this.vectors;
    const draft = { settings: this.method.values, limit: this.method.fields.limit.input.value, compare: this.compare.state, vectors: arrows, plots, ...(moved.length ? { moved } : {}), ...(this.dirty ? { text: this.editor.text, mark: this.doc.mark } : {}) };
    if (!this.drafts.put(this.doc.id, draft)) this.banner("This browser keeps no drafts: save your work.");
    this.titled();
  }

  async save(as = false, force = false) {
    let file = this.doc.file;
    if (!file || as) {
      file = await this.ask("Save as", "A file in the folder " + this.folder + ".", this.doc.file || this.doc.name + ".toml", "Save");
      if (!file) return;
      if (!file.toLowerCase().endsWith(".toml")) file += ".toml";
    }
    const text = this.editor.text, same = file === this.doc.file;
    try {
      const told = await ask("save", { file, text, mark: same ? this.doc.mark : null, force });
      this.files = told.files;
      const old = this.doc.id;
      this.doc = { id: "file:" + file, kind: "file", name: file.replace(/^.*\//, "").replace(/\.toml$/i, ""), file, saved: text, mark: told.mark };
      page.open = this.doc.id;
      if (old !== this.doc.id) this.drafts.drop(old);
      this.banner("");
      this.keep();
      this.say("saved " + file);
    } catch (error) {
      if (error.data?.changed && await this.ask("Write over it?", file + " is on disk already, and is not what was read here.", null, "Write over it")) {
        this.doc.file = file;
        return this.save(false, true);
      }
      if (!error.data?.changed) this.banner("Not saved: " + error.message);
    }
  }

  // ------------------------------------------------------------------------------------------------- changes
  request() {
    return { text: this.editor.text, name: this.doc.name, values: this.sliders.values, settings: this.method.values };
  }

  get limit() { return this.method.limit; }

  typed() {
    this.sliders.moved.clear();
    this.keep();
    clearTimeout(this.typing);
    this.typing = setTimeout(() => { this.typing = 0; this.look(); }, TYPING);
  }

  changed() { this.keep(); return this.look(); }

  // The text is looked at: mistakes are marked; without any, it moves.
  async look() {
    const number = (this.looking = (this.looking || 0) + 1);
    this.check.changed();
    this.checking?.cancel(); // a look at a text that has gone; if it hangs, it is ended
    const checking = this.checking = job("check", this.request(), (m) => { if (m.text) this.progress(m, "check"); });
    const slow = setTimeout(() => { if (number === this.looking) this.progress({ text: "checking" }, "check"); }, SLOW);
    try {
      const { kind, data } = await checking.result;
      if (number !== this.looking) return;
      this.checking = null;
      this.progress(null, "check");
      if (kind === "cancelled") { this.editor.mark([{ what: "the check was cancelled", why: "it took a long time", cure: "make the model smaller" }]); return; }
      this.editor.mark(data.problems);
      if (data.controls.length || data.ok) this.sliders.show(data.controls);
      this.motion.handles(data.handles);
      $("run").disabled = !data.ok;
      document.body.classList.toggle("broken", !data.ok);
      if (!data.ok) this.notice("The text has " + (data.problems.length === 1 ? "a problem" : data.problems.length + " problems") + "; the motion shown is the previous one.");
      else if ($("live").checked || !this.motion.player) this.motion.follow();
    } catch (error) {
      this.progress(null, "check");
      if (number === this.looking) this.editor.mark(error instanceof Refused ? error.problems : [{ what: String(error) }]);
    } finally {
      clearTimeout(slow);
    }
  }

  turned() {
    if ($("live").checked) this.motion.follow();
    this.keep();
    this.check.changed();
  }

  // A slider was let go: its number goes into the text.
  async settle(values) {
    if (!values.length) return;
    try {
      const { id } = this.doc;
      let written;
      for (let text = null; text !== this.editor.text; ) { // what is typed in the meantime stays
        text = this.editor.text;
        written = (await job("set", { text, values }).result).data.text;
        if (id !== this.doc.id) return;
      }
      this.editor.replace(written);
      this.sliders.written(values);
      this.keep();
      const { data: told } = await job("check", this.request()).result;
      this.editor.mark(told.problems);
      this.sliders.show(told.controls);
      this.motion.handles(told.handles);
    } catch (error) {
      this.failed(error.problems || [{ what: String(error) }]);
    }
  }

  // What was typed beside a slider, in its unit; refused in words if it does not measure that.
  async measured(control, typed) {
    const { data } = await job("number", { ...this.request(), values: [], path: control.path, unit: control.unit, typed }).result;
    return data.value;
  }

  pulled(text) { this.editor.replace(text); this.sliders.moved.clear(); this.keep(); }

  // ------------------------------------------------------------------------------------------------- telling
  ran(data, live) {
    this.notice("");
    this.last = data;
    summary($("summary"), data, live);
    if (!live) this.keep();
  }

  // The run came to nothing: the picture and its numbers are those of the one before, and say so.
  before(how) {
    const box = $("summary"), text = "the last run " + (how === "failed" ? "failed" : "was cancelled") + "; the picture and the numbers are those of the previous run:";
    if (!box.firstChild) return;
    if (box.firstChild.dataset.before === undefined) {
      box.firstChild.className = "";
      const head = document.createElement("p");
      Object.assign(head, { className: "bad" }).dataset.before = "";
      box.prepend(head);
    }
    box.firstChild.textContent = text;
  }

  failed(problems) {
    const text = problems.map(sentence).join("\n");
    this.notice(text, true);
    const marked = problems.filter((p) => p.line);
    if (marked.length && !this.editor.problems.length) this.editor.mark(marked);
  }

  notice(text, bad = false) {
    $("notice").hidden = !text;
    $("notice").textContent = text;
    $("notice").classList.toggle("bad", bad);
  }

  say(text) {
    this.notice(text);
    clearTimeout(this.fading);
    this.fading = setTimeout(() => { if ($("notice").textContent === text) this.notice(""); }, 4000);
  }

  banner(text, action) {
    $("banner").hidden = !text;
    $("banner").replaceChildren(text);
    if (action) {
      const button = document.createElement("button");
      button.textContent = action[0];
      button.addEventListener("click", action[1]);
      $("banner").append(" ", button);
    }
  }

  // What is being done, by whom: the button beside it cancels that and nothing else.
  progress(message, whose) {
    if (!message && whose !== this.beside) return;
    this.beside = message ? whose : null;
    $("progress").hidden = !message;
    $("run").hidden = !!message;
    if (!message) return;
    if (message.fraction === undefined) $("done").removeAttribute("value"); else $("done").value = message.fraction;
    $("doing").textContent = message.text || (message.steps ? message.steps.toLocaleString() + " steps" : Math.round(100 * (message.fraction || 0)) + " %");
  }

  // A question; gives what was typed, true, or null.
  ask(title, text, value, yes) {
    $("asker-title").textContent = title;
    $("asker-text").textContent = text;
    $("asker-yes").textContent = yes;
    const input = $("asker-input");
    input.hidden = value === null;
    input.value = value || "";
    const dialog = $("asker");
    dialog.returnValue = "no";
    dialog.showModal();
    if (value !== null) { input.focus(); input.setSelectionRange(0, value.replace(/\.toml$/, "").length); }
    return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue === "yes" ? (value === null ? true : input.value.trim() || null) : null), { once: true }));
  }

  // ------------------------------------------------------------------------------------------------ choosing
  async choose() {
    $("filter").value = "";
    this.choices();
    $("chooser").showModal();
    $("filter").focus();
    try { this.files = (await ask("files")).files; this.choices(); } catch { /* the list of before will do */ }
  }

  choices() {
    const wanted = $("filter").value.toLowerCase(), fits = (...texts) => texts.some((t) => t && t.toLowerCase().includes(wanted));
    const part = (title, entries) => {
      const list = document.createElement("ul"), head = document.createElement("h3");
      head.textContent = title;
      for (const [id, name, about] of entries) {
        const button = document.createElement("button"), item = document.createElement("li");
        button.innerHTML = "<strong></strong><span></span>";
        button.firstChild.textContent = name;
        button.lastChild.textContent = about;
        if (id === this.doc?.id) button.setAttribute("aria-current", "true");
        button.addEventListener("click", () => { $("chooser").close(); this.open(id).catch((e) => this.banner("Not opened: " + e.message)); });
        item.append(button);
        list.append(item);
      }
      return entries.length ? [head, list] : [];
    };
    const files = this.files.filter((f) => fits(f)).map((f) => ["file:" + f, f, this.drafts.get("file:" + f)?.text !== undefined ? "with changes that are not saved" : ""]);
    const rank = (m) => (m.name === wanted ? 0 : m.name.startsWith(wanted) ? 1 : m.name.includes(wanted) ? 2 : 3); // Enter takes the first
    const library = [...this.menus.library].sort((a, b) => rank(a) - rank(b)).filter((m) => fits(m.name, m.title)).map((m) => ["library:" + m.name, m.name, m.title + (this.drafts.get("library:" + m.name)?.text !== undefined ? " (with changes that are not saved)" : "")]);
    const parts = [...part("In the folder " + this.folder, files), ...part("Library", library)];
    $("choices").replaceChildren(...(parts.length ? parts : ["Nothing found."]));
  }

  // ------------------------------------------------------------------------------------------------- exports
  exports() {
    const list = $("exports"), button = $("export");
    const toggle = (open) => { list.hidden = !open; button.setAttribute("aria-expanded", String(open)); if (open) list.querySelector("button").focus(); };
    for (const [kind, label] of EXPORTS) {
      const item = document.createElement("li"), entry = document.createElement("button");
      item.setAttribute("role", "none");
      entry.setAttribute("role", "menuitem");
      entry.textContent = label;
      entry.dataset.kind = kind;
      entry.addEventListener("click", () => { toggle(false); button.focus(); this.export(kind); });
      item.append(entry);
      list.append(item);
    }
    button.addEventListener("click", () => toggle(list.hidden));
    list.addEventListener("keydown", (e) => {
      const entries = [...list.querySelectorAll("button")], at = entries.indexOf(document.activeElement);
      if (e.key === "ArrowDown" || e.key === "ArrowUp") { entries[(at + (e.key === "ArrowDown" ? 1 : -1) + entries.length) % entries.length].focus(); e.preventDefault(); }
      if (e.key === "Escape") { toggle(false); button.focus(); e.stopPropagation(); }
    });
    document.addEventListener("pointerdown", (e) => { if (!list.hidden && !e.target.closest(".menu")) toggle(false); });
  }

  async export(kind) {
    if (kind === "model") return download(this.doc.name + ".toml", "application/toml", new TextEncoder().encode(this.editor.text));
    const channels = this.motion.plotted(), plots = kind.startsWith("plot") ? { channels } : { channels: [] };
    const running = job("export", { ...this.request(), ...this.compare.request, ...plots, kind, limit: this.limit }, (m) => this.progress(m, "export"));
    this.motion.exporting = running;
    this.progress({ text: "exporting" }, "export");
    try {
      const told = await running.result;
      if (told.kind === "cancelled") return this.say("cancelled");
      download(told.file, told.media, Uint8Array.from(atob(told.data), (c) => c.charCodeAt(0)));
      this.say("exported " + told.file);
    } catch (error) {
      this.failed(error.problems || [{ what: String(error) }]);
    } finally {
      this.motion.exporting = null;
      this.progress(null, "export");
    }
  }

  // ---------------------------------------------------------------------------------------------------- page
  setTheme(theme) {
    this.theme = theme;
    if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme;
    const dark = theme === "dark" || (!theme && matchMedia("(prefers-color-scheme: dark)").matches);
    $("theme").textContent = dark ? "☾" : "☀";
    $("theme").setAttribute("aria-label", dark ? "Dark; change to light" : "Light; change to dark");
    this.motion?.player?.setTheme(theme);
    settings.put("theme", theme);
  }

  view(name) {
    document.body.dataset.view = name;
    for (const b of document.querySelectorAll(".views button")) b.setAttribute("aria-current", String(b.dataset.view === name));
  }

  tab(button) {
    for (const b of document.querySelectorAll("[role=tab]")) {
      const on = b === button;
      b.setAttribute("aria-selected", String(on));
      b.tabIndex = on ? 0 : -1;
      $(b.getAttribute("aria-controls")).hidden = !on;
    }
    settings.put("tab", button.id);
    if (button.id === "tab-check") this.check.refresh();
  }

  cancel() { ({ export: this.motion.exporting, run: this.motion, check: this.checking })[this.beside]?.cancel(); }

  listen() {
    $("open").addEventListener("click", () => this.choose());
    $("filter").addEventListener("input", () => this.choices());
    $("filter").addEventListener("keydown", (e) => { if (e.key === "Enter") { $("choices").querySelector("button")?.click(); e.preventDefault(); } });
    $("save").addEventListener("click", () => this.save());
    $("run").addEventListener("click", () => this.motion.run());
    $("cancel").addEventListener("click", () => this.cancel());
    $("help").addEventListener("click", () => $("helper").showModal());
    $("live").addEventListener("change", () => { settings.put("live", $("live").checked); if ($("live").checked) this.changed(); });
    $("theme").addEventListener("click", () => {
      const dark = this.theme === "dark" || (!this.theme && matchMedia("(prefers-color-scheme: dark)").matches);
      this.setTheme(dark ? "light" : "dark");
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (!this.theme) this.setTheme(""); });
    for (const b of document.querySelectorAll(".views button")) b.addEventListener("click", () => this.view(b.dataset.view));
    this.view("motion");
    const tabs = [...document.querySelectorAll("[role=tab]")];
    for (const b of tabs) {
      b.addEventListener("click", () => this.tab(b));
      b.addEventListener("keydown", (e) => {
        const way = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
        if (way) { const to = tabs[(tabs.indexOf(b) + way + tabs.length) % tabs.length]; this.tab(to); to.focus(); }
      });
    }
    document.addEventListener("keydown", (e) => this.key(e));
    addEventListener("pagehide", () => { if (this.doc) this.keep(); });
    this.drafts.onOther((key) => {
      if (this.doc && key === this.drafts.key(this.doc.id)) {
        const other = this.drafts.get(this.doc.id)?.text;
        if (other !== undefined && other !== this.editor.text) this.banner("This mechanism is being edited in another tab too.", ["Take its text", () => { this.editor.replace(other); this.banner(""); this.changed(); }]);
      }
    });
  }

  key(e) {
    const command = e.ctrlKey || e.metaKey;
    if (document.querySelector("dialog[open]")) return;
    if (command && e.key.toLowerCase() === "s") { e.preventDefault(); this.save(e.shiftKey); }
    else if (command && e.key === "Enter") { e.preventDefault(); if (!$("run").disabled) this.motion.run(); }
    else if (command && e.key.toLowerCase() === "o") { e.preventDefault(); this.choose(); }
    else if (e.key === "Escape" && !$("progress").hidden) this.cancel();
    else if (e.key === "F8") { e.preventDefault(); this.view("model"); this.editor.next(); }
    else if (e.key === "?" && !/^(TEXTAREA|INPUT|SELECT)$/.test(e.target.tagName)) $("helper").showModal();
  }
}

function download(name, media, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: media }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 30000);
}

const studio = new Studio();
globalThis.bielaStudio = studio; // for a look from the console, and for measurements
studio.begin().catch((error) => {
  document.getElementById("banner").hidden = false;
  document.getElementById("banner").textContent = "The studio cannot start: " + error.message;
});
