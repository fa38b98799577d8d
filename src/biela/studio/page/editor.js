// The text: a textarea over a coloured copy of itself, with numbers of lines, and marks where something is wrong.

const LARGE = 200000; // characters beyond which nothing is coloured

const escape = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
const TOKEN = /(#.*$)|("""|'''|"(?:[^"\\]|\\.)*"?|'[^']*'?)|(\b(?:true|false)\b)|([+-]?(?:\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)\b)/g;

function coloured(line) {
  const head = /^(\s*)(\[\[?[^\]]*\]?\]?)(.*)$/.exec(line);
  if (head && !line.includes("=")) return head[1] + '<b class="t">' + escape(head[2]) + "</b>" + tokens(head[3]);
  const entry = /^(\s*)("[^"]*"|'[^']*'|[\w.-]+)(\s*=)(.*)$/.exec(line);
  if (entry) return entry[1] + '<i class="k">' + escape(entry[2]) + "</i>" + entry[3] + tokens(entry[4]);
  return tokens(line);
}

function tokens(text) {
  let out = "", at = 0;
  for (const m of text.matchAll(TOKEN)) {
    out += escape(text.slice(at, m.index));
    const kind = m[1] ? "c" : m[2] ? "s" : m[3] ? "b" : "n";
    out += '<i class="' + kind + '">' + escape(m[0]) + "</i>";
    at = m.index + m[0].length;
  }
  return out + escape(text.slice(at));
}

export class Editor {
  constructor(changed) {
    this.area = document.getElementById("text");
    this.ink = document.getElementById("ink");
    this.gutter = document.getElementById("gutter");
    this.list = document.getElementById("problems");
    this.problems = [];
    this.lines = [];
    this.area.addEventListener("input", () => { this.coming = null; this.draw(); changed(this.text); });
    this.area.addEventListener("scroll", () => this.scrolled());
    this.area.addEventListener("mousemove", (e) => this.hover(e));
    new ResizeObserver(() => this.scrolled()).observe(this.area);
  }

  get text() { return this.area.value; }

  // A text to come, seen but not yet written: what is held may still move, and letting go is one step for undo.
  preview(text) {
    this.coming = text;
    this.draw();
  }

  // Another text altogether.
  load(text) {
    this.coming = null;
    this.area.value = text;
    this.area.scrollTop = 0;
    this.problems = [];
    this.draw();
    this.tell();
  }

  // A few numbers changed by a slider or by dragging: only what differs is replaced, so that undo works.
  replace(text) {
    const old = this.text, seen = this.coming;
    this.coming = null;
    if (old === text) { if (seen) this.draw(); return; }
    let a = 0, b = 0;
    const most = Math.min(old.length, text.length);
    while (a < most && old[a] === text[a]) a++;
    while (b < most - a && old[old.length - 1 - b] === text[text.length - 1 - b]) b++;
    const focus = document.activeElement, scroll = this.area.scrollTop, piece = text.slice(a, text.length - b);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(a, old.length - b);
    const done = document.execCommand && (piece ? document.execCommand("insertText", false, piece) : document.execCommand("delete"));
    if (!done || this.text !== text) this.area.value = text;
    this.area.scrollTop = scroll;
    if (focus && focus !== this.area) focus.focus({ preventScroll: true });
    this.draw();
  }

  draw() {
    const text = this.coming ?? this.text, lines = text.split("\n"), large = text.length > LARGE;
    const bad = new Map();
    for (const p of this.problems) if (p.line) bad.set(p.line, [...(bad.get(p.line) || []), p]);
    const html = [], numbers = [];
    lines.forEach((line, k) => {
      const wrong = bad.has(k + 1);
      html.push('<span class="line' + (wrong ? " wrong" : "") + '">' + (large ? escape(line) : coloured(line)) + "\n</span>");
      numbers.push(wrong ? '<span class="wrong" title="' + escape(said(bad.get(k + 1))).replace(/"/g, "&quot;") + '">' + (k + 1) + "</span>" : "<span>" + (k + 1) + "</span>");
    });
    this.ink.innerHTML = html.join("");
    this.gutter.innerHTML = '<div class="numbers">' + numbers.join("") + "</div>";
    this.scrolled();
  }

  scrolled() {
    this.ink.style.transform = "translate(" + -this.area.scrollLeft + "px," + -this.area.scrollTop + "px)";
    const numbers = this.gutter.firstChild;
    if (numbers) numbers.style.transform = "translateY(" + -this.area.scrollTop + "px)";
  }

  // What is wrong, from the server: marks, and a list that leads to them.
  mark(problems) {
    this.problems = problems;
    this.area.setAttribute("aria-invalid", problems.length ? "true" : "false");
    this.draw();
    this.tell();
  }

  tell() {
    this.list.replaceChildren();
    for (const p of this.problems.slice(0, 50)) {
      const item = document.createElement(p.line ? "button" : "div");
      item.className = "problem";
      const what = document.createElement("strong");
      what.textContent = (p.line ? "line " + p.line + ": " : "") + p.what;
      item.append(what);
      for (const [label, text] of [["where", p.where], ["why", p.why], [asks(p.cure) ? "" : "try", p.cure]]) {
        if (!text) continue;
        const more = document.createElement("span");
        more.textContent = (label ? label + ": " : "") + text;
        item.append(more);
      }
      if (p.line) item.addEventListener("click", () => this.go(p.line));
      this.list.append(item);
    }
  }

  go(line) {
    const before = this.text.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const end = this.text.indexOf("\n", before);
    this.area.focus();
    this.area.setSelectionRange(before, end < 0 ? this.text.length : end);
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, (line - 1) * height - this.area.clientHeight / 2);
  }

  next() {
    const lines = [...new Set(this.problems.map((p) => p.line).filter(Boolean))].sort((a, b) => a - b);
    if (!lines.length) return;
    const here = this.text.slice(0, this.area.selectionStart).split("\n").length;
    this.go(lines.find((line) => line > here) || lines[0]);
  }

  hover(e) {
    const box = this.area.getBoundingClientRect(), height = parseFloat(getComputedStyle(this.area).lineHeight);
    const line = Math.floor((e.clientY - box.top + this.area.scrollTop - 8) / height) + 1;
    const here = this.problems.filter((p) => p.line === line);
    this.area.title = here.length ? said(here) : "";
  }
}

const asks = (cure) => /^did you mean/.test(cure || ""); // a question is not something to try

// A problem in one line.
export function sentence(p) {
  return [p.what, p.why && "(" + p.why + ")", p.cure && (asks(p.cure) ? "– " : "– try: ") + p.cure].filter(Boolean).join(" ");
}

function said(problems) {
  return problems.map((p) => [p.what, p.why && "why: " + p.why, p.cure && (asks(p.cure) ? "" : "try: ") + p.cure].filter(Boolean).join("\n")).join("\n\n");
}
